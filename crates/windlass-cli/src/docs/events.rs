//! Writes `docs/events.md`: every event with a sentence and an example.

use std::fmt::Write as _;

use serde_json::json;
use windlass_core::{
    claim::Why,
    ending::{ClaimedBy, Ending},
    event::{
        AgentConfigFound, AuditLogged, ClaimFate, ConfigEntry, ConfigKind, Event, EventKind,
        FindingsSeen, Fix, FixTried, IterationSummary, LeftBehind, LeftBehindFound, LeftKind,
        OptionChanged, Phase, PhaseEntered, TasksMoved,
    },
    evidence::{CheckMark, Evidence},
    findings::{Finding, Mark, Noticed, Observed, Severity, Standing},
    forge::Pull,
    ids::{LoopId, Place},
    said::Said,
    step::{SessionStep, Step},
    time::Timestamp,
};

use super::{
    holds,
    proofs::of_proofs,
    sessions::{session, start},
};

#[test]
fn the_page_on_events_shows_every_event() {
    let mut page = String::from(
        "# Events\n\nEvery fact of a loop is an event. `windlass iterate --jsonl` prints them as \
         they come, one a line, with the result object last; in the store, `SELECT * FROM \
         events` shows them. `seq` counts without gaps within a loop, from 1; 0 marks what is shown and not \
         kept. `at` is the wall clock's; `ran_ms` is how long the loop had been run by then, over all its \
         runs, by a clock that nobody sets (events of earlier versions have none, nor has what agents \
         said once it is stored). Events of a type that you do not know are to be passed over.\n\nThis page is \
         generated.\n",
    );
    let mut words = Vec::new();
    let all = examples().into_iter().chain(of_proofs()).chain(of_reviews());
    for (seq, kind) in (1..).zip(all) {
        let meaning = meaning(&kind);
        words.push(kind.word());
        let event = Event {
            seq: if kind.is_stored() { seq } else { 0 },
            at: Timestamp(1_763_237_000_123),
            ran_ms: Some(61_250),
            loop_id: LoopId::from("1a2b3c4d5e6f7a8b".to_owned()),
            kind,
        };
        let word = event.kind.word();
        let json = serde_json::to_string_pretty(&event).expect("an event is JSON");
        let _ = write!(page, "\n## `{word}`\n\n{meaning}\n\n```json\n{json}\n```\n");
    }
    words.dedup();
    assert_eq!(words.len(), 33, "an event lacks its example, or has two");
    holds("events.md", &page);
}

