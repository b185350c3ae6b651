//! Agents that talk and leave nothing behind. The third time is a pattern.

use super::agent::{Agent, block, letter};

const STANDS: &[&str] = &["stagnation"];

pub(super) fn all() -> Vec<Agent> {
    let stands = |name| Agent::stopped(name, 3, 3, STANDS);
    vec![
        stands("talks and never claims").plays(&["say I would begin with part a."]),
        stands("asks a question each time")
            .circles(&["say Which colour?", "say Shall I begin?", "say Do you want tests?"]),
        stands("says in prose that it is finished").plays(&[
            "say All tasks complete. Nothing left to do, project complete.\nsay I am finished: COMPLETE",
        ]),
        stands("speaks of the claim in a sentence")
            .plays(&["say I will print <promise>COMPLETE</promise> once it is done."]),
        stands("claims in a code block")
            .claude(r#"printf '%s\n' '{"type":"result","is_error":false,"result":"```\nCLAIM\n```"}'"#),
        stands("claims on standard error").plays(&["warn <promise>COMPLETE</promise>"]),
        stands("repeats its prompt").plays(&["prompt"]),
        stands("says COMPLETE and that it goes on")
            .with(&["--protocol", "status"])
            .plays(&[&block("STATUS: COMPLETE\\nEXIT_SIGNAL: false")]),
        stands("writes only what git ignores")
            .file(".gitignore", "build/\n")
            .each(|n| format!("write build/{}.o x", letter(n))),
        stands("works outside the tree, and the check tells only the time")
            .check("echo \"not yet, at $(date +%s)\"; exit 1")
            .shell("true"),
        Agent::stopped("has done all and never claims", 4, 4, STANDS)
            .plays(&["write a.txt ok\nwrite b.txt ok\nwrite c.txt ok", "say It works."]),
        Agent::stopped("makes empty commits", 3, 3, STANDS)
            .shell("git commit --quiet --allow-empty -m \"progress $n\""),
        Agent::stopped("amends its commit again and again", 4, 4, STANDS).shell(
            "if [ $n = 1 ]; then echo ok > a.txt; git add -A; git commit -qm a; else \
             git commit --quiet --amend -m \"a, attempt $n\"; fi",
        ),
        // Three entries and no work: whoever reads the diary knows.
        Agent::stopped("keeps a diary and does nothing else", 3, 3, &["stagnation", "churn"])
            .each(|n| format!("append notes.md I thought about {}.\\n", letter(n))),
    ]
}
