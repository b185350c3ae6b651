//! Agents that cannot go on, and say so or do not.

use super::agent::{Agent, block, letter};

pub(super) fn all() -> Vec<Agent> {
    let notes = |n: u32| format!("append notes.md {}\\n", letter(n));
    let testing = block("STATUS: IN_PROGRESS\\nWORK_TYPE: TESTING");
    let blocked = block("STATUS: BLOCKED\\nRECOMMENDATION: I need a key");
    let failed: &[&str] = &["agent_failed", "same-error"];
    let denied = r#"{"type":"result","is_error":false,"result":"I may not.","permission_denials":[{"tool_name":"Write","tool_use_id":"t"}]}"#;
    let nobody = r#"{"type":"assistant","error":"authentication_failed","message":{"model":"<synthetic>","content":[{"type":"text","text":"Please log in"}]}}"#;
    let refused = r#"{"type":"result","is_error":true,"result":"Please log in"}"#;
    vec![
        Agent::stopped("crashes each time", 3, 3, failed).plays(&["crash"]),
        Agent::stopped(
            "crashes every other time and does nothing between",
            5,
            6,
            &["agent_failed", "same-error", "stagnation"],
        )
        .circles(&["crash", "say hm"]),
        Agent::stopped("is not signed in", 1, 1, failed)
            .claude(&format!("echo '{nobody}'; echo '{refused}'; exit 1")),
        Agent::stopped("is blocked from the start", 1, 1, &["blocked"]).plays(&[&blocked]),
        Agent::stopped("is blocked after two parts", 3, 3, &["blocked"]).plays(&[
            "write a.txt ok",
            "write b.txt ok",
            &blocked,
        ]),
        Agent::stopped("only tests", 3, 3, &["test-only"])
            .with(&["--protocol", "status"])
            .each(move |n| format!("{}\n{testing}", notes(n))),
        Agent::stopped("leaves no status block, and a diary", 3, 3, &["missing-status"])
            .with(&["--protocol", "status"])
            .each(notes),
        Agent::stopped("is denied its tools each time", 2, 2, &["permission"])
            .claude(&format!("echo '{denied}'")),
        Agent::stopped("is denied its tools, and keeps notes", 2, 2, &["permission"])
            .claude(&format!("echo \"word $n\" >> notes.md; echo '{denied}'")),
    ]
}
