//! `permission`: so many sessions running were denied a tool. More of them would be denied too.

use super::{Judgement, Rule, judge, times_running};
use crate::{
    event::{Event, EventKind},
    evidence::Evidence,
    text::count::count,
};

/// The rule's name.
pub(super) const NAME: &str = "permission";

pub(super) struct Permission {
    limit: u32,
    running: u32,
}

impl Permission {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, running: 0 }
    }
}

impl Rule for Permission {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) if summary.evidence.denied > 0 => {
                self.running += 1;
                judge(self.running, self.limit, || seen(self.running, &summary.evidence))
            }
            EventKind::IterationFinished(_) | EventKind::CircuitReset => {
                self.running = 0;
                Judgement::Fine
            }
            _ => Judgement::Fine,
        }
    }
}

fn seen(running: u32, evidence: &Evidence) -> String {
    let tools = match (evidence.denied, evidence.denied_tools.as_slice()) {
        (1, []) => "a tool".to_owned(),
        (n, []) => count(n, "tool"),
        (_, names) => names.join(", "),
    };
    match running {
        1 => format!("the agent was denied {tools}"),
        n => format!("the agent was denied tools {} (last: {tools})", times_running(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{again, finished, reset, trips},
        *,
    };

    fn denied(number: u32) -> Event {
        finished(|summary| summary.evidence.denied = number)
    }

    #[test]
    fn the_second_session_running_with_denied_tools_trips() {
        let mut rule = Permission::new(2);
        assert_eq!(
            rule.observe(&denied(1)),
            Judgement::Near("the agent was denied a tool".to_owned())
        );
        insta::assert_snapshot!(trips(&rule.observe(&denied(3))), @"the agent was denied tools twice in a row (last: 3 tools)");
        let named = finished(|summary| {
            summary.evidence.denied = 3;
            summary.evidence.denied_tools = vec!["Bash".to_owned(), "Edit".to_owned()];
        });
        insta::assert_snapshot!(trips(&rule.observe(&named)), @"the agent was denied tools 3 times in a row (last: Bash, Edit)");
    }

    #[test]
    fn a_session_without_and_a_reset_start_the_count_again() {
        let mut rule = Permission::new(2);
        for between in [denied(0), reset()] {
            assert!(matches!(rule.observe(&denied(1)), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
        assert_eq!(again(&mut Permission::new(0), 9, &denied(1)), Judgement::Fine);
    }
}
