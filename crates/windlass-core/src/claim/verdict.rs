//! What the words of a session come to: the promise, the status block, and the phrases that strict
//! completion asks for.

use super::{
    ClaimReading,
    heard::Heard,
    near_miss::{NearMiss, Why},
    tag,
};
use crate::{
    ending::ClaimedBy,
    options::Claiming,
    status::{Phrases, StatusBlock},
};

/// Weighs what was found: the promise, the status block, and the words that go with it.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    exit_claims: bool,
    /// What strict completion asks for.
    strict: Option<Phrases>,
}

impl Verdict {
    pub(super) fn new(claiming: &Claiming) -> Self {
        let strict = claiming
            .strict_completion
            .then(|| Phrases::new(&claiming.completion_phrases, claiming.completion_threshold));
        Self { exit_claims: tag(&claiming.promise).is_none(), strict }
    }

    /// Whether it wants every line.
    pub(super) fn listens(&self) -> bool {
        self.strict.is_some()
    }

    /// Takes a line that is of no status block.
    pub(super) fn hear(&mut self, line: &str) {
        if let Some(phrases) = &mut self.strict {
            phrases.hear(line);
        }
    }

    pub(super) fn reading(
        self,
        heard: Heard,
        status: Option<StatusBlock>,
        blocked: Option<String>,
    ) -> ClaimReading {
        let (promise, near) = heard.finish();
        let blocked = blocked.or_else(|| status.as_ref()?.blocked());
        let found = self.weigh(promise, status.as_ref());
        let status = status.map(Box::new);
        let none = ClaimReading { status, blocked, ..ClaimReading::default() };
        match found {
            Ok((_, text)) if none.blocked.is_some() => {
                let miss = text.map(|text| NearMiss::new(Why::Blocked, &text));
                ClaimReading { near_miss: miss.or(near), ..none }
            }
            Ok((by, text)) => ClaimReading { by: Some(by), text, ..none },
            Err(miss) => ClaimReading { near_miss: miss.or(near), ..none },
        }
    }

    /// What claims, with the words that do; or what almost does.
    fn weigh(
        &self,
        promise: Option<String>,
        status: Option<&StatusBlock>,
    ) -> Result<(ClaimedBy, Option<String>), Option<NearMiss>> {
        let claims = status.is_some_and(StatusBlock::claims);
        let line = status.map(StatusBlock::claiming_line);
        let exits = status.is_some_and(|block| block.exit_signal == Some(true));
        let miss = |why, text: Option<&str>| Err(text.map(|text| NearMiss::new(why, text)));
        match (&self.strict, promise) {
            // What an agent says explicitly beats a word that it let drop.
            (_, promise) if status.is_some_and(StatusBlock::denies) => {
                miss(Why::StatusSaysNo, promise.as_deref())
            }
            (Some(phrases), _) if claims && exits && phrases.are_enough() => {
                Ok((ClaimedBy::Status, line.map(str::to_owned)))
            }
            (Some(_), _) if claims && exits => miss(Why::TooFewPhrases, line),
            (Some(_), promise) => {
                miss(Why::NoExitSignal, promise.as_deref().or(line.filter(|_| claims)))
            }
            (None, Some(text)) => Ok((ClaimedBy::Promise, Some(text))),
            (None, None) if claims => Ok((ClaimedBy::Status, line.map(str::to_owned))),
            (None, None) if self.exit_claims => Ok((ClaimedBy::Exit, None)),
            (None, None) => Err(None),
        }
    }
}
