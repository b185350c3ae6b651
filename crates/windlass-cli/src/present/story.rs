//! The story of one loop: what was asked, what came of it, and what to do next. Every word is sanitised and
//! free of secrets already.

use windlass_core::{time::Timestamp, view::Trail};

use super::{Next, paint::Paint, patch::FilePatch};
use crate::text;

/// The story of one loop.
#[derive(Debug)]
pub(crate) struct Story {
    /// The name that people type.
    pub(crate) name: String,
    /// `iterate with claude in /work/shop`.
    pub(crate) about: String,
    /// What it is for, in a line.
    pub(crate) task: Option<String>,
    /// The whole prompt, where it has more than one line.
    pub(crate) prompt: Option<String>,
    /// How it ended, or that it runs.
    pub(crate) tone: Tone,
    /// The same in words.
    pub(crate) sentence: String,
    /// What changed: files, branch, commits, pushes.
    pub(crate) changed: Vec<String>,
    /// The evidence for the last claim, and the doubts.
    pub(crate) proof: Vec<String>,
    /// What is not done: failures, findings, tasks.
    pub(crate) remains: Vec<String>,
    /// Tokens and money, or that none were told.
    pub(crate) spend: String,
    /// Sessions and time.
    pub(crate) effort: String,
    /// How long it ran.
    pub(crate) active_ms: u64,
    /// When it was started.
    pub(crate) started_at: Timestamp,
    /// When it ended; of one that did not, when it last did something.
    pub(crate) ended_at: Timestamp,
    /// What to type next, and the way back.
    pub(crate) next: Next,
    /// What happened, oldest first.
    pub(crate) timeline: Vec<Moment>,
    /// Its iterations in numbers.
    pub(crate) trail: Trail,
    /// What changed, whole.
    pub(crate) diff: Option<Diff>,
}

/// How a loop stands, for a sign and a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Running,
    Bad,
    /// Cancelled.
    Stopped,
    Warn,
}

/// Something that happened.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) at: Timestamp,
    pub(crate) words: String,
}

/// What changed.
#[derive(Debug)]
pub(crate) struct Diff {
    /// The diff, cut to what fits.
    pub(crate) text: String,
    /// All files of it, cut or not.
    pub(crate) files: Vec<FilePatch>,
    /// What is left out.
    pub(crate) note: Option<String>,
}

impl Tone {
    /// The sign, which says the same without a colour.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Running => "●",
            Self::Bad => "✗",
            Self::Stopped => "■",
            Self::Warn => "!",
        }
    }

    /// The sign in its colour.
    pub(crate) fn painted(self, paint: Paint) -> String {
        match self {
            Self::Good | Self::Running => paint.good(self.sign()),
            Self::Bad => paint.bad(self.sign()),
            Self::Stopped | Self::Warn => paint.warn(self.sign()),
        }
    }
}

impl Story {
    /// What it cost, in words.
    pub(crate) fn cost(&self) -> String {
        format!("{}; {}", self.spend, self.effort)
    }

    /// The word for the time at which it ended, and that time.
    pub(crate) fn ended(&self, now: Timestamp) -> (&'static str, String) {
        let ago = |at| format!("{} ({})", text::ago(at, now), text::local_time(at));
        match self.tone {
            Tone::Running => ("started", ago(self.started_at)),
            Tone::Warn => ("last seen", ago(self.ended_at)),
            Tone::Good | Tone::Bad | Tone::Stopped => ("ended", ago(self.ended_at)),
        }
    }
}
