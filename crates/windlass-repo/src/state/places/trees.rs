//! The trees of commits: asked of git once, for a commit has the same tree for ever.

use std::collections::{BTreeSet, HashMap};

use super::Draft;
use crate::tree::Tree;

/// So many answers are remembered.
const MOST: usize = 200_000;

/// What git said of trees, by what it was asked.
#[derive(Debug, Default)]
pub(super) struct Trees(HashMap<String, Option<String>>);

impl Trees {
    /// Asks git what is not known, in one call. Where it cannot be asked, that stays unknown.
    pub(super) async fn learn(&mut self, tree: &Tree, drafts: &[Draft]) {
        if self.0.len() > MOST {
            self.0.clear();
        }
        let parts = drafts.iter().flat_map(|draft| &draft.parts);
        let questions = parts.filter_map(|part| part.question());
        let unknown: BTreeSet<String> =
            questions.filter(|question| !self.0.contains_key(question)).collect();
        if unknown.is_empty() {
            return;
        }
        let unknown: Vec<String> = unknown.into_iter().collect();
        if let Some(answers) = tree.tree_ids(&unknown).await {
            self.0.extend(unknown.into_iter().zip(answers));
        }
    }

    /// The answer to a question; `None` where there is none, `Some(None)` where there is no such tree.
    pub(super) fn of(&self, question: &str) -> Option<Option<&str>> {
        self.0.get(question).map(Option::as_deref)
    }
}
