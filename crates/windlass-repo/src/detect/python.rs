//! What a Python project is set up for, and by which of its managers it is run.

mod unittest;

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

/// pytest, where it is set up or there are tests that it would find; then unittest, if tests are
/// written with it.
pub(super) fn tests(look: Look<'_>) -> Vec<Detected> {
    let unittest = unittest::tests(look, runner(look));
    // What is locked is all that the manager installs.
    if !unittest.is_empty() && locks_out_pytest(look) {
        return unittest;
    }
    let mut found = Vec::new();
    if let Some((file, because)) = pytest(look) {
        let runner = runner(look);
        let own = look.has(VENV_PYTEST).then_some(VENV_PYTEST).filter(|_| runner.is_empty());
        let commands = own.map(str::to_owned).into_iter().chain([format!("{runner}pytest")]);
        found.extend(commands.map(|command| Detected::new(command, &file, because.clone())));
    }
    found.extend(unittest);
    found
}

/// pytest as a virtual environment in the project has it.
const VENV_PYTEST: &str = ".venv/bin/pytest";

/// Whether there is a lockfile, and pytest is not in it.
fn locks_out_pytest(look: Look<'_>) -> bool {
    let locks = LOCKS.into_iter().find_map(|(lock, _)| look.text(lock));
    locks.is_some_and(|text| !text.contains("\"pytest\""))
}

pub(super) fn checks(look: Look<'_>) -> Vec<Detected> {
    let mut checks = Vec::new();
    let mut add = |command: &str, found: Option<(String, String)>| {
        let command = format!("{}{command}", runner(look));
        checks.extend(found.map(|(file, because)| Detected::new(command, &file, because)));
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

/// The file that says that the project is tested with pytest, and how.
fn pytest(look: Look<'_>) -> Option<(String, String)> {
    let sections =
        [("pyproject.toml", "tool.pytest"), ("setup.cfg", "tool:pytest"), ("tox.ini", "pytest")];
    if let Some(found) = configured(look, &["pytest.ini", ".pytest.ini"], &sections) {
        return Some(found);
    }
    let is_test = |name: &str| {
        name.strip_suffix(".py")
            .is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
    };
    for folder in ["tests", "test"] {
        if let Some(file) = look.find_below(folder, 4, &is_test) {
            return Some((file, format!("there are Python tests in {folder}/")));
        }
    }
    let file = look.names_here(&is_test).into_iter().next()?;
    Some((file, "there are Python tests".to_owned()))
}

/// What says that a tool is set up: a file of its own, or its section in another.
fn configured(
    look: Look<'_>,
    files: &[&str],
    sections: &[(&str, &str)],
) -> Option<(String, String)> {
    if let Some(file) = files.iter().find(|file| look.has(file)) {
        return Some(((*file).to_owned(), format!("there is a {file}")));
    }
    let is_in = |tool: &str, name: &str| {
        name.strip_prefix(tool).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let found =
        sections.iter().find(|(file, tool)| look.has_section(file, |name| is_in(tool, name)));
    found.map(|(file, tool)| {
        let tool = tool.rsplit(['.', ':']).next().unwrap_or(tool);
        ((*file).to_owned(), format!("{file} has a section for {tool}"))
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