/// A sentence on each; the compiler asks for the next one.
fn meaning(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::LoopStarted { .. } => {
            "A loop began. `start` has what it starts with, and what it warns of."
        }
        EventKind::LoopResumed { .. } => {
            "A loop that was cut off or had ended goes on, under a new owner."
        }
        EventKind::OptionChanged(_) => {
            "An option was given another value when the loop was taken up again; a completed step stays \
             what it was. `from` or `to` is missing where there is no value."
        }
        EventKind::IterationStarted { .. } => "An iteration began.",
        EventKind::Phase(_) => {
            "An iteration with several parts came to the next of them: `started`, `developing`, \
             `reviewing`, `feedback`, `approved`, `escalated` and `failed` in `develop`; `breathe`, \
             `reflect`, `heal` and `awaken` in `heal`."
        }
        EventKind::StepStarted { .. } => {
            "A durable step is about to be done: a session, a check, a snapshot, a file to read, a fingerprint of \
             protected files, a wait, a commit. `place` is where in the loop."
        }
        EventKind::AgentSaid { .. } => {
            "The agent said or did something: `text`, `tool_use`, `tool_result`, `hook`, `usage`, \
             `limit`, `problem`, `raw` or `stderr`."
        }
        EventKind::StepFinished { .. } => "A step was done, and this is what it gave.",
        EventKind::Claimed { .. } => "The agent claims to be done.",
        EventKind::NearMiss { .. } => {
            "A tag or a status block looked like a claim and did not count; the agent is told `why` in its next \
             prompt: `code_block`, `quoted`, `negated`, `inside_a_line`, `not_the_last_line`, `echo`, \
             `other_words`, `several_lines`, `stderr`, `failed_session`, `edit_failed`, `status_says_no`, \
             `no_exit_signal` or `too_few_phrases`."
        }
        EventKind::ClaimRejected { .. } => "The claim was not accepted; the agent is told why.",
        EventKind::ClaimAccepted { .. } => {
            "The claim was accepted. `checks` passed on `tree`; 0 of them means unverified. `doubts` says what \
             is to be known about the proof, such as a program of the tree that a check may have run and \
             that is another than when the loop began."
        }
        EventKind::Baseline(_) => {
            "The checks ran before the first session: `failed`, `passed` or `not_run`, and each check with its tests."
        }
        EventKind::Guarded(_) => {
            "What is guarded: existing tests, and what decides which of them run."
        }
        EventKind::Tests(_) => {
            "A check said how many tests ran, and which failed; with how many failed before."
        }
        EventKind::Originals(_) => {
            "The checks ran on the tests as they were, because guarded files differ: `same`, `passed`, `failed`, \
             `waived` or `not_run`."
        }
        EventKind::Proof(_) => {
            "The evidence for and against the work of an iteration; the last one is `proof` in the result object."
        }
        EventKind::TasksMoved(_) => {
            "Tasks of a task file were done, opened again, added or removed. The first one, of \
             iteration 0, tells only how they stand when the loop begins."
        }
        EventKind::FindingsSeen(_) => {
            "A review was read. `noticed` has its findings, each with its number in the ledger and \
             its `standing`: `new`, `open` or `back`; `gone` has the numbers of those that are fixed."
        }
        EventKind::FixTried(_) => {
            "A fix was tried: `applied`, `skipped`, `unchanged` or `failed`. `mark` is what the ledger \
             takes from it where no later review decides."
        }
        EventKind::AuditLogged(_) => {
            "An iteration of audits came to this: how many findings, how many the fixer says to have \
             fixed, and why it skipped others. `end` is `approved` or `stalled` on the last one."
        }
        EventKind::PullRead(_) => "The pull request that the loop is about, as GitHub tells of it.",
        EventKind::IterationFinished(_) => "An iteration came to its end. Rules look at these.",
        EventKind::RuleWarned { .. } => {
            "A rule is one short of tripping: the circuit is half-open."
        }
        EventKind::RuleTripped { .. } => "A rule tripped.",
        EventKind::StopRequested { .. } => "Somebody asked the loop to stop.",
        EventKind::CircuitReset => "The circuit was closed, and the rules' counts were zeroed.",
        EventKind::RolledBack { .. } => {
            "The work tree was put back to how an iteration had left it."
        }
        EventKind::AgentConfigFound(_) => {
            "The work tree's own files have agents run or obey this: hooks, servers, commands, \
             permissions ([agents.md](agents.md)). Values of variables are not in it. After `resume`, \
             what is new."
        }
        EventKind::LeftBehind(_) => {
            "Sessions left this behind in the repository: what could run code or hide work, each with \
             what it could do ([security.md](security.md)). `undone` is what was told before and is not so \
             any more; `left_out` counts what the list does not hold."
        }
        EventKind::Noted { .. } => "Something that people should know, which changes nothing.",
        EventKind::Ticked { .. } => "Time went by while a session runs. Shown, never stored.",
        EventKind::LoopFinished { .. } => "A loop ended.",
        EventKind::Unknown => "An event of a newer windlass.",
    }
}

fn agent_config_found() -> EventKind {
    EventKind::AgentConfigFound(AgentConfigFound {
        entries: vec![ConfigEntry {
            agent: "claude".to_owned(),
            file: ".claude/settings.json".to_owned(),
            kind: ConfigKind::Hook,
            name: "PreToolUse".to_owned(),
            command: "./scripts/guard.sh".to_owned(),
        }],
        left_out: 0,
    })
}

fn left_behind() -> EventKind {
    EventKind::LeftBehind(LeftBehindFound {
        entries: vec![LeftBehind {
            what: LeftKind::Config,
            path: ".git/config".to_owned(),
            could: "`core.fsmonitor` runs `./watch.sh` at your next `git status`".to_owned(),
        }],
        undone: Vec::new(),
        left_out: 0,
    })
}

/// Those of loops in which one agent judges another's work.
fn of_reviews() -> Vec<EventKind> {
    vec![
        EventKind::FindingsSeen(FindingsSeen {
            iteration: 2,
            observed: Observed {
                noticed: vec![Noticed {
                    number: 1,
                    standing: Standing::Open,
                    finding: Finding {
                        severity: Severity::High,
                        file: Some("src/a.rs".to_owned()),
                        line: Some(12),
                        title: "The empty file is not handled".to_owned(),
                        description: "`read` panics on a file without lines.".to_owned(),
                        ..Finding::default()
                    },
                }],
                gone: vec![2],
            },
        }),
        EventKind::PullRead(Box::new(Pull {
            number: 7,
            title: "Read empty files".to_owned(),
            author: "ada".to_owned(),
            base_ref: "main".to_owned(),
            base_sha: "1b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned(),
            head_ref: "empty-files".to_owned(),
            head_sha: "9daeafb9864cf43055ae93beb0afd6c7d144bfa4".to_owned(),
            url: "https://github.com/ada/engine/pull/7".to_owned(),
            ..Pull::default()
        })),
        EventKind::AuditLogged(AuditLogged {
            iteration: 2,
            found: 4,
            applied: 3,
            skipped: vec!["it is handled by the caller".to_owned()],
            ..AuditLogged::default()
        }),
        EventKind::FixTried(FixTried {
            iteration: 2,
            number: 1,
            fix: Fix::Skipped { reason: "it is handled by the caller".to_owned() },
            mark: Some(Mark::Skipped { reason: "it is handled by the caller".to_owned() }),
        }),
    ]
}

