//! The buttons of a loop: what its state allows, each with the question that is asked before.

use maud::{Markup, html};
use windlass_core::ending::Ending;
use windlass_store::store::LoopRecord;

use crate::report::ending::{Standing, State};

/// Something that can be done about a loop.
struct Action<'a> {
    label: &'a str,
    verb: &'a str,
    body: &'a str,
    question: String,
    explanation: &'a str,
    /// How many iterations to allow, where that is asked.
    iterations: Option<u32>,
    is_primary: bool,
}

/// The buttons that the loop's state allows.
pub(super) fn actions(record: &LoopRecord, standing: &Standing, can_accept: bool) -> Markup {
    let accept = can_accept.then(|| accept(&standing.name));
    let actions: Vec<Action<'_>> = allowed(record, standing).into_iter().chain(accept).collect();
    if actions.is_empty() {
        return html! {};
    }
    html! {
        div.buttons {
            @for action in actions {
                button type="button" class=[action.is_primary.then_some("primary")]
                    id={ "do-" (action.label.to_lowercase().replace(' ', "-")) }
                    data-post={ "/api/v1/loops/" (record.id) "/" (action.verb) } data-body=(action.body)
                    data-question=(action.question) data-explanation=(action.explanation) data-yes=(action.label)
                    data-iterations=[action.iterations]
                { (action.label) "…" }
            }
        }
    }
}

/// Taking work that windlass did not accept.
fn accept<'a>(name: &str) -> Action<'a> {
    Action {
        label: "Accept",
        verb: "accept",
        body: "{}",
        question: format!("Accept the work of {name}?"),
        explanation: "The loop is done then, and counts as not verified. Nothing is committed, pushed or \
                      posted, and the loop cannot be resumed.",
        iterations: None,
        is_primary: false,
    }
}

fn allowed<'a>(record: &LoopRecord, standing: &Standing) -> Vec<Action<'a>> {
    let name = &standing.name;
    let cancel = |label, body, explanation, is_primary| Action {
        label,
        verb: "cancel",
        body,
        question: format!("{label} {name}?"),
        explanation,
        iterations: None,
        is_primary,
    };
    let resume = |iterations| Action {
        label: "Resume",
        verb: "resume",
        body: "{}",
        question: format!("Resume {name}?"),
        explanation: "It goes on where it stopped. At most the step that was under way runs again.",
        iterations,
        is_primary: true,
    };
    let reset = Action {
        label: "Reset",
        verb: "reset",
        body: "{}",
        question: format!("Close the circuit of {name}?"),
        explanation: "What the rules have counted is forgotten, and the loop can be resumed.",
        iterations: None,
        is_primary: true,
    };
    match &standing.state {
        State::Running => vec![
            cancel(
                "Cancel",
                "{}",
                "The agent and all that it started are ended. The loop can be resumed later.",
                false,
            ),
            cancel(
                "Cancel after this iteration",
                r#"{"after_iteration":true}"#,
                "What is under way is brought to its end first. The loop can be resumed later.",
                false,
            ),
        ],
        State::Ended(Ending::Rule { .. }) if record.circuit == "open" => vec![reset],
        State::Ended(Ending::MaxIterations { limit, .. }) => {
            vec![resume(Some(limit.saturating_mul(2).max(1)))]
        }
        State::Interrupted
        | State::Ended(
            Ending::Cancelled { .. }
            | Ending::Limited { .. }
            | Ending::AgentFailed { .. }
            | Ending::Rule { .. },
        ) => vec![resume(None)],
        // A budget is raised at the terminal, with the flag that the next command names.
        State::Ended(_) | State::Other(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::samples;

    fn labels(record: &LoopRecord, alive: bool) -> Vec<String> {
        let standing = samples::standing(record, alive);
        allowed(record, &standing).iter().map(|action| action.label.to_owned()).collect()
    }

    #[test]
    fn a_loop_has_the_buttons_that_its_state_allows() {
        assert_eq!(labels(&samples::running(), true), ["Cancel", "Cancel after this iteration"]);
        assert_eq!(labels(&samples::running(), false), ["Resume"]);
        assert_eq!(labels(&samples::tripped(), false), ["Reset"]);
        assert_eq!(labels(&samples::done(), false), [""; 0]);
    }
}
