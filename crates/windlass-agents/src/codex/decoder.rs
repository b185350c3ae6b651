//! Reads the JSON lines of `codex exec`. A turn that completed or failed is what counts: an
//! `error` is not the end, for attempts to connect again are told with it too.

use std::path::PathBuf;

use jiff::Zoned;
use windlass_core::{
    options::Claiming,
    outcome::Outcome,
    process::Exit,
    said::{Said, Usage},
};

use super::{
    events::{Event, Item, Tokens},
    tool::{command_line, tool},
};
use crate::{
    Ask, Decoder, Reading, outcome_of_exit, raw,
    summary::{one_line, sentence},
    verdict,
};

/// How the last turn ended.
#[derive(Debug)]
enum Turn {
    Completed,
    Failed(String),
}

/// A tool that was started and has not answered.
#[derive(Debug)]
struct Open {
    id: String,
    /// The command, where it is one.
    command: Option<String>,
}

/// Reads one session.
pub(super) struct CodexDecoder {
    claiming: Claiming,
    directory: PathBuf,
    started: Option<Zoned>,
    /// What was asked for: the stream does not tell.
    model: Option<String>,
    session_id: Option<String>,
    tools: u32,
    denied: u32,
    /// Tools that were started and have not answered.
    open: Vec<Open>,
    /// Commands that still ran when the last turn ended.
    lost_background: Vec<String>,
    /// Whether the last tool that answered was denied.
    was_denied: bool,
    last_text: String,
    usage: Usage,
    turn: Option<Turn>,
    /// The last error, and the last line that was not of the stream.
    last_error: Option<String>,
    last_raw: String,
}

impl CodexDecoder {
    pub(super) fn new(ask: &Ask<'_>) -> Self {
        Self {
            claiming: ask.claiming.clone(),
            directory: ask.directory.to_owned(),
            started: None,
            model: ask.wishes.model.clone(),
            session_id: None,
            tools: 0,
            denied: 0,
            open: Vec::new(),
            lost_background: Vec::new(),
            was_denied: false,
            last_text: String::new(),
            usage: Usage::default(),
            turn: None,
            last_error: None,
            last_raw: String::new(),
        }
    }

    /// Takes an event; says whether it is one that it knows.
    fn take(&mut self, event: Event, said: &mut Vec<Said>) -> bool {
        let Event { kind, thread_id, item, usage, message, error } = event;
        match (kind.as_str(), item, message) {
            ("thread.started", ..) => self.session_id = thread_id,
            ("item.updated", ..) => {}
            ("turn.started", ..) => self.turn = None,
            ("turn.completed", ..) => self.completed(usage.unwrap_or_default()),
            ("turn.failed", ..) => {
                let text = error.and_then(|error| error.message).unwrap_or_default();
                self.problem(&text, said);
                self.turn = Some(Turn::Failed(text));
            }
            ("error", _, Some(text)) => self.problem(&text, said),
            ("item.started", Some(item), _) => self.start(&item, said),
            ("item.completed", Some(item), _) => self.complete(item, said),
            _ => return false,
        }
        true
    }

    fn completed(&mut self, tokens: Tokens) {
        self.turn = Some(Turn::Completed);
        // They are ended with the program, and nothing more is heard of them.
        self.lost_background = self.open.iter().filter_map(|open| open.command.clone()).collect();
        // Cumulative, so the last is the sum.
        self.usage = Usage {
            input_tokens: tokens.input_tokens,
            output_tokens: tokens.output_tokens,
            cost_usd: None,
        };
    }

    /// An error, which Codex tells twice when it is the end of the turn.
    fn problem(&mut self, text: &str, said: &mut Vec<Said>) {
        if !text.is_empty() && self.last_error.as_deref() != Some(text) {
            said.push(Said::Problem { text: words_of(text) });
            self.last_error = Some(text.to_owned());
        }
    }

    fn start(&mut self, item: &Item, said: &mut Vec<Said>) {
        if let Some((name, summary)) = tool(item, &self.directory) {
            self.tools += 1;
            let command = (item.kind == "command_execution").then(|| command_line(item));
            self.open.push(Open { id: item.id.clone(), command });
            said.push(Said::ToolUse { name, summary });
        }
    }

