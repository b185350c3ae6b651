//! Looks for a claim in the standard output of a plain command, line by line as it comes.

use std::collections::BTreeSet;

use memchr::memmem;

use super::{
    ClaimReading, added::parts, blocked::BlockedReader, echo::EchoTracker, heard::Heard,
    matcher::Matcher, near_miss::Why, sentence::Stands, verdict::Verdict,
};
use crate::{
    options::Claiming,
    status::{self, StatusBlock, StatusReader},
    text::{prose::CodeBlocks, sanitise},
};

/// Looks for a claim in the standard output of a plain command.
///
/// A tag counts alone on a line anywhere, or at the end of the last line; but never in a code
/// block, and never in an echo of the prompt.
#[derive(Clone, Debug)]
pub struct OutputScanner {
    matcher: Matcher,
    verdict: Verdict,
    status: StatusReader,
    /// Reads blocks that are shown as code, and do not count.
    shown: StatusReader,
    status_mark: Box<memmem::Finder<'static>>,
    code: CodeBlocks,
    echo: EchoTracker,
    /// Lines that windlass added to the prompt.
    added: BTreeSet<String>,
    /// Whether the prompt begins with the bare tag: then the next line tells whether a tag is an
    /// echo.
    begins_bare: bool,
    /// A tag that may be one, until that is known.
    held: Option<(Stands, String)>,
    heard: Heard,
    blocked: BlockedReader,
}

impl OutputScanner {
    /// A scanner for a session with this prompt.
    pub fn new(claiming: &Claiming, prompt: &str) -> Self {
        let matcher = Matcher::new(claiming);
        let verdict = Verdict::new(claiming);
        let (user, added) = parts(prompt);
        let reports = |text: &str| BlockedReader::may_be_in(text.as_bytes());
        let matters =
            |line: &str| verdict.listens() || matcher.find(line).is_some() || reports(line);
        let added = added.lines().map(str::trim).filter(|line| matters(line)).map(str::to_owned);
        // The user who asks for nothing but the tag wants it back, and so does the one who takes
        // words anywhere.
        let wants_echo = matcher.counts_anywhere() || matcher.is_all_of(user);
        let may_claim =
            matcher.may_match(prompt.as_bytes()) || prompt.contains(status::MARK) || reports(user);
        let has_echo = may_claim && !wants_echo;
        let echo = if has_echo { EchoTracker::of(prompt) } else { EchoTracker::default() };
        let added = added.collect();
        Self {
            begins_bare: echo.first().is_some_and(|line| matcher.find(line) == Some(Stands::Alone)),
            matcher,
            verdict,
            status: StatusReader::default(),
            shown: StatusReader::default(),
            status_mark: Box::new(memmem::Finder::new(status::MARK).into_owned()),
            code: CodeBlocks::default(),
            echo,
            added,
            held: None,
            heard: Heard::default(),
            blocked: BlockedReader::default(),
        }
    }

    /// Takes one line, without its end.
    pub fn line(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        // What a terminal would act on is taken out; a return makes two lines of one.
        for line in sanitise::text(&line).lines() {
            self.clean_line(line);
        }
    }

    /// Takes whole lines at once if none of them can claim; says whether it did.
    pub fn pass_over(&mut self, lines: &[u8]) -> bool {
        let matters = self.matcher.may_match(lines)
            || self.verdict.listens()
            || self.held.is_some()
            || self.status.is_open()
            || self.shown.is_open()
            || self.status_mark.find(lines).is_some()
            || self.blocked.waits()
            || BlockedReader::may_be_in(lines)
            || CodeBlocks::may_change(lines)
            || !self.echo.passes_over(lines);
        if matters {
            return false;
        }
        if self.heard.waits() && !lines.trim_ascii().is_empty() {
            self.heard.other_line();
        }
        true
    }

    fn clean_line(&mut self, line: &str) {
        let is_code = self.code.has(line);
        if line.trim().is_empty() {
            return;
        }
        let repeated = self.echo.line(line);
        self.settle(repeated);
        let is_added = self.added.contains(line.trim());
        let reader = if is_code { &mut self.shown } else { &mut self.status };
        if !reader.line(line, repeated > 0) && !is_code && !is_added {
            self.verdict.hear(line);
        }
        self.blocked.line(line, !is_code && !is_added && repeated == 0);
        match self.matcher.find(line) {
            // What windlass added is no word of the agent.
            Some(_) if is_added => self.heard.other_line(),
            Some(stands) if repeated == 1 && self.begins_bare => {
                self.heard.other_line();
                self.held = Some((stands, line.to_owned()));
            }
            Some(_) if repeated > 0 => self.heard.promise(Stands::Not(Why::Echo), line),
            Some(Stands::Alone | Stands::AtEnd) if is_code && !self.matcher.counts_anywhere() => {
                self.heard.promise(Stands::Not(Why::CodeBlock), line);
            }
            Some(stands) => self.heard.promise(stands, line),
            None => self.heard.other_line(),
        }
    }

    /// Decides on a tag that the prompt begins with, once more of the output is known.
    fn settle(&mut self, repeated: usize) {
        if let Some((stands, line)) = self.held.take() {
            let stands = if repeated > 1 { Stands::Not(Why::Echo) } else { stands };
            self.heard.promise(stands, &line);
        }
    }

    /// The output of a session that came to its own end is over.
    pub fn finish(mut self) -> ClaimReading {
        self.settle(0);
        let status = self.status.finish();
        if status.is_none()
            && let Some(block) = self.shown.finish().filter(StatusBlock::claims)
        {
            self.heard.miss(Why::CodeBlock, block.claiming_line());
        }
        self.verdict.reading(self.heard, status, self.blocked.finish())
    }
}
