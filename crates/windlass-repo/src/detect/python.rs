//! What a Python project is set up for, and by which of its managers it is run.

use super::{
    Detected,
    look::{Look, section},
};

/// Lockfiles, and how the manager that writes each runs a program.
const LOCKS: [(&str, &str); 4] = [
    ("uv.lock", "uv run "),
    ("poetry.lock", "poetry run "),
    ("pdm.lock", "pdm run "),
    ("Pipfile.lock", "pipenv run "),
];

pub(super) fn tests(look: Look<'_>) -> Option<Detected> {
    let because = pytest(look)?;
    Some(Detected::new(format!("{}pytest", runner(look)), because))
}

pub(super) fn checks(look: Look<'_>) -> Vec<Detected> {
    let mut checks = Vec::new();
    let mut add = |command: &str, because: Option<String>| {
        let command = format!("{}{command}", runner(look));
        checks.extend(because.map(|because| Detected::new(command, because)));
    };
    add(
        "ruff check .",
        configured(look, &["ruff.toml", ".ruff.toml"], &[("pyproject.toml", "tool.ruff")]),
    );
    let mypy = [("pyproject.toml", "tool.mypy"), ("setup.cfg", "mypy")];
    let command = if names_what_to_check(look) { "mypy" } else { "mypy ." };
    add(command, configured(look, &["mypy.ini", ".mypy.ini"], &mypy));
    add(
        "pyright",
        configured(look, &["pyrightconfig.json"], &[("pyproject.toml", "tool.pyright")]),
    );
    checks
}

/// What says that the project is tested with pytest.
fn pytest(look: Look<'_>) -> Option<String> {
    let sections =
        [("pyproject.toml", "tool.pytest"), ("setup.cfg", "tool:pytest"), ("tox.ini", "pytest")];
    if let Some(because) = configured(look, &["pytest.ini", ".pytest.ini"], &sections) {
        return Some(because);
    }
    let is_test = |name: &str| {
        name.strip_suffix(".py")
            .is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
    };
    if let Some(folder) = ["tests", "test"].into_iter().find(|name| look.has_below(name, &is_test))
    {
        return Some(format!("there are Python tests in {folder}/"));
    }
    look.has_here(&is_test).then(|| "there are Python tests".to_owned())
}

/// What says that a tool is set up: a file of its own, or its section in another.
fn configured(look: Look<'_>, files: &[&str], sections: &[(&str, &str)]) -> Option<String> {
    if let Some(file) = files.iter().find(|file| look.has(file)) {
        return Some(format!("there is a {file}"));
    }
    let is_in = |tool: &str, name: &str| {
        name.strip_prefix(tool).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let found =
        sections.iter().find(|(file, tool)| look.has_section(file, |name| is_in(tool, name)));
    found.map(|(file, tool)| {
        format!("{file} has a section for {}", tool.rsplit(['.', ':']).next().unwrap_or(tool))
    })
}

/// Whether the settings of mypy say what it looks at; otherwise it must be told.
fn names_what_to_check(look: Look<'_>) -> bool {
    ["mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"].into_iter().any(|file| {
        let mut in_section = false;
        look.text(file).unwrap_or_default().lines().any(|line| {
            if let Some(name) = section(line) {
                in_section = matches!(name, "mypy" | "tool.mypy");
            }
            let key = line.split('=').next().unwrap_or_default().trim();
            in_section && matches!(key, "files" | "packages" | "modules")
        })
    })
}

/// How programs of the project are run: what stands before their names.
fn runner(look: Look<'_>) -> &'static str {
    let found = LOCKS.into_iter().find(|(lock, _)| look.has(lock));
    found.map_or("", |(_, runner)| runner)
}
