//! The lesson: how an agent claims, what a claim must stand up to, and how it reports that it
//! cannot go on. It is the same in the first prompt and in every later one.

use super::{lost::WAIT_OR_STOP, tame};
use crate::{
    claim,
    options::{Claiming, DoneWhen, PromiseMatch, Proof, TestPolicy},
    status,
};

/// A lesson that is longer names no checks where it has to fit into a system prompt.
const LONGEST: usize = 16 * 1024;

/// How the agent reports that it cannot go on.
const HOW_TO_REPORT: &str = "\
Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, \
say so with <blocked>what is missing, and who can give it</blocked> in place of a claim.";

/// What the report begins with in loops that work through a task file.
const WHICH_TASK: &str = " Begin the report with the words of the task that is blocked.";

/// What is said in place of a claim where no task may be open and the checks decide.
const TASKS_AND_CHECKS: &str = "\
The work is done as soon as no task is open and the checks pass: you need not claim it.\n";

/// What is said of guarded tests.
const GUARDED: &str = "\
You may extend existing tests, but the checks must also pass on the tests as they were. If the task itself requires other tests, \
say so with the report above.\n";

/// What is said of locked tests.
const LOCKED: &str = "\
Existing tests must stay as they are: while one differs, no claim is accepted. If the task itself requires other tests, \
say so with the report above.\n";

/// What the agent of a loop is taught.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// What a claim is.
    pub claiming: &'a Claiming,
    /// What a claim must stand up to.
    pub proof: &'a Proof,
    /// Whether the work is a file of tasks.
    pub of_tasks: bool,
}

impl Lesson<'_> {
    /// All of it, a line for each thing that is taught.
    pub(super) fn text(&self) -> String {
        self.with(&self.named_checks())
    }

    /// The lesson for a system prompt, where there is less room.
    pub(super) fn short_text(&self) -> String {
        let text = self.text();
        if text.len() <= LONGEST { text } else { self.with("") }
    }

    fn with(&self, checks: &str) -> String {
        let claim = match self.claiming.done_when {
            DoneWhen::Checks if self.of_tasks && !self.claiming.teaches_status() => {
                TASKS_AND_CHECKS.to_owned()
            }
            _ => how_to_claim(self.claiming),
        };
        let which = if self.of_tasks { WHICH_TASK } else { "" };
        format!("{claim}{checks}{HOW_TO_REPORT}{which}\n{}{WAIT_OR_STOP}\n", self.of_tests())
    }

    /// What a claim must stand up to.
    pub(super) fn named_checks(&self) -> String {
        let checks = self.proof.command_lines();
        if checks.is_empty() {
            return String::new();
        }
        let checks: Vec<String> =
            checks.iter().map(|check| format!("`{}`", tame(self.claiming, check))).collect();
        let checks = checks.join(", ");
        match self.claiming.done_when {
            DoneWhen::Claim => {
                format!("A claim is accepted only if windlass itself sees this pass: {checks}.\n")
            }
            DoneWhen::Checks => format!("After each session windlass itself runs: {checks}.\n"),
        }
    }

    fn of_tests(&self) -> &'static str {
        match self.proof.test_policy {
            _ if !self.proof.guards() => "",
            TestPolicy::Guard => GUARDED,
            TestPolicy::Lock => LOCKED,
            TestPolicy::Free => "",
        }
    }
}

/// How the work is claimed to be done.
pub fn how_to_claim(claiming: &Claiming) -> String {
    match (claim::tag(&claiming.promise), claiming.promise_match) {
        _ if claiming.teaches_status() => status::lesson(claiming),
        _ if claiming.done_when == DoneWhen::Checks => {
            "The work is done as soon as the checks pass: you need not claim it.\n".to_owned()
        }
        (None, _) => "When all of the work is done, exit cleanly: that is your claim.\n".to_owned(),
        (Some(tag), PromiseMatch::Tag) => format!(
            "When all of the work is done, and only then, claim it: print {tag} on a line of its \
             own, with nothing else on that line.\n"
        ),
        (Some(_), PromiseMatch::Text) => format!(
            "When all of the work is done, and only then, claim it: say \"{}\" in your last \
             message.\n",
            claiming.promise.trim()
        ),
    }
}
