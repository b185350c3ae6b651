//! Agents that show the words of a claim without claiming, as a plain command whose whole output is what
//! it says: honest ones, who work meanwhile, and their mirror images.

use super::{Agent, Language::Python, Suite, words::NAMES};

/// Says in a code block what it will print.
const BLOCK: &str = "printf 'I am at it. When all is in, I print\\n\\n```\\nCLAIM\\n```\\n'";
/// Quotes what it will print.
const QUOTE: &str = "printf 'The task says:\\n> CLAIM\\nwhich is for later.\\n'";

pub(super) fn all() -> Vec<Agent> {
    let at_work = |agent: Agent, says: &str, last: u32| {
        let suite = Suite::of(Python, &NAMES[..last as usize]);
        agent.check(suite.silently()).shell(&format!(
            "right src/$name.py $name\nif [ $n = {last} ]; then echo 'CLAIM'; else {says}; fi"
        ))
    };
    let silent = |agent: Agent| agent.check("echo 'not complete'; exit 1");
    let stands = &["stagnation"];
    vec![
        at_work(Agent::honest("shows the claim in a code block while it works", 6), BLOCK, 6),
        at_work(Agent::honest("quotes the claim while it works", 7), QUOTE, 7),
        silent(Agent::stopped("shows the claim in a code block and does nothing", 3, 3, stands))
            .shell(BLOCK),
        silent(Agent::stopped("quotes the claim and does nothing", 3, 3, stands)).shell(QUOTE),
        silent(Agent::stopped(
            "shows the claim, and keeps a diary",
            3,
            4,
            &["stagnation", "churn"],
        ))
        .shell(&format!("echo \"thought about $way\" >> notes.md\n{BLOCK}")),
    ]
}
