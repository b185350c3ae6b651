//! What to type next about a loop, and the way back: every screen gets it here. Where a loop ended well,
//! that is the way to a pull request first, for which the repository is read as it is now.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::time::timeout;
use windlass::{Work, system::GuardianProgram, work_of};
use windlass_core::{ending::Ending, secrets::Secrets, text::sanitise};
use windlass_store::store::{LoopRecord, Store};

use super::{
    pull_request::{Tools, has_work, pull_request},
    undo::undo,
};
use crate::{
    commands::block_on,
    host::{app::App, program},
    present::Next,
    report::ending::Standing,
};

/// How long a repository may take to answer before a screen does without it.
const PATIENCE: Duration = Duration::from_secs(3);

/// Who knows what to type next.
pub(crate) struct Guide<'a> {
    app: &'a App,
    secrets: Secrets,
    has_gh: bool,
    /// Where the user stands, who may have named another directory.
    stands: PathBuf,
}

impl<'a> Guide<'a> {
    /// One for the user who typed the command.
    pub(crate) fn new(app: &'a App) -> Self {
        let secrets = Secrets::of_environment(app.environment.all().clone());
        let gh = program::find(app, program::trusted(app), "gh");
        let has_gh = gh.is_some_and(|gh| !gh.is_an_agents);
        let stands = Path::new(".").canonicalize().unwrap_or_default();
        Self { app, secrets, has_gh, stands }
    }

    /// What to type next: the way to a pull request where the loop ended well, then `commands`. Of other
    /// loops the repository is not read, as that takes a moment.
    pub(crate) fn next(
        &self,
        store: &Store,
        record: &LoopRecord,
        standing: &Standing,
        commands: Vec<String>,
    ) -> Next {
        let work = ended_well(record).then(|| self.work(store, record)).flatten();
        match &work {
            Some(work) => self.with(record, standing, Some(work), commands),
            None => Next { place: place(record), ..Next::of(commands) },
        }
    }

    /// The same, where it is known what the loop left in the repository.
    pub(super) fn with(
        &self,
        record: &LoopRecord,
        standing: &Standing,
        work: Option<&Work>,
        commands: Vec<String>,
    ) -> Next {
        let tools = Tools { has_gh: self.has_gh, here: &self.stands };
        let task = record.task.as_deref().map(|task| self.clean(task));
        let done = work.filter(|_| ended_well(record) && record.kind != "merge");
        let on = done.and_then(|work| pull_request(record, work, task.as_deref(), tools));
        let merge = done.and_then(|work| merge(record, standing, work));
        Next {
            place: place(record),
            commands: on.into_iter().chain(merge).chain(commands).collect(),
            undo: work.and_then(|work| undo(record, standing, work)),
        }
    }

    /// What the loop left in the repository. Where that cannot be read, the rest is told all the same.
    pub(super) fn work(&self, store: &Store, record: &LoopRecord) -> Option<Work> {
        let (host, home) = (self.app.environment.all().clone(), &self.app.home);
        let program = GuardianProgram::ThisProgram;
        let work = async { timeout(PATIENCE, work_of(&program, home, host, store, record)).await };
        block_on(work).ok()?.ok()?.ok().flatten()
    }

    /// A line that may be shown.
    pub(super) fn clean(&self, line: &str) -> String {
        self.secrets.redact(&sanitise::line(line.trim())).into_owned()
    }

    /// The secrets that no screen shows.
    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }
}

fn ended_well(record: &LoopRecord) -> bool {
    record.ending.as_ref().is_some_and(Ending::is_success)
}

/// Where the work is, unless that is where the loop was started.
fn place(record: &LoopRecord) -> Option<String> {
    let worktree = record.worktree.as_ref().filter(|worktree| worktree.is_dir())?;
    Some(sanitise::line(&worktree.display().to_string()).into_owned())
}

/// How its branch is merged, where it has its own.
fn merge(record: &LoopRecord, standing: &Standing, work: &Work) -> Option<String> {
    let has_branch =
        record.options["branched"].is_object() || record.options["worktree"].is_string();
    let commit = if work.worked.uncommitted.is_empty() { "" } else { " --commit" };
    let name = shell_words::quote(&standing.name);
    (has_branch && has_work(work)).then(|| format!("windlass merge {name}{commit}"))
}
