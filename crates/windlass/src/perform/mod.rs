//! Does steps for real. A step comes in as a value and its result goes out as one, so that a step
//! could as well be done by a worker somewhere else.

mod brings;
mod check;
mod check_output;
mod diff;
mod guarded;
mod head;
mod hook;
mod hook_commands;
mod left_behind;
mod listener;
mod merge;
mod path_programs;
mod patience;
mod private_git;
mod program_names;
mod remote;
mod session;
mod session_files;
mod snapshot;
mod wait;
mod write;

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

pub(crate) use brings::{AtHead, Brings};
pub(crate) use head::Arrival;
pub(crate) use hook_commands::HookCommands;
pub(crate) use left_behind::LeftBehindWatch;
pub(crate) use listener::Listener;

use self::{patience::unless_stopped, snapshot::Counted, wait::wait};

use windlass_agents::{Agent, Cast};
use windlass_core::{
    ask::Choice,
    ids::Place,
    options::{Claiming, Hooks, Pace, Span},
    outcome::Outcome,
    process::{Exit, ProcessSpec, Survivor},
    secrets::Secrets,
    step::{CheckReport, CheckStep, Fingerprints, Step, StepResult},
    stop::StopLevel,
    text::causes::with_causes,
};
use windlass_repo::tree::TreeError;
use windlass_system::{
    process::{Guardian, OutputSink, Programs, StartError, TimeLimits},
    sandbox::{Sandbox, Sandboxes},
    stop::Stop,
    surroundings::SleepInhibitor,
};

use crate::{
    ask::Asker,
    forge::Forge,
    halt::Halt,
    workplace::{Files, Text, Tree},
};

/// Whoever does a loop's steps, with all that it needs for them.
pub(crate) struct Worker {
    /// The agents, by the names that sessions ask for.
    pub cast: Cast,
    /// Where their programs are, by the names that agents have for them.
    pub programs: BTreeMap<OsString, PathBuf>,
    /// The programs that windlass itself starts.
    pub trusted: Programs,
    /// The programs that checks found in the work tree when the loop began; empty until that is
    /// known.
    pub programs_at_start: OnceLock<Fingerprints>,
    /// What is to be told of what killed processes had left there.
    pub settled: Vec<String>,
    /// Where the agent and the checks work.
    pub directory: PathBuf,
    /// The environment of agents and checks.
    pub env: BTreeMap<OsString, OsString>,
    /// What git is given beside to reach a remote: the user's keys and proxies, which no agent and
    /// no check is given.
    pub to_reach_a_remote: Vec<(String, OsString)>,
    /// The top of the work tree that the user started the loop in.
    pub users_top: PathBuf,
    /// How the loop comes to work on the head of a pull request.
    pub arrival: Arrival,
    /// Knows what the files where the agent works have agents run or obey.
    pub brings: Arc<dyn Brings>,
    /// What keeps the machine awake while the loop runs.
    pub sleep_inhibitor: Option<SleepInhibitor>,
    /// Parent of everything that runs.
    pub guardian: Guardian,
    /// The files of that place.
    pub files: Files,
    /// The work tree; `None` outside a repository.
    pub tree: Option<Tree>,
    /// What sessions leave behind in the repository.
    pub left_behind: LeftBehindWatch,
    /// What a claim is.
    pub claiming: Claiming,
    /// Whether checks can tell whether the work is done.
    pub has_checks: bool,
    /// How long one check may take.
    pub check_timeout: Span,
    /// How long things may take.
    pub pace: Pace,
    /// Programs of the user's own that run at moments of the loop.
    pub hooks: Hooks,
    /// These programs, found before the first session.
    pub hook_commands: HookCommands,
    /// Hooks of the user's own for agents that have hooks.
    pub agent_hooks: Option<String>,
    /// What signs the agent of the last session in, where its credentials were not accepted.
    pub refused: Mutex<Option<&'static str>>,
    /// Where raw output goes.
    pub output_directory: PathBuf,
    /// Whoever can be asked; `None` where nobody is there.
    pub asker: Option<Arc<dyn Asker>>,
    /// Where pull requests are; `None` where there is no way to ask.
    pub forge: Option<Arc<dyn Forge>>,
    /// Where the files for a session stand while it runs.
    pub run_directory: PathBuf,
    /// What agents and checks can reach.
    pub sandboxes: Sandboxes,
    /// What is kept out of everything that is written or posted.
    pub secrets: Arc<Secrets>,
}

impl Worker {
    /// Runs a check outside of any loop.
    pub(crate) async fn try_check(
        &self,
        place: &Place,
        step: &CheckStep,
        stop: &Stop,
    ) -> Result<CheckReport, Halt> {
        check::perform(self, place, step, stop).await
    }

