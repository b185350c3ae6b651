//! The buttons of a loop: what its state allows. What changes something is asked before.

use maud::{Markup, html};
use windlass_store::store::LoopRecord;

use super::resume::can_continue;
use crate::{
    report::ending::{Standing, State},
    text,
};

/// Something that can be done about a loop after a question.
struct Action<'a> {
    label: &'a str,
    verb: &'a str,
    body: &'a str,
    question: String,
    explanation: &'a str,
    /// The button that leaves everything as it is.
    no: &'a str,
}

/// The buttons that the loop's state allows, and the way to what it changed.
pub(super) fn actions(record: &LoopRecord, standing: &Standing, can_accept: bool) -> Markup {
    let actions = allowed(standing, can_accept);
    let can_continue = can_continue(standing);
    let has_changes = standing.has_trees && record.iteration > 0;
    if actions.is_empty() && !can_continue && !has_changes {
        return html! {};
    }
    html! {
        div.buttons {
            @if can_continue {
                button #do-continue.primary type="button" data-continue={ "/ui/loops/" (record.id) "/continue" } { "Continue…" }
            }
            @if has_changes {
                a #do-changes.button href={ "/loops/" (record.id) "#diff-all" } data-diff={ "/ui/loops/" (record.id) "/diff/all" } {
                    "Changes"
                    @if record.files_modified > 0 { " (" (text::count(record.files_modified, "file")) ")" }
                }
            }
            @for action in actions {
                button type="button" id={ "do-" (action.label.to_lowercase().replace(' ', "-")) }
                    data-post={ "/api/v1/loops/" (record.id) "/" (action.verb) } data-body=(action.body)
                    data-question=(action.question) data-explanation=(action.explanation)
                    data-yes=(action.label) data-no=(action.no)
                { (action.label) "…" }
            }
        }
    }
}

fn allowed<'a>(standing: &Standing, can_accept: bool) -> Vec<Action<'a>> {
    let name = &standing.name;
    let cancel = |label, body, explanation| Action {
        label,
        verb: "cancel",
        body,
        question: format!("{label} {name}?"),
        explanation,
        no: "Keep running",
    };
    let accept = || Action {
        label: "Accept",
        verb: "accept",
        body: "{}",
        question: format!("Accept the work of {name}?"),
        explanation: "The loop is done then, and counts as not verified. Nothing is committed, pushed or \
                      posted, and the loop cannot be resumed.",
        no: "Not now",
    };
    match standing.state {
        State::Running => vec![
            cancel(
                "Cancel",
                "{}",
                "The agent and everything that it started are stopped. The loop can be resumed later.",
            ),
            cancel(
                "Cancel after this iteration",
                r#"{"after_iteration":true}"#,
                "The current iteration is finished first. The loop can be resumed later.",
            ),
        ],
        _ if can_accept => vec![accept()],
        State::Interrupted | State::Ended(_) | State::Other(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::samples;

    /// What the buttons say.
    fn labels(record: &LoopRecord, alive: bool, can_accept: bool) -> Vec<String> {
        let shown = actions(record, &samples::standing(record, alive), can_accept).into_string();
        let starts = shown.split("</button>").flat_map(|part| part.split("</a>"));
        let labels = starts.filter_map(|part| part.rsplit_once('>').map(|(_, label)| label));
        labels.filter(|label| !label.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn a_loop_has_the_buttons_that_its_state_allows() {
        assert_eq!(
            labels(&samples::running(), true, false),
            ["Changes (3 files)", "Cancel…", "Cancel after this iteration…"]
        );
        assert_eq!(labels(&samples::running(), false, false), ["Continue…", "Changes (3 files)"]);
        assert_eq!(
            labels(&samples::tripped(), false, true),
            ["Continue…", "Changes (3 files)", "Accept…"]
        );
        assert_eq!(labels(&samples::done(), false, false), ["Changes (3 files)"]);
        let early = LoopRecord { iteration: 0, ..samples::running() };
        assert_eq!(labels(&early, true, false), ["Cancel…", "Cancel after this iteration…"]);
    }
}
