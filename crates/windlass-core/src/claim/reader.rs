//! Reads what was said line by line, once it is known which lines are code: the promise, the status block, and
//! the report of being blocked.

use super::{
    ClaimReading, blocked::BlockedReader, heard::Heard, near_miss::Why, sentence::Stands,
    verdict::Verdict,
};
use crate::status::{StatusBlock, StatusReader};

/// A line that is not blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    pub text: &'a str,
    /// Where the promise stands in it, if it does.
    pub promise: Option<Stands>,
    /// How many lines of the prompt are repeated with it.
    pub repeated: usize,
    /// Whether windlass added it to the prompt: it is no word of the agent.
    pub is_added: bool,
    /// Whether the next line tells that it is an echo of the prompt.
    pub is_held: bool,
    /// Whether the promise counts in code, too.
    pub counts_in_code: bool,
}

/// What was read so far.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    verdict: Verdict,
    status: StatusReader,
    /// Reads blocks that are shown as code, and do not count.
    shown: StatusReader,
    /// A tag that may be an echo, until that is known.
    held: Option<(Stands, String)>,
    heard: Heard,
    blocked: BlockedReader,
}

impl Reader {
    pub(super) fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            status: StatusReader::default(),
            shown: StatusReader::default(),
            held: None,
            heard: Heard::default(),
            blocked: BlockedReader::default(),
        }
    }

    /// Takes the next line, which is code or not.
    pub(super) fn line(&mut self, said: Said<'_>, is_code: bool) {
        let Said { text, repeated, is_added, .. } = said;
        self.settle(repeated);
        let blocks = if is_code { &mut self.shown } else { &mut self.status };
        if !blocks.line(text, repeated > 0) && !is_code && !is_added {
            self.verdict.hear(text);
        }
        self.blocked.line(text, !is_code && !is_added && repeated == 0);
        let Some(stands) = said.promise.filter(|_| !is_added) else {
            return self.heard.other_line();
        };
        let stands = match stands {
            Stands::Alone | Stands::AtEnd if is_code && !said.counts_in_code => {
                Stands::Not(Why::CodeBlock)
            }
            stands => stands,
        };
        if said.is_held {
            self.heard.other_line();
            self.held = Some((stands, text.to_owned()));
        } else {
            let stands = if repeated > 0 { Stands::Not(Why::Echo) } else { stands };
            self.heard.promise(stands, text);
        }
    }

    /// Whether the next lines matter, whatever is in them.
    pub(super) fn waits(&self) -> bool {
        self.held.is_some() || self.status.is_open() || self.shown.is_open() || self.blocked.waits()
    }

    /// Lines came that say nothing to it.
    pub(super) fn pass_over(&mut self) {
        if self.heard.waits() {
            self.heard.other_line();
        }
    }

    /// What it comes to.
    pub(super) fn finish(mut self) -> ClaimReading {
        self.settle(0);
        let status = self.status.finish();
        if status.is_none()
            && let Some(block) = self.shown.finish().filter(StatusBlock::claims)
        {
            self.heard.miss(Why::CodeBlock, block.claiming_line());
        }
        self.verdict.reading(self.heard, status, self.blocked.finish())
    }

    /// Decides on a tag that the prompt begins with, once more of the output is known.
    fn settle(&mut self, repeated: usize) {
        if let Some((stands, line)) = self.held.take() {
            let stands = if repeated > 1 { Stands::Not(Why::Echo) } else { stands };
            self.heard.promise(stands, &line);
        }
    }
}
