//! The form that starts a loop, in a directory that `serve` allows.

use std::path::PathBuf;

use maud::{Markup, html};

use crate::{args, config::Layers};

/// The kinds that can be started from here.
const KINDS: [&str; 4] = ["iterate", "tasks", "develop", "heal"];

/// A kind of loop, as the form offers it.
pub(super) struct Kind {
    name: &'static str,
    /// What it does, in the words of `windlass help`.
    about: String,
    /// How many iterations it has if the field is left empty.
    max_iterations: String,
}

/// The kinds, with the defaults of the config where that can be read.
pub(super) fn kinds(layers: Option<&Layers>) -> Vec<Kind> {
    let whole = args::command();
    let kind = |name: &'static str| {
        let about = whole.find_subcommand(name).and_then(|command| command.get_about());
        let about = about.map(ToString::to_string).unwrap_or_default();
        let entries = layers.map(|layers| layers.entries(Some(name))).unwrap_or_default();
        let limit = entries.get("max_iterations").map(|setting| setting.value.to_string());
        Kind { name, about, max_iterations: limit.unwrap_or_default() }
    };
    KINDS.map(kind).into()
}

/// The form; or, where no directory is allowed, how to allow one.
pub(super) fn start(allowed: &[PathBuf], kinds: &[Kind], agents: &[String]) -> Markup {
    html! {
        section.page data-page="start" data-title="Start a loop" {
            h1 { "Start a loop" }
            @if allowed.is_empty() { (none_allowed()) } @else { (form(allowed, kinds, agents)) }
        }
    }
}

fn none_allowed() -> Markup {
    html! {
        div.empty {
            p { "Restart with " code { "windlass serve --allow DIR" } " to start loops here." }
        }
    }
}

fn form(allowed: &[PathBuf], kinds: &[Kind], agents: &[String]) -> Markup {
    html! {
        form #start.start autocomplete="off" novalidate {
            fieldset {
                legend { "Kind" }
                @for (n, kind) in kinds.iter().enumerate() {
                    label.choice {
                        input type="radio" name="kind" value=(kind.name) checked[n == 0] data-max-iterations=(kind.max_iterations);
                        span { strong { (kind.name) } " " (kind.about) }
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
                    input #agent name="agent" list="agents" placeholder="configured default" spellcheck="false";
                    datalist #agents { @for one in agents { option value=(one) {} } }
                }))
                (field("model", "Model", html! { input #model name="model" placeholder="agent default" spellcheck="false"; }))
            }
            (field("check", "Checks (one per line)", html! {
                textarea #check name="check" rows="2" placeholder="cargo test" spellcheck="false" {}
            }))
            div.three {
                (field("max-iterations", "Max iterations", html! { input #max-iterations name="max-iterations" type="number" min="1" placeholder="default"; }))
                (field("max-cost", "Budget (USD)", html! { input #max-cost name="max-cost" type="number" min="0" step="any" placeholder="no limit"; }))
                (field("max-duration", "Time limit", html! { input #max-duration name="max-duration" placeholder="6h"; }))
            }
            details {
                summary { "Other flags" }
                (field("flags", "One per line, without the dashes", html! {
                    textarea #flags name="flags" rows="3" placeholder="name=night-shift\nauto-commit" spellcheck="false" {}
                }))
                p.faint { code { "windlass help iterate" } " lists them all." }
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
            (field("prompt", "Prompt", html! {
                textarea #prompt name="prompt" rows="6" {}
            }))
        }
        div data-for="tasks develop" hidden {
            (field("tasks", "Task file, relative to the directory", html! {
                input #tasks name="tasks" placeholder="TASKS.md" spellcheck="false";
            }))
        }
        div data-for="heal" hidden {
            (field("test", "Test command", html! {
                input #test name="test" placeholder="detected by windlass" spellcheck="false";
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
