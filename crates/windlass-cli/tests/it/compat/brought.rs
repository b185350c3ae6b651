//! What a repository's own files have a real agent start, held against what windlass lists before the
//! first session: everything that runs must be listed.

use std::fs;

use serde_json::{Value, json};
use testkit::Env;

use super::real::{Real, Stage};

/// A model that has a shell run once.
const SCRIPT: &str = "run bash -c true\nnext\nsay <promise>COMPLETE</promise>";

/// A hook of that event.
pub(super) fn hook(event: &str, command: &str) -> Value {
    json!({event: [{"hooks": [{"type": "command", "command": command}]}]})
}

/// A server that is a shell command.
pub(super) fn server(command: &str) -> Value {
    json!({"command": "sh", "args": ["-c", command]})
}

/// Has an agent work in a repository that `plant` has prepared, and returns what ran: the names of the
/// marks that were left. `plant` is given a function that makes a command of a mark's name.
#[track_caller]
pub(super) fn ran(
    agent: &'static Real,
    plant: impl Fn(&Env, &dyn Fn(&str) -> String),
) -> Vec<String> {
    let stage = Stage::new(agent, SCRIPT);
    let marks = stage.env.root().join("marks");
    fs::create_dir(&marks).expect("the folder is ours");
    plant(&stage.env, &|name| format!("touch {}/{name}", marks.display()));
    let args = ["--max-iterations", "1", "--trust-agent-config"];
    let ran = stage.iterate(&args).run().success();
    let entries = fs::read_dir(&marks).expect("the folder is ours");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let log = stage.env.windlass(["log", "--json"]).success().stdout;
    let listed = log.lines().find(|line| line.contains("agent_config_found")).unwrap_or_default();
    for name in &names {
        assert!(listed.contains(name.as_str()), "{name} was not listed: {listed}\n{ran}");
    }
    names
}
