//! `permission`: several sessions in a row were denied a tool, and no check got better. More would be denied
//! too.

use super::{Judgement, Rule, RuleFacts, judge, times_running};
use crate::{event::IterationSummary, evidence::Evidence, progress::Moved, text::count::count};

/// The rule's name.
pub(super) const NAME: &str = "permission";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts = RuleFacts {
    name: NAME,
    option: Some("permission_threshold"),
    spared_by: "a session in which no tool was denied, or a check that gets better all the same",
};

#[derive(Clone)]
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

    fn judge(&mut self, summary: &IterationSummary, moved: &Moved) -> Judgement {
        // An agent that makes checks better without the tool does not need it.
        if summary.evidence.denied == 0 || moved.is_confirmed() {
            self.running = 0;
            return Judgement::Fine;
        }
        self.running += 1;
        judge(self.running, self.limit, || seen(self.running, &summary.evidence))
    }

    fn reset(&mut self) {
        self.running = 0;
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
        super::testing::{Alone, again, failing_check, finished, reset, trips},
        *,
    };
    use crate::event::Event;

    fn denied(number: u32) -> Event {
        finished(|summary| summary.evidence.denied = number)
    }

    #[test]
    fn the_second_session_running_with_denied_tools_trips() {
        let mut rule = Alone::new(Permission::new(2));
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
        let mut rule = Alone::new(Permission::new(2));
        for between in [denied(0), reset()] {
            assert!(matches!(rule.observe(&denied(1)), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
        assert_eq!(again(&mut Alone::new(Permission::new(0)), 9, &denied(1)), Judgement::Fine);
    }

    #[test]
    fn an_agent_that_gets_on_without_the_tool_is_left_alone() {
        let mut rule = Alone::new(Permission::new(2));
        for left in (0..9).rev() {
            let judgement = rule.observe(&finished(|summary| {
                summary.evidence.denied = 1;
                summary.evidence.checks = failing_check("x");
                summary.evidence.checks[0].failing = Some(left);
            }));
            assert!(!matches!(judgement, Judgement::Trip(_)), "{left}");
        }
    }
}
