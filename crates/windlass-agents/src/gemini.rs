//! Gemini CLI: `gemini -o stream-json`. A session is over well only with a `result` event: after a
//! signal it exits with 0 and without one, and errors of the API exit with their status mod 256.

use std::{ffi::OsString, path::PathBuf};

use serde::Deserialize;
use serde_json::Value;
use windlass_core::{
    agent_files::{AgentFiles, CredentialFields},
    claim::ClaimReading,
    ending::ClaimedBy,
    options::Claiming,
    outcome::Outcome,
    process::{Exit, ProcessSpec},
    said::{Said, Usage},
    time::Timestamp,
};

use super::{
    Agent, Ask, Decoder, Places, Reading, RepoConfig, SignIn,
    agent::each,
    message, outcome_of_exit, raw,
    summary::{ToolInput, one_line, sentence, tool_use},
    verdict,
};

mod config;
mod errors;
mod sign_in;

use errors::{for_people, outcome_of_code, outcome_of_error};

/// The program.
const PROGRAM: &str = "gemini";

/// Of a longer prompt it drops the end, and then asks the model nothing at all.
const LONGEST_PROMPT: usize = 8_000_000;

/// Text is said in pieces of about this size.
const PIECE: usize = 32 * 1024;

/// Tools that are not there while their use is not allowed.
const GUARDED: [&str; 3] = ["write_file", "replace", "run_shell_command"];

/// Where its model and its sign-in are.
const HOSTS: [&str; 4] = [
    "generativelanguage.googleapis.com",
    "cloudcode-pa.googleapis.com",
    "oauth2.googleapis.com",
    "accounts.google.com",
];

/// What it renews of its credentials.
const CREDENTIALS: CredentialFields = CredentialFields {
    of_each_member: false,
    tokens: &["/access_token", "/refresh_token", "/id_token"],
    expiry: "/expiry_date",
    account: &[],
};

/// Gemini CLI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gemini;

impl Agent for Gemini {
    fn name(&self) -> &str {
        "gemini"
    }

    fn prompt_limit(&self) -> Option<usize> {
        Some(LONGEST_PROMPT)
    }

    fn program(&self) -> Option<OsString> {
        Some(PROGRAM.into())
    }

    fn own(&self, places: &Places<'_>) -> AgentFiles {
        let directory = places.home(".gemini");
        let copied = ["google_accounts.json", "installation_id", "projects.json", "state.json"];
        let own = AgentFiles {
            kept: each(&directory, &["oauth_creds.json"]),
            credentials: Some(CREDENTIALS),
            shown: each(&directory, &["settings.json", "GEMINI.md", "commands", "extensions"]),
            copied: each(&directory, &copied),
            state: vec![directory],
            hosts: Vec::new(),
        };
        own.with_hosts(&HOSTS)
    }

    fn repo_config(&self) -> Vec<&'static RepoConfig> {
        vec![&config::CONFIG]
    }

    fn sign_in(&self) -> Option<&'static SignIn> {
        Some(&sign_in::SIGN_IN)
    }

    fn command(&self, ask: &Ask<'_>) -> ProcessSpec {
        let mut args: Vec<OsString> = vec!["-o".into(), "stream-json".into()];
        if let Some(model) = &ask.wishes.model {
            args.extend(["-m".into(), model.into()]);
        }
        if ask.wishes.skip_permissions.is_always() {
            args.extend(["--yolo".into(), "--skip-trust".into()]);
        }
        args.extend(ask.wishes.extra_args.iter().map(OsString::from));
        let mut env: Vec<(OsString, OsString)> =
            ask.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        // Else it starts itself once more, and the first process swallows signals.
        env.retain(|(name, _)| name != "GEMINI_CLI_NO_RELAUNCH");
        env.push(("GEMINI_CLI_NO_RELAUNCH".into(), "true".into()));
        ProcessSpec {
            program: PROGRAM.into(),
            args,
            env,
            directory: ask.directory.to_owned(),
            stdin: ask.prompt_with_system_words().into_owned().into_bytes(),
        }
    }

    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn Decoder + Send> {
        Box::new(GeminiDecoder {
            claiming: ask.claiming.clone(),
            directory: ask.directory.to_owned(),
            message: String::new(),
            held: String::new(),
            usage: Usage::default(),
            model: None,
            tools: 0,
            denied: 0,
            denied_tools: Vec::new(),
            session_id: None,
            last_tool: String::new(),
            is_denied: false,
            background: Vec::new(),
            cut_short: None,
            end: None,
            problem: None,
        })
    }
}

