//! Looks for a claim in the standard output of a plain command, line by line as it comes.

use std::collections::BTreeSet;

use memchr::memmem;

use super::{
    ClaimReading,
    added::parts,
    blocked::BlockedReader,
    echo::EchoTracker,
    matcher::Matcher,
    reader::{Reader, Said},
    readings::Readings,
    sentence::Stands,
    verdict::Verdict,
};
use crate::{
    options::Claiming,
    status,
    text::{prose::CodeBlocks, sanitise},
};

/// Looks for a claim in the standard output of a plain command.
///
/// A tag counts alone on a line anywhere, or at the end of the last line; but never in a code
/// block, and never in an echo of the prompt. A fence that is never closed covers its paragraph.
#[derive(Clone, Debug)]
pub struct OutputScanner {
    matcher: Matcher,
    /// Whether every line matters.
    listens: bool,
    status_mark: Box<memmem::Finder<'static>>,
    echo: EchoTracker,
    /// Lines that windlass added to the prompt.
    added: BTreeSet<String>,
    /// Whether the prompt begins with the bare tag: then the next line tells whether a tag is an
    /// echo.
    begins_bare: bool,
    readings: Readings,
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
            listens: verdict.listens(),
            status_mark: Box::new(memmem::Finder::new(status::MARK).into_owned()),
            echo,
            added,
            readings: Readings::of_output(Reader::new(verdict)),
        }
    }

    /// Takes one line, without its end.
    pub fn line(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        // What a terminal would act on is taken out; a return makes two lines of one.
        let line = sanitise::text(&line);
        if line.trim().is_empty() {
            return self.readings.blank_line();
        }
        for line in line.lines() {
            self.clean_line(line);
        }
    }

    /// Takes whole lines at once if none of them can claim; says whether it did.
    pub fn pass_over(&mut self, lines: &[u8]) -> bool {
        let matters = self.matcher.may_match(lines)
            || self.listens
            || self.readings.waits()
            || self.status_mark.find(lines).is_some()
            || BlockedReader::may_be_in(lines)
            || CodeBlocks::may_change(lines)
            || !self.echo.passes_over(lines);
        if matters {
            return false;
        }
        if !lines.trim_ascii().is_empty() {
            self.readings.pass_over();
        }
        true
    }

    fn clean_line(&mut self, line: &str) {
        if line.trim().is_empty() {
            return self.readings.blank_line();
        }
        let repeated = self.echo.line(line);
        self.readings.line(Said {
            text: line,
            promise: self.matcher.find(line),
            repeated,
            is_added: self.added.contains(line.trim()),
            is_held: repeated == 1 && self.begins_bare,
            counts_in_code: self.matcher.counts_anywhere(),
        });
    }

    /// The output of a session that came to its own end is over.
    pub fn finish(self) -> ClaimReading {
        self.readings.finish()
    }
}
