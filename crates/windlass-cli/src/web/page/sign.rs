//! The sign of how a loop stands: an icon before the words, so that colour is never needed.

use maud::{Markup, html};
use windlass_store::store::LoopRecord;

use crate::{commands::list, report::ending::Standing};

/// An icon, and the tone that the style sheet gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sign {
    pub(super) icon: &'static str,
    pub(super) tone: &'static str,
}

/// The sign of a loop.
pub(super) fn sign(standing: &Standing) -> Sign {
    let icon = standing.sign();
    let tone = match icon {
        "●" => "running",
        "✓" => "done",
        "✕" => "cancelled",
        "⚠" => "error",
        "!" => "limit",
        _ => "idle",
    };
    Sign { icon, tone }
}

/// How a loop stands, in the words of `windlass list`: the only place of a row or a page that says so.
pub(super) fn ending(record: &LoopRecord, standing: &Standing) -> Markup {
    let Sign { icon, tone } = sign(standing);
    html! {
        span class={ "sign " (tone) } {
            span.icon aria-hidden="true" { (icon) }
            " " (list::words(record, standing))
        }
    }
}

#[cfg(test)]
mod tests {
    use windlass_core::ending::{BudgetKind, CancelledBy, ClaimedBy, Ending};

    use super::*;
    use crate::report::{ending::State, words::proven::Proven};

    #[test]
    fn every_state_has_an_icon_of_its_own_kind() {
        let reason = String::new;
        let icon = |state| {
            let standing = Standing {
                state,
                name: "brave-otter".to_owned(),
                iterations: 1,
                max_iterations: None,
                checks: None,
                proven: Proven::default(),
                is_merge: false,
                has_trees: true,
            };
            sign(&standing).icon
        };
        let by = ClaimedBy::Promise;
        assert_eq!(icon(State::Running), "●");
        assert_eq!(icon(State::Ended(Ending::Done { by, unverified: true })), "✓");
        assert_eq!(icon(State::Ended(Ending::MaxIterations { limit: 3, left: None })), "!");
        let budget =
            Ending::Budget { kind: BudgetKind::Cost, reason: reason(), limit: "5".to_owned() };
        assert_eq!(icon(State::Ended(budget)), "!");
        assert_eq!(icon(State::Ended(Ending::Cancelled { by: CancelledBy::Request })), "✕");
        assert_eq!(icon(State::Ended(Ending::agent_failed(reason()))), "⚠");
        assert_eq!(icon(State::Interrupted), "○");
    }
}
