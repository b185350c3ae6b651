//! What an agent's words claim. Reading never fails and does no I/O; a claim is a request, and
//! what becomes of it is decided by the proof.

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::{
    ending::ClaimedBy,
    options::{PromiseMatch, Proof},
};

/// What the words of a session claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimReading {
    /// What claims, if anything does.
    pub by: Option<ClaimedBy>,
    /// The words that claim, for the result's `completion_text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The tag that claims, `<promise>TEXT</promise>`; `None` where a clean exit is the claim.
pub fn tag(promise: &str) -> Option<String> {
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
    echoes: Vec<Echo>,
    /// The last line that was not blank; kept only where an echo is possible.
    before: Option<Vec<u8>>,
    alone: Option<String>,
    at_the_end: Option<String>,
}

impl OutputScanner {
    /// A scanner for a session with this prompt.
    pub fn new(proof: &Proof, prompt: &str) -> Self {
        let matcher = Matcher::new(proof);
        let echoes = matcher.echoes_of(prompt);
        Self { matcher, echoes, before: None, alone: None, at_the_end: None }
    }

    /// Takes one line, without its end.
    pub fn line(&mut self, line: &[u8]) {
        if self.matcher.may_match(line) {
            self.look_closer(line);
        } else if self.at_the_end.is_some() && !line.trim_ascii().is_empty() {
            self.at_the_end = None;
        }
        if !self.echoes.is_empty() && !line.trim_ascii().is_empty() {
            let before = self.before.get_or_insert_default();
            before.clear();
            before.extend_from_slice(line.trim_ascii());
        }
    }

    /// Takes whole lines at once if none of them can claim; says whether it did.
    pub fn pass_over(&mut self, lines: &[u8]) -> bool {
        if self.matcher.may_match(lines) {
            return false;
        }
        if self.at_the_end.is_some() && !lines.trim_ascii().is_empty() {
            self.at_the_end = None;
        }
        if !self.echoes.is_empty() && !lines.trim_ascii().is_empty() {
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

    /// The output is over.
    pub fn finish(self) -> ClaimReading {
        match self.alone.or(self.at_the_end) {
            Some(text) => ClaimReading { by: Some(ClaimedBy::Promise), text: Some(text) },
            None => ClaimReading::default(),
        }
    }
}

/// Reads the final message of an agent with structured output. Code blocks do not count.
pub fn in_message(proof: &Proof, message: &str) -> ClaimReading {
    let matcher = Matcher::new(proof);
    let mut alone = None;
    let mut at_the_end = None;
    for line in outside_code(message).filter(|line| !line.trim().is_empty()) {
        at_the_end = None;
        match matcher.find(line.trim()) {
            Found::Nothing => (),
            Found::Alone => alone = Some(line.trim().to_owned()),
            Found::AtEnd => at_the_end = Some(line.trim().to_owned()),
        }
    }
    match alone.or(at_the_end) {
        Some(text) => ClaimReading { by: Some(ClaimedBy::Promise), text: Some(text) },
        None => ClaimReading::default(),
    }
}

/// The lines of a message that are not in a fenced or indented code block. A line that closes a
/// block is given as a blank-free marker would be: not at all.
fn outside_code(message: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<String> = None;
    message.lines().filter(move |line| {
        let text = line.trim_start();
        let marks: String = text.chars().take_while(|c| *c == '`' || *c == '~').collect();
        let is_fence = marks.len() >= 3 && marks.chars().all(|c| marks.starts_with(c));
        if let Some(open) = &fence {
            let closes = is_fence && marks.starts_with(open.as_str()) && text.trim() == marks;
            if closes {
                fence = None;
            }
            return false;
        }
        if is_fence {
            fence = Some(marks);
            return false;
        }
        !(line.starts_with("    ") || line.starts_with('\t'))
    })
}

/// Where in a line the promise stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Alone,
    AtEnd,
}

/// Finds the promise in one line.
#[derive(Clone, Debug)]
enum Matcher {
    /// A clean exit is the claim: no words count.
    Never,
    Tag {
        tag: String,
        finder: Box<memmem::Finder<'static>>,
    },
    /// Lower-case words, joined by single spaces.
    Words(String),
}

impl Matcher {
    fn new(proof: &Proof) -> Self {
        match (tag(&proof.promise), proof.promise_match) {
            (None, _) => Self::Never,
            (Some(tag), PromiseMatch::Tag) => {
                let finder = Box::new(memmem::Finder::new(tag.as_bytes()).into_owned());
                Self::Tag { tag, finder }
            }
            (Some(_), PromiseMatch::Text) => Self::Words(folded(&proof.promise)),
        }
    }

    /// A quick no for almost every line.
    fn may_match(&self, line: &[u8]) -> bool {
        match self {
            Self::Never => false,
            Self::Tag { finder, .. } => finder.find(line).is_some(),
            Self::Words(_) => true,
        }
    }

    fn find(&self, line: &str) -> Found {
        match self {
            Self::Never => Found::Nothing,
            Self::Tag { tag, .. } if line == tag => Found::Alone,
            Self::Tag { tag, .. } if line.ends_with(tag.as_str()) => Found::AtEnd,
            Self::Tag { .. } => Found::Nothing,
            Self::Words(words) if has_words(&folded(line), words) => Found::Alone,
            Self::Words(_) => Found::Nothing,
        }
    }

    /// The lines of the prompt that would claim if a program printed them back.
    fn echoes_of(&self, prompt: &str) -> Vec<Echo> {
        let mut before: Option<&str> = None;
        let mut echoes = Vec::new();
        for line in prompt.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let found = self.find(line);
            if found != Found::Nothing {
                echoes.push(Echo {
                    line: line.to_owned(),
                    before: before.map(|line| line.as_bytes().to_vec()),
                    is_bare: found == Found::Alone,
                });
            }
            before = Some(line);
        }
        echoes
    }
}

/// A line of the prompt that would claim, with the line before it.
#[derive(Clone, Debug)]
struct Echo {
    line: String,
    before: Option<Vec<u8>>,
    is_bare: bool,
}

impl Echo {
    fn is(&self, line: &str, before: Option<&[u8]>) -> bool {
        if self.line != line {
            return false;
        }
        match &self.before {
            Some(ours) => before == Some(ours.as_slice()),
            // The prompt begins with this line. With words of the prompt around the tag it is an
            // echo wherever it stands; a bare tag only where nothing stands before it either.
            None => !self.is_bare || before.is_none(),
        }
    }
}

/// Lower case, with single spaces.
fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the words stand in the text, not as parts of longer words.
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests;
