//! The guard of a loop: what each path is to it.
//!
//! The first row that fits a path decides:
//!
//! | order | what fits | class |
//! |---|---|---|
//! | 1 | the task file, windlass's own files | free |
//! | 2 | any path, with the policy `free` | free |
//! | 3 | `--unguard` | free |
//! | 4 | a script that is a check | runner configuration |
//! | 5 | a test that a check names | test |
//! | 6 | runner configuration of the tables; among installed files only some of it | runner configuration |
//! | 7 | programs of the tables, and of `PATH` directories in the tree | program |
//! | 8 | `--guard` | test |
//! | 9 | installed files: `node_modules`, `.venv` | free |
//! | 10 | snapshots and fixtures | watched |
//! | 11 | tests of the tables | test |
//! | 12 | shared files of the tables | shared, by keys |
//! | 13 | build scripts that cannot be taken apart | watched |
//! | 14 | all others | free |

use std::collections::BTreeSet;

use globset::GlobSet;

use super::{
    Class, Policy, Request, goals::Goals, keys::Kind, patterns::PATTERNS, table::WhenAdded,
};
use crate::{
    check_files::check_files,
    globs::{BadGlob, globs},
    inline,
    test_names::is_test,
};

/// What is guarded in a loop.
#[derive(Clone, Debug)]
pub struct Guard {
    policy: Policy,
    guard: GlobSet,
    unguard: GlobSet,
    never: Vec<String>,
    scripts: BTreeSet<String>,
    tests: BTreeSet<String>,
    path_directories: Vec<String>,
    goals: Goals,
    /// The words of the checks.
    words: BTreeSet<String>,
}

impl Guard {
    /// # Errors
    /// A glob of the user cannot be read.
    pub fn new(request: Request) -> Result<Self, BadGlob> {
        let named = check_files(&request.checks).files;
        let (tests, mut scripts): (BTreeSet<_>, BTreeSet<_>) =
            named.into_iter().partition(|path| is_test(path));
        scripts.extend(request.scripts);
        let words = request.checks.iter().flat_map(|check| check.split_whitespace());
        let words = words.map(ToOwned::to_owned);
        Ok(Self {
            policy: request.policy,
            guard: globs(&request.guard)?,
            unguard: globs(&request.unguard)?,
            never: request.never,
            scripts,
            tests,
            path_directories: request.path_directories,
            words: words.collect(),
            goals: Goals::of(&request.checks),
        })
    }

    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// What a path of the tree is. The table in this file's header says what decides.
    pub fn class(&self, path: &str) -> Class {
        if self.is_released(path) {
            return Class::Free;
        }
        if self.scripts.contains(path) {
            return Class::RunnerConfig;
        }
        if self.tests.contains(path) {
            return Class::Test;
        }
        let is_installed = PATTERNS.installed.is_match(path);
        let runners = if is_installed { &PATTERNS.installed_runners } else { &PATTERNS.runners };
        if runners.is_match(path) {
            return Class::RunnerConfig;
        }
        if PATTERNS.programs.is_match(path) || self.is_in_path(path) {
            return Class::Program;
        }
        if self.guard.is_match(path) {
            return Class::Test;
        }
        if is_installed {
            return Class::Free;
        }
        if PATTERNS.watched.is_match(path) {
            return Class::Watched;
        }
        if PATTERNS.tests.is_match(path) {
            return Class::Test;
        }
        if let Some((class, _)) = self.shared(path) {
            return class;
        }
        if PATTERNS.builds.is_match(path) { Class::Watched } else { Class::Free }
    }

    /// The words of the checks.
    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        self.words.iter()
    }

    /// Whether tests that stand in this file are watched: it is the agent's to change, and not because the
    /// user said so.
    pub fn watches_inline_tests(&self, path: &str) -> bool {
        inline::can_have(path)
            && !self.is_released(path)
            && !PATTERNS.installed.is_match(path)
            && self.class(path) == Class::Free
    }

    /// Whether nothing about a path is guarded, whatever the tables say.
    pub fn is_released(&self, path: &str) -> bool {
        let is_never = |never: &String| {
            let never = never.trim_end_matches('/');
            path.strip_prefix(never).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.policy == Policy::Free
            || self.never.iter().any(is_never)
            || self.unguard.is_match(path)
    }

    /// A shared file with its guarded keys, and what it means if it was added.
    pub(super) fn shared(&self, path: &str) -> Option<(Class, WhenAdded)> {
        let (_, shared) = PATTERNS.shared.iter().find(|(files, _)| files.is_match(path))?;
        let keys = match shared.kind {
            Kind::Make => self.goals.of_makefile(path),
            Kind::Just => self.goals.of_justfile(path),
            Kind::Toml | Kind::Json | Kind::Ini | Kind::Env | Kind::GoMod => {
                shared.keys.iter().map(|key| (*key).to_owned()).collect()
            }
        };
        Some((Class::Shared { kind: shared.kind, keys }, shared.when_added))
    }

    /// Whether `PATH` leads to the directory of this path.
    fn is_in_path(&self, path: &str) -> bool {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        self.path_directories.iter().any(|it| it.trim_end_matches('/') == directory)
    }
}
