//! Which goals of make and just the checks ask for, by the directory of the file that has them.

use std::{
    collections::BTreeMap,
    path::{Component, Path},
};

use super::calls::{Builder, calls};

/// What is asked for where no check calls the tool: a script may.
const USUAL: [&str; 4] = ["", "test", "tests", "check"];

/// The names that are looked for; any other file is included by one of them.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The goals of all checks.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals {
    make: BTreeMap<String, Vec<String>>,
    just: BTreeMap<String, Vec<String>>,
}

impl Goals {
    pub(super) fn of(checks: &[String]) -> Self {
        let mut goals = Self::default();
        for check in checks {
            for (builder, found) in
                [(Builder::Make, &mut goals.make), (Builder::Just, &mut goals.just)]
            {
                for call in calls(check, builder) {
                    if let Some(directory) = inside(&call.directory) {
                        found.entry(directory).or_default().extend(call.goals);
                    }
                }
            }
        }
        goals
    }

    /// The goals that are asked of a makefile.
    pub(super) fn of_makefile(&self, path: &str) -> Vec<String> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !MAKEFILES.contains(&name) {
            return vec!["*".to_owned()];
        }
        self.make.get(directory).cloned().unwrap_or_else(usual)
    }

    /// The goals that are asked of a justfile, also from directories below it.
    pub(super) fn of_justfile(&self, path: &str) -> Vec<String> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !name.trim_start_matches('.').eq_ignore_ascii_case("justfile") {
            return vec!["*".to_owned()];
        }
        let below = self.just.iter().filter(|(from, _)| Path::new(from).starts_with(directory));
        let goals: Vec<String> = below.flat_map(|(_, goals)| goals.clone()).collect();
        if goals.is_empty() { usual() } else { goals }
    }
}

fn usual() -> Vec<String> {
    USUAL.map(ToOwned::to_owned).to_vec()
}

/// A directory as it is below the tree, if it is.
fn inside(directory: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for part in directory.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => (),
            Component::ParentDir => drop(parts.pop()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}
