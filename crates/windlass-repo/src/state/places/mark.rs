//! A place whose content is to be told: what identifies it, before git was asked.

use sha2::{Digest, Sha256};
use windlass_core::evidence::{PlaceKind, PlaceMark};

use super::trees::Trees;
use crate::tree::hex;

/// A place, and what identifies its content together.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) kind: PlaceKind,
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
}

/// Something that a place holds.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// The files of a commit of the user's repository.
    Commit(String),
    /// The untracked files that a commit of the stash holds, where it does.
    Untracked(String),
    /// What was read as data.
    Print(String),
}

impl Part {
    /// What git is asked about it.
    pub(super) fn question(&self) -> Option<String> {
        match self {
            Self::Commit(id) => Some(format!("{id}^{{tree}}")),
            Self::Untracked(id) => Some(format!("{id}^3^{{tree}}")),
            Self::Print(_) => None,
        }
    }

    /// What identifies it; `None` where git could not be asked. A commit that the repository does not
    /// have is known by its own id.
    fn told(&self, trees: &Trees) -> Option<String> {
        let asked = || trees.of(&self.question()?);
        match self {
            Self::Commit(id) => Some(asked()?.unwrap_or(id).to_owned()),
            Self::Untracked(_) => Some(asked()?.unwrap_or_default().to_owned()),
            Self::Print(print) => Some(print.clone()),
        }
    }
}

impl Draft {
    /// A place that holds what a commit holds.
    pub(super) fn of_commit(kind: PlaceKind, name: String, id: String) -> Self {
        Self { kind, name, parts: vec![Part::Commit(id)] }
    }

    /// The place with what identifies its content: a tree of git where that is all.
    pub(super) fn mark(self, trees: &Trees) -> Option<PlaceMark> {
        let told: Option<Vec<String>> = self.parts.iter().map(|part| part.told(trees)).collect();
        let mut told = told?;
        let holds = match told.len() {
            1 => told.remove(0),
            _ => digest(&told),
        };
        Some(PlaceMark { kind: self.kind, name: self.name, holds })
    }
}

/// What identifies several texts together.
pub(super) fn digest<T: AsRef<str>>(texts: &[T]) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update(text.as_ref());
        digest.update(b"\n");
    }
    hex(&digest.finalize()[..16])
}
