//! What an agent's words claim. Reading never fails and does no I/O; a claim is a request, and
//! what becomes of it is decided by the proof.

mod added;
mod blocked;
mod echo;
mod heard;
mod matcher;
mod near_miss;
mod output;
mod sentence;
mod tag;
mod verdict;

use serde::{Deserialize, Serialize};

pub(crate) use self::added::CONTEXT;
use self::{
    blocked::BlockedReader, heard::Heard, matcher::Matcher, sentence::Stands, verdict::Verdict,
};
pub use self::{
    near_miss::{NearMiss, Why},
    output::OutputScanner,
};
use crate::{
    ending::ClaimedBy,
    options::Claiming,
    outcome::Outcome,
    status::{StatusBlock, StatusReader},
    text::{prose, sanitise, words},
};

/// What the words of a session claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimReading {
    /// What claims, if anything does.
    pub by: Option<ClaimedBy>,
    /// The words that claim, for the result's `completion_text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The last status block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Box<StatusBlock>>,
    /// What the agent says to be missing, where it reports that it cannot go on; that voids a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<String>,
    /// Where nothing claims: what almost does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_miss: Option<NearMiss>,
}

impl ClaimReading {
    /// The reading of a session that did not come to its own end: it claims nothing, and what it
    /// said of how it stands is kept.
    #[must_use]
    pub fn without_claim(self) -> Self {
        self.missed(Why::FailedSession)
    }

    /// The reading of words that claim nothing, for this reason.
    #[must_use]
    pub fn missed(self, why: Why) -> Self {
        let near = self.text.map(|text| NearMiss::new(why, &text)).or(self.near_miss);
        // A report of a session that failed is worth no more than its claim.
        let blocked = self.blocked.filter(|_| why != Why::FailedSession);
        Self { by: None, text: None, status: self.status, blocked, near_miss: near }
    }
}

/// The tag that claims, `<promise>TEXT</promise>`; `None` where a clean exit is the claim.
pub(crate) fn tag(promise: &str) -> Option<String> {
    let promise = promise.trim();
    (!promise.is_empty()).then(|| format!("<promise>{promise}</promise>"))
}

/// A text in which every tag that would claim is replaced.
pub(crate) fn without_tags(text: &str, promise: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut from = 0;
    for tag in tag::all(text, &words::folded(promise)).iter().filter(|tag| tag.is_ours) {
        clean.push_str(&text[from..tag.at.start]);
        clean.push_str("(the promise)");
        from = tag.at.end;
    }
    clean.push_str(&text[from..]);
    clean
}

/// Reads what a session with structured output claims: only one that finished does, and only with
/// its final message.
pub fn of_session(claiming: &Claiming, outcome: &Outcome, message: &str) -> ClaimReading {
    let reading = in_message(claiming, message);
    if outcome.is_finished() { reading } else { reading.without_claim() }
}

/// Reads the final message of an agent with structured output, in a session that came to its own
/// end. Code blocks do not count.
pub(crate) fn in_message(claiming: &Claiming, message: &str) -> ClaimReading {
    let matcher = Matcher::new(claiming);
    let mut verdict = Verdict::new(claiming);
    let mut status = StatusReader::default();
    let mut shown = StatusReader::default();
    let mut heard = Heard::default();
    let mut blocked = BlockedReader::default();
    let message = sanitise::text(message);
    for line in prose::lines(&message).filter(|line| !line.text.trim().is_empty()) {
        let reader = if line.is_code { &mut shown } else { &mut status };
        if !reader.line(line.text, false) && !line.is_code {
            verdict.hear(line.text);
        }
        blocked.line(line.text, !line.is_code);
        match matcher.find(line.text) {
            None => heard.other_line(),
            Some(Stands::Alone | Stands::AtEnd) if line.is_code && !matcher.counts_anywhere() => {
                heard.promise(Stands::Not(Why::CodeBlock), line.text);
            }
            Some(stands) => heard.promise(stands, line.text),
        }
    }
    let status = status.finish();
    if status.is_none()
        && let Some(block) = shown.finish().filter(StatusBlock::claims)
    {
        heard.miss(Why::CodeBlock, block.claiming_line());
    }
    verdict.reading(heard, status, blocked.finish())
}

#[cfg(test)]
mod tests;
