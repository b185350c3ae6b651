//! Looks for a project's checks and runs them once, as a loop would and in its sandbox. There is no
//! agent, and no loop in the store.

use windlass_core::{
    ids::{LoopId, Place},
    options::{FoundCheck, SandboxName},
    step::{CheckReport, CheckStep},
};

use super::{
    Loop, LoopError, Task, checks,
    grounds::Grounds,
    home_outside,
    setup::{Setup, lock_tree, validate},
};
use crate::{halt::Halt, kind::Kind, perform::Worker};

/// What the checks of a loop are, and what they said.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// What confined the checks.
    pub sandbox: Option<SandboxName>,
    /// The checks that windlass found; empty where the options have some.
    pub found: Vec<FoundCheck>,
    /// What is told of them when a loop begins.
    pub notes: Vec<String>,
    /// What each check said, in order; empty where they were only looked for.
    pub reports: Vec<CheckReport>,
    /// Why not all of them ran, where that is so.
    pub problem: Option<String>,
    /// Whether it was stopped.
    pub is_stopped: bool,
}

impl Loop {
    /// Looks for the checks that this loop would have. Nothing of the project runs.
    pub async fn find_checks(self) -> Result<Trial, LoopError> {
        self.trial(false).await
    }

    /// Looks for the checks that this loop would have, and runs each once.
    pub async fn try_checks(self) -> Result<Trial, LoopError> {
        self.trial(true).await
    }

    async fn trial(self, runs: bool) -> Result<Trial, LoopError> {
        match self.task {
            Task::Start(kind) => Box::pin(trial(*kind, self.setup, runs)).await,
            Task::Resume(_) => Ok(Trial::default()),
        }
    }
}

async fn trial(mut kind: Kind, setup: Setup, runs: bool) -> Result<Trial, LoopError> {
    let (home, directory) = (setup.home()?, setup.directory()?);
    home_outside::check(&home, &directory)?;
    let env = setup.environment(&kind);
    let cast = setup.cast(&mut kind, &directory, &env)?;
    validate(&kind, &cast)?;
    let mut grounds =
        Grounds { home, directory, worktree: None, left_in_place: None, kind, cast, env };
    let id = LoopId::of_number(fastrand::u64(..));
    let lock = lock_tree(&grounds.home, grounds.workplace(), &id, "trial")?;
    let worker = grounds.hire(&setup, &id, std::slice::from_ref(&lock)).await?;
    let tried = async {
        if let Some(tree) = &worker.tree {
            tree.begin_loop().await?;
        }
        let told = checks::settle(&mut grounds.kind, &worker).await?;
        let proof = &grounds.kind.common().proof;
        let mut trial = Trial {
            sandbox: Some(worker.sandboxes.name()),
            found: proof.found.clone(),
            notes: told.notes,
            ..Trial::default()
        };
        if runs {
            run(&grounds.kind, &worker, &setup, &mut trial).await;
        }
        Ok(trial)
    };
    let tried = tried.await;
    // What cannot be taken down now is found by `gc`.
    drop(worker.sandboxes.close().await);
    drop(worker.guardian.end_all(worker.pace.grace.0).await);
    worker.guardian.close().await;
    tried
}

async fn run(kind: &Kind, worker: &Worker, setup: &Setup, trial: &mut Trial) {
    let proof = &kind.common().proof;
    for (number, check) in (1..).zip(&proof.commands()) {
        let place = Place::new(0, format_args!("trial/{number}"));
        let step = CheckStep { is_baseline: true, ..CheckStep::new(check, None) };
        match worker.try_check(&place, &step, &setup.stop).await {
            Ok(report) => trial.reports.push(report),
            Err(Halt::Stopped) => {
                trial.is_stopped = true;
                return;
            }
            Err(halt) => {
                trial.problem = Some(match halt {
                    Halt::Failed { message, .. } => message,
                    Halt::Journal | Halt::Ended(_) | Halt::Stopped => {
                        format!("`{}` did not run", check.command)
                    }
                });
                return;
            }
        }
    }
}
