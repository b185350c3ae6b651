//! Reads Claude Code's JSON stream. It trusts `is_error` over the rest: a failed session calls
//! itself a `success` in another field, and an interrupted one exits with 0.

use std::path::PathBuf;

use jiff::Zoned;
use windlass_core::{
    options::Claiming,
    outcome::{Outcome, Overage},
    process::{EndedBy, Exit},
    said::Said,
    time::Timestamp,
};

use super::{
    background::Background,
    events::{Assistant, HookResponse, Init, LimitEvent, Part, ResultEvent, Retry},
    kind::Kind,
    user::{Answers, User},
};
use crate::{
    Ask, Decoder, Reading, outcome_of_exit, raw, reset,
    summary::{one_line, sentence, tool_use},
    verdict,
};

/// The model that Claude Code names where it speaks itself.
const SYNTHETIC: &str = "<synthetic>";

/// SIGINT, which Claude Code turns into a result of its own.
const INTERRUPT: i32 = 2;

/// After so many refusals of its key or login a session is over. Claude Code would try for three
/// minutes; the first may be a login that it renews.
const REFUSALS: u32 = 3;

/// Reads one session.
pub(super) struct ClaudeDecoder {
    claiming: Claiming,
    directory: PathBuf,
    started: Option<Zoned>,
    model: Option<String>,
    session_id: Option<String>,
    tools: u32,
    /// The tool that was used last.
    last_tool: Option<String>,
    /// The agent's last words, for sessions without a result.
    last_text: String,
    /// The kind and the words of the last error that Claude Code told in the model's place.
    error: Option<(String, String)>,
    /// When a limit that turned a request down is over.
    rejected_until: Option<Timestamp>,
    /// That the plan is used up and its overage is paid for.
    overage: Option<Overage>,
    /// The tasks that it runs for the session.
    background: Background,
    /// How many times running the provider did not take the key or the login.
    refusals: u32,
    result: Option<ResultEvent>,
    /// The last line that was not of the stream: why a program that did not get to stream failed.
    last_raw: String,
}

impl ClaudeDecoder {
    pub(super) fn new(ask: &Ask<'_>) -> Self {
        Self {
            claiming: ask.claiming.clone(),
            directory: ask.directory.to_owned(),
            started: None,
            model: None,
            session_id: None,
            tools: 0,
            last_tool: None,
            last_text: String::new(),
            error: None,
            rejected_until: None,
            overage: None,
            background: Background::default(),
            refusals: 0,
            result: None,
            last_raw: String::new(),
        }
    }

    /// Takes a line of a known kind; says whether it could be read.
    fn take(&mut self, line: &[u8], said: &mut Vec<Said>) -> bool {
        match Kind::of(line) {
            Kind::Passed => true,
            Kind::Unknown => false,
            Kind::Init => raw::parse(line).map(|init| self.begin(init)).is_some(),
            Kind::Retry => raw::parse(line).map(|retry| self.retry(&retry, said)).is_some(),
            Kind::Hook => raw::parse(line)
                .map(|response: HookResponse| said.extend(response.said()))
                .is_some(),
            Kind::Limit => raw::parse(line).map(|event| self.limit(&event)).is_some(),
            Kind::Assistant => raw::parse(line).map(|event| self.assistant(event, said)).is_some(),
            Kind::Task => raw::parse(line).map(|task| self.background.take(task)).is_some(),
            Kind::User => User::read(line).map(|event| self.answers(line, &event, said)).is_some(),
            Kind::Result => raw::parse(line).map(|result| self.come_to(result)).is_some(),
        }
    }

    fn begin(&mut self, init: Init) {
        self.model = init.model;
        self.session_id = init.session_id;
    }

    fn retry(&mut self, retry: &Retry, said: &mut Vec<Said>) {
        self.refusals = if retry.is_refusal() { self.refusals + 1 } else { 0 };
        said.push(Said::Problem { text: retry.words() });
    }

    fn limit(&mut self, event: &LimitEvent) {
        let info = &event.rate_limit_info;
        if info.is_using_overage {
            self.overage = Some(Overage { until: info.resets_at.and_then(reset::from_epoch) });
        }
        self.rejected_until = match info.status.as_deref() {
            // The plan is used up, and the provider goes on for money.
            Some("rejected") if info.is_using_overage => None,
            Some("rejected") => info.resets_at.and_then(reset::from_epoch),
            // A warning, or leave to go on: nothing is over.
            _ => None,
        };
    }

