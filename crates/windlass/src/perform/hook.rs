//! Runs a program of the user's own at a moment of the loop. Nothing of it is left behind.

use std::time::Duration;

use windlass_core::{
    options::{HookFailure, Moment},
    process::ProcessSpec,
    step::{HookStep, StepResult},
    stop::StopLevel,
};
use windlass_repo::tree::Who;
use windlass_system::{
    process::{Output, StartError},
    stop::Stop,
};

use super::{Worker, hook_commands::Hook, unless_killed};
use crate::halt::Halt;

/// How much of what it prints is read.
const MOST: usize = 16 * 1024;

pub(super) async fn perform(
    worker: &Worker,
    step: &HookStep,
    stop: &Stop,
) -> Result<StepResult, Halt> {
    // At the loop's end it has been stopped already, and only a second push stops the hook too.
    let level = if step.on == Moment::LoopEnd { StopLevel::Kill } else { StopLevel::End };
    let sandbox = worker.sandboxes.lead();
    let is_inside = matches!(worker.hook_commands.get(&step.command), Ok(Hook::Inside));
    if is_inside {
        unless_killed(stop, worker.enter(sandbox, Who::Agent)).await?;
    }
    let ran = tokio::select! {
        ran = run(worker, step) => ran,
        () = stop.reached(level) => return Err(Halt::Stopped),
    };
    if is_inside {
        unless_killed(stop, worker.leave(sandbox, Who::Agent)).await?;
    }
    let Some(problem) = problem(&ran) else {
        return Ok(StepResult::Hooked { problems: Vec::new(), stops: false });
    };
    let stops = worker.hooks.failure == HookFailure::Stop && step.on != Moment::LoopEnd;
    Ok(StepResult::Hooked { problems: vec![format!("the hook `{}` {problem}", step.on)], stops })
}

/// Runs it: with the user's rights, or in the sandbox where it runs what an agent can write.
async fn run(worker: &Worker, step: &HookStep) -> Result<Output, StartError> {
    let stdin = format!("{}\n", step.input).into_bytes();
    let (directory, limit) = (worker.directory.clone(), worker.hooks.timeout.0);
    let command = match worker.hook_commands.get(&step.command)? {
        Hook::Outside(command) => command.clone(),
        Hook::Inside => {
            let (program, args) = step.command.split_first().map_or(("", &[][..]), |(p, a)| (p, a));
            let args = args.iter().map(Into::into).collect();
            let env = worker.env.clone().into_iter().collect();
            let spec = ProcessSpec { program: program.into(), args, env, directory, stdin };
            return run_inside(worker, spec, limit).await;
        }
    };
    let env = worker.trusted.environment(worker.env.clone()).into_iter().collect();
    let (program, args) = (command.program.into(), command.args);
    let spec = ProcessSpec { program, args, env, directory, stdin };
    worker.guardian.output(spec, limit, MOST).await
}

async fn run_inside(
    worker: &Worker,
    spec: ProcessSpec,
    limit: Duration,
) -> Result<Output, StartError> {
    let sandbox = worker.sandboxes.lead();
    let (spec, _, visit) = sandbox.wrap(spec, &[]).await?.into_parts();
    let ran = worker.guardian.output(spec, limit, MOST).await;
    sandbox.settle(visit).await?;
    ran
}

/// What went wrong, after the hook's name.
fn problem(ran: &Result<Output, StartError>) -> Option<String> {
    let output = match ran {
        Ok(output) => output,
        Err(error) => return Some(format!("could not be run: {error}")),
    };
    let how = match (output.timed_out, output.code) {
        (true, _) => "took too long".to_owned(),
        (false, Some(0)) => return None,
        (false, Some(code)) => format!("failed with exit code {code}"),
        (false, None) => "was ended by a signal".to_owned(),
    };
    let said = String::from_utf8_lossy(&output.stderr);
    match said.trim_end().lines().next_back().map(str::trim).filter(|line| !line.is_empty()) {
        Some(line) => Some(format!("{how}: {}", line.chars().take(300).collect::<String>())),
        None => Some(how),
    }
}
