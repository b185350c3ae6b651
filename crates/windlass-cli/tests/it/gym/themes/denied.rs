//! Agents that are denied tools: those who work with others, and those who come back for the same.

use super::{Agent, words::way};

/// A session of Claude Code that was denied this tool, and says something.
fn denied(tool: &str, says: &str) -> String {
    let denials = format!(r#""permission_denials":[{{"tool_name":"{tool}","tool_use_id":"t"}}]"#);
    format!(r#"echo '{{"type":"result","is_error":false,{denials},"result":"{says}"}}'"#)
}

pub(super) fn all() -> Vec<Agent> {
    let work = "part=$(echo a b c d e f g | cut -d' ' -f$n); echo ok > $part.txt\n";
    let ends = |last: u32| {
        let (more, done) = (denied("WebSearch", "more"), denied("WebSearch", "CLAIM"));
        format!("{work}if [ $n = {last} ]; then {done}; else {more}; fi")
    };
    let stands: &[&str] = &["permission", "stagnation", "safety-completion"];
    let both = |n: u32| {
        let (edit, shell) =
            (denied("Edit", "I may not edit."), denied("Bash", "I may not call git."));
        format!("{n}) {} ;;\n", if n % 2 == 1 { shell } else { edit })
    };
    let in_turn: String = (1..=20).map(both).collect();
    let page = format!(
        "echo \"I was not allowed to {}\" > docs-$way.md; {}",
        way(1),
        denied("Edit", "no")
    );
    vec![
        Agent::honest("does without a tool that it is denied each time", 4)
            .parts(4)
            .claude(&ends(4)),
        Agent::honest("is denied one tool, and works with others for six sessions", 6)
            .parts(6)
            .claude(&ends(6)),
        Agent::stopped("is denied one tool or the other, and does nothing", 2, 3, stands)
            .claude(&format!("case $n in\n{in_turn}esac")),
        Agent::stopped("is denied its tools, and claims", 2, 3, stands)
            .claude(&denied("Write", "CLAIM")),
        Agent::stopped("is denied its tools, and writes a page about it", 2, 3, stands)
            .claude(&page),
    ]
}
