//! Containers of Docker and Podman as sandboxes, through the engine's API: one container for each
//! sandbox of a loop, in which every session is one more process.
//!
//! `plan` turns the policy into a container, and `making` creates, attaches to and starts it; its first
//! process is `keep.sh`, and the `lifeline` to it is held as long as the loop lives. A process that is
//! to run inside is wrapped into `enter`, a process of windlass that stands for it outside.
//!
//! When windlass dies, nobody holds the lifeline any more: the first process ends, with it the
//! container, and the engine removes it. What is left all the same is found by its label.

mod calls;
mod engine;
mod enter;
mod home;
mod left_over;
mod lifeline;
mod making;
mod plan;
mod settling;
mod visits;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::{Gid, Uid, chown};
use tokio::sync::Mutex;
use windlass_core::{
    options::{SandboxName, SandboxOptions},
    process::ProcessSpec,
};

pub(crate) use self::enter::play;
pub use self::left_over::remove_left_over;
use self::{
    engine::{Engine, words},
    enter::Orders,
    left_over::{Note, SHARED},
    lifeline::Lifeline,
    plan::Plan,
    visits::Visits,
};
pub(super) use self::{plan::Whose, visits::Visit};

use super::{
    ENTER, SandboxError, credentials::Credentials, loader, machine::Missing, notes::Notes,
    policy::Policy, wrap::LEFT_OUT,
};
use crate::{home::create_private, process::StartError};

/// A container as a sandbox.
#[derive(Debug)]
pub struct Container {
    engine: Engine,
    plan: Plan,
    windlass: PathBuf,
    run_directory: PathBuf,
    /// Held while the container is tidied up, and while a session comes in.
    state: Mutex<State>,
    visits: Visits,
    credentials: Credentials,
    notes: Notes,
}

#[derive(Debug)]
struct State {
    lifeline: Option<Lifeline>,
    /// How many processes the memory limit has ended so far.
    killed: u64,
}

/// What a container is wanted for.
pub(super) struct Wanted<'a> {
    pub(super) name: SandboxName,
    pub(super) whose: Whose<'a>,
    pub(super) options: &'a SandboxOptions,
    pub(super) policy: Policy,
    pub(super) windlass: PathBuf,
    pub(super) run_directory: &'a Path,
    /// Where the agent works.
    pub(super) directory: &'a Path,
    pub(super) host: &'a BTreeMap<OsString, OsString>,
    /// The agent, and what it runs, which must be in the image.
    pub(super) agent: &'a str,
    pub(super) program: Option<OsString>,
    pub(super) credentials: Credentials,
    pub(super) notes: Notes,
}

impl Container {
    /// Makes it, and removes what an earlier process of the same loop left.
    pub(super) async fn open(wanted: Wanted<'_>) -> Result<Self, SandboxError> {
        let Wanted { name, whose, options, policy, run_directory, .. } = wanted;
        if options.image.as_ref().is_none_or(|image| image.trim().is_empty()) {
            return Err(SandboxError::NoImage { name });
        }
        let engine =
            Engine::find(name, wanted.host).await.map_err(|missing| unavailable(name, missing))?;
        let shared = run_directory.join(format!("{SHARED}{}", whose.at));
        let failed = |what| move |source| SandboxError::Io { what, source };
        create_private(run_directory).map_err(failed("make a directory"))?;
        create_private(&shared).map_err(failed("make a directory"))?;
        let plan = Plan::new(&engine, whose, options, policy, shared, wanted.directory).await?;
        give_away(&plan.shared, wanted.directory);
        // Before anything is made: whoever comes after a crash knows where to look.
        let note = Note { engine: name, socket: engine.socket.clone() };
        note.write(run_directory).map_err(failed("write down where the container is"))?;
        let made = Self {
            engine,
            plan,
            windlass: wanted.windlass,
            run_directory: run_directory.to_owned(),
            state: Mutex::new(State { lifeline: None, killed: 0 }),
            visits: Visits::default(),
            credentials: wanted.credentials,
            notes: wanted.notes,
        };
        let begun = made.begin(whose).await;
        let begun = match begun {
            Ok(()) => {
                made.has_program(wanted.agent, wanted.program.as_deref(), wanted.directory).await
            }
            Err(error) => Err(error),
        };
        match begun {
            Ok(()) => Ok(made),
            Err(error) => {
                made.take_back().await;
                Err(error)
            }
        }
    }

    async fn begin(&self, whose: Whose<'_>) -> Result<(), SandboxError> {
        let Self { engine, plan, .. } = self;
        left_over::remove_earlier(engine, whose.loop_id, &plan.name)
            .await
            .map_err(|error| engine.failed("what an earlier run left cannot be removed", &error))?;
        self.state.lock().await.lifeline = Some(engine.make(plan).await?);
        Ok(())
    }

