//! Reads what aider prints: which of it is an answer, and how the session ended.

use windlass_core::{
    claim::{ClaimReading, Why},
    ending::ClaimedBy,
    options::Claiming,
    outcome::Outcome,
    process::Exit,
    said::{Said, Usage},
    status,
};

use super::lines::{self, Line, read};
use crate::{
    Ask, Decoder, Reading, message, outcome_of_exit, raw,
    summary::{one_line, sentence},
    verdict,
};

/// Text is said in pieces of about this size.
const PIECE: usize = 32 * 1024;

/// Where in the output a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before the banner.
    Start,
    /// In the banner, which a blank line ends.
    Banner,
    /// In an answer, or in what aider says before it.
    Answer,
}

/// What became of the edits in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edits {
    /// There are none, as far as can be told.
    None,
    /// Nothing was heard of them yet.
    Open,
    Applied,
    Failed,
}

/// An error of the provider that no answer followed yet.
struct ProviderError {
    kind: String,
    message: String,
    is_told: bool,
}

/// Reads the text of one session.
pub(super) struct AiderDecoder {
    claiming: Claiming,
    place: Place,
    /// The lines since the last answer was closed.
    segment: String,
    /// Those of them that were not given out yet.
    held: String,
    /// The last answer that was closed.
    answer: Option<String>,
    answers: u32,
    /// What became of the edits of the last answer.
    edits: Edits,
    cut_short: Option<&'static str>,
    is_interrupted: bool,
    error: Option<ProviderError>,
    /// Whether the last line was part of the error's message, which is wrapped.
    in_error: bool,
    usage: Usage,
    model: Option<String>,
    tools: u32,
}

impl AiderDecoder {
    /// A decoder for one session.
    pub(super) fn new(ask: &Ask<'_>) -> Self {
        Self {
            claiming: ask.claiming.clone(),
            place: Place::Start,
            segment: String::new(),
            held: String::new(),
            answer: None,
            answers: 0,
            edits: Edits::None,
            cut_short: None,
            is_interrupted: false,
            error: None,
            in_error: false,
            usage: Usage::default(),
            model: None,
            tools: 0,
        }
    }

    fn keep(&mut self, line: &str, said: &mut Vec<Said>) {
        message::extend(&mut self.segment, line);
        self.segment.push('\n');
        // A blank line before the first word says nothing.
        if !self.held.is_empty() || !line.trim().is_empty() {
            self.held.push_str(line);
            self.held.push('\n');
        }
        if self.held.len() >= PIECE {
            self.give(said);
        }
    }

    fn give(&mut self, said: &mut Vec<Said>) {
        let text = std::mem::take(&mut self.held);
        let text = text.trim_end();
        if !text.is_empty() {
            said.push(Said::Text { text: text.to_owned() });
        }
    }

    /// An answer is whole, so what went wrong before it is over.
    fn answered(&mut self, usage: Usage, said: &mut Vec<Said>) {
        self.give(said);
        let answer = std::mem::take(&mut self.segment);
        let has_edits = answer.lines().any(|line| line.trim_end() == lines::EDIT_ENDS);
        self.edits = if has_edits { Edits::Open } else { Edits::None };
        self.answer = Some(answer);
        self.answers += 1;
        self.error = None;
        self.cut_short = None;
        self.costs(usage, said);
    }

    fn costs(&mut self, usage: Usage, said: &mut Vec<Said>) {
        self.usage = self.usage.plus(usage);
        said.push(Said::Usage(usage));
    }

    fn went_wrong(&mut self, kind: &str, message: &str, said: &mut Vec<Said>) {
        self.give(said);
        // Each try says the same again; once is enough for people.
        let is_told = self.error.as_ref().is_some_and(|error| error.kind == kind && error.is_told);
        self.error =
            Some(ProviderError { kind: kind.to_owned(), message: message.to_owned(), is_told });
        self.in_error = true;
    }

    /// The message of an error is whole, so it can be told.
    fn tell_error(&mut self, said: &mut Vec<Said>) {
        if let Some(error) = self.error.as_mut().filter(|error| !error.is_told) {
            error.is_told = true;
            said.push(Said::Problem { text: sentence(&error.message) });
        }
    }

    fn say_problem(&mut self, line: &str, said: &mut Vec<Said>) {
        self.give(said);
        said.push(Said::Problem { text: sentence(line) });
    }

    fn say_tool(&mut self, name: &str, summary: String, said: &mut Vec<Said>) {
        self.give(said);
        said.push(Said::ToolUse { name: name.to_owned(), summary });
    }

    fn outcome(&self, exit: &Exit) -> Outcome {
        if exit.ended_by.is_some() || exit.signal.is_some() {
            return outcome_of_exit(exit);
        }
        if let Some(error) = &self.error {
            return lines::outcome_of_error(&error.kind, &error.message);
        }
        match (exit.code, self.cut_short) {
            (Some(0), Some(reason)) => Outcome::CutShort { reason: reason.to_owned() },
            (Some(0), None) if self.is_interrupted || self.answer.is_none() => Outcome::NoResult,
            _ => outcome_of_exit(exit),
        }
    }

