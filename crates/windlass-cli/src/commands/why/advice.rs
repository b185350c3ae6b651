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
        State::Ended(Ending::Done { .. }) => "The checks passed. See what happened:",
        State::Ended(Ending::Approved { unverified: true, .. }) => {
            "The reviewer approved, and nothing proves it. Look at what was changed, and give the \
             next loop a `--check`:"
        }
        State::Ended(Ending::Approved { .. }) => {
            "The reviewer approved, and the checks passed. See what happened:"
        }
        State::Ended(Ending::Clean { .. }) => {
            "The last review found nothing more to change. See what was found and changed:"
        }
        State::Ended(Ending::NothingToReview { .. }) => {
            "No reviewer was asked, so this says nothing about the work. Say what is to be reviewed \
             (`--base`; with `heal` also `--all` or paths), or that it may be nothing \
             (`--allow-empty`):"
        }
        State::Ended(Ending::Escalated { .. }) => {
            "Developer and reviewer do not come together. Read what the reviewer still wants, and \
             decide: change it yourself, say more in the task and start another loop, or allow more \
             iterations:"
        }
        State::Ended(Ending::TestsFailed { .. }) => {
            "The fixes are in the tree, and the tests do not pass with them. Fix the tests or take fixes \
             back and start another loop, or accept the work as it is:"
        }
        State::Ended(Ending::Stalled { .. }) => {
            "Auditors and fixer do not come together. Look at what is left: fix it yourself, or work \
             the list off with `windlass tasks`:"
        }
        State::Ended(Ending::FindingsLeft { .. }) => {
            "Look at what is left; with `--loop` it goes on until nothing is found:"
        }
        State::Ended(Ending::MaxIterations { .. }) => {
            commands.push(last);
            "If the last iterations got somewhere, allow more of them; otherwise change the prompt \
             or the checks first:"
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
            "What was done so far is kept. See what it cost and what it brought; if it is worth \
             it, go on with a higher limit:"
        }
        State::Ended(Ending::Limited { .. }) => {
            commands = vec![format!("windlass resume {name}")];
            "Nothing is lost. Go on when the limit has reset, or let windlass wait for it \
             (`--on-limit wait`):"
        }
        State::Ended(Ending::AgentFailed { login: Some(_), .. }) => {
            "The provider did not accept the agent's credentials. Sign in, then resume:"
        }
        State::Ended(Ending::AgentFailed { .. }) => {
            commands = vec![last, "windlass doctor".to_owned(), format!("windlass resume {name}")];
            "Find out why the agent fails: what it said last, and whether it is installed and \
             signed in. Then go on where it stopped:"
        }
        State::Ended(Ending::Cancelled { .. }) => "It can go on where it stopped:",
        State::Ended(Ending::Error { .. }) => {
            commands = vec!["windlass doctor".to_owned(), format!("windlass resume {name}")];
            "Put right what windlass could not do, then go on where it stopped:"
        }
        State::Running => "It is at work. Watch it, or call it off:",
        State::Interrupted => {
            "Nothing that was finished is lost: at most the step that was under way runs again. \
             Go on where it stopped:"
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
            "Nothing fails but tests that failed before the loop. Accept the work, or resume and let \
             these tests go on failing:"
        }
    }
}

/// What to do about a rule that tripped.
fn about(rule: &str) -> &'static str {
    match rule {
        "blocked" => {
            "The agent cannot go on without you. Give it what it needs and resume, or accept the work as \
             it is:"
        }
        "permission" => {
            "The agent may not use the tools that it wants. Allow them in its own settings (or with \
             `--skip-permissions`, where nothing can be harmed), then close the circuit and go on:"
        }
        "safety-completion" => {
            "The agent says it is done, but the checks still fail. Read their output, fix the check or the \
             prompt and resume, or accept the work as it is:"
        }
        "test-only" => {
            "The agent tests and does not build. See what it waits for, say in the prompt what is to \
             be built, then close the circuit and go on:"
        }
        "missing-status" => {
            "The agent does not leave the status block that `--protocol status` asks for. See what it \
             says instead; an agent that will not learn it works with the promise, in a new loop. Or \
             close the circuit and go on:"
        }
        _ => {
            "More of the same would not have helped. See what it was stuck on, put that right by \
             hand or in the prompt, then close the circuit and go on:"
        }
    }
}