    /// Leaves nothing of one that was made in vain. One of that name that is another's stays.
    async fn take_back(&self) {
        let was_made = self.state.lock().await.lifeline.is_some();
        if was_made {
            drop(self.close().await);
        } else {
            self.forget();
        }
    }

    /// Takes away what stands in the loop's directory for it.
    fn forget(&self) {
        // What stays is removed when the loop is.
        drop(fs::remove_dir_all(&self.plan.shared));
        Note::forget(&self.run_directory);
    }

    async fn has_program(
        &self,
        agent: &str,
        program: Option<&OsStr>,
        directory: &Path,
    ) -> Result<(), SandboxError> {
        let Some(program) = program else { return Ok(()) };
        let program = program.to_string_lossy();
        let look = ["sh", "-c", "command -v \"$1\"", "look", &program];
        let found = self.engine.code(&self.plan, &directory.to_string_lossy(), &look).await;
        let found = found
            .map_err(|error| self.engine.failed("nothing can be run in the container", &error))?;
        if found == 0 {
            return Ok(());
        }
        let image = &self.plan.image;
        Err(SandboxError::Unavailable {
            name: self.engine.name,
            why: format!(
                "`{program}`, which the agent `{agent}` runs, is not in the image `{image}`"
            ),
            hint: "take an image that has it, or add it to this one".to_owned(),
        })
    }

    /// A process that stands for the one in the container, and the visit that it is there.
    pub(super) async fn wrap(
        &self,
        spec: ProcessSpec,
        files: &[&Path],
    ) -> Result<(ProcessSpec, Visit), StartError> {
        // What tidies up just now would end it.
        let tidying = self.state.lock().await;
        let visit = self.visits.enter();
        drop(tidying);
        files.iter().for_each(|file| give_away(file, &spec.directory));
        let mut env = spec.env;
        let variables = loader::take(&mut env);
        let orders = Orders {
            socket: self.engine.socket.clone(),
            version: self.engine.version(),
            container: self.plan.name.clone(),
            user: self.plan.user.clone(),
            directory: spec.directory.clone(),
            mark: visit.mark().to_owned(),
            variables,
            set_up: home::set_up(&self.plan.policy),
        };
        let orders = serde_json::to_string(&orders).map_err(|error| StartError::Other {
            program: spec.program.to_string_lossy().into_owned(),
            why: format!("the container cannot be told of it: {error}"),
        })?;
        let mut args: Vec<OsString> = vec![ENTER.into(), orders.into(), spec.program];
        args.extend(spec.args);
        // The programs are those of the image.
        env.retain(|(name, _)| name != "PATH" && !LEFT_OUT.iter().any(|left_out| name == left_out));
        home::move_in(&mut env, &self.plan.policy, visit.mark());
        let program = self.windlass.clone().into();
        Ok((ProcessSpec { program, args, env, ..spec }, visit))
    }

    /// Removes it; gives what people should know where that fails.
    pub(super) async fn close(&self) -> Option<String> {
        self.state.lock().await.lifeline = None;
        match self.engine.remove(&self.plan.name).await {
            Ok(()) => {
                self.forget();
                None
            }
            Err(error) => Some(format!(
                "the container `{}` could not be removed: {}; `windlass gc` tries again",
                self.plan.name,
                words(&error)
            )),
        }
    }

    /// Where files of windlass's own stand that are read inside.
    pub(super) fn files_directory(&self) -> &Path {
        &self.plan.shared
    }

    pub(super) fn is_root_inside(&self) -> bool {
        self.plan.is_root_inside()
    }

    pub(super) fn policy(&self) -> &Policy {
        &self.plan.policy
    }

    /// The copies of the agent's credentials.
    pub(super) fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    pub(super) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// What people are told of it.
    pub(super) fn told(&self) -> String {
        let root = match self.plan.is_root_inside() {
            true => ", as root without any of its rights",
            false => "",
        };
        format!("{} container of `{}`{root}", self.engine.name, self.plan.image)
    }
}

/// Whether an engine answers here, and in which version it speaks.
pub(super) async fn look(
    name: SandboxName,
    host: &BTreeMap<OsString, OsString>,
) -> Result<String, Missing> {
    let engine = Engine::find(name, host).await?;
    let version = engine.api.version().await.ok().and_then(|version| version.version);
    Ok(format!("{name} {}", version.unwrap_or_default()).trim_end().to_owned())
}

fn unavailable(name: SandboxName, missing: Missing) -> SandboxError {
    SandboxError::Unavailable { name, why: missing.why, hint: missing.hint.to_owned() }
}

/// Gives a path to whoever owns the work tree, where root works for another.
fn give_away(path: &Path, work_tree: &Path) {
    let Ok(owner) = fs::metadata(work_tree) else { return };
    if crate::process::is_root() && owner.uid() != 0 {
        let (user, group) = (Uid::from_raw(owner.uid()), Gid::from_raw(owner.gid()));
        // One who cannot read it says so.
        let _ = chown(path, Some(user), Some(group));
    }
}
