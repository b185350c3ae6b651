//! Prepares a new worktree, once, before the checks first run in it.

use windlass_core::{
    ids::Place,
    options::{CheckCommand, Proof},
    step::CheckStep,
};

use crate::{halt::Halt, run::Run};

/// How many of the last lines of a failed preparation are told.
const LINES: usize = 10;

/// Runs `worktree_setup`, where the loop works in a worktree that was made for it.
pub(super) async fn prepare_worktree(run: &Run<'_>, proof: &Proof) -> Result<(), Halt> {
    let place = Place::new(0, "worktree_setup");
    let Some(command) = proof.worktree_setup.as_deref() else { return Ok(()) };
    if !run.belongs(&place, run.is_in_worktree()) {
        return Ok(());
    }
    let step = CheckStep::new(&CheckCommand::given(command), None);
    let report = run.check(place, step).await?;
    // Tests that it may run are not what it is for.
    if report.exit_code == Some(0) && !report.timed_out {
        return Ok(());
    }
    let lines: Vec<&str> = report.tail.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
    let told = if last.is_empty() { "it printed nothing".to_owned() } else { last };
    let message = format!(
        "the worktree could not be prepared: `worktree_setup` (`{command}`) ended with {}:\n{told}",
        report.how()
    );
    Err(Halt::Failed { message, code: 4 })
}
