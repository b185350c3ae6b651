//! What the words of a session come to: the promise, the status block, and the phrases that strict
//! completion asks for.

use super::{
    ClaimReading,
    matcher::{folded, has_words},
    tag,
};
use crate::{ending::ClaimedBy, options::Claiming, status::StatusBlock};

/// Weighs what was found: the promise, the status block, and the words that go with it.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    exit_claims: bool,
    /// Under strict completion: how many of the phrases must be there, and which are.
    strict: Option<(usize, Vec<(String, bool)>)>,
}

impl Verdict {
    pub(super) fn new(claiming: &Claiming) -> Self {
        let strict = claiming.strict_completion.then(|| {
            let mut phrases: Vec<String> =
                claiming.completion_phrases.iter().map(|phrase| folded(phrase)).collect();
            phrases.sort_unstable();
            phrases.dedup();
            phrases.retain(|phrase| !phrase.is_empty());
            let threshold = usize::try_from(claiming.completion_threshold).unwrap_or(usize::MAX);
            (threshold, phrases.into_iter().map(|phrase| (phrase, false)).collect())
        });
        Self { exit_claims: tag(&claiming.promise).is_none(), strict }
    }

    /// Whether it wants every line.
    pub(super) fn listens(&self) -> bool {
        self.strict.is_some()
    }

    /// Takes a line that is of no status block.
    pub(super) fn hear(&mut self, line: &str) {
        let Some((_, phrases)) = &mut self.strict else { return };
        let line = folded(line);
        for (phrase, heard) in phrases.iter_mut().filter(|(_, heard)| !heard) {
            *heard = has_words(&line, phrase);
        }
    }

    pub(super) fn reading(
        self,
        promise: Option<String>,
        status: Option<StatusBlock>,
    ) -> ClaimReading {
        let claims = status.as_ref().is_some_and(StatusBlock::claims);
        let denies = status.as_ref().is_some_and(StatusBlock::denies);
        let by_status = || {
            let line = status.as_ref().map(StatusBlock::claiming_line);
            (Some(ClaimedBy::Status), line.map(str::to_owned))
        };
        let (by, text) = match (&self.strict, promise) {
            (Some((threshold, phrases)), _) => {
                let heard = phrases.iter().filter(|(_, heard)| *heard).count();
                let exits = status.as_ref().is_some_and(|block| block.exit_signal == Some(true));
                if claims && exits && heard >= *threshold { by_status() } else { (None, None) }
            }
            // What an agent says explicitly beats a word that it let drop.
            (None, _) if denies => (None, None),
            (None, Some(text)) => (Some(ClaimedBy::Promise), Some(text)),
            (None, None) if claims => by_status(),
            (None, None) if self.exit_claims => (Some(ClaimedBy::Exit), None),
            (None, None) => (None, None),
        };
        ClaimReading { by, text, status: status.map(Box::new) }
    }
}
