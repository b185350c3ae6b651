//! How a loop stands, in words: the one place that says how it ended, and what to type next.

mod short;
pub(crate) mod suggested;

use std::path::Path;

use windlass_core::{
    ending::{CancelledBy, ClaimedBy, Ending},
    proof_record::ProofRecord,
    result::LoopResult,
    rules::leaves_open,
    text::sanitise,
};
use windlass_store::store::LoopRecord;

use self::suggested::{decisions, doubled};
use super::{paint::Paint, words::proven::Proven};
use crate::text;

/// How a loop stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum State {
    /// It ended.
    Ended(Ending),
    /// It runs.
    Running,
    /// It neither ended nor runs: the process that ran it is gone.
    Interrupted,
    /// It ended in a way that a newer windlass knows.
    Other(String),
}

/// What the words need to know of a loop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// How it stands.
    pub(crate) state: State,
    /// Its name.
    pub(crate) name: String,
    /// How many iterations were begun.
    pub(crate) iterations: u32,
    /// The allowed iterations, where that is known; 0 for no limit.
    pub(crate) max_iterations: Option<u32>,
    /// How many checks proved the claim, where that is known.
    pub(crate) checks: Option<u32>,
    /// How far the proof goes.
    pub(crate) proven: Proven,
    /// Whether it brings the work of another loop home.
    pub(crate) is_merge: bool,
    /// Whether it may have left snapshots, from which a diff is made.
    pub(crate) has_trees: bool,
}

impl Standing {
    /// How a stored loop stands now.
    pub(crate) fn of_record(record: &LoopRecord) -> Self {
        let state = match &record.ending {
            Some(ending) => State::Ended(ending.clone()),
            None if record.owner.is_alive() => State::Running,
            None => State::Interrupted,
        };
        Self {
            state,
            name: name(&record.name),
            iterations: record.iteration,
            max_iterations: Some(record.max_iterations),
            checks: None,
            proven: Proven::default(),
            is_merge: record.kind == "merge",
            has_trees: may_have_trees(record.worktree.as_ref().unwrap_or(&record.directory)),
        }
    }

    /// Takes in what proves its last claim: how many checks, where another look has counted them, and
    /// the proof itself.
    pub(crate) fn prove(&mut self, checks: Option<u32>, proof: Option<&ProofRecord>) {
        let passed = |proof: &ProofRecord| proof.checks.iter().filter(|check| check.passed).count();
        let listed = proof.and_then(|proof| u32::try_from(passed(proof)).ok());
        self.checks = checks.or(listed.filter(|listed| *listed > 0));
        self.proven = proof.map(Proven::of).unwrap_or_default();
    }

    /// How a loop with this result stands.
    pub(crate) fn of_result(result: &LoopResult) -> Self {
        let state = match result.ending["type"].as_str().unwrap_or_default() {
            "running" => State::Running,
            "interrupted" => State::Interrupted,
            word => match serde_json::from_value(result.ending.clone()) {
                Ok(ending) => State::Ended(ending),
                Err(_) => State::Other(sanitise::line(word).into_owned()),
            },
        };
        let mut standing = Self {
            state,
            name: name(&result.name),
            iterations: result.iterations,
            max_iterations: None,
            checks: None,
            is_merge: result.kind == "merge",
            has_trees: may_have_trees(Path::new(
                result.worktree.as_ref().unwrap_or(&result.directory),
            )),
            proven: Proven::default(),
        };
        standing.prove(None, result.proof.as_ref());
        standing
    }

    /// The word for a table: that of `ending.type`, `running` or `interrupted`.
    pub(crate) fn word(&self) -> &str {
        match &self.state {
            State::Ended(ending) => ending.word(),
            State::Running => "running",
            State::Interrupted => "interrupted",
            State::Other(word) => word,
        }
    }

    /// The word, and the name of the rule where one stopped it.
    pub(crate) fn brief(&self) -> String {
        match &self.state {
            State::Ended(Ending::Rule { rule, .. }) => {
                format!("{} {}", self.word(), sanitise::line(rule))
            }
            _ => self.word().to_owned(),
        }
    }

    /// The sign that stands before the words.
    pub(crate) fn icon(&self, paint: Paint) -> String {
        match &self.state {
            State::Ended(ending) if ending.is_success() => paint.good("✓"),
            State::Ended(Ending::Cancelled { .. }) => paint.warn("■"),
            State::Ended(_) => paint.bad("✗"),
            State::Running => paint.good("●"),
            State::Interrupted => paint.warn("!"),
            State::Other(_) => "?".to_owned(),
        }
    }

