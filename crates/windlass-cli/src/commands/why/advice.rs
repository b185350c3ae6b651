//! What to do about a loop, by how it stands.

use serde::Serialize;
use windlass_core::ending::{ClaimedBy, Ending, Undecided};
use windlass_store::store::LoopRecord;

use crate::report::ending::{Standing, State};

/// A sentence or two, and the commands that go with it.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Advice {
    /// What to do.
    pub(crate) words: &'static str,
    /// What to type, the best first.
    pub(crate) commands: Vec<String>,
}

/// What to do about the loop.
pub(crate) fn advice(standing: &Standing, record: &LoopRecord) -> Advice {
    let mut commands = standing.next_after("why");
    let name = shell_words::quote(&standing.name).into_owned();
    let last = format!("windlass log {name} --iteration {}", record.iteration);
    let words = match &standing.state {
        State::Ended(Ending::Done { by: ClaimedBy::User, .. }) => {
            "You accepted the work; the checks did not prove it. See what happened:"
        }
        State::Ended(Ending::Done { unverified: true, .. }) => {
            "Only the agent says that it is done. Look at what it changed, and give the next loop \
             a `--check`, so that windlass can prove it:"
        }
        State::Ended(Ending::Done { .. }) => "The checks passed. What to do with the work:",
        State::Ended(Ending::Approved { unverified: true, .. }) => {
            "The reviewer approved, and nothing proves it. Look at what was changed, and give the \
             next loop a `--check`:"
        }
        State::Ended(Ending::Approved { .. }) => {
            "The reviewer approved, and the checks passed. What to do with the work:"
        }
        State::Ended(Ending::Clean { .. }) => {
            "The last review found nothing more to change. See what was found and changed:"
        }
        State::Ended(Ending::NothingToReview { .. }) => {
            "There was nothing to review, so this says nothing about the work. Choose what to review \
             (`--base`; with `heal` also `--all` or paths), or allow that there is nothing \
             (`--allow-empty`):"
        }
        State::Ended(Ending::Escalated { .. }) => {
            "Developer and reviewer do not agree. Read what the reviewer still wants, then change it \
             yourself, start another loop with a clearer task, or allow more iterations:"
        }
        State::Ended(Ending::TestsFailed { iteration: 0, .. }) => {
            let of = record.options["of_name"].as_str().filter(|of| !of.is_empty());
            commands.extend(of.map(|of| format!("windlass merge {}", shell_words::quote(of))));
            "Nothing was merged. Read what fails, fix it on the loop's branch or on the one that it \
             goes to, and merge again:"
        }
        State::Ended(Ending::TestsFailed { .. }) => {
            "The fixes are applied, but the tests fail with them. Fix the tests or revert some fixes and \
             start another loop, or accept the work as it is:"
        }
        State::Ended(Ending::Stalled { .. }) => {
            "Auditors and fixer do not agree. Look at what is left, and fix it yourself:"
        }
        State::Ended(Ending::FindingsLeft { .. }) => {
            "Look at what is left; with `--loop` it repeats until nothing is found:"
        }
        State::Ended(Ending::MaxIterations { .. }) => {
            commands.push(last);
            "If the last iterations made progress, allow more; otherwise change the prompt or the \
             checks first:"
        }
        State::Ended(Ending::Rule { undecided: Some(undecided), .. }) => about_decision(undecided),
        State::Ended(Ending::Rule { rule, .. }) => {
            let next = standing.next().into_iter();
            let resume = next.filter(|command| command.starts_with("windlass resume "));
            commands = vec![last, format!("windlass diff {name}")];
            commands.extend(resume);
            // A claim was rejected, or what is missing was reported.
            if ["blocked", "safety-completion"].contains(&rule.as_str()) && !standing.is_merge {
                commands.push(format!("windlass accept {name}"));
            }
            about(rule)
        }
        State::Ended(Ending::Budget { .. }) => {
            commands = vec![format!("windlass show {name}"), standing.next().remove(0)];
            "The work so far is kept. See what it cost and what it achieved; to continue, resume with \
             a higher limit:"
        }
        State::Ended(Ending::Limited { .. }) => {
            commands = vec![format!("windlass resume {name}")];
            "Nothing is lost, and the iteration does not count. Resume when the limit has reset, or let \
             windlass wait for it (`--on-limit wait`):"
        }
        State::Ended(Ending::AgentFailed { login: Some(_), .. }) => {
            "The provider did not accept the agent's credentials. Sign in, then resume:"
        }
        State::Ended(Ending::AgentFailed { .. }) => {
            commands = vec![last, "windlass doctor".to_owned(), format!("windlass resume {name}")];
            "Find out why the agent fails: read its last output, and check that it is installed and \
             signed in. Then resume:"
        }
        State::Ended(Ending::Cancelled { .. }) => "It can be resumed where it stopped:",
        State::Ended(Ending::Error { .. }) => {
            commands = vec!["windlass doctor".to_owned(), format!("windlass resume {name}")];
            "Fix what windlass could not do, then resume:"
        }
        State::Running => "Still running. Follow or cancel it:",
        State::Interrupted => {
            "No finished step is lost: at most the step that was running is repeated. Resume it:"
        }
        State::Other(_) => "A newer windlass knows more about it. See what happened:",
    };
    Advice { words, commands: standing.possible(commands) }
}

/// What to do where a rule left it to the user.
fn about_decision(undecided: &Undecided) -> &'static str {
    match undecided {
        Undecided::Originals { .. } => {
            "The work passes its checks, but existing tests that the agent changed no longer pass as \
             they were. Look at the changes. If the task required them, accept the work; or let the \
             agent change these tests and resume:"
        }
        Undecided::KnownFailures => {
            "Only tests that failed before the loop still fail. Accept the work, or resume and let these \
             tests fail:"
        }
    }
}

/// What to do about a rule that tripped.
fn about(rule: &str) -> &'static str {
    match rule {
        "blocked" => {
            "The agent cannot continue without you. Give it what it needs and resume, or accept the work \
             as it is:"
        }
        "permission" => {
            "The agent was denied tools. Allow them in its settings (or with `--skip-permissions`, where \
             nothing can break), then resume:"
        }
        "safety-completion" => {
            "The agent says it is done, but the checks still fail. Read their output, fix the check or the \
             prompt and resume, or accept the work as it is:"
        }
        "test-only" => {
            "The agent only tests and changes nothing. See what it is waiting for, say in the prompt what \
             to build, then resume:"
        }
        "missing-status" => {
            "The agent does not print the status block that `--protocol status` requires. See what it \
             prints instead; start a new loop without `--protocol status`, or resume:"
        }
        _ => "The agent was stuck. See on what, fix that by hand or in the prompt, then resume:",
    }
}