    /// Takes down whether the agent's credentials were accepted in its last session.
    fn note_refusal(&self, agent: &dyn Agent, outcome: &Outcome) {
        let login = agent.sign_in().map(|sign_in| sign_in.login);
        let login = login.filter(|_| *outcome == Outcome::Auth);
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = login;
    }

    /// What signs the agent of the last session in, where its credentials were not accepted.
    pub(crate) fn login(&self) -> Option<&'static str> {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does one step.
    async fn perform(
        &self,
        place: &Place,
        step: &Step,
        stop: &Stop,
        listener: Listener<'_>,
    ) -> Result<StepResult, Halt> {
        let runs_there =
            matches!(step, Step::Session(_) | Step::Check(_) | Step::Originals(_) | Step::Hook(_));
        if runs_there && !self.files.is_there() {
            return Err(self.directory_gone());
        }
        match step {
            Step::Session(step) => {
                let report = session::perform(self, place, step, stop, listener).await?;
                Ok(StepResult::Session(Box::new(report)))
            }
            Step::Check(step) => {
                check::perform(self, place, step, stop).await.map(StepResult::Check)
            }
            Step::Snapshot { previous, start, tracked_only } => {
                let counted = if *tracked_only { Counted::Existing } else { Counted::All };
                let (previous, start) = (previous.as_deref(), start.as_deref());
                unless_killed(stop, self.snapshot(previous, start, counted, &listener)).await
            }
            Step::Restore { tree, head, existing_only } => {
                // It is large, and every step would carry it.
                Box::pin(unless_killed(stop, self.restore(tree, head.as_deref(), *existing_only)))
                    .await
            }
            Step::Dirty => unless_killed(stop, self.dirty()).await,
            Step::Read { path } => unless_killed(stop, self.read(path)).await,
            Step::Fingerprint { globs, files } => {
                unless_killed(stop, self.fingerprint(globs, files)).await
            }
            Step::Guard(step) => unless_killed(stop, self.guard(step)).await,
            Step::Guarded { guard, tree, later } => {
                unless_killed(stop, self.compare_guarded(guard, tree.as_deref(), later)).await
            }
            Step::Originals(step) => Box::pin(self.originals(place, step, stop)).await,
            Step::Programs => unless_killed(stop, self.path_programs()).await,
            Step::Base { wanted } => unless_killed(stop, self.base(wanted)).await,
            Step::Tick { path, task } => unless_killed(stop, self.tick(path, task)).await,
            Step::Keep { text } => unless_killed(stop, self.keep_review(text)).await,
            Step::Write { path, text } => unless_killed(stop, self.write(path, text)).await,
            // It only reads, and may wait long for a limit on requests to be over.
            Step::Gather { number } => tokio::select! {
                gathered = self.gather(*number) => gathered,
                () = stop.reached(StopLevel::End) => Err(Halt::Stopped),
            },
            // It only brings something here, and a server may take long.
            Step::Head(step) => tokio::select! {
                arrived = self.head(step) => arrived,
                () = stop.reached(StopLevel::End) => Err(Halt::Stopped),
            },
            Step::Post(post) => unless_killed(stop, self.post(post)).await,
            Step::Push { branch, expected } => {
                unless_killed(stop, self.push(branch, expected.as_deref())).await
            }
            Step::Ask { question, choices } => self.ask(question, choices, stop).await,
            Step::Mark => unless_killed(stop, self.mark()).await,
            Step::Diff { since, revision, limit } => {
                unless_killed(stop, self.diff(since.as_deref(), revision.as_deref(), *limit)).await
            }
            Step::Wait { until, .. } => wait(*until, listener.clock(), stop).await,
            Step::Hook(step) => hook::perform(self, step, stop).await,
            Step::Unresolved { files, marks } => {
                unless_killed(stop, self.unresolved(files, marks)).await
            }
            Step::Conclude { message, parents } => {
                unless_killed(stop, self.conclude(message, parents)).await
            }
            // A branch that is being moved is moved, whoever calls the loop off meanwhile.
            Step::Advance(step) => self.advance(step).await,
            Step::Commit { message, spare } => {
                unless_killed(stop, self.commit(message, spare)).await
            }
        }
    }

    /// Reads a text that the loop is about. One that cannot be read ends the loop, which can be
    /// taken up again where it was.
    async fn read(&self, path: &str) -> Result<StepResult, Halt> {
        if !self.files.is_there() {
            return Err(self.directory_gone());
        }
        let Text { text, in_tree } = self.files.read_text(path).await.map_err(|error| {
            let message = format!("the file `{path}` cannot be read any more: {error}");
            Halt::Failed { message, code: 4 }
        })?;
        Ok(StepResult::Read { text, in_tree })
    }

