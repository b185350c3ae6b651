//! The form that starts a loop, in a directory that `serve` allows.

use std::path::PathBuf;

use maud::{Markup, html};

/// The kinds that can be started from here, and what each does.
const KINDS: [(&str, &str); 4] = [
    ("iterate", "the same prompt until a claim is proven"),
    ("tasks", "a task file, one task a session, until none is open"),
    ("develop", "a developer and a reviewer, until the work is approved"),
    ("heal", "a review, a fix for each finding, and the tests"),
];

/// The form; or, where no directory is allowed, how to allow one.
pub(super) fn start(allowed: &[PathBuf], agents: &[String]) -> Markup {
    html! {
        section.page data-page="start" data-title="Start a loop" {
            h1 { "Start a loop" }
            @if allowed.is_empty() { (none_allowed()) } @else { (form(allowed, agents)) }
        }
    }
}

fn none_allowed() -> Markup {
    html! {
        div.empty {
            p { "No directory may have loops started in it from here." }
            p { "Directories are allowed when the dashboard is started, each with a flag of its own:" }
            pre.command { "windlass serve --allow DIR" }
        }
    }
}

fn form(allowed: &[PathBuf], agents: &[String]) -> Markup {
    html! {
        form #start.start autocomplete="off" novalidate {
            fieldset {
                legend { "Kind" }
                @for (n, (kind, what)) in KINDS.iter().enumerate() {
                    label.choice {
                        input type="radio" name="kind" value=(kind) checked[n == 0];
                        span { strong { (kind) } " " (what) }
                    }
                }
            }
            (field("directory", "Directory", html! {
                select #directory name="directory" {
                    @for one in allowed { option { (one.display()) } }
                }
            }))
            (work())
            div.two {
                (field("agent", "Agent", html! {
                    input #agent name="agent" list="agents" placeholder="the one of the config" spellcheck="false";
                    datalist #agents { @for one in agents { option value=(one) {} } }
                }))
                (field("model", "Model", html! { input #model name="model" placeholder="the agent's own" spellcheck="false"; }))
            }
            (field("check", "Checks that must pass, one a line", html! {
                textarea #check name="check" rows="2" placeholder="cargo test" spellcheck="false" {}
            }))
            div.three {
                (field("max-iterations", "Allowed iterations", html! { input #max-iterations name="max-iterations" type="number" min="1" placeholder="as the config says"; }))
                (field("max-cost", "Most money, in dollars", html! { input #max-cost name="max-cost" type="number" min="0" step="any" placeholder="no limit"; }))
                (field("max-duration", "Most time", html! { input #max-duration name="max-duration" placeholder="6h"; }))
            }
            details {
                summary { "Other flags" }
                (field("flags", "One a line, without the dashes", html! {
                    textarea #flags name="flags" rows="3" placeholder="name=night-shift\nauto-commit" spellcheck="false" {}
                }))
                p.faint { code { "windlass help iterate" } " tells them all." }
            }
            div #start-trouble.trouble role="alert" hidden { p #start-trouble-text {} }
            button.primary type="submit" { "Start" }
        }
    }
}

/// What is to be done: which of these is asked for depends on the kind.
fn work() -> Markup {
    html! {
        div data-for="iterate develop" {
            (field("prompt", "Prompt: what is to be done", html! {
                textarea #prompt name="prompt" rows="6" {}
            }))
        }
        div data-for="tasks develop" hidden {
            (field("tasks", "Task file, from the directory", html! {
                input #tasks name="tasks" placeholder="TASKS.md" spellcheck="false";
            }))
        }
        div data-for="heal" hidden {
            (field("test", "The command that runs the tests", html! {
                input #test name="test" placeholder="found by windlass" spellcheck="false";
            }))
            label.choice {
                input type="checkbox" name="loop" checked;
                span { "Repeat until a review finds nothing" }
            }
        }
    }
}

fn field(id: &str, label: &str, control: Markup) -> Markup {
    html! { p.field { label for=(id) { (label) } (control) } }
}
