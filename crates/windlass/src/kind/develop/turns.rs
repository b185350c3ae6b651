//! Whose turn it is: the open tasks in their order, then those that were escalated, where they may be
//! tried more often now than they were.

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
    /// The tasks that were escalated, the one whose turn is next first.
    escalated: VecDeque<Escalated>,
}

/// A task that was not approved in time.
struct Escalated {
    task: Task,
    standing: Standing,
    feedback: String,
}

impl<'a> Turns<'a> {
    pub(super) fn new(run: &'a Run<'a>, max_iterations: u32) -> Self {
        Self { run, max_iterations, escalated: VecDeque::new() }
    }

    /// The task whose turn is after that iteration, with how it stands where it was tried before.
    pub(super) fn next(
        &mut self,
        assignment: &Assignment<'_>,
        iteration: u32,
    ) -> Option<(Task, Option<Standing>)> {
        let tried = |task: &Task| self.escalated.iter().any(|tried| tried.task.is(task));
        if let Some(task) = assignment.ready().into_iter().find(|task| !tried(task)) {
            return Some((task, None));
        }
        let open = assignment.ready();
        self.escalated.retain(|tried| open.iter().any(|task| task.is(&tried.task)));
        // What an earlier owner has begun is gone through, whatever is allowed now.
        let was_begun = self.run.has_begun(iteration + 1);
        let may = |standing: &Standing| {
            was_begun || self.max_iterations == 0 || standing.attempt < self.max_iterations
        };
        let next = self.escalated.iter().position(|tried| may(&tried.standing))?;
        let Escalated { task, mut standing, .. } = self.escalated.remove(next)?;
        standing.has_company = true;
        Some((task, Some(standing)))
    }

    /// Takes a task back that was not approved in time.
    pub(super) fn escalate(&mut self, task: Task, standing: Standing, feedback: String) {
        self.escalated.push_back(Escalated { task, standing, feedback });
    }

    /// The ending of a loop that tried all tasks, where some were not approved.
    pub(super) fn ending(&self, assignment: &Assignment<'_>) -> Option<Ending> {
        let mut tasks = Vec::new();
        let mut feedback = Vec::new();
        // In the order of the file, which people know.
        for task in assignment.ready() {
            let Some(tried) = self.escalated.iter().find(|tried| tried.task.is(&task)) else {
                continue;
            };
            tasks.extend(task.name.clone());
            feedback.push((task.name, tried.feedback.as_str()));
        }
        let feedback = match feedback.as_slice() {
            [] => return None,
            [(_, feedback)] => (*feedback).to_owned(),
            several => {
                let told = |(name, feedback): &(Option<String>, &str)| {
                    format!("{}:\n{feedback}", name.as_deref().unwrap_or_default())
                };
                several.iter().map(told).collect::<Vec<_>>().join("\n\n")
            }
        };
        Some(Ending::Escalated { limit: self.max_iterations, tasks, feedback })
    }
}
