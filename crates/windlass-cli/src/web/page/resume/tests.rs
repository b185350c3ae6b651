//! The dialog does what the command that is suggested does.

use insta::assert_snapshot;
use windlass_core::ending::CancelledBy;

use super::*;
use crate::commands::samples;

fn ended(ending: Ending) -> LoopRecord {
    LoopRecord { ending: Some(ending), verified: false, ..samples::done() }
}

fn rule(undecided: Option<Undecided>) -> Ending {
    let reason = "no progress".to_owned();
    Ending::Rule { rule: "stagnation".to_owned(), reason, undecided }
}

fn originals(files: &[&str]) -> Ending {
    let files = files.iter().map(|file| (*file).to_owned()).collect();
    rule(Some(Undecided::Originals { files }))
}

fn budget(kind: BudgetKind, limit: &str) -> Ending {
    Ending::Budget { kind, reason: "spent".to_owned(), limit: limit.to_owned() }
}

/// The flags of the dialog as it is opened, as they would be typed.
fn flags(record: &LoopRecord, standing: &Standing) -> String {
    let flag = |offer: &Offer| match offer {
        Offer::Iterations { value, .. } if *value == record.max_iterations => String::new(),
        Offer::Iterations { value, .. } => format!(" --max-iterations {value}"),
        Offer::Budget { kind, value } => format!(" {} {value}", kind.flag()),
        Offer::Reset => " --reset-circuit".to_owned(),
        Offer::Unguard(globs) if globs.is_empty() => " --test-policy free".to_owned(),
        Offer::Unguard(globs) => {
            let quoted = globs.iter().map(|glob| shell_words::quote(glob));
            quoted.map(|glob| format!(" --unguard {glob}")).collect()
        }
        Offer::KnownFailures => " --known-failures allow".to_owned(),
        Offer::Wait => String::new(),
    };
    offers(record, standing).iter().map(flag).collect()
}

#[test]
fn the_dialog_does_what_the_suggested_command_does() {
    let mut tried = 0;
    for (ending, circuit) in [
        (Ending::MaxIterations { limit: 20, left: None }, "closed"),
        (Ending::MaxIterations { limit: 0, left: None }, "closed"),
        (Ending::Escalated { limit: 5, tasks: Vec::new(), feedback: String::new() }, "closed"),
        (rule(None), "open"),
        (originals(&["tests/a.sh"]), "closed"),
        (originals(&["tests/a.sh", "tests/b.sh"]), "closed"),
        (originals(&[]), "closed"),
        (rule(Some(Undecided::KnownFailures)), "closed"),
        (budget(BudgetKind::Cost, "2"), "closed"),
        (budget(BudgetKind::Tokens, "5000"), "closed"),
        (budget(BudgetKind::Duration, "8h"), "closed"),
        (Ending::Limited { agent: "claude".to_owned(), until: None }, "closed"),
        (Ending::agent_failed("exit code 7".to_owned()), "closed"),
        (Ending::Cancelled { by: CancelledBy::Request }, "closed"),
        (Ending::Error { message: "no room".to_owned(), code: 6 }, "closed"),
    ] {
        let record = LoopRecord { circuit: circuit.to_owned(), ..ended(ending) };
        let standing = samples::standing(&record, false);
        assert!(can_continue(&standing), "{record:?}");
        let typed = format!("windlass resume brave-otter{}", flags(&record, &standing));
        assert!(standing.next().contains(&typed), "`{typed}` or {:?}", standing.next());
        tried += 1;
    }
    assert_eq!(tried, 15);
    let interrupted = samples::standing(&samples::running(), false);
    assert_eq!(flags(&samples::running(), &interrupted), "");
    assert!(can_continue(&interrupted));
}

#[test]
fn what_is_over_or_runs_does_not_continue() {
    for (record, alive) in [(samples::done(), false), (samples::running(), true)] {
        assert!(!can_continue(&samples::standing(&record, alive)));
    }
    let no_task = Ending::Escalated { limit: 0, tasks: Vec::new(), feedback: String::new() };
    assert!(!can_continue(&samples::standing(&ended(no_task), false)));
}

#[test]
fn a_budget_has_a_field_and_agents_a_choice() {
    let record = ended(budget(BudgetKind::Cost, "2"));
    let standing = samples::standing(&record, false);
    let form = form(&record, &standing, &["codex".to_owned(), "<b>".to_owned()]);
    assert_snapshot!(form.into_string().replace("><", ">\n<"), @r#"
    <form data-post="/api/v1/loops/1a2b3c4d5e6f7a8b/resume">
    <h2 id="continue-title">Continue brave-otter?</h2>
    <p>It goes on where it stopped. At most the step that was running is repeated.</p>
    <p class="field">
    <label for="continue-budget">Budget (USD)</label>
    <input id="continue-budget" name="max-cost" type="number" min="0" step="any" required value="4" data-was="">
    </p>
    <p class="field">
    <label for="continue-iterations">Max iterations</label>
    <input id="continue-iterations" name="max-iterations" type="number" required max="100000" min="2" value="20" data-was="20">
    </p>
    <p class="field">
    <label for="continue-agent">Agent</label>
    <select id="continue-agent" name="agent" data-was="">
    <option value="">command (as before)</option>
    <option value="codex">codex</option>
    <option value="&lt;b&gt;">&lt;b&gt;</option>
    </select>
    </p>
    <details>
    <summary>Change the prompt</summary>
    <textarea name="prompt" rows="6" required aria-label="Prompt">Make the tests pass</textarea>
    </details>
    <details>
    <summary>At a terminal</summary>
    <span class="copyable">
    <code>windlass resume brave-otter --max-cost 4</code>
    <button class="quiet" type="button" data-copy="windlass resume brave-otter --max-cost 4" aria-label="Copy windlass resume brave-otter --max-cost 4">Copy</button>
    </span>
    </details>
    <div class="trouble" id="continue-trouble" role="alert" hidden>
    </div>
    <div class="buttons">
    <button id="continue-no" type="button">Not now</button>
    <button class="primary" id="continue-yes" type="submit">Continue</button>
    </div>
    </form>
    "#);
}

#[test]
fn a_rule_is_reset_and_what_the_kind_does_not_have_is_not_offered() {
    let record = LoopRecord { kind: "newer".to_owned(), ..samples::tripped() };
    let agents = ["codex".to_owned()];
    let shown = form(&record, &samples::standing(&record, false), &agents).into_string();
    assert!(shown.contains(r#"name="reset-circuit" data-value="true""#), "{shown}");
    assert!(!shown.contains("max-iterations") && !shown.contains("<select"), "{shown}");
}
