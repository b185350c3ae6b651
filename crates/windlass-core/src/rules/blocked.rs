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

#[derive(Default)]
pub(super) struct Blocked {
    /// What was reported of tasks while others could go on: the tasks, and the words.
    earlier: Vec<(String, String)>,
}

impl Blocked {
    fn reported(&mut self, evidence: &Evidence) -> Judgement {
        // Events of earlier versions have the status block alone.
        let of_status = || evidence.status.as_ref().and_then(StatusBlock::blocked);
        let Some(words) = evidence.blocked.clone().or_else(of_status) else {
            return Judgement::Fine;
        };
        let words = words.trim().to_owned();
        if let Some(task) = &evidence.blocked_task {
            self.earlier.retain(|(earlier, _)| earlier != task);
            self.earlier.push((task.clone(), words));
            return Judgement::Fine;
        }
        let earlier = std::mem::take(&mut self.earlier);
        Judgement::Trip(match (earlier.is_empty(), words.is_empty()) {
            (true, true) => "the agent says that it is blocked, and not by what".to_owned(),
            (true, false) => format!("the agent says that it is blocked: {words}"),
            (false, _) => {
                let all = earlier.into_iter().map(|(_, words)| words).chain([words]);
                let all: Vec<String> = all.filter(|words| !words.is_empty()).collect();
                format!("the agent says that every open task is blocked: {}", all.join("; "))
            }
        })
    }
}

impl Rule for Blocked {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) => return self.reported(&summary.evidence),
            EventKind::TasksMoved(moved) => {
                self.earlier.retain(|(task, _)| !moved.completed.contains(task));
            }
            // Blocked tasks are open again.
            EventKind::LoopResumed { .. } => self.earlier.clear(),
            _ => (),
        }
        Judgement::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{event, finished},
        *,
    };
    use crate::{event::TasksMoved, status::Status};

    fn says(status: Status, recommendation: Option<&str>) -> Judgement {
        Blocked::default().observe(&finished(|summary| {
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
        assert_eq!(Blocked::default().observe(&finished(|_| ())), Judgement::Fine);
    }

    #[test]
    fn a_report_that_counts_for_one_task_of_several_is_fine() {
        let report = |words: &str, task: Option<&str>| {
            finished(|summary| {
                summary.evidence.blocked = Some(words.to_owned());
                summary.evidence.blocked_task = task.map(str::to_owned);
            })
        };
        let mut rule = Blocked::default();
        assert_eq!(rule.observe(&report("deploy: no key", Some("deploy"))), Judgement::Fine);
        assert_eq!(rule.observe(&report("a: no disk", Some("a"))), Judgement::Fine);
        let moved = TasksMoved { completed: vec!["a".to_owned()], ..TasksMoved::default() };
        rule.observe(&event(EventKind::TasksMoved(moved)));
        let words =
            "the agent says that every open task is blocked: deploy: no key; b: no time".to_owned();
        assert_eq!(rule.observe(&report("b: no time", None)), Judgement::Trip(words));
        let words = "the agent says that it is blocked: no key".to_owned();
        assert_eq!(rule.observe(&report("no key", None)), Judgement::Trip(words));
    }
}