/// What the `result` event says.
enum End {
    Success,
    Error { kind: String, message: String, at: Option<Timestamp> },
}

/// How many commands in the background are remembered.
const COMMANDS: usize = 100;

/// Reads the events of one session.
struct GeminiDecoder {
    claiming: Claiming,
    directory: PathBuf,
    /// The words since the last tool, put together.
    message: String,
    /// Those of them that were not given out yet.
    held: String,
    usage: Usage,
    model: Option<String>,
    tools: u32,
    denied: u32,
    denied_tools: Vec<String>,
    session_id: Option<String>,
    last_tool: String,
    /// Whether the last tool was not allowed.
    is_denied: bool,
    /// Commands that it started in the background. That one of them ends is never told.
    background: Vec<String>,
    cut_short: Option<&'static str>,
    end: Option<End>,
    problem: Option<String>,
}

impl GeminiDecoder {
    /// Takes one event; says whether it was known.
    fn event(&mut self, event: &Value, said: &mut Vec<Said>) -> bool {
        match event["type"].as_str() {
            Some("init") => {
                self.model = event["model"].as_str().map(str::to_owned);
                self.session_id = event["session_id"].as_str().map(str::to_owned);
            }
            Some("message") => return self.words(event, said),
            Some("tool_use") => return self.tool(event, said),
            Some("tool_result") => self.tool_answered(event, said),
            Some("error") => self.warned(event, said),
            Some("result") => self.is_over(event, said),
            _ => return false,
        }
        true
    }

    fn words(&mut self, event: &Value, said: &mut Vec<Said>) -> bool {
        let Some(text) = event["content"].as_str() else { return false };
        match event["role"].as_str() {
            Some("assistant") => {
                if event["delta"] != true && !self.message.is_empty() {
                    self.message.push('\n');
                    self.held.push('\n');
                }
                message::extend(&mut self.message, text);
                self.held.push_str(text);
                if self.held.len() >= PIECE {
                    self.give(said);
                }
                true
            }
            // The prompt, printed back. It is known already, and it never claims.
            Some("user") => true,
            _ => false,
        }
    }

    fn tool(&mut self, event: &Value, said: &mut Vec<Said>) -> bool {
        let Some(name) = event["tool_name"].as_str() else { return false };
        self.give(said);
        self.message.clear();
        self.tools = self.tools.saturating_add(1);
        name.clone_into(&mut self.last_tool);
        let input = ToolInput::deserialize(&event["parameters"]).unwrap_or_default();
        if event["parameters"]["is_background"] == true && self.background.len() < COMMANDS {
            self.background.push(one_line(&input.command.0));
        }
        let summary = tool_use(name, &input, &self.directory);
        said.push(Said::ToolUse { name: name.to_owned(), summary });
        true
    }

    fn tool_answered(&mut self, event: &Value, said: &mut Vec<Said>) {
        self.give(said);
        self.message.clear();
        let failed = event["status"] == "error";
        let error = &event["error"];
        self.is_denied = failed
            && match error["type"].as_str() {
                Some("tool_not_registered") => GUARDED.contains(&self.last_tool.as_str()),
                Some(kind) => matches!(kind, "permission_denied" | "policy_violation"),
                None => false,
            };
        self.denied += u32::from(self.is_denied);
        if self.is_denied && !self.denied_tools.contains(&self.last_tool) {
            self.denied_tools.push(self.last_tool.clone());
        }
        let answer = event["output"].as_str().or_else(|| error["message"].as_str());
        said.push(Said::ToolResult { summary: one_line(answer.unwrap_or("")), failed });
    }

