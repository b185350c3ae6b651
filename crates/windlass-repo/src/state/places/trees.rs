//! The trees of commits: asked of git once, for a commit has the same tree for ever.

use std::collections::{BTreeSet, HashMap};

use super::Draft;
use crate::tree::Tree;

/// So many answers are remembered.
const MOST: usize = 200_000;

/// Where git fails so often in a row, it is not asked any more: each look would wait for it.
const MOST_FAILURES: u32 = 3;

/// What git said of trees, by what it was asked.
#[derive(Debug, Default)]
pub(super) struct Trees {
    known: HashMap<String, Option<String>>,
    failures: u32,
}

impl Trees {
    /// Asks git what is not known, in one call. Where it cannot be asked, that stays unknown.
    pub(super) async fn learn(&mut self, tree: &Tree, drafts: impl Iterator<Item = &Draft>) {
        if self.known.len() > MOST {
            self.known.clear();
        }
        let parts = drafts.flat_map(|draft| &draft.parts);
        let questions = parts.filter_map(|part| part.question());
        let unknown: BTreeSet<String> =
            questions.filter(|question| !self.known.contains_key(question)).collect();
        if unknown.is_empty() || self.failures >= MOST_FAILURES {
            return;
        }
        let unknown: Vec<String> = unknown.into_iter().collect();
        match tree.tree_ids(&unknown).await {
            Some(answers) => {
                self.known.extend(unknown.into_iter().zip(answers));
                self.failures = 0;
            }
            None => self.failures += 1,
        }
    }

    /// The answer to a question; `None` where there is none, `Some(None)` where there is no such tree.
    pub(super) fn of(&self, question: &str) -> Option<Option<&str>> {
        self.known.get(question).map(Option::as_deref)
    }
}
