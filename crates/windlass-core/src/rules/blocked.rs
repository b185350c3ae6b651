//! `blocked`: the agent reports that it cannot go on, with `<blocked>…</blocked>` or in its status block. It
//! trips at once, with the agent's words, unless the report counts for one task of several.

use super::{Judgement, Rule};
use crate::{
    event::{Event, EventKind},
    evidence::Evidence,
    status::StatusBlock,
};

/// The rule's name.
pub(super) const NAME: &str = "blocked";

pub(super) struct Blocked;

impl Rule for Blocked {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        let EventKind::IterationFinished(summary) = &event.kind else { return Judgement::Fine };
        match report(&summary.evidence) {
            None => Judgement::Fine,
            Some(words) if words.trim().is_empty() => {
                Judgement::Trip("the agent says that it is blocked, and not by what".to_owned())
            }
            Some(words) => Judgement::Trip(format!("the agent says that it is blocked: {words}")),
        }
    }
}

/// What is missing, where nothing can go on.
fn report(evidence: &Evidence) -> Option<String> {
    // Events of earlier versions have the status block alone.
    let of_status = || evidence.status.as_ref().and_then(StatusBlock::blocked);
    let words = evidence.blocked.clone().or_else(of_status)?;
    evidence.blocked_task.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::{super::testing::finished, *};
    use crate::status::Status;

    fn says(status: Status, recommendation: Option<&str>) -> Judgement {
        Blocked.observe(&finished(|summary| {
            summary.evidence.status = Some(StatusBlock {
                status: Some(status),
                recommendation: recommendation.map(str::to_owned),
                ..StatusBlock::default()
            });
        }))
    }

    #[test]
    fn it_trips_at_once_with_the_recommendation() {
        assert_eq!(
            says(Status::Blocked, Some("give me the key")),
            Judgement::Trip("the agent says that it is blocked: give me the key".to_owned())
        );
        assert!(matches!(says(Status::Blocked, None), Judgement::Trip(_)));
    }

    #[test]
    fn work_that_goes_on_is_fine() {
        assert_eq!(says(Status::InProgress, Some("nothing is blocked")), Judgement::Fine);
        assert_eq!(Blocked.observe(&finished(|_| ())), Judgement::Fine);
    }

    #[test]
    fn a_report_that_counts_for_one_task_of_several_is_fine() {
        let report = |task: Option<&str>| {
            Blocked.observe(&finished(|summary| {
                summary.evidence.blocked = Some("no key".to_owned());
                summary.evidence.blocked_task = task.map(str::to_owned);
            }))
        };
        assert_eq!(report(Some("deploy")), Judgement::Fine);
        let words = "the agent says that it is blocked: no key".to_owned();
        assert_eq!(report(None), Judgement::Trip(words));
    }
}
