//! What a merge is about. All of it is decided before it starts, and frozen with it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use windlass_core::options::{Claiming, Rules};

use crate::every_kind::Common;

/// What a merge is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The id of the loop whose work is brought home.
    pub of: String,
    /// Its name.
    pub of_name: String,
    /// Where that loop was started.
    pub home: PathBuf,
    /// Where it worked.
    pub workplace: PathBuf,
    /// The git directory that all work trees of the repository share.
    pub repository: PathBuf,
    /// The loop's branch.
    pub branch: String,
    /// The commit at its end.
    pub from: String,
    /// The branch that the work is brought to.
    pub into: String,
    /// The commit at its end.
    pub onto: String,
    /// The work tree that has that branch checked out.
    pub checked_out: Option<PathBuf>,
    /// The commit that has both, where they fit.
    pub commit: Option<String>,
    /// Where they do not fit.
    pub unfit: Option<Unfit>,
    /// Whether an agent may bring together what does not fit, and mend what the checks say.
    pub resolve: bool,
    /// Whether the worktree of the loop stays.
    pub keep: bool,
    /// The checks that do not run, because the user accepted the work without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<String>,
    /// What a claim is.
    #[serde(flatten)]
    pub claiming: Claiming,
    /// What every kind has.
    #[serde(flatten)]
    pub common: Common,
}

/// Where two lines of commits do not fit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfit {
    /// The files.
    pub files: Vec<String>,
    /// What git says of them.
    pub told: Vec<String>,
    /// The tree that has marks where they do not fit.
    pub tree: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            of: String::new(),
            of_name: String::new(),
            home: PathBuf::new(),
            workplace: PathBuf::new(),
            repository: PathBuf::new(),
            branch: String::new(),
            from: String::new(),
            into: String::new(),
            onto: String::new(),
            checked_out: None,
            commit: None,
            unfit: None,
            resolve: false,
            keep: false,
            waived: Vec::new(),
            // An agent that has nothing more to bring together exits, and that is its claim.
            claiming: Claiming { promise: String::new(), ..Claiming::default() },
            common: Common { rules: Rules::of_reviewed_loops(), ..Common::default() },
        }
    }
}

impl Options {
    /// What the commit says that has both.
    pub(crate) fn message(&self) -> String {
        let Self { branch, into, of_name, .. } = self;
        if self.commit.is_some() {
            return format!("Mend what bringing `{branch}` to `{into}` broke\n\nLoop: {of_name}");
        }
        message(branch, into, of_name)
    }

    /// What is to be told about the checks that do not run, if there are any.
    pub(super) fn told_of_waived(&self) -> Option<String> {
        let checks: Vec<String> = self.waived.iter().map(|check| format!("`{check}`")).collect();
        let (are, it) = match checks.len() {
            0 => return None,
            1 => ("is", "it"),
            _ => ("are", "them"),
        };
        let (checks, of) = (checks.join(", "), &self.of_name);
        Some(format!("{checks} {are} not repeated: you accepted the work of {of} without {it}"))
    }

    /// The commits that a commit of an agent's work comes after.
    pub(super) fn parents(&self) -> Vec<String> {
        match &self.commit {
            Some(commit) => vec![commit.clone()],
            None => vec![self.onto.clone(), self.from.clone()],
        }
    }

    /// How lines begin that git puts where the two do not fit.
    pub(super) fn marks(&self) -> Vec<String> {
        vec![format!("<<<<<<< {}", self.onto), format!(">>>>>>> {}", self.from)]
    }

    /// The commit that the merge's worktree is at, and the tree that it begins with.
    pub(crate) fn start(&self) -> (&str, &str) {
        match (&self.commit, &self.unfit) {
            (Some(commit), _) => (commit, commit),
            (None, Some(unfit)) => (&self.onto, &unfit.tree),
            (None, None) => (&self.onto, &self.onto),
        }
    }
}

/// What a commit says that has both.
pub(crate) fn message(branch: &str, into: &str, name: &str) -> String {
    format!("Merge branch '{branch}' into {into}\n\nLoop: {name}")
}
