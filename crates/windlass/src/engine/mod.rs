//! Starts loops, takes them up again, and brings them to their ending in one place.

mod accept;
mod acquire;
mod after_merge;
mod agent_hooks;
mod agent_programs;
mod agent_trust;
mod apart;
mod aside;
mod cancel;
mod changes;
mod checks;
mod confined;
mod drive;
mod earlier_fixes;
mod error;
mod found;
mod free;
mod fresh;
mod grounds;
mod home_outside;
mod interrupted;
mod left_behind;
mod locks;
mod merge;
mod named_file;
mod origin;
mod programs;
mod release;
mod remove;
mod repo_config;
mod resume;
mod settle;
mod settled;
mod setup;
mod start_report;
mod sweep;
mod task_file;
mod trees;
mod trial;
mod work;
mod worktree;

use std::{ffi::OsString, io, path::PathBuf, sync::Arc};

pub use accept::{Basis, accept, acceptable};
pub use agent_trust::AgentConfig;
pub use aside::take_down;
pub use cancel::{CancelError, Cancelled, cancel};
pub use changes::changed_options;
pub use error::LoopError;
pub use found::found_repository;
pub use free::free_snapshots;
pub use left_behind::tell_left_behind;
pub use merge::{MergePlace, MergeRequest, Planned, plan_merge};
pub use named_file::{read as read_named, replace as replace_named};
pub use origin::origin_of;
pub use programs::where_agents_write;
pub use release::release_refs;
pub use remove::{Garbage, collect_garbage, old_loops, remove};
pub use resume::ResumeOptions;
pub use settle::settle_left;
pub use settled::Settled;
use setup::Setup;
pub use sweep::{KeptWorktree, Swept, sweep_worktree, sweep_worktrees};
pub use trees::{diff, rollback};
pub use trial::Trial;
pub use work::{Work, places_of_repository, work_of};

use windlass_agents::Agent;
use windlass_core::{
    ending::CancelledBy,
    event::Event,
    result::LoopResult,
    stop::{StopLevel, StopReason},
};
use windlass_store::report::Reporter;
use windlass_system::{process::GuardianProgram, stop::Stop};

use crate::{
    ask::Asker,
    forge::Forge,
    kind::{self, Kind, develop, heal, iterate, pr, tasks},
    perform::Arrival,
};

/// A loop to be run: what to do, and the surroundings to do it in.
///
/// ```no_run
/// # async fn example() -> Result<(), windlass::LoopError> {
/// use windlass::{Loop, kind::iterate};
///
/// let result = Loop::iterate(iterate::Options::new("Fix the failing test."))
///     .command("my-agent --print")
///     .check("cargo test")
///     .run()
///     .await?;
/// assert!(result.verified);
/// # Ok(())
/// # }
/// ```
pub struct Loop {
    task: Task,
    setup: Setup,
}

enum Task {
    Start(Box<Kind>),
    Resume(ResumeOptions),
}

impl Loop {
    /// A new loop that runs the same prompt until a claim is proven.
    pub fn iterate(options: iterate::Options) -> Self {
        Self::start(Kind::Iterate(options))
    }

    /// A new loop that works a task file off, one task a session.
    pub fn tasks(options: tasks::Options) -> Self {
        Self::start(Kind::Tasks(options))
    }

    /// A new loop in which a developer works until a reviewer approves.
    pub fn develop(options: develop::Options) -> Self {
        Self::start(Kind::Develop(options))
    }

    /// A new loop that reviews, fixes and tests.
    pub fn heal(options: heal::Options) -> Self {
        Self::start(Kind::Heal(options))
    }

    /// A new loop that audits a pull request.
    pub fn pr(options: pr::Options) -> Self {
        Self::start(Kind::Pr(options))
    }

    /// A loop that brings the work of another one home, as [`plan_merge`] has decided it.
    pub fn merge(options: Box<kind::merge::Options>) -> Self {
        Self::start(Kind::Merge(options))
    }

    /// A new loop of that kind.
    pub fn start(kind: Kind) -> Self {
        Self { task: Task::Start(Box::new(kind)), setup: Setup::default() }
    }

    /// A loop that was cut off or has ended and may go on, by its name, id or a prefix of one.
    pub fn resume(options: ResumeOptions) -> Self {
        Self { task: Task::Resume(options), setup: Setup::default() }
    }

