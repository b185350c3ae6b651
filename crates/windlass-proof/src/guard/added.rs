//! What files that the agent added mean for a proof.

use std::collections::BTreeSet;

use super::{
    Class, Guard,
    joined::is_joined,
    keys::Kind,
    packages::{hides_package, is_new_vendor},
    patterns::PATTERNS,
    table::WhenAdded,
};

/// A file that the agent added, and what it is to the tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    pub path: String,
    pub role: Role,
}

/// What is done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It decides which tests run, and why: it is moved aside for the originals.
    Runner { why: String },
    /// Its guarded keys are taken out for the originals: an empty file is its original.
    Keys { kind: Kind, keys: Vec<String> },
    /// A check may have become what the agent wrote here: a doubt.
    Written,
    /// A new test: it is moved aside if the originals fail with it.
    Test,
    /// A new test that runs in one process with others, and could change what they do: it is moved aside
    /// for the originals.
    JoinedTest,
}

/// Makefiles in the order in which make looks for them.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// Files that make a directory a package.
const PACKAGES: [&str; 11] = [
    "package.json",
    "deno.json",
    "tsconfig.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "Cargo.toml",
    "go.mod",
    "composer.json",
    "Gemfile",
    "pom.xml",
];

impl Guard {
    /// The files among `new` that matter to the tests. `before` has the files of the start, with those
    /// that are ignored where the tables could mean them, and `hides` says whether a program at this
    /// path would be found instead of one of the start.
    pub fn added(
        &self,
        new: &[String],
        before: &BTreeSet<String>,
        hides: impl Fn(&str) -> bool,
    ) -> Vec<Added> {
        let new = new.iter().filter(|path| !self.is_released(path) && !before.contains(*path));
        let roles = new.filter_map(|path| Some((path, self.role(path, before, &hides)?)));
        roles.map(|(path, role)| Added { path: path.clone(), role }).collect()
    }

    fn role(
        &self,
        path: &str,
        before: &BTreeSet<String>,
        hides: impl Fn(&str) -> bool,
    ) -> Option<Role> {
        let runner = |why: String| Some(Role::Runner { why });
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let was_used = is_used(directory, before);
        let class = self.class(path);
        if let Some(over) = preferred(directory, name, before) {
            return runner(format!("it is read instead of {over}"));
        }
        if let Some((_, why)) = PATTERNS.added.iter().find(|(glob, _)| glob.is_match(path))
            && (name != "go.mod" || was_used)
            && !PATTERNS.installed.is_match(path)
        {
            return runner((*why).to_owned());
        }
        if is_new_vendor(path, before) {
            return runner("Go would build with what is in vendor".to_owned());
        }
        match class {
            Class::RunnerConfig if hides_package(path, before) => {
                runner("it hides an installed package".to_owned())
            }
            // Who installs what a project needs does not change its tests.
            Class::RunnerConfig if is_new_environment(path, before) => None,
            Class::RunnerConfig => runner("it decides which tests run".to_owned()),
            Class::Program if hides(path) || hides_package(path, before) => {
                runner(format!("it hides another {name}"))
            }
            Class::Program if is_new_environment(path, before) => None,
            Class::Program => Some(Role::Written),
            Class::Test if PACKAGES.contains(&name) && was_used => {
                runner("it makes a package of a directory of tests".to_owned())
            }
            Class::Test if is_joined(path, before) => Some(Role::JoinedTest),
            Class::Test => Some(Role::Test),
            Class::Shared { kind, keys } => match self.shared(path)?.1 {
                WhenAdded::Stripped => Some(Role::Keys { kind, keys }),
                WhenAdded::Written => Some(Role::Written),
            },
            Class::Watched | Class::Free => None,
        }
    }
}

/// Whether a path is in an environment, such as `.venv`, of which nothing was there at the start.
fn is_new_environment(path: &str, before: &BTreeSet<String>) -> bool {
    let ends = path.match_indices('/').map(|(at, _)| at);
    // The outermost directory all of whose files are installed ones.
    let mut environment = ends
        .map(|at| &path[..at])
        .filter(|directory| PATTERNS.installed.is_match(format!("{directory}/x")));
    environment.next().is_some_and(|directory| !is_used(directory, before))
}

/// Whether a directory had files at the start.
pub(super) fn is_used(directory: &str, before: &BTreeSet<String>) -> bool {
    let start = format!("{directory}/");
    directory.is_empty() && !before.is_empty()
        || before.range(start.clone()..).next().is_some_and(|path| path.starts_with(&start))
}

/// The file of the start that is not read any more where this one is.
fn preferred<'a>(
    directory: &str,
    name: &'a str,
    before: &'a BTreeSet<String>,
) -> Option<&'a String> {
    let beside = |name: &str| match directory {
        "" => before.get(name),
        directory => before.get(&format!("{directory}/{name}")),
    };
    if let Some(at) = MAKEFILES.iter().position(|it| *it == name) {
        return MAKEFILES[at + 1..].iter().find_map(|later| beside(later));
    }
    let is_justfile = |name: &str| name.trim_start_matches('.').eq_ignore_ascii_case("justfile");
    let names = ["justfile", "Justfile", ".justfile", "JUSTFILE", ".Justfile"];
    names.iter().filter(|_| is_justfile(name)).find_map(|other| beside(other))
}
