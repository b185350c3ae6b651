//! Whose turn it is: the open tasks in their order, then those that were escalated, where they may be
//! tried more often now than they were, then those that were blocked when the loop last ended.

use std::collections::VecDeque;

use windlass_core::ending::Ending;

use super::{
    assignment::{Assignment, Task},
    desk::Standing,
};
use crate::run::Run;

/// Whose turn it is.
pub(super) struct Turns<'a> {
    run: &'a Run<'a>,
    max_iterations: u32,
    /// The tasks that were tried and not approved, the one whose turn is next first.
    tried: VecDeque<Tried>,
}

/// A task that was tried and not approved.
struct Tried {
    task: Task,
    standing: Standing,
    why: Why,
}

/// Why a task was not approved.
enum Why {
    /// Its iterations are used up; what stands between it and its approval.
    Escalated { feedback: String },
    /// The developer could not go on with it: its words, and in which iteration it said so.
    Blocked { words: String, iteration: u32 },
}

impl<'a> Turns<'a> {
    pub(super) fn new(run: &'a Run<'a>, max_iterations: u32) -> Self {
        Self { run, max_iterations, tried: VecDeque::new() }
    }

    /// The task whose turn is after that iteration, with how it stands where it was tried before.
    pub(super) fn next(
        &mut self,
        assignment: &Assignment<'_>,
        iteration: u32,
    ) -> Option<(Task, Option<Standing>)> {
        let is_tried = |task: &Task| self.tried.iter().any(|tried| tried.task.is(task));
        if let Some(task) = assignment.ready().into_iter().find(|task| !is_tried(task)) {
            return Some((task, None));
        }
        let open = assignment.ready();
        self.tried.retain(|tried| open.iter().any(|task| task.is(&tried.task)));
        let Tried { task, mut standing, .. } = self.tried.remove(self.again(iteration + 1)?)?;
        standing.has_company = true;
        Some((task, Some(standing)))
    }

    /// Which of the tasks that were tried is to be tried again, in that iteration.
    fn again(&self, iteration: u32) -> Option<usize> {
        // What an earlier owner has begun is gone through, whatever is allowed now.
        let was_begun = self.run.has_begun(iteration);
        let recorded = self.run.task_at(iteration).filter(|_| was_begun);
        let is_recorded = |tried: &Tried| recorded == Some(&*tried.task.label());
        let may_more = |tried: &Tried| {
            let allowed = self.max_iterations;
            tried.is_escalated() && (was_begun || allowed == 0 || tried.standing.attempt < allowed)
        };
        let is_open_again = |tried: &Tried| match tried.why {
            Why::Escalated { .. } => false,
            Why::Blocked { iteration, .. } => self.run.is_past(iteration),
        };
        self.tried
            .iter()
            .position(is_recorded)
            .or_else(|| self.tried.iter().position(may_more))
            .or_else(|| self.tried.iter().position(is_open_again))
    }

    /// Takes a task back that was not approved in time.
    pub(super) fn escalate(&mut self, task: Task, standing: Standing, feedback: String) {
        self.tried.push_back(Tried { task, standing, why: Why::Escalated { feedback } });
    }

    /// Takes a task back that the developer could not go on with in that iteration.
    pub(super) fn block(&mut self, iteration: u32, task: Task, standing: Standing, words: String) {
        self.tried.push_back(Tried { task, standing, why: Why::Blocked { words, iteration } });
    }

    /// The ending of a loop that tried all tasks, where some were not approved.
    pub(super) fn ending(&self, assignment: &Assignment<'_>) -> Option<Ending> {
        let find = |task: &Task| self.tried.iter().find(|tried| tried.task.is(task));
        // In the order of the file, which people know.
        let left: Vec<(Task, &Tried)> = assignment
            .ready()
            .into_iter()
            .filter_map(|task| Some((task.clone(), find(&task)?)))
            .collect();
        if left.is_empty() {
            return None;
        }
        if !left.iter().any(|(_, tried)| tried.is_escalated()) {
            return Some(blocked(&left));
        }
        let tasks = left.iter().filter_map(|(task, _)| task.name.clone()).collect();
        let feedback = match left.as_slice() {
            [(_, tried)] => tried.told(),
            several => {
                let told = |(task, tried): &(Task, &Tried)| {
                    format!("{}:\n{}", task.name.as_deref().unwrap_or_default(), tried.told())
                };
                several.iter().map(told).collect::<Vec<_>>().join("\n\n")
            }
        };
        Some(Ending::Escalated { limit: self.max_iterations, tasks, feedback })
    }
}

impl Tried {
    fn is_escalated(&self) -> bool {
        matches!(self.why, Why::Escalated { .. })
    }

    /// What stands between it and its approval.
    fn told(&self) -> String {
        match &self.why {
            Why::Escalated { feedback } => feedback.clone(),
            Why::Blocked { words, .. } => format!("blocked: {words}"),
        }
    }

    /// What is missing, after the task's own words.
    fn missing(&self, name: &str) -> String {
        let (Why::Blocked { words, .. } | Why::Escalated { feedback: words }) = &self.why;
        match words.to_lowercase().starts_with(&name.to_lowercase()) {
            true => words.clone(),
            false => format!("{name}: {words}"),
        }
    }
}

/// The ending where nothing is left but tasks that are blocked.
fn blocked(left: &[(Task, &Tried)]) -> Ending {
    let missing = left.iter().map(|(task, tried)| tried.missing(&task.label()));
    let missing = missing.collect::<Vec<_>>().join("; ");
    let reason = format!("the agent says that every open task is blocked: {missing}");
    Ending::Rule { rule: "blocked".to_owned(), reason, undecided: None }
}
