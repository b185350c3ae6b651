//! The decoder of plain text: every line is the agent's own words.

use windlass_core::{
    claim::{OutputScanner, Why},
    outcome::Outcome,
    process::Exit,
    said::{Said, Usage},
};

use super::{Ask, Decoder, Reading, agent::each_line, json_lines::JsonLines, outcome_of_exit};

/// Text is said in pieces of about this size, so that a chatty program does not cost a row a line.
const PIECE: usize = 32 * 1024;

/// A line of text that is longer than this is cut; the raw file has it whole.
const LONGEST: usize = 1024 * 1024;

/// How much of the end is kept as the final text.
const FINAL: usize = 1024 * 1024;

/// Reads plain text.
pub struct TextDecoder {
    scanner: OutputScanner,
    /// Looks for claims where they do not count.
    errors: OutputScanner,
    json: JsonLines,
    held: Vec<u8>,
    tail: Vec<u8>,
}

impl TextDecoder {
    /// A decoder for one session.
    pub fn new(ask: &Ask<'_>) -> Self {
        let scanner = OutputScanner::new(ask.claiming, ask.prompt);
        Self {
            errors: scanner.clone(),
            scanner,
            json: JsonLines::default(),
            held: Vec::new(),
            tail: Vec::new(),
        }
    }

    fn give(&mut self, said: &mut Vec<Said>) {
        if !self.held.is_empty() {
            let mut held = std::mem::take(&mut self.held);
            self.say(&held, said);
            held.clear();
            self.held = held;
        }
    }

    fn say(&mut self, bytes: &[u8], said: &mut Vec<Said>) {
        let start = bytes.len().saturating_sub(FINAL);
        if start > 0 {
            self.tail.clear();
        } else if self.tail.len() + bytes.len() > 2 * FINAL {
            let cut = self.tail.len() + bytes.len() - FINAL;
            self.tail.drain(..cut.min(self.tail.len()));
        }
        self.tail.extend_from_slice(&bytes[start..]);
        // To look for what is no text takes several times as long as to find that all is.
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => String::from_utf8_lossy(bytes).into_owned(),
        };
        said.push(Said::Text { text });
    }

    fn final_text(&self) -> String {
        let start = self.tail.len().saturating_sub(FINAL);
        String::from_utf8_lossy(&self.tail[start..]).trim().to_owned()
    }
}

impl Decoder for TextDecoder {
    fn line(&mut self, line: &[u8], cut: bool, said: &mut Vec<Said>) {
        self.scanner.line(line);
        self.json.line(line);
        self.held.extend_from_slice(line);
        if cut {
            self.held.extend_from_slice(" [the rest of this line was dropped]".as_bytes());
        }
        self.held.push(b'\n');
        if self.held.len() >= PIECE {
            self.give(said);
        }
    }

    fn lines(&mut self, lines: &[u8], said: &mut Vec<Said>) {
        let looks = self.json.looks();
        if looks || memchr::memchr(b'\r', lines).is_some() || !self.scanner.pass_over(lines) {
            return each_line(lines, |line| self.line(line, false, said));
        }
        if self.held.is_empty() && lines.len() >= PIECE {
            return self.say(lines, said);
        }
        self.held.extend_from_slice(lines);
        if self.held.len() >= PIECE {
            self.give(said);
        }
    }

    fn error_lines(&mut self, lines: &[u8]) {
        if !self.errors.pass_over(lines) {
            each_line(lines, |line| self.errors.line(line));
        }
    }

    fn longest_line(&self) -> usize {
        LONGEST
    }

