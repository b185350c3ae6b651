//! Agents that write the very program that the check runs. It is there from the start, and does
//! nothing yet.

use super::{Agent, words::way};

pub(super) fn all() -> Vec<Agent> {
    let wrong: &[&str] = &["safety-completion", "same-error", "stagnation"];
    let app = |agent: Agent, check: &str| agent.file("app.sh", "echo to do\n").check(check);
    vec![
        app(Agent::honest("writes the program that the check runs", 1), "sh app.sh | grep -q hello")
            .plays(&["write app.sh echo hello\\n\nclaim"]),
        app(
            Agent::honest("writes the program that the check runs, in two steps", 2),
            "sh app.sh Ann | grep -q 'hello, Ann' && sh app.sh | grep -q 'hello, world'",
        )
        .plays(&[
            "write app.sh echo \"hello, $1\"\\n\nclaim",
            "write app.sh echo \"hello, ${1:-world}\"\\n\nclaim",
        ]),
        app(
            Agent::honest("writes the program that the check runs, and what it needs", 3),
            "sh app.sh Ann | grep -q 'hello, Ann'",
        )
        .plays(&[
            "write lib/words.sh greet() { echo \"hello, $1\"; }\\n",
            "write lib/asked.sh asked() { test -n \"$1\"; }\\n",
            "write app.sh . ./lib/words.sh && . ./lib/asked.sh && asked \"$1\" && greet \"$1\"\\n\nclaim",
        ]),
        app(
            Agent::stopped("rewrites the program that the check runs, and it stays wrong", 3, 6, wrong),
            "sh app.sh | grep -q hello",
        )
        .each(|n| format!("write app.sh echo {}\\n\nclaim", way(n))),
    ]
}
