//! OpenCode: `opencode run --format json`. Its stream has no last event: the end is the process's
//! exit, and whether it was a good one is told by the reason of the last step.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use serde::Deserialize;
use serde_json::Value;
use windlass_core::{
    agent_files::{AgentFiles, CredentialFields},
    options::Claiming,
    outcome::Outcome,
    process::{Exit, ProcessSpec},
    said::{Said, Usage},
    time::Timestamp,
};

use super::{
    Agent, Ask, Decoder, Places, Reading, RepoConfig, SignIn, message, outcome_of_exit, raw,
    summary::{ToolInput, one_line, sentence, tool_use},
    verdict,
};

mod config;
mod sign_in;

/// The program.
const PROGRAM: &str = "opencode";

/// What a tool says whose use was not allowed.
const REJECTED: [&str; 2] = ["rejected permission", "prevents you from using this"];

/// Where it signs in and learns of models, and the providers that most people use with it.
const HOSTS: [&str; 6] = [
    "opencode.ai",
    "models.dev",
    "api.anthropic.com",
    "api.openai.com",
    "openrouter.ai",
    "generativelanguage.googleapis.com",
];

/// What it renews of its credentials.
const CREDENTIALS: CredentialFields = CredentialFields {
    of_each_member: true,
    tokens: &["/access", "/refresh"],
    expiry: "/expires",
    account: &["/type", "/accountId"],
};

/// OpenCode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenCode;

impl Agent for OpenCode {
    fn name(&self) -> &str {
        "opencode"
    }

    fn program(&self) -> Option<OsString> {
        Some(PROGRAM.into())
    }

    fn own(&self, places: &Places<'_>) -> AgentFiles {
        let (config, data) = (places.config(PROGRAM), places.data(PROGRAM));
        let own = AgentFiles {
            kept: vec![data.join("auth.json")],
            credentials: Some(CREDENTIALS),
            shown: vec![config.clone(), places.cache(PROGRAM), data.join("bin")],
            copied: Vec::new(),
            state: vec![config, data, places.cache(PROGRAM)],
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
        // A title of its own spares the request to the model that would make one.
        let mut args: Vec<OsString> =
            ["run", "--format", "json", "--title", "windlass"].map(OsString::from).into();
        if let Some(model) = &ask.wishes.model {
            args.extend(["-m".into(), model.into()]);
        }
        if ask.wishes.skip_permissions.is_always() {
            args.push("--auto".into());
        }
        args.extend(ask.wishes.extra_args.iter().map(OsString::from));
        let mut env = ask.env.clone();
        // A loop wants the same program from its first session to its last.
        env.entry("OPENCODE_DISABLE_AUTOUPDATE".into()).or_insert_with(|| "true".into());
        ProcessSpec {
            program: PROGRAM.into(),
            args,
            env: env.into_iter().collect(),
            directory: ask.directory.to_owned(),
            stdin: ask.prompt_with_system_words().into_owned().into_bytes(),
        }
    }

    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn Decoder + Send> {
        Box::new(OpenCodeDecoder {
            claiming: ask.claiming.clone(),
            directory: ask.directory.to_owned(),
            message: String::new(),
            usage: Usage::default(),
            tools: 0,
            denied: 0,
            denied_tools: Vec::new(),
            session_id: None,
            is_rejected: false,
            reason: None,
            failure: None,
        })
    }
}

/// Reads the events of one session.
struct OpenCodeDecoder {
    claiming: Claiming,
    directory: PathBuf,
    /// The words of the step that runs or ran last.
    message: String,
    usage: Usage,
    tools: u32,
    denied: u32,
    denied_tools: Vec<String>,
    session_id: Option<String>,
    /// Whether the last tool was not allowed.
    is_rejected: bool,
    /// Why the last step ended; `None` while one runs.
    reason: Option<String>,
    failure: Option<(Outcome, String)>,
}

impl OpenCodeDecoder {
    /// Takes one event; says whether it was known.
    fn event(&mut self, event: &Value, said: &mut Vec<Said>) -> bool {
        let part = &event["part"];
        if self.session_id.is_none() {
            self.session_id = event["sessionID"].as_str().map(str::to_owned);
        }
        match event["type"].as_str() {
            Some("step_start") => {
                // It goes on, so what went wrong before is over.
                self.failure = None;
                self.reason = None;
                self.is_rejected = false;
                self.message.clear();
            }
            Some("text") => return self.text(part, said),
            Some("reasoning") => return part["text"].is_string(),
            Some("tool_use") => return self.tool(part, said),
            Some("step_finish") => self.step_is_over(part, said),
            Some("error") => self.went_wrong(event, said),
            _ => return false,
        }
        true
    }

    fn text(&mut self, part: &Value, said: &mut Vec<Said>) -> bool {
        let Some(text) = part["text"].as_str() else { return false };
        // These are OpenCode's own words to the model, such as those after it cut the history.
        if part["synthetic"] == true {
            return false;
        }
        if !self.message.is_empty() {
            self.message.push('\n');
        }
        message::extend(&mut self.message, text);
        said.push(Said::Text { text: text.to_owned() });
        true
    }

