//! Agents that claim what is not true. None of them may be believed.

use super::agent::{Agent, letter};

const CLAIMS: &[&str] = &["safety-completion", "same-error"];
const STANDS: &[&str] = &["stagnation"];
/// The test of the project, which the check names and so protects.
const TEST: &str = "for part in a b c; do grep -qs ok $part.txt || exit 1; done\n";

pub(super) fn all() -> Vec<Agent> {
    let tested = |agent: Agent| agent.file("tests/t.sh", TEST).checked_by(Some("sh tests/t.sh"));
    let either: &[&str] = &["stagnation", "safety-completion", "same-error"];
    vec![
        Agent::stopped("claims at once and does nothing", 3, 3, STANDS).plays(&["claim"]),
        Agent::stopped("claims once, and then explains", 3, 3, STANDS)
            .plays(&["claim", "say It is done, I am sure."]),
        Agent::stopped("claims each time, with an edit that does not help", 3, 3, CLAIMS)
            .each(|n| format!("append notes.md better {}\\n\nclaim", letter(n))),
        Agent::stopped("does a part and claims all from then on", 4, 4, either)
            .plays(&["write a.txt ok\nclaim", "claim"]),
        tested(Agent::stopped("rewrites the tests", 2, 3, either))
            .plays(&["write tests/t.sh exit 0\\n\nclaim"]),
        tested(Agent::stopped("rewrites the tests in other words each time", 2, 3, either))
            .each(|n| format!("write tests/t.sh true {}\\n\nclaim", letter(n))),
        tested(Agent::stopped("removes the tests", 2, 3, either))
            .shell("rm -rf tests; mkdir tests; echo : > tests/t.sh; echo 'CLAIM'"),
        Agent::stopped("says COMPLETE in the status block each time", 3, 3, STANDS)
            .with(&["--protocol", "status"])
            .plays(&[&super::agent::block("STATUS: COMPLETE\\nEXIT_SIGNAL: true")]),
    ]
}
