//! `blocked`: the agent's status block says that it cannot go on. It trips at once, with what the
//! agent recommends.

use super::{Judgement, Rule};
use crate::{
    event::{Event, EventKind},
    status::{Status, StatusBlock},
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
        match &summary.evidence.status {
            Some(StatusBlock { status: Some(Status::Blocked), recommendation, .. }) => {
                Judgement::Trip(match recommendation {
                    Some(words) => format!("the agent says that it is blocked: {words}"),
                    None => "the agent says that it is blocked, and not by what".to_owned(),
                })
            }
            _ => Judgement::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::testing::finished, *};

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
}