    fn better(&self) -> Option<&'static str> {
        self.json.found()
    }

    fn flush(&mut self, said: &mut Vec<Said>) {
        self.give(said);
    }

    fn finish(mut self: Box<Self>, exit: &Exit, said: &mut Vec<Said>) -> Reading {
        self.give(said);
        let outcome = outcome_of_exit(exit);
        let final_text = self.final_text();
        let mut claim = match outcome {
            Outcome::Finished => self.scanner.finish(),
            _ => self.scanner.finish().without_claim(),
        };
        let errors = self.errors.finish();
        if claim.by.is_none() && errors.text.is_some() {
            claim.near_miss = errors.missed(Why::Stderr).near_miss;
        }
        Reading {
            lost_background: Vec::new(),
            overage: None,
            outcome,
            final_text,
            claim,
            problem: None,
            usage: Usage::default(),
            model: None,
            tools: 0,
            denied: 0,
            denied_tools: Vec::new(),
            session_id: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::Path, time::Duration};

    use windlass_core::{claim::ClaimReading, ending::ClaimedBy, options::Claiming};

    use super::*;
    use crate::Wishes;

    fn read(claiming: &Claiming, lines: &[&str], code: i32) -> (Reading, Vec<Said>) {
        read_with_errors(claiming, lines, &[], code)
    }

    fn read_with_errors(
        claiming: &Claiming,
        lines: &[&str],
        errors: &[&str],
        code: i32,
    ) -> (Reading, Vec<Said>) {
        let ask = Ask {
            role: "agent",
            iteration: 1,
            prompt: "go",
            directory: Path::new("/"),
            env: &BTreeMap::new(),
            claiming,
            wishes: &Wishes::default(),
            is_root: false,
            prompt_file: Path::new("/"),
            hooks_file: None,
        };
        let mut decoder = Box::new(TextDecoder::new(&ask));
        let mut said = Vec::new();
        lines.iter().for_each(|line| decoder.line(line.as_bytes(), false, &mut said));
        errors.iter().for_each(|line| decoder.error_lines(format!("{line}\n").as_bytes()));
        let exit = Exit {
            code: Some(code),
            signal: None,
            ended_by: None,
            leftovers: Vec::new(),
            survivors: Vec::new(),
            leaky: false,
            duration: Duration::ZERO,
        };
        (decoder.finish(&exit, &mut said), said)
    }

    #[test]
    fn a_clean_exit_without_output_is_finished() {
        let (reading, said) = read(&Claiming::default(), &[], 0);
        assert_eq!(reading.outcome, Outcome::Finished);
        assert_eq!(reading.claim, ClaimReading::default());
        assert_eq!(said, []);
    }

    #[test]
    fn a_claim_of_a_session_that_failed_does_not_count() {
        let (reading, _) = read(&Claiming::default(), &["<promise>COMPLETE</promise>"], 1);
        assert_eq!(reading.outcome, Outcome::Crashed { signal: None, code: Some(1) });
        assert_eq!(reading.claim.by, None);
    }

    #[test]
    fn a_claim_on_standard_error_is_a_near_miss() {
        let tag = "<promise>COMPLETE</promise>";
        for (lines, why) in [(vec!["hi"], Some(Why::Stderr)), (vec!["hi", tag], None)] {
            let (reading, _) = read_with_errors(&Claiming::default(), &lines, &[tag, "bye"], 0);
            assert_eq!(reading.claim.by.is_none(), why.is_some());
            assert_eq!(reading.claim.near_miss.map(|miss| miss.why), why);
        }
    }

    #[test]
    fn with_an_empty_promise_a_clean_exit_claims_and_a_crash_does_not() {
        let claiming = Claiming { promise: String::new(), ..Claiming::default() };
        assert_eq!(read(&claiming, &["hi"], 0).0.claim.by, Some(ClaimedBy::Exit));
        assert_eq!(read(&claiming, &["hi"], 2).0.claim.by, None);
    }

    #[test]
    fn long_output_is_said_in_pieces_and_its_end_is_the_final_text() {
        let line = "x".repeat(99);
        let lines: Vec<&str> = std::iter::repeat_n(line.as_str(), 5000).chain(["last"]).collect();
        let (reading, said) = read(&Claiming::default(), &lines, 0);
        assert_eq!(said.iter().map(Said::size).sum::<usize>(), 500_005);
        assert!(said.len() < 20);
        assert!(reading.final_text.ends_with("x\nlast"));
        assert!(reading.final_text.len() <= FINAL);
    }
}