    /// What the last answer claims. An edit that did not apply voids it.
    fn claim(&self, outcome: &Outcome, answer: &str) -> ClaimReading {
        let claim = verdict::claim(outcome, &self.claiming, answer);
        if matches!(self.edits, Edits::Open | Edits::Failed) {
            return ClaimReading { status: None, ..claim.missed(Why::EditFailed) };
        }
        // Before a second answer stands what aider asked the model with, such as the output of
        // tests, and nothing parts the two. So there only the last line counts.
        let last = answer.lines().map(str::trim).rfind(|line| !line.is_empty());
        let is_last = match claim.by {
            Some(ClaimedBy::Status) => last == Some(status::END),
            Some(_) => claim.text.is_none() || last == claim.text.as_deref(),
            None => true,
        };
        if self.answers > 1 && !is_last { claim.missed(Why::NotTheLastLine) } else { claim }
    }
}

impl Decoder for AiderDecoder {
    fn line(&mut self, line: &[u8], cut: bool, said: &mut Vec<Said>) {
        let text = String::from_utf8_lossy(line);
        let text = text.as_ref();
        let was_in_error = std::mem::take(&mut self.in_error);
        let read = read(text);
        let goes_on = was_in_error && read == Line::Other && !text.trim().is_empty();
        if was_in_error && !goes_on {
            self.tell_error(said);
        }
        match read {
            Line::Banner if self.place == Place::Start => {
                self.place = Place::Banner;
                said.push(raw::said(line));
            }
            Line::Error { kind, message } => self.went_wrong(kind, message, said),
            // The try is over, and what it began to say with it.
            Line::Retries if self.error.is_some() => self.segment.clear(),
            Line::ErrorExplained if self.error.is_some() => {}
            _ if self.place != Place::Answer && !goes_on => {
                if self.place == Place::Banner && text.trim().is_empty() {
                    self.place = Place::Answer;
                } else if !text.trim().is_empty() {
                    if let Some(model) = lines::model(text) {
                        self.model = Some(model.to_owned());
                    }
                    said.push(raw::said(line));
                }
            }
            Line::Tokens(usage) => self.answered(usage, said),
            Line::Cost(usage) if self.segment.is_empty() => self.costs(usage, said),
            Line::Applied(file) if self.answer.is_some() => {
                if self.edits != Edits::Failed {
                    self.edits = Edits::Applied;
                }
                self.tools = self.tools.saturating_add(1);
                self.say_tool("edit", format!("edits {}", one_line(file)), said);
            }
            Line::Commit(message) if self.answer.is_some() => {
                self.say_tool("commit", format!("commits {}", one_line(message)), said);
            }
            Line::EditFailed if self.answer.is_some() => {
                self.edits = Edits::Failed;
                self.say_problem(text, said);
            }
            Line::TooManyReflections if self.answer.is_some() => {
                self.cut_short = Some("turns");
                self.say_problem(text, said);
            }
            Line::TokenLimit => {
                self.cut_short = Some("tokens");
                self.say_problem(text, said);
            }
            Line::Interrupted => {
                self.is_interrupted = true;
                self.say_problem("interrupted", said);
            }
            _ if goes_on => {
                self.in_error = true;
                if let Some(error) = &mut self.error {
                    error.message.push(' ');
                    message::extend(&mut error.message, text);
                }
                // It may be an answer that speaks of such an error: then it counts as one.
                message::extend(&mut self.segment, text);
                self.segment.push('\n');
            }
            _ => {
                self.keep(text, said);
                if cut {
                    self.keep("[the rest of this line was dropped]", said);
                }
            }
        }
    }

    fn flush(&mut self, said: &mut Vec<Said>) {
        self.give(said);
    }

    fn finish(mut self: Box<Self>, exit: &Exit, said: &mut Vec<Said>) -> Reading {
        self.give(said);
        self.tell_error(said);
        let outcome = self.outcome(exit);
        if let Outcome::Limited { until } = outcome {
            said.push(Said::Limit { until });
        }
        let answer = self.answer.take().unwrap_or_else(|| std::mem::take(&mut self.segment));
        let answer = lines::without_edits(&answer);
        let claim = self.claim(&outcome, &answer);
        let problem = self.error.as_ref().map(|error| sentence(&error.message));
        Reading {
            lost_background: Vec::new(),
            overage: None,
            problem: problem.filter(|_| outcome.is_failure()),
            outcome,
            final_text: answer.trim().to_owned(),
            claim,
            usage: self.usage,
            model: self.model,
            tools: self.tools,
            denied: 0,
            denied_tools: Vec::new(),
            session_id: None,
        }
    }
}