    fn assistant(&mut self, event: Assistant, said: &mut Vec<Said>) {
        let is_helper = event.parent_tool_use_id.is_some();
        let model = event.message.model.as_deref();
        let is_error = event.error.is_some() || model == Some(SYNTHETIC);
        if !is_error {
            self.refusals = 0;
        }
        if self.model.is_none() && !is_error {
            self.model = event.message.model.clone();
        }
        for part in event.message.content {
            let Part { kind, text, id, name, input } = part;
            match (kind.as_str(), text, name) {
                ("text", Some(text), _) if is_error => {
                    if !is_helper {
                        self.error = Some((event.error.clone().unwrap_or_default(), text.clone()));
                    }
                    said.push(Said::Problem { text });
                }
                ("text", Some(text), _) => {
                    if !is_helper {
                        self.last_text.clone_from(&text);
                        self.error = None;
                    }
                    said.push(Said::Text { text });
                }
                ("tool_use" | "server_tool_use", _, Some(name)) => {
                    self.tools += 1;
                    let input = input.unwrap_or_default();
                    self.background.used(id.as_deref(), &input.command.0);
                    self.last_tool = id;
                    let summary = tool_use(&name, &input, &self.directory);
                    said.push(Said::ToolUse { name, summary });
                }
                _ => {}
            }
        }
    }

    /// What tools answered.
    fn answers(&mut self, line: &[u8], event: &User, said: &mut Vec<Said>) {
        self.background.answered(line);
        answers(event, said);
    }

    /// The session has a result. It may have another: Claude Code goes on where a task in the
    /// background ends soon after it.
    fn come_to(&mut self, result: ResultEvent) {
        self.background.result();
        self.result = Some(result);
    }

    /// The outcome, from the result if there is one and from the end of the process if not.
    fn outcome(&self, exit: &Exit) -> Outcome {
        if exit.ended_by == Some(EndedBy::Hopeless) {
            return Outcome::Auth;
        }
        if exit.ended_by.is_some() {
            return outcome_of_exit(exit);
        }
        match &self.result {
            Some(result) if result.is_error => self.failure(result, exit),
            Some(result) if result.stop_reason.as_deref() == Some("refusal") => {
                Outcome::CutShort { reason: "refusal".to_owned() }
            }
            Some(result) if self.stopped_at_a_denial(result) => Outcome::PermissionDenied,
            Some(_) => Outcome::Finished,
            None => match outcome_of_exit(exit) {
                Outcome::Finished => Outcome::NoResult,
                crashed if exit.signal.is_some() => crashed,
                crashed => {
                    let words = self.error.as_ref().map_or(&self.last_raw, |(_, text)| text);
                    verdict::of_words(words, self.started.as_ref()).unwrap_or(crashed)
                }
            },
        }
    }

    /// The outcome of a session whose result is an error.
    fn failure(&self, result: &ResultEvent, exit: &Exit) -> Outcome {
        let cut_short = |reason: &str| Outcome::CutShort { reason: reason.to_owned() };
        let kind = self.error.as_ref().map_or("", |(kind, _)| kind.as_str());
        match (result.subtype.as_deref(), result.terminal_reason.as_deref()) {
            (Some("error_max_turns"), _) | (_, Some("max_turns")) => return cut_short("turns"),
            (Some("error_max_budget_usd"), _) => return cut_short("budget"),
            (_, Some("prompt_too_long")) => return cut_short(verdict::CONTEXT),
            (_, Some("aborted_streaming" | "aborted_tools")) => {
                return Outcome::Crashed { signal: Some(INTERRUPT), code: exit.code };
            }
            _ if kind == "max_output_tokens" => return cut_short("tokens"),
            _ => {}
        }
        let (status, words, now) = (result.api_error_status, result.words(), self.started.as_ref());
        match (kind, status) {
            ("authentication_failed", _) => Outcome::Auth,
            ("rate_limit", _) | (_, Some(429)) => Outcome::Limited {
                until: self.rejected_until.or_else(|| reset::reset_at(words, now)),
            },
            (_, Some(status)) => verdict::of_status(status, words, now),
            ("server_error" | "billing_error" | "invalid_request", None) => {
                Outcome::ModelError { status: None }
            }
            ("model_not_found", None) => Outcome::ModelError { status: Some(404) },
            _ if self.rejected_until.is_some() => Outcome::Limited { until: self.rejected_until },
            _ => verdict::of_words(words, now).unwrap_or_else(|| match outcome_of_exit(exit) {
                Outcome::Finished => Outcome::ModelError { status: None },
                crashed => crashed,
            }),
        }
    }

    /// Whether the session could not do its work for want of leave: the last tool that it tried
    /// was denied, and it claims nothing. A denial that it found a way around is no failure.
    fn stopped_at_a_denial(&self, result: &ResultEvent) -> bool {
        let last = self.last_tool.as_deref();
        let denied = result.permission_denials.iter().flatten();
        let is_last = denied.map(|denial| denial.tool_use_id.as_deref()).any(|id| id == last);
        let text = result.result.as_deref().unwrap_or_default();
        last.is_some()
            && is_last
            && verdict::claim(&Outcome::Finished, &self.claiming, text).by.is_none()
    }