    fn tool(&mut self, part: &Value, said: &mut Vec<Said>) -> bool {
        let Some(name) = part["tool"].as_str() else { return false };
        let state = &part["state"];
        self.tools = self.tools.saturating_add(1);
        let input = ToolInput::deserialize(&state["input"]).unwrap_or_default();
        let summary = tool_use(name, &input, &self.directory);
        said.push(Said::ToolUse { name: name.to_owned(), summary });
        // A command that failed is `completed` all the same.
        let code = state["metadata"]["exit"].as_i64().unwrap_or(0);
        let error = (state["status"] == "error").then(|| state["error"].as_str().unwrap_or(""));
        self.is_rejected =
            error.is_some_and(|error| REJECTED.iter().any(|words| error.contains(words)));
        self.denied += u32::from(self.is_rejected);
        if self.is_rejected && !self.denied_tools.iter().any(|known| known == name) {
            self.denied_tools.push(name.to_owned());
        }
        let answer = error.or_else(|| state["output"].as_str()).unwrap_or("");
        said.push(Said::ToolResult {
            summary: one_line(answer),
            failed: error.is_some() || code != 0,
        });
        true
    }

    fn step_is_over(&mut self, part: &Value, said: &mut Vec<Said>) {
        self.reason = Some(part["reason"].as_str().unwrap_or("unknown").to_owned());
        let tokens = &part["tokens"];
        let count = |value: &Value| value.as_u64().unwrap_or(0);
        let cache = &tokens["cache"];
        let usage = Usage {
            // What came from the cache is not in `input`, but it went in.
            input_tokens: count(&tokens["input"])
                .saturating_add(count(&cache["read"]))
                .saturating_add(count(&cache["write"])),
            output_tokens: count(&tokens["output"]).saturating_add(count(&tokens["reasoning"])),
            cost_usd: part["cost"].as_f64(),
        };
        self.usage = self.usage.plus(usage);
        said.push(Said::Usage(usage));
    }

    fn went_wrong(&mut self, event: &Value, said: &mut Vec<Said>) {
        let name = event["error"]["name"].as_str().unwrap_or("error");
        let data = &event["error"]["data"];
        let message = data["message"].as_str().filter(|message| !message.trim().is_empty());
        let problem = sentence(message.unwrap_or(name));
        let outcome = outcome_of_error(name, data, event["timestamp"].as_i64());
        if let Outcome::Limited { until } = outcome {
            said.push(Said::Limit { until });
        }
        said.push(Said::Problem { text: problem.clone() });
        self.failure = Some((outcome, problem));
    }

    fn outcome(&self, exit: &Exit) -> Outcome {
        if exit.ended_by.is_some() {
            return outcome_of_exit(exit);
        }
        if let Some((outcome, _)) = &self.failure {
            return outcome.clone();
        }
        match self.reason.as_deref() {
            // A use that is not allowed ends the session as if all were well.
            Some("tool-calls") if self.is_rejected => Outcome::PermissionDenied,
            Some("length") => Outcome::CutShort { reason: "tokens".to_owned() },
            Some("content-filter") => Outcome::CutShort { reason: "refusal".to_owned() },
            Some("tool-calls") | None => match outcome_of_exit(exit) {
                Outcome::Finished => Outcome::NoResult,
                ended => ended,
            },
            // It came to its end, and what the process does after it does not undo that.
            Some("stop") => Outcome::Finished,
            Some(_) => outcome_of_exit(exit),
        }
    }
}

/// The outcome that an error speaks for. Its time is the event's, for decoders have no clock.
fn outcome_of_error(name: &str, data: &Value, now: Option<i64>) -> Outcome {
    let body = data["responseBody"].as_str().unwrap_or("");
    let status = data["statusCode"].as_u64().and_then(|status| u16::try_from(status).ok());
    match (name, status) {
        ("ContextOverflowError" | "MessageOutputLengthError", _) => {
            Outcome::CutShort { reason: "tokens".to_owned() }
        }
        ("ProviderAuthError", _) | (_, Some(401 | 403)) => Outcome::Auth,
        (_, Some(400)) if body.contains("API_KEY_INVALID") => Outcome::Auth,
        (_, Some(429)) => Outcome::Limited { until: reset(&data["responseHeaders"], now) },
        ("ProviderModelNotFoundError", None) => Outcome::ModelError { status: Some(404) },
        (_, status) => Outcome::ModelError { status },
    }
}

/// When a limit is over, by the headers of the answer.
fn reset(headers: &Value, now: Option<i64>) -> Option<Timestamp> {
    let number = |name: &str| headers[name].as_str()?.trim().parse::<f64>().ok();
    if let Some(at) = number("anthropic-ratelimit-unified-reset") {
        return Some(Timestamp(0).plus(Duration::try_from_secs_f64(at).ok()?));
    }
    let seconds = number("retry-after-ms").map(|ms| ms / 1000.0);
    let seconds = seconds.or_else(|| number("retry-after"))?;
    Some(Timestamp(now?).plus(Duration::try_from_secs_f64(seconds).ok()?))
}

impl Decoder for OpenCodeDecoder {
    fn line(&mut self, line: &[u8], _cut: bool, said: &mut Vec<Said>) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let known = serde_json::from_slice::<Value>(line)
            .is_ok_and(|event| event.is_object() && self.event(&event, said));
        if !known {
            said.push(raw::said(line));
        }
    }

    fn finish(self: Box<Self>, exit: &Exit, _said: &mut Vec<Said>) -> Reading {
        let outcome = self.outcome(exit);
        let final_text = self.message.trim().to_owned();
        Reading {
            lost_background: Vec::new(),
            overage: None,
            claim: verdict::claim(&outcome, &self.claiming, &final_text),
            problem: self.failure.map(|(_, problem)| problem).filter(|_| outcome.is_failure()),
            outcome,
            final_text,
            usage: self.usage,
            model: None,
            tools: self.tools,
            denied: self.denied,
            denied_tools: self.denied_tools,
            session_id: self.session_id,
        }
    }
}