    fn complete(&mut self, item: Item, said: &mut Vec<Said>) {
        match item.kind.as_str() {
            "agent_message" => {
                let text = item.text.unwrap_or_default();
                self.last_text.clone_from(&text);
                said.push(Said::Text { text });
            }
            // A warning; the turn goes on.
            "error" => {
                let text = item.message.unwrap_or_default();
                said.push(Said::Problem { text });
            }
            "reasoning" | "todo_list" => {}
            _ => {
                match self.open.iter().position(|open| open.id == item.id) {
                    Some(at) => drop(self.open.swap_remove(at)),
                    None => {
                        self.start(&item, said);
                        self.open.pop();
                    }
                }
                self.answer(&item, said);
            }
        }
    }

    fn answer(&mut self, item: &Item, said: &mut Vec<Said>) {
        let status = item.status.as_deref().unwrap_or_default();
        self.was_denied = status == "declined";
        self.denied += u32::from(self.was_denied);
        let failed =
            matches!(status, "failed" | "declined") || item.exit_code.is_some_and(|code| code != 0);
        let output = one_line(&item.aggregated_output.0);
        let summary = match (output.as_str(), item.exit_code) {
            ("", Some(code)) if code != 0 => format!("exit code {code}"),
            ("", _) => status.replace('_', " "),
            _ => output,
        };
        said.push(Said::ToolResult { summary, failed });
    }

    fn outcome(&self, exit: &Exit) -> Outcome {
        if exit.ended_by.is_some() {
            return outcome_of_exit(exit);
        }
        let now = self.started.as_ref();
        match &self.turn {
            Some(Turn::Completed) if self.stopped_at_a_denial() => Outcome::PermissionDenied,
            Some(Turn::Completed) => Outcome::Finished,
            Some(Turn::Failed(text)) => {
                verdict::of_words(text, now).unwrap_or(Outcome::ModelError { status: None })
            }
            None => match outcome_of_exit(exit) {
                Outcome::Finished => Outcome::NoResult,
                crashed if exit.signal.is_some() => crashed,
                crashed => {
                    let error = self.last_error.as_ref();
                    // While it tries again nothing is decided.
                    let error = error.filter(|text| !text.starts_with("Reconnecting"));
                    let words = error.unwrap_or(&self.last_raw);
                    verdict::of_words(words, now).unwrap_or(crashed)
                }
            },
        }
    }

    /// Whether the last tool that it tried was denied, and it claims nothing.
    fn stopped_at_a_denial(&self) -> bool {
        let claim = verdict::claim(&Outcome::Finished, &self.claiming, &self.last_text);
        self.was_denied && claim.by.is_none()
    }
}

impl Decoder for CodexDecoder {
    fn started(&mut self, at: &Zoned) {
        self.started = Some(at.clone());
    }

    fn line(&mut self, line: &[u8], cut: bool, said: &mut Vec<Said>) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let event = if cut || !line.starts_with(b"{") { None } else { raw::parse(line) };
        if event.is_some_and(|event| self.take(event, said)) {
            return;
        }
        let text = raw::text(line);
        // An unknown event explains nothing to people.
        if !text.starts_with('{') {
            self.last_raw = sentence(&text);
        }
        said.push(Said::Raw { text });
    }

    fn finish(self: Box<Self>, exit: &Exit, said: &mut Vec<Said>) -> Reading {
        let outcome = self.outcome(exit);
        if let Outcome::Limited { until } = outcome {
            said.push(Said::Limit { until });
        }
        if self.usage != Usage::default() {
            said.push(Said::Usage(self.usage));
        }
        let claim = verdict::claim(&outcome, &self.claiming, &self.last_text);
        let problem = match &outcome {
            Outcome::PermissionDenied => Some("a tool was denied".to_owned()),
            outcome if outcome.is_failure() => {
                let words =
                    self.last_error.map_or(self.last_raw, |text| sentence(&words_of(&text)));
                Some(words).filter(|words| !words.is_empty())
            }
            _ => None,
        };
        let lost = if outcome.is_finished() { self.lost_background } else { Vec::new() };
        Reading {
            outcome,
            lost_background: lost,
            overage: None,
            final_text: self.last_text,
            claim,
            problem,
            usage: self.usage,
            model: self.model,
            tools: self.tools,
            denied: self.denied,
            denied_tools: Vec::new(),
            session_id: self.session_id,
        }
    }
}

/// The words of an error that may be a provider's answer, passed on as JSON.
fn words_of(text: &str) -> String {
    let answer: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let words = answer.as_ref().and_then(|answer| answer.pointer("/error/message")?.as_str());
    words.unwrap_or(text).to_owned()
}
