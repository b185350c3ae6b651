//! The dialog that continues a loop: what can be different this time, by how the loop stands.

use maud::{Markup, html};
use serde_json::json;
use windlass_core::{
    ending::{BudgetKind, Ending, Undecided},
    rules::leaves_open,
    text::sanitise,
};
use windlass_store::store::LoopRecord;

use super::head::copyable;
use crate::{
    report::ending::{Standing, State, suggested::doubled},
    web::api::options::names,
};

/// Prompts that are longer are not edited in a dialog.
const LONGEST_PROMPT: usize = 16 << 10;

/// Something that is different when the loop goes on.
#[derive(Debug, PartialEq)]
enum Offer {
    /// How many iterations are allowed: what the field says at first, and the least that it takes.
    Iterations { value: u32, least: u32 },
    /// A higher limit in place of the one that is reached.
    Budget { kind: BudgetKind, value: String },
    /// The rules count from zero again.
    Reset,
    /// Guarded files that the agent may change; all of them where none is named.
    Unguard(Vec<String>),
    /// Tests that failed before the loop may go on failing.
    KnownFailures,
    /// It waits if the provider's limit is still reached.
    Wait,
}

/// Whether a loop that stands so can go on.
pub(super) fn can_continue(standing: &Standing) -> bool {
    match &standing.state {
        State::Interrupted => true,
        // Where no iteration would help, more of them are not allowed either.
        State::Ended(Ending::Escalated { limit: 0, .. }) | State::Running | State::Other(_) => {
            false
        }
        State::Ended(ending) => ending.resumable().is_ok(),
    }
}

/// What the loop can go on with, besides another agent or prompt.
fn offers(record: &LoopRecord, standing: &Standing) -> Vec<Offer> {
    let mut offers = Vec::new();
    match &standing.state {
        State::Ended(Ending::Budget { kind, limit, .. }) => {
            offers.push(Offer::Budget { kind: *kind, value: doubled(*kind, limit) });
        }
        State::Ended(Ending::Rule { undecided: Some(undecided), .. }) => {
            offers.push(match undecided {
                Undecided::Originals { .. } => Offer::Unguard(undecided.globs()),
                Undecided::KnownFailures => Offer::KnownFailures,
            });
        }
        State::Ended(ending) if leaves_open(ending) && record.circuit == "open" => {
            offers.push(Offer::Reset);
        }
        State::Ended(Ending::Limited { .. }) => offers.push(Offer::Wait),
        _ => (),
    }
    offers.extend(iterations(record, standing));
    offers
}

/// The prompt of the loop, where it can have another one.
fn prompt(record: &LoopRecord) -> Option<String> {
    let options = &record.options;
    let prompt = match record.kind.as_str() {
        "iterate" => &options["prompt"],
        "develop" if options["tasks"].is_null() => &options["task"],
        _ => return None,
    };
    let prompt = prompt.as_str()?.trim();
    (prompt.len() <= LONGEST_PROMPT).then(|| sanitise::text(prompt).into_owned())
}

/// The allowed iterations: twice as many where they are used up, else as many as before.
fn iterations(record: &LoopRecord, standing: &Standing) -> Option<Offer> {
    let (value, least) = match &standing.state {
        State::Ended(Ending::MaxIterations { limit, .. }) => {
            (limit.saturating_mul(2).max(1), record.iteration.saturating_add(1))
        }
        State::Ended(Ending::Escalated { limit, .. }) => {
            (limit.saturating_mul(2), limit.saturating_add(1))
        }
        _ if record.max_iterations == 0 => return None,
        _ => (record.max_iterations, record.iteration.max(1)),
    };
    Some(Offer::Iterations { value, least })
}

