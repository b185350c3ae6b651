//! What a session without a sandbox leaves behind in the repository that could run code or hide work
//! is named, with what it could do: in the summary, by `show`, in the result, and after a kill too.

mod afterwards;
mod hidden;
mod inside;
mod large;
mod told;
mod traps;

use serde_json::Value;
use testkit::{Env, Ran};

use crate::{COMPLETE, world};

/// Runs one session of an agent that does as `body` says, and claims.
fn after(env: &Env, body: &str) -> Ran {
    let agent = env.agent_sh(&format!("{body}\necho '{COMPLETE}'"));
    env.command(["iterate", "-p", "x", "--json", "--max-iterations", "1", "-c"]).arg(agent).run()
}

/// What a result says was left behind, as lines of kind, path and what it could do.
fn lines(result: &Value) -> Vec<String> {
    let left = result["left_behind"].as_array().cloned().unwrap_or_default();
    let word = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let line = |entry: &Value| {
        format!("{} {}: {}", word(entry, "what"), word(entry, "path"), word(entry, "could"))
    };
    left.iter().map(line).collect()
}

/// The session of an agent leaves exactly this behind.
#[track_caller]
fn leaves(env: &Env, body: &str, expected: &[&str]) {
    let ran = after(env, body);
    assert_eq!(lines(&ran.json()), expected, "{ran}");
}