    /// Why it failed, in one line.
    fn problem(&self, outcome: &Outcome) -> Option<String> {
        if !outcome.is_failure() {
            return None;
        }
        let result = self.result.as_ref();
        match outcome {
            Outcome::PermissionDenied => {
                let denials = result.and_then(|result| result.permission_denials.as_ref())?;
                let tool = denials.last()?.tool_name.as_deref()?;
                return Some(format!("the tool {tool} was denied"));
            }
            Outcome::Auth if result.is_none() && self.refusals >= REFUSALS => {
                return Some(format!("its key or login was refused {REFUSALS} times"));
            }
            // Its own words for that are a diagnosis for its makers.
            Outcome::Crashed { signal: Some(INTERRUPT), .. } => {
                return Some("it was interrupted".to_owned());
            }
            _ => {}
        }
        let words = result.filter(|result| result.is_error).map(ResultEvent::words);
        let error = self.error.as_ref().map(|(_, text)| text.as_str());
        let raw = result.is_none().then_some(self.last_raw.as_str());
        let mut words = [words, error, raw].into_iter().flatten().map(sentence);
        words.find(|line| !line.is_empty())
    }
}

impl Decoder for ClaudeDecoder {
    fn started(&mut self, at: &Zoned) {
        self.started = Some(at.clone());
    }

    fn line(&mut self, line: &[u8], cut: bool, said: &mut Vec<Said>) {
        if line.trim_ascii().is_empty() || (!cut && self.take(line, said)) {
            return;
        }
        let text = raw::text(line);
        // An unknown event explains nothing to people.
        if !text.starts_with('{') {
            self.last_raw = sentence(&text);
        }
        said.push(Said::Raw { text });
    }

    fn is_hopeless(&self) -> bool {
        self.refusals >= REFUSALS
    }

    fn finish(self: Box<Self>, exit: &Exit, said: &mut Vec<Said>) -> Reading {
        let outcome = self.outcome(exit);
        let problem = self.problem(&outcome);
        // What Claude Code told in the model's place was said as a problem already, and what was
        // not of the stream as it is.
        if let (Some(text), Some(_), None) = (&problem, &self.result, &self.error) {
            said.push(Said::Problem { text: text.clone() });
        }
        if let Outcome::Limited { until } = outcome {
            said.push(Said::Limit { until });
        }
        let usage = self.result.as_ref().map(ResultEvent::usage).unwrap_or_default();
        if usage.input_tokens > 0 || usage.output_tokens > 0 {
            said.push(Said::Usage(usage));
        }
        let result = self.result.unwrap_or_default();
        let denials = result.permission_denials.unwrap_or_default();
        let denied = denials.len();
        let denied_tools = names(denials.into_iter().filter_map(|denial| denial.tool_name));
        let message = result.result;
        let claim =
            verdict::claim(&outcome, &self.claiming, message.as_deref().unwrap_or_default());
        let final_text = match message {
            Some(message) if outcome.is_finished() => message,
            _ => self.last_text,
        };
        let lost = if outcome.is_finished() { self.background.lost() } else { Vec::new() };
        Reading {
            outcome,
            lost_background: lost,
            overage: self.overage,
            final_text,
            claim,
            problem,
            usage,
            model: self.model,
            tools: self.tools,
            denied: u32::try_from(denied).unwrap_or(u32::MAX),
            denied_tools,
            session_id: self.session_id.or(result.session_id),
        }
    }
}

/// Names, each once, in the order in which they came first.
fn names(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// How a line goes on after the event's name that tells why a hook held the agent back.
const FEEDBACK: &str = " hook feedback:\n";

/// What tools answered, and hooks. Other words in a user's line are the prompt, or one for a helper.
fn answers(event: &User, said: &mut Vec<Said>) {
    let Answers(parts) = &event.message.content;
    for words in parts.iter().filter(|answer| answer.kind.0 == "text") {
        let Some((event, why)) = words.text.0.split_once(FEEDBACK) else { continue };
        if !event.contains(char::is_whitespace) {
            let summary = one_line(&format!("{event}: {why}"));
            said.push(Said::Hook { summary, failed: false });
        }
    }
    for answer in parts.iter().filter(|answer| answer.kind.0 == "tool_result") {
        let summary = one_line(&answer.content.0);
        said.push(Said::ToolResult { summary, failed: answer.is_error.unwrap_or(false) });
    }
}