/// The form of the dialog. `agents` are the others that this machine can run.
pub(super) fn form(record: &LoopRecord, standing: &Standing, agents: &[String]) -> Markup {
    let known = names(&record.kind);
    let has = |name: &str| known.iter().any(|one| one == name);
    let mut offers = offers(record, standing);
    offers.retain(|offer| !matches!(offer, Offer::Iterations { .. }) || has("max-iterations"));
    let starts_with_field =
        matches!(offers.first(), Some(Offer::Budget { .. } | Offer::Iterations { .. }));
    let command = standing.next().into_iter().find(|one| one.starts_with("windlass resume "));
    html! {
        form data-post={ "/api/v1/loops/" (record.id) "/resume" } {
            h2 #continue-title { "Continue " (standing.name) "?" }
            p { "It goes on where it stopped. At most the step that was running is repeated." }
            @for offer in &offers { (control(record, offer)) }
            @if has("agent") && !agents.is_empty() {
                p.field {
                    label for="continue-agent" { "Agent" }
                    select #continue-agent name="agent" data-was="" {
                        option value="" { (sanitise::line(&record.agent)) " (as before)" }
                        @for agent in agents { option value=(agent) { (sanitise::line(agent)) } }
                    }
                }
            }
            @if let Some(prompt) = prompt(record) {
                details {
                    summary { "Change the prompt" }
                    textarea name="prompt" rows="6" required aria-label="Prompt" { (prompt) }
                }
            }
            @if let Some(command) = command {
                details { summary { "At a terminal" } (copyable(&command)) }
            }
            div #continue-trouble.trouble role="alert" hidden {}
            div.buttons {
                button #continue-no type="button" { "Not now" }
                button #continue-yes.primary type="submit" autofocus[!starts_with_field] { "Continue" }
            }
        }
    }
}

/// The control of an offer. `name` is that of the option; it is sent unless it is as it was.
fn control(record: &LoopRecord, offer: &Offer) -> Markup {
    match offer {
        Offer::Iterations { value, least } => html! {
            p.field {
                label for="continue-iterations" { "Max iterations" }
                input #continue-iterations name="max-iterations" type="number" required max="100000"
                    min=(least) value=(value) data-was=(record.max_iterations);
            }
        },
        Offer::Budget { kind: BudgetKind::Cost, value } => html! {
            p.field {
                label for="continue-budget" { "Budget (USD)" }
                input #continue-budget name="max-cost" type="number" min="0" step="any" required value=(value) data-was="";
            }
        },
        Offer::Budget { kind: BudgetKind::Tokens, value } => html! {
            p.field {
                label for="continue-budget" { "Budget (tokens)" }
                input #continue-budget name="max-tokens" type="number" min="1" required value=(value) data-was="";
            }
        },
        Offer::Budget { kind: BudgetKind::Duration, value } => html! {
            p.field {
                label for="continue-budget" { "Time limit" }
                input #continue-budget name="max-duration" required value=(value) data-was="";
            }
        },
        Offer::Reset => html! {
            p { "The stop rules start counting from zero." }
            input type="hidden" name="reset-circuit" data-value="true";
        },
        Offer::Unguard(globs) if globs.is_empty() => {
            switch("test-policy", &json!("free"), "Let the agent change existing tests", true)
        }
        Offer::Unguard(globs) => {
            let label = format!("Let the agent change {}", sanitise::line(&globs.join(", ")));
            switch("unguard", &json!(globs), &label, true)
        }
        Offer::KnownFailures => switch(
            "known-failures",
            &json!("allow"),
            "Let tests that failed before the loop go on failing",
            true,
        ),
        Offer::Wait => switch(
            "on-limit",
            &json!("wait"),
            "If the limit is still reached, wait until it resets",
            false,
        ),
    }
}

/// A choice, and whether it is made at first.
fn switch(name: &str, value: &serde_json::Value, label: &str, is_on: bool) -> Markup {
    html! {
        label.choice {
            input type="checkbox" name=(name) data-value=(value) checked[is_on];
            span { (label) }
        }
    }
}

#[cfg(test)]
mod tests;