    /// Where windlass keeps its store; the user's state directory if left out.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.setup.home = Some(home.into());
        self
    }

    /// Where the agent works; the current directory if left out.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.setup.directory = Some(directory.into());
        self
    }

    /// What the loop is called; a friendly name is made up if left out.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.setup.name = Some(name.into());
        self
    }

    /// An agent of your own.
    #[must_use]
    pub fn agent(mut self, agent: impl Agent + 'static) -> Self {
        self.setup.agent = Some(Arc::new(agent));
        self
    }

    /// Any program as the agent, split like a shell would; the prompt is its last argument.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.change(|kind| kind.common_mut().agent.command = Some(command.into()));
        self
    }

    /// A command that must pass before a claim is accepted.
    #[must_use]
    pub fn check(mut self, command: impl Into<String>) -> Self {
        self.change(|kind| kind.common_mut().proof.checks.push(command.into()));
        self
    }

    /// The environment to choose from for agents and checks; this process's if left out.
    #[must_use]
    pub fn environment(mut self, host: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.setup.host_environment = Some(host.into_iter().collect());
        self
    }

    /// The program that guards the loop's processes; this one if left out, which must then have
    /// called [`crate::init()`] first in its `main`.
    #[must_use]
    pub fn guardian(mut self, program: GuardianProgram) -> Self {
        self.setup.guardian = program;
        self
    }

    /// Someone who shows the events.
    #[must_use]
    pub fn reporter(mut self, reporter: impl Reporter + 'static) -> Self {
        self.setup.reporters.push(Box::new(reporter));
        self
    }

    /// A function that gets every event after it is stored.
    #[must_use]
    pub fn on_event(self, hear: impl FnMut(&Event) + Send + 'static) -> Self {
        self.reporter(Callback(hear))
    }

    /// Whoever can be asked what to do next, where the loop may ask.
    #[must_use]
    pub fn asker(mut self, asker: impl Asker + 'static) -> Self {
        self.setup.asker = Some(Arc::new(asker));
        self
    }

    /// Lets everything act that the work tree's own files have agents run or obey, for this one call.
    /// Without it each entry needs trust, unless a sandbox keeps it from the network: that of an
    /// [`AgentConfig`], or an answer of the [`Asker`]. Else the loop is refused with
    /// [`LoopError::Untrusted`].
    #[must_use]
    pub fn trust_agent_config(mut self, is_trusted: bool) -> Self {
        self.setup.trust_agent_config = is_trusted;
        self
    }

    /// Where pull requests are, for loops that are about one.
    #[must_use]
    pub fn forge(mut self, forge: Arc<dyn Forge>) -> Self {
        self.setup.forge = Some(forge);
        self
    }

    /// A sentence that the loop's start warns of, with those that windlass has itself.
    #[must_use]
    pub fn warning(mut self, text: impl Into<String>) -> Self {
        self.setup.warnings.push(text.into());
        self
    }

    /// The knob that stops it; keep a clone to turn it.
    #[must_use]
    pub fn stop(mut self, stop: &Stop) -> Self {
        self.setup.stop = stop.clone();
        self
    }

    /// Runs the loop to its ending, whatever that is.
    ///
    /// An error means that the loop was not started or taken up, or that the store failed so that
    /// its ending could not be kept.
    pub async fn run(self) -> Result<LoopResult, LoopError> {
        let (stop, guardian) = (self.setup.stop.clone(), self.setup.guardian.clone());
        let prepared = async {
            match self.task {
                Task::Start(kind) => Box::pin(fresh::prepare(*kind, self.setup)).await,
                Task::Resume(options) => Box::pin(resume::prepare(options, self.setup)).await,
            }
        };
        // A git that hangs must not keep anybody from calling it off.
        let ready = tokio::select! {
            ready = prepared => ready?,
            () = stop.reached(StopLevel::Kill) => {
                return Err(LoopError::CalledOff { by: called_off_by(&stop) });
            }
        };
        let merge = match &ready.kind {
            Kind::Merge(options) => {
                Some((options.clone(), ready.home.clone(), ready.worker.env.clone()))
            }
            _ => None,
        };
        let apart = match &ready.worker.arrival {
            Arrival::Apart { .. } => Some((ready.home.clone(), ready.worker.directory.clone())),
            Arrival::Worktree { .. } | Arrival::None => None,
        };
        let result = Box::pin(drive::run(ready)).await;
        if let Some((home, directory)) = apart {
            apart::remove(&home, &directory);
        }
        let result = result?;
        if let Some((options, home, env)) = merge {
            // The work is where it belongs; what is left over is found by the next merge or `gc`.
            let tidy = after_merge::tidy(&guardian, &home, &env, &options, &result);
            drop(Box::pin(tidy).await);
        }
        Ok(result)
    }

    fn change(&mut self, change: impl FnOnce(&mut Kind)) {
        if let Task::Start(kind) = &mut self.task {
            change(kind);
        }
    }
}

fn called_off_by(stop: &Stop) -> CancelledBy {
    match stop.state().reason {
        Some(StopReason::Cancelled(by)) => by,
        Some(StopReason::Tripped | StopReason::Journal) | None => CancelledBy::Request,
    }
}

/// A function as a reporter.
struct Callback<F>(F);

impl<F: FnMut(&Event) + Send> Reporter for Callback<F> {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        (self.0)(event);
        Ok(())
    }
}
