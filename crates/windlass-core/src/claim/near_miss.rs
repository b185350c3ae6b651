//! A near miss: words that look like a claim and are none, with the reason, so that the agent can do
//! better and people can see what happened.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::sanitise;

/// How many bytes are kept of the words.
const LONGEST: usize = 300;

/// A tag or a status block that did not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearMiss {
    /// Why it did not count.
    pub why: Why,
    /// The line that it stands on.
    pub text: String,
}

impl NearMiss {
    pub(crate) fn new(why: Why, text: &str) -> Self {
        let text = sanitise::line(text.trim());
        let end = text.floor_char_boundary(LONGEST);
        let cut = if end < text.len() { "…" } else { "" };
        Self { why, text: format!("{}{cut}", &text[..end]) }
    }
}

/// Why words that look like a claim are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It stands in a code block.
    CodeBlock,
    /// It stands in a quote.
    Quoted,
    /// The sentence says no.
    Negated,
    /// Words follow it on its line.
    InsideALine,
    /// It stands at the end of a line that is not the last one.
    NotTheLastLine,
    /// It is the prompt, printed back.
    Echo,
    /// The tag holds other words than the promise.
    OtherWords,
    /// The tag is spread over several lines.
    SeveralLines,
    /// It was printed on standard error.
    Stderr,
    /// The session failed.
    FailedSession,
    /// The last edit of the session did not apply.
    EditFailed,
    /// The status block says that the work is not done.
    StatusSaysNo,
    /// The same message reports that the agent is blocked.
    Blocked,
    /// Strict completion asks for `EXIT_SIGNAL: true` in a status block.
    NoExitSignal,
    /// Strict completion asks for more completion phrases.
    TooFewPhrases,
    /// A reason of a newer windlass.
    #[serde(other)]
    Unknown,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CodeBlock => "it stands in a code block",
            Self::Quoted => "it stands in a quote",
            Self::Negated => "its sentence has a negation, or says until, before or unless",
            Self::InsideALine => "more follows it on its line: it must stand alone on a line",
            Self::NotTheLastLine => {
                "it ends a line that is not the last one: it must stand alone on a line"
            }
            Self::Echo => "it is a part of the prompt, printed back",
            Self::OtherWords => "the tag holds other words than the promise",
            Self::SeveralLines => "the tag is spread over several lines: it must stand on one",
            Self::Stderr => "it was printed on standard error: only standard output counts",
            Self::FailedSession => "the session failed",
            Self::EditFailed => "the last edit did not apply",
            Self::StatusSaysNo => "the status block says that the work is not done",
            Self::Blocked => "the same message says that the agent is blocked",
            Self::NoExitSignal => {
                "strict completion asks for a status block with EXIT_SIGNAL: true"
            }
            Self::TooFewPhrases => "strict completion asks for more of the completion phrases",
            Self::Unknown => "a newer windlass knows why",
        })
    }
}
