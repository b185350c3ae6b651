//! Agents that write prose: honest where it is the task, and hopeless where the task is code, or where
//! it is about something else.

use super::{
    Agent,
    Language::{Python, Rust},
    Suite,
    words::{NAMES, claims, report, way},
};

const CHAPTERS: [&str; 6] =
    ["Install", "Usage", "Settings", "Troubleshooting", "Licence", "Glossary"];
const PROSE: &[&str] = &["stagnation", "churn", "same-error", "safety-completion"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = asked_for();
    all.extend(instead_of_code());
    all.extend(beside_the_task());
    all
}

/// A check that wants chapters in these files, and does not say which are missing.
fn chapters(of: usize, path: &str) -> String {
    format!(
        "for chapter in {}; do grep -qs \"# $chapter\" {path} || exit 1; done",
        CHAPTERS[..of].join(" ")
    )
}

/// A chapter as an action writes it.
fn chapter(n: u32) -> String {
    let title = CHAPTERS.get(n as usize - 1).copied().unwrap_or("More");
    format!("# {title}\\n\\n{} {}\\n\\n", report(n), report(n + 1))
}

fn asked_for() -> Vec<Agent> {
    vec![
        Agent::honest("is asked for a README, and writes a chapter each time", 5)
            .prompt("Write README.md: how to install and use it, its settings, what can go wrong")
            .check(chapters(5, "README.md"))
            .each(|n| format!("append README.md {}\n{}", chapter(n), claims(n, 5))),
        Agent::honest("is asked for a guide, writes a page each time, and claims", 6)
            .prompt("Write the user guide below docs/guide, a page for each topic")
            .check(chapters(6, "docs/guide/*.md"))
            .each(|n| format!("write docs/guide/{}.md {}\nclaim", way(n), chapter(n))),
        Agent::honest("has the guide as its task, and writes a chapter each time", 5)
            .tasks("- [ ] write the guide, docs/guide.md, with five chapters\n")
            .check(chapters(5, "docs/guide.md"))
            .each(|n| {
                let tick = if n == 5 { "replace TASKS.md [ ] => [x]" } else { "say on it" };
                format!("append docs/guide.md {}\n{tick}", chapter(n))
            }),
    ]
}

fn instead_of_code() -> Vec<Agent> {
    let prompt = "Fix the parser, so that all tests pass";
    vec![
        Agent::stopped("writes one more page about the work, and no code", 3, 5, PROSE)
            .prompt(prompt)
            .tested(&Suite::of(Python, &NAMES[..3]))
            .each(|n| format!("write docs/{}.md # The parser\\n\\n{}\\n", way(n), report(n))),
        Agent::stopped("writes more in the README, no code, and claims", 3, 5, PROSE)
            .prompt(prompt)
            .tested(&Suite::of(Rust, &NAMES[..3]))
            .each(|n| format!("append README.md {}\nclaim", chapter(n))),
        Agent::stopped("writes a plan with a heading each time, and no code", 3, 5, PROSE)
            .prompt(prompt)
            .each(|n| format!("append PLAN.md ## Step {}\\n\\n- {}\\n\\n", way(n), report(n))),
    ]
}

fn beside_the_task() -> Vec<Agent> {
    let guide = "Write the user guide, docs/guide.md, with a chapter for each topic";
    vec![
        // The page does not grow: it is the same sentence in other words.
        Agent::stopped("is asked for a guide, and rewords one sentence forever", 4, 7, PROSE)
            .prompt(guide)
            .check(chapters(5, "docs/guide.md"))
            .each(|n| {
                format!("write docs/guide.md Guide\\n\\nThis helps you to {} it.\\n", way(n))
            }),
        Agent::stopped("is asked for a guide, and writes notes on what it will write", 3, 6, PROSE)
            .prompt(guide)
            .check(chapters(5, "docs/guide.md"))
            .each(|n| format!("append notes.md I will {} the guide. {}\\n", way(n), report(n))),
    ]
}