    /// The sign that a dashboard shows, which says the same without a colour.
    pub(crate) fn sign(&self) -> &'static str {
        match &self.state {
            State::Running => "●",
            State::Ended(ending) if ending.is_success() => "✓",
            State::Ended(Ending::Cancelled { .. }) => "✕",
            State::Ended(
                Ending::Error { .. } | Ending::AgentFailed { .. } | Ending::TestsFailed { .. },
            ) => "⚠",
            State::Ended(_) => "!",
            State::Interrupted => "○",
            State::Other(_) => "?",
        }
    }

    /// The sign and the sentence: how it ended, or that it has not.
    pub(crate) fn words(&self, paint: Paint) -> String {
        format!("{} {}", self.icon(paint), self.sentence())
    }

    /// How it ended, or that it has not.
    pub(crate) fn sentence(&self) -> String {
        let after = format!("after {}", text::count(self.iterations, "iteration"));
        match &self.state {
            State::Ended(Ending::Done { by: ClaimedBy::User, .. }) => {
                format!("done {after}: accepted by you, not verified")
            }
            State::Ended(Ending::Done { by: ClaimedBy::Merge, unverified }) => {
                format!("merged, {}", self.proven.words(self.checks, *unverified))
            }
            State::Ended(Ending::Done { unverified, .. }) => {
                format!("done {after}, {}", self.proven.words(self.checks, *unverified))
            }
            State::Ended(Ending::Approved { unverified, .. }) => {
                format!("approved {after}, {}", self.proven.words(self.checks, *unverified))
            }
            State::Ended(Ending::Clean { iteration, left_out: 0 }) => {
                format!("Clean review on iteration {iteration}")
            }
            State::Ended(Ending::Clean { iteration, left_out }) => {
                let left_out = text::count(*left_out, "less severe finding");
                format!("Clean review on iteration {iteration}, {left_out} left out")
            }
            State::Ended(Ending::NothingToReview { reason, .. }) => {
                format!("nothing to review: {}", sanitise::line(reason))
            }
            State::Ended(Ending::Escalated { tasks, .. }) => match tasks.as_slice() {
                [] => format!("escalated {after}: no approval that stood"),
                [task] => {
                    let task = sanitise::line(task);
                    format!("escalated {after}: no approval of the task \"{task}\" that stood")
                }
                tasks => {
                    let tasks = text::number(tasks.len(), "task");
                    format!("escalated {after}: {tasks} were not approved in time")
                }
            },
            State::Ended(Ending::TestsFailed { iteration: 0, reason }) => {
                let reason = sanitise::line(reason);
                format!("not merged, for the checks fail on the result: {reason}")
            }
            State::Ended(Ending::TestsFailed { iteration, reason }) => {
                format!("Tests failed on iteration {iteration}: {}", sanitise::line(reason))
            }
            State::Ended(Ending::Stalled { left }) => {
                let (findings, are) =
                    (text::count(*left, "finding"), text::agree(*left, "is", "are"));
                format!(
                    "stalled {after}: an audit was no better than the one before, {findings} {are} left"
                )
            }
            State::Ended(Ending::FindingsLeft { left }) => {
                format!("not done: {} left", text::count(*left, "finding"))
            }
            State::Ended(Ending::MaxIterations { left: Some(left), .. }) => {
                let issues = text::number(*left, "issue");
                let remain = text::agree(*left, "remains", "remain");
                format!("Reached max iterations, {issues} {remain}")
            }
            State::Ended(Ending::MaxIterations { limit, .. }) => {
                format!("not done: iteration limit ({limit}) reached")
            }
            State::Ended(Ending::Rule { rule, reason, .. }) => format!(
                "stopped {after} by the rule {}: {}",
                sanitise::line(rule),
                sanitise::line(reason)
            ),
            State::Ended(Ending::Budget { reason, .. }) => {
                format!("stopped {after} by its budget: {}", sanitise::line(reason))
            }
            State::Ended(Ending::Limited { agent, until }) => {
                let agent = sanitise::line(agent);
                let until =
                    until.map(|until| format!(", which resets at {}", text::local_time(until)));
                let until = until.unwrap_or_default();
                format!("stopped {after} by the limit of {agent}{until}")
            }
            State::Ended(Ending::AgentFailed { reason, login }) => {
                format!("stopped {after}: {}", failure(reason, login.is_some()))
            }
            State::Ended(Ending::Cancelled { by }) => match self.iterations {
                0 => format!("cancelled by {} before the first iteration", who(*by)),
                n => format!("cancelled by {} in iteration {n}", who(*by)),
            },
            State::Ended(Ending::Error { message, .. }) => {
                format!("could not go on {after}: {}", sanitise::line(message))
            }
            State::Running => match self.max_iterations {
                Some(0) | None => format!("running, iteration {}", self.iterations),
                Some(max) => format!("running, iteration {} of at most {max}", self.iterations),
            },
            State::Interrupted => match self.iterations {
                0 => "interrupted at its start: the process that ran it is gone".to_owned(),
                n => format!("interrupted in iteration {n}: the process that ran it is gone"),
            },
            State::Other(word) => format!("ended {after}: {word}"),
        }
    }

    /// What to type next after `windlass COMMAND`, which has just been typed.
    pub(crate) fn next_after(&self, command: &str) -> Vec<String> {
        let typed = format!("windlass {command} ");
        self.next().into_iter().filter(|next| !next.starts_with(&typed)).collect()
    }

    /// What to type next, the best first.
    pub(crate) fn next(&self) -> Vec<String> {
        self.possible(self.wanted())
    }

    /// Those of these commands that this loop has an answer to.
    pub(crate) fn possible(&self, mut commands: Vec<String>) -> Vec<String> {
        // What a merge changed is in its branch; its own worktree is gone.
        let has_diff = self.has_trees && !self.is_merge;
        commands.retain(|command| has_diff || !command.starts_with("windlass diff "));
        commands
    }

    fn wanted(&self) -> Vec<String> {
        let name = shell_words::quote(&self.name);
        let command = |words: &str| format!("windlass {words}").replacen("LOOP", &name, 1);
        let commands: &[&str] = match &self.state {
            State::Ended(Ending::Done { by: ClaimedBy::Merge, .. }) => &["show LOOP"],
            State::Ended(Ending::Done { .. } | Ending::Approved { .. }) => {
                &["show LOOP", "diff LOOP"]
            }
            State::Ended(Ending::Clean { .. }) => &["findings LOOP", "diff LOOP"],
            State::Ended(Ending::NothingToReview { .. }) => &["show LOOP"],
            State::Ended(Ending::TestsFailed { iteration: 0, .. }) => &["log LOOP"],
            State::Ended(Ending::TestsFailed { .. }) => {
                &["log LOOP", "findings LOOP", "accept LOOP"]
            }
            State::Ended(Ending::FindingsLeft { .. } | Ending::Stalled { .. }) => {
                &["findings LOOP --open", "diff LOOP"]
            }
            // Where no iteration would help, more of them are not allowed either.
            State::Ended(Ending::Escalated { limit: 0, .. }) => &["log LOOP", "diff LOOP"],
            State::Ended(Ending::Escalated { limit, .. }) => {
                let more = limit.saturating_mul(2);
                return vec![
                    command("log LOOP"),
                    command("diff LOOP"),
                    command(&format!("resume LOOP --max-iterations {more}")),
                ];
            }
            State::Ended(Ending::MaxIterations { limit, .. }) => {
                let more = limit.saturating_mul(2).max(1);
                return vec![
                    command(&format!("resume LOOP --max-iterations {more}")),
                    command("why LOOP"),
                ];
            }
            State::Ended(Ending::Rule { undecided: Some(undecided), .. }) => {
                let decide = decisions(undecided, self.is_merge);
                return decide.iter().map(|words| command(words)).collect();
            }
            State::Ended(ending @ Ending::Rule { .. }) if leaves_open(ending) => {
                &["why LOOP", "resume LOOP --reset-circuit"]
            }
            State::Ended(Ending::Rule { rule, .. }) if rule == "blocked" && !self.is_merge => {
                &["why LOOP", "resume LOOP", "accept LOOP"]
            }
            State::Ended(Ending::Rule { .. }) => &["why LOOP", "resume LOOP"],
            State::Ended(Ending::Budget { kind, limit, .. }) => {
                let more = format!("resume LOOP {} {}", kind.flag(), doubled(*kind, limit));
                return vec![command(&more), command("show LOOP")];
            }
            State::Ended(Ending::Limited { .. }) => &["resume LOOP", "log LOOP"],
            State::Ended(Ending::AgentFailed { login: Some(login), .. }) => {
                return vec![sanitise::line(login).into_owned(), command("resume LOOP")];
            }
            State::Ended(Ending::AgentFailed { .. }) => &["log LOOP", "resume LOOP"],
            State::Ended(Ending::Cancelled { .. }) => &["resume LOOP", "show LOOP"],
            State::Ended(Ending::Error { .. }) => &["why LOOP", "resume LOOP"],
            State::Running => &["log LOOP --follow", "cancel LOOP"],
            State::Interrupted => &["resume LOOP", "log LOOP"],
            State::Other(_) => &["show LOOP"],
        };
        commands.iter().map(|words| command(words)).collect()
    }
}

/// Whether a loop that worked there may have left snapshots: there are none outside a repository.
fn may_have_trees(directory: &Path) -> bool {
    let is_top = |directory: &Path| directory.join(".git").symlink_metadata().is_ok();
    !directory.is_dir() || directory.ancestors().any(is_top)
}

/// Why an agent failed, beginning with what that was.
fn failure(reason: &str, is_sign_in: bool) -> String {
    let what = if is_sign_in { "authentication failed" } else { "the agent failed" };
    let reason = sanitise::line(reason);
    if reason.starts_with(what) { reason.into_owned() } else { format!("{what}: {reason}") }
}

/// Who called a loop off.
fn who(by: CancelledBy) -> &'static str {
    match by {
        CancelledBy::Sigint => "Ctrl-C",
        CancelledBy::Sigterm => "SIGTERM",
        CancelledBy::Sighup => "SIGHUP (the terminal was closed)",
        CancelledBy::Request => "`windlass cancel`",
    }
}

fn name(name: &str) -> String {
    sanitise::line(name).into_owned()
}

#[cfg(test)]
mod tests;
