//! An agent that runs hooks as Claude Code does: those of `--settings`, after those of the user's own
//! settings. What it says stands in `.claude/CLAUDE.md` of its home, cut into answers by `next`; an
//! answer `compact` loses its context instead.

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::{Behaviour, Done, print};

/// The name that this program goes by when it is to be found on the `PATH`.
pub(super) const NAME: &str = "claude";

pub(super) const ALL: &[Behaviour] = &[Behaviour {
    name: NAME,
    takes: "ARGS",
    does: "speaks like Claude Code, and runs hooks as it does",
    act: |args| {
        let hooks = Hooks::find(&args.0)?;
        hooks.run("SessionStart", "startup", &json!({"source": "startup"}))?;
        emit(&json!({"type": "system", "subtype": "init", "model": "zoo", "session_id": "s"}))?;
        let script = fs::read_to_string(own("CLAUDE.md")).unwrap_or_default();
        let mut is_held_back = false;
        let mut last = "";
        for answer in script.split("\nnext\n").map(str::trim) {
            if answer == "compact" {
                hooks.run("SessionStart", "compact", &json!({"source": "compact"}))?;
                continue;
            }
            last = answer;
            let content = json!([{"type": "text", "text": answer}]);
            emit(&json!({"type": "assistant", "message": {"content": content}}))?;
            let event = json!({"stop_hook_active": is_held_back, "last_assistant_message": answer});
            let Some(reason) = hooks.run("Stop", "", &event)? else { break };
            is_held_back = true;
            let text = format!("Stop hook feedback:\n{reason}");
            let content = json!([{"type": "text", "text": text}]);
            emit(&json!({"type": "user", "message": {"role": "user", "content": content}}))?;
        }
        emit(&json!({"type": "result", "subtype": "success", "is_error": false, "result": last}))?;
        Ok(0)
    },
}];

/// A file of its own.
fn own(name: &str) -> PathBuf {
    Path::new(&env::var_os("HOME").unwrap_or_default()).join(".claude").join(name)
}

fn emit(event: &Value) -> Done {
    print(format!("{event}\n").as_bytes()).map(|()| 0)
}

/// All settings that count, the user's own first.
struct Hooks(Vec<Value>);

impl Hooks {
    fn find(args: &[String]) -> Result<Self, Box<dyn std::error::Error>> {
        let mut all = Vec::new();
        if let Ok(text) = fs::read_to_string(own("settings.json")) {
            all.push(serde_json::from_str(&text)?);
        }
        if let Some(at) = args.iter().rposition(|arg| arg == "--settings") {
            let value = args.get(at + 1).ok_or("--settings takes a value")?;
            let is_text = value.starts_with('{');
            let text = if is_text { value.clone() } else { fs::read_to_string(value)? };
            all.push(serde_json::from_str(&text)?);
        }
        Ok(Self(all))
    }

    /// Runs the hooks of an event; gives what the last one said that holds the agent back.
    fn run(
        &self,
        event: &str,
        source: &str,
        input: &Value,
    ) -> Result<Option<String>, Box<dyn std::error::Error>> {
        let mut input = input.clone();
        input["hook_event_name"] = event.into();
        let groups = self.0.iter().filter_map(|all| all["hooks"][event].as_array()).flatten();
        let groups = groups.filter(|group| {
            matches!(group["matcher"].as_str(), None | Some("" | "*"))
                || group["matcher"].as_str() == Some(source)
        });
        let mut reason = None;
        for hook in groups.filter_map(|group| group["hooks"].as_array()).flatten() {
            let command = hook["command"].as_str().ok_or("a hook has a command")?;
            let mut child = Command::new("/bin/sh")
                .args(["-c", command])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()?;
            // A hook need not read.
            child.stdin.take().ok_or("a pipe")?.write_all(input.to_string().as_bytes()).ok();
            let output = child.wait_with_output()?;
            let out = String::from_utf8_lossy(&output.stdout).into_owned();
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            let answer: Value = serde_json::from_str(&out).unwrap_or_default();
            match output.status.code() {
                Some(2) => reason = Some(format!("[{command}]: {error}")),
                _ if answer["decision"] == "block" => {
                    reason = answer["reason"].as_str().map(str::to_owned);
                }
                code if event == "SessionStart" || code != Some(0) => {
                    let outcome = if code == Some(0) { "success" } else { "error" };
                    let name = format!("{event}:{source}");
                    emit(&json!({
                        "type": "system", "subtype": "hook_response", "hook_name": name,
                        "output": format!("{out}{error}"), "exit_code": code, "outcome": outcome,
                    }))?;
                }
                _ => (),
            }
        }
        Ok(reason)
    }
}
