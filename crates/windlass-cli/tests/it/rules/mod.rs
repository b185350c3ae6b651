//! Rules from outside: what trips them, what just does not, and how a loop goes on afterwards.

mod no_progress;
mod order;
mod repetition;
mod replay;
mod session_output;

use serde_json::Value;
use testkit::Env;

use crate::scripted;

/// A status block as an action of a script.
fn block(lines: &str) -> String {
    format!("say ---LOOP_STATUS---\\n{lines}\\n---END_LOOP_STATUS---\n")
}

/// The result of a loop whose agent plays the script.
fn result_of(env: &Env, script: &str, args: &[&str]) -> Value {
    let ran = scripted(env, script, args).arg("--name").arg("mine").arg("--json").run();
    ran.json()
}

/// The ending in a line: what, which rule, after how many iterations, and why.
fn ended(result: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let ending = &result["ending"];
    format!(
        "{} {} after {} (exit {}): {}",
        text(&ending["type"]),
        text(&ending["rule"]),
        result["iterations"],
        result["exit_code"],
        text(&ending["reason"])
    )
}

/// Every rule that tripped, in the order of the events.
fn tripped(env: &Env) -> String {
    env.sql(
        "SELECT json_extract(body, '$.rule') FROM events WHERE type = 'rule_tripped' ORDER BY seq",
    )
}