    fn warned(&mut self, event: &Value, said: &mut Vec<Said>) {
        self.give(said);
        let message = event["message"].as_str().unwrap_or("an error without words");
        if message.contains("Loop detected") {
            self.cut_short = Some("loop");
        } else if message.contains("Maximum session turns") {
            self.cut_short = Some("turns");
        }
        let text = sentence(message);
        said.push(Said::Problem { text: text.clone() });
        self.problem = Some(text);
    }

    fn is_over(&mut self, event: &Value, said: &mut Vec<Said>) {
        self.give(said);
        let stats = &event["stats"];
        // `input_tokens` has what came from the cache.
        self.usage = Usage {
            input_tokens: stats["input_tokens"].as_u64().unwrap_or(0),
            output_tokens: stats["output_tokens"].as_u64().unwrap_or(0),
            cost_usd: None,
        };
        said.push(Said::Usage(self.usage));
        if event["status"] == "success" {
            self.end = Some(End::Success);
            return;
        }
        let error = &event["error"];
        let message = error["message"].as_str().unwrap_or("an error without words").to_owned();
        let text = sentence(&for_people(&message));
        said.push(Said::Problem { text: text.clone() });
        self.problem = Some(text);
        self.end = Some(End::Error {
            kind: error["type"].as_str().unwrap_or("").to_owned(),
            message,
            at: event["timestamp"]
                .as_str()
                .and_then(|at| at.parse::<jiff::Timestamp>().ok())
                .map(|at| Timestamp(at.as_millisecond())),
        });
    }

    fn give(&mut self, said: &mut Vec<Said>) {
        if !self.held.is_empty() {
            said.push(Said::Text { text: std::mem::take(&mut self.held) });
        }
    }

    fn outcome(&self, exit: &Exit) -> Outcome {
        if exit.ended_by.is_some() {
            return outcome_of_exit(exit);
        }
        match (&self.end, self.cut_short) {
            (Some(End::Error { kind, message, at }), _) => {
                outcome_of_error(kind, message, *at, exit.code)
            }
            (Some(End::Success), Some(reason)) => Outcome::CutShort { reason: reason.to_owned() },
            // What the process does after its result does not undo it.
            (Some(End::Success), None) => Outcome::Finished,
            // It was interrupted, whoever did that.
            (None, _) if exit.code == Some(0) => Outcome::NoResult,
            (None, _) => outcome_of_code(exit),
        }
    }
}

impl Decoder for GeminiDecoder {
    fn line(&mut self, line: &[u8], _cut: bool, said: &mut Vec<Said>) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let known = serde_json::from_slice::<Value>(line)
            .is_ok_and(|event| event.is_object() && self.event(&event, said));
        if !known {
            self.give(said);
            said.push(raw::said(line));
        }
    }

    fn flush(&mut self, said: &mut Vec<Said>) {
        // Whole lines only: each piece is shown on lines of its own, and words come in pieces that
        // end anywhere.
        if let Some(end) = self.held.rfind('\n') {
            let rest = self.held.split_off(end + 1);
            self.give(said);
            self.held = rest;
        }
    }

    fn finish(mut self: Box<Self>, exit: &Exit, said: &mut Vec<Said>) -> Reading {
        self.give(said);
        let mut outcome = self.outcome(exit);
        let final_text = self.message.trim().to_owned();
        let mut claim = verdict::claim(&outcome, &self.claiming, &final_text);
        // It gave up after a tool that it may not use; one that says it is done did not need it.
        if self.is_denied && outcome.is_finished() && claim.by != Some(ClaimedBy::Promise) {
            outcome = Outcome::PermissionDenied;
            claim = ClaimReading::default();
        }
        if let Outcome::Limited { until } = outcome {
            said.push(Said::Limit { until });
        }
        // The program leaves them running, and windlass has found what ran.
        let is_lost = outcome.is_finished() && !exit.leftovers.is_empty();
        Reading {
            lost_background: if is_lost { self.background } else { Vec::new() },
            overage: None,
            problem: self.problem.filter(|_| outcome.is_failure()),
            outcome,
            final_text,
            claim,
            usage: self.usage,
            model: self.model,
            tools: self.tools,
            denied: self.denied,
            denied_tools: self.denied_tools,
            session_id: self.session_id,
        }
    }
}
