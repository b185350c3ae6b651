//! What an agent's words claim. Reading never fails and does no I/O; a claim is a request, and
//! what becomes of it is decided by the proof.

mod matcher;
mod verdict;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use self::{
    matcher::{Echo, Found, Matcher},
    verdict::Verdict,
};
use crate::{
    ending::ClaimedBy,
    options::Claiming,
    outcome::Outcome,
    status::{self, StatusBlock, StatusReader},
    text::prose,
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
}

impl ClaimReading {
    /// The reading of a session that did not come to its own end: it claims nothing, and what it
    /// said of how it stands is kept.
    #[must_use]
    pub fn without_claim(self) -> Self {
        Self { by: None, text: None, status: self.status }
    }
}

/// The tag that claims, `<promise>TEXT</promise>`; `None` where a clean exit is the claim.
pub(crate) fn tag(promise: &str) -> Option<String> {
    let promise = promise.trim();
    (!promise.is_empty()).then(|| format!("<promise>{promise}</promise>"))
}

/// Looks for the promise in the standard output of a plain command, line by line as it comes.
///
/// A tag counts alone on a line anywhere, or at the end of the last line; but never in an echo of
/// the prompt, which is told by the line and the one before it being the prompt's.
#[derive(Clone, Debug)]
pub struct OutputScanner {
    matcher: Matcher,
    verdict: Verdict,
    status: StatusReader,
    status_mark: Box<memmem::Finder<'static>>,
    echoes: Vec<Echo>,
    /// The last line that was not blank; kept only where an echo is possible.
    before: Option<Vec<u8>>,
    alone: Option<String>,
    at_the_end: Option<String>,
}

impl OutputScanner {
    /// A scanner for a session with this prompt.
    pub fn new(claiming: &Claiming, prompt: &str) -> Self {
        let matcher = Matcher::new(claiming);
        let echoes = matcher.echoes_of(prompt);
        Self {
            matcher,
            verdict: Verdict::new(claiming),
            status: StatusReader::with_echoes_of(prompt),
            status_mark: Box::new(memmem::Finder::new(status::MARK).into_owned()),
            echoes,
            before: None,
            alone: None,
            at_the_end: None,
        }
    }

    /// Whether the line before one may matter.
    fn needs_before(&self) -> bool {
        !self.echoes.is_empty() || self.status.has_echoes()
    }

    /// Takes one line, without its end.
    pub fn line(&mut self, line: &[u8]) {
        if !self.is_of_a_block(line) {
            self.verdict.hear(&String::from_utf8_lossy(line));
        }
        if self.matcher.may_match(line) {
            self.look_closer(line);
        } else if self.at_the_end.is_some() && !line.trim_ascii().is_empty() {
            self.at_the_end = None;
        }
        if self.needs_before() && !line.trim_ascii().is_empty() {
            let before = self.before.get_or_insert_default();
            before.clear();
            before.extend_from_slice(line.trim_ascii());
        }
    }

    /// Lets the reader of status blocks look; most lines are none of its business.
    fn is_of_a_block(&mut self, line: &[u8]) -> bool {
        if !self.status.is_open() && self.status_mark.find(line).is_none() {
            return false;
        }
        let before = self.before.as_deref().map(String::from_utf8_lossy);
        self.status.line(&String::from_utf8_lossy(line), before.as_deref())
    }

    /// Takes whole lines at once if none of them can claim; says whether it did.
    pub fn pass_over(&mut self, lines: &[u8]) -> bool {
        let matters = self.matcher.may_match(lines)
            || self.verdict.listens()
            || self.status.is_open()
            || self.status_mark.find(lines).is_some();
        if matters {
            return false;
        }
        if self.at_the_end.is_some() && !lines.trim_ascii().is_empty() {
            self.at_the_end = None;
        }
        if self.needs_before() && !lines.trim_ascii().is_empty() {
            let text = lines.trim_ascii();
            let start = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
            let before = self.before.get_or_insert_default();
            before.clear();
            before.extend_from_slice(text[start..].trim_ascii());
        }
        true
    }

    fn look_closer(&mut self, line: &[u8]) {
        self.at_the_end = None;
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        let found = self.matcher.find(line);
        let is_echo = found != Found::Nothing
            && self.echoes.iter().any(|echo| echo.is(line, self.before.as_deref()));
        match found {
            _ if is_echo => (),
            Found::Nothing => (),
            Found::Alone => self.alone = Some(line.to_owned()),
            Found::AtEnd => self.at_the_end = Some(line.to_owned()),
        }
    }

    /// The output of a session that came to its own end is over.
    pub fn finish(self) -> ClaimReading {
        self.verdict.reading(self.alone.or(self.at_the_end), self.status.finish())
    }
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
    let mut alone = None;
    let mut at_the_end = None;
    for line in prose::outside_code(message).filter(|line| !line.trim().is_empty()) {
        if !status.line(line, None) {
            verdict.hear(line);
        }
        at_the_end = None;
        match matcher.find(line.trim()) {
            Found::Nothing => (),
            Found::Alone => alone = Some(line.trim().to_owned()),
            Found::AtEnd => at_the_end = Some(line.trim().to_owned()),
        }
    }
    verdict.reading(alone.or(at_the_end), status.finish())
}

#[cfg(test)]
mod tests;