    async fn fingerprint(&self, globs: &[String], files: &[String]) -> Result<StepResult, Halt> {
        let prints = self.files.fingerprint(globs, files).await;
        let files = prints.map_err(|why| self.could_not("look at protected files", &why))?;
        Ok(StepResult::Fingerprint { files })
    }

    async fn base(&self, wanted: &[String]) -> Result<StepResult, Halt> {
        let Some(tree) = &self.tree else {
            return match wanted.last() {
                Some(name) => Err(Halt::Failed {
                    message: format!("this is no git repository, so there is no `{name}` in it"),
                    code: 2,
                }),
                None => Ok(StepResult::Base { name: None, tree: None, commit: None }),
            };
        };
        let base = tree.base(wanted).await.map_err(|error| match error {
            error if error.is_bad_input() => Halt::Failed { message: error.to_string(), code: 2 },
            error => self.tree_failed(&error),
        })?;
        Ok(StepResult::Base { name: Some(base.name), tree: base.tree, commit: base.commit })
    }

    async fn ask(
        &self,
        question: &str,
        choices: &[Choice],
        stop: &Stop,
    ) -> Result<StepResult, Halt> {
        let Some(asker) = &self.asker else { return Ok(StepResult::Answered { choice: None }) };
        tokio::select! {
            choice = asker.ask(question, choices) => Ok(StepResult::Answered { choice }),
            () = stop.reached(StopLevel::AfterIteration) => Err(Halt::Stopped),
        }
    }

    async fn dirty(&self) -> Result<StepResult, Halt> {
        let paths = match &self.tree {
            Some(tree) => {
                let snapshot = tree.snapshot().await.map_err(|error| self.tree_failed(&error))?;
                tree.dirty_paths(&snapshot).await.map_err(|error| self.tree_failed(&error))?
            }
            None => BTreeSet::new(),
        };
        Ok(StepResult::Dirty { paths: paths.into_iter().collect() })
    }

    async fn commit(&self, message: &str, spare: &[String]) -> Result<StepResult, Halt> {
        let Some(tree) = &self.tree else {
            return Ok(StepResult::Commit { commit: None, left_out: Vec::new() });
        };
        let spare = spare.iter().cloned().collect();
        let committed = tree
            .commit(&self.secrets.redact(message), &spare)
            .await
            .map_err(|error| self.tree_failed(&error))?;
        let left_out = committed.left_out.into_iter();
        let left_out = left_out.map(|path| format!("{}: {}", path.path, path.why)).collect();
        Ok(StepResult::Commit { commit: committed.id, left_out })
    }

    /// Runs a process of an agent or a check to its end, in its sandbox.
    async fn supervise(
        &self,
        sandbox: &Sandbox,
        started: Started<'_>,
        limits: TimeLimits,
        stop: &Stop,
        sink: &mut dyn OutputSink,
    ) -> Result<Exit, StartError> {
        let wrapped = sandbox.wrap(started.spec, started.files).await?;
        let (spec, leader, visit) = wrapped.into_parts();
        let exit = self.guardian.supervise_led(spec, leader, limits, stop, sink).await;
        sandbox.settle(visit).await?;
        exit
    }

    fn tree_failed(&self, error: &TreeError) -> Halt {
        if self.files.is_there() {
            self.failed("record the work tree", error)
        } else {
            self.directory_gone()
        }
    }

    fn directory_gone(&self) -> Halt {
        Halt::Failed { message: self.files.why_not_there(), code: 4 }
    }

    fn start_failed(&self, error: &StartError) -> Halt {
        match error {
            StartError::NoDirectory { .. } => self.directory_gone(),
            StartError::Survivors { .. } => Halt::Failed { message: error.to_string(), code: 8 },
            error => Halt::Failed { message: error.to_string(), code: 4 },
        }
    }

    fn could_not(&self, what: &str, why: &str) -> Halt {
        Halt::Failed { message: format!("could not {what}: {why}"), code: 4 }
    }

    fn failed(&self, what: &str, error: &dyn Error) -> Halt {
        self.could_not(what, &with_causes(error))
    }
}

/// A process that is to be started.
struct Started<'a> {
    spec: ProcessSpec,
    /// The files of windlass's own that it reads: the prompt, the hooks.
    files: &'a [&'a Path],
}

/// Processes that could not be ended make the tree unsafe to go on in.
fn survived(survivors: &[Survivor]) -> Halt {
    Halt::Failed { message: Survivor::listed(survivors), code: 8 }
}

/// Lets the work finish, unless the loop is killed, or was cancelled and the work takes too long.
async fn unless_killed<T>(
    stop: &Stop,
    work: impl Future<Output = Result<T, Halt>>,
) -> Result<T, Halt> {
    unless_stopped(stop, Duration::ZERO, work).await.unwrap_or(Err(Halt::Stopped))
}