fn rolled_back(tree: &str) -> EventKind {
    let tree = tree.to_owned();
    EventKind::RolledBack { iteration: 1, from: tree.clone(), to: tree.clone(), left: Some(tree) }
}

fn examples() -> Vec<EventKind> {
    let place = Place::new(2, "agent");
    let tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned();
    let head = Some("9daeafb9864cf43055ae93beb0afd6c7d144bfa4".to_owned());
    vec![
        EventKind::LoopStarted {
            name: "brave-otter".to_owned(),
            kind: "iterate".to_owned(),
            directory: "/home/you/project".to_owned(),
            agent: "command".to_owned(),
            max_iterations: 20,
            version: "0.1.0".to_owned(),
            start: Some(Box::new(start())),
        },
        EventKind::LoopResumed { epoch: 2, max_iterations: 40, start: None, accepting: false },
        option_changed(),
        EventKind::IterationStarted { iteration: 2 },
        EventKind::Phase(PhaseEntered {
            task: Some("Write the parser".to_owned()),
            attempt: Some(2),
            attempts_allowed: Some(5),
            text: Some("The empty file is not handled.".to_owned()),
            ..PhaseEntered::new(2, Phase::Feedback)
        }),
        EventKind::StepStarted {
            place: place.clone(),
            step: Step::Session(SessionStep {
                role: "agent".to_owned(),
                agent: "command".to_owned(),
                prompt: "Fix the failing test.".to_owned(),
                lesson: None,
                task: None,
            }),
            fingerprint: "session agent command".to_owned(),
        },
        EventKind::AgentSaid {
            place: place.clone(),
            said: Said::Text { text: "I fixed it.\n".to_owned() },
        },
        EventKind::StepFinished { place: place.clone(), result: session() },
        EventKind::Claimed { iteration: 2, by: ClaimedBy::Promise },
        EventKind::NearMiss {
            iteration: 2,
            why: Why::CodeBlock,
            text: "<promise>COMPLETE</promise>".to_owned(),
        },
        EventKind::ClaimRejected {
            iteration: 2,
            reasons: vec!["the check `cargo test` failed with exit code 101".to_owned()],
        },
        accepted(&tree),
        EventKind::TasksMoved(TasksMoved {
            iteration: 2,
            completed: vec!["Write the parser".to_owned()],
            added: vec!["Test the parser".to_owned()],
            open: 2,
            done: 3,
            completed_so_far: 2,
            left: vec!["Test the parser".to_owned(), "Write the manual".to_owned()],
            ..TasksMoved::default()
        }),
        EventKind::IterationFinished(IterationSummary {
            iteration: 2,
            tree: Some(tree.clone()),
            head,
            files_changed: 1,
            lines_changed: 12,
            files_modified: 3,
            claim: ClaimFate::Rejected,
            failure: None,
            evidence: Evidence {
                checks: vec![CheckMark {
                    command: "cargo test".to_owned(),
                    passed: false,
                    output: "5d41402abc4b2a76b9719d91".to_owned(),
                    failing: None,
                }],
                said: 41,
                ..Evidence::default()
            },
            duration_ms: 61_250,
        }),
        EventKind::RuleWarned { rule: "agent-failing".to_owned(), reason: failing(4) },
        EventKind::RuleTripped {
            rule: "agent-failing".to_owned(),
            reason: failing(5),
            undecided: None,
        },
        EventKind::StopRequested { level: "end".to_owned(), by: "request".to_owned() },
        EventKind::CircuitReset,
        rolled_back(&tree),
        agent_config_found(),
        left_behind(),
        EventKind::Noted {
            text: "not in a git repository: progress cannot be measured".to_owned(),
        },
        EventKind::Ticked { place, bytes: 4096, last_line: "Compiling …".to_owned() },
        EventKind::LoopFinished {
            ending: Ending::Done { by: ClaimedBy::Promise, unverified: false },
        },
    ]
}

fn accepted(tree: &str) -> EventKind {
    EventKind::ClaimAccepted {
        iteration: 2,
        by: ClaimedBy::Promise,
        checks: 1,
        waived: false,
        tree: Some(tree.to_owned()),
        doubts: Vec::new(),
    }
}

fn option_changed() -> EventKind {
    EventKind::OptionChanged(OptionChanged {
        option: "checks".to_owned(),
        from: Some(json!([])),
        to: Some(json!(["cargo test"])),
    })
}

fn failing(times: u32) -> String {
    format!("the agent failed {times} times in a row, last: exited with code 1")
}
