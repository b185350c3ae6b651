//! Starts a new loop: everything that can be wrong is found before anything is changed.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use windlass_agents::{DecoderName, json_lines};
use windlass_core::{
    event::{EventKind, StartReport},
    ids::LoopId,
    options::{Branched, SandboxName},
};
use windlass_repo::tree::listed;
use windlass_store::store::{NewLoop, Store, StoreError};
use windlass_system::{clock, ownership::Owner, process::StartError};

use super::{
    LoopError, agent_hooks,
    agent_programs::{self, find_programs},
    agent_trust::{Admitted, admit},
    apart, checks,
    drive::Ready,
    earlier_fixes,
    grounds::Grounds,
    home_outside,
    locks::more_locks,
    settle::settle_tree,
    settled::note,
    setup::{Setup, lock_loop, lock_tree, validate},
    start_report::start_report,
    task_file,
    worktree::Made,
};
use crate::{kind::Kind, perform::Worker, workplace::Tree};

/// Everything up to the first event.
pub(super) async fn prepare(mut kind: Kind, mut setup: Setup) -> Result<Ready, LoopError> {
    let home = setup.home()?;
    let directory = match &kind {
        Kind::Merge(options) => options.home.clone(),
        _ => setup.directory()?,
    };
    home_outside::check(&home, &directory)?;
    // A merge has the options of another loop.
    kind.common_mut().agent.programs.clear();
    let size = task_file::inspect(&kind, &directory)?;
    let env = setup.environment(&kind);
    let mut cast = setup.cast(&mut kind, &directory, &env)?;
    if agent_hooks::freeze(&mut kind, &cast, &directory)? {
        cast = setup.cast(&mut kind, &directory, &env)?;
    }
    validate(&kind, &cast)?;
    task_file::fits(size, &cast)?;
    let mut grounds =
        Grounds { home, directory, worktree: None, left_in_place: None, kind, cast, env };
    if !means_the_worktree(&grounds) {
        find_programs(&grounds.kind, &grounds.cast, &grounds.env, &grounds.directory)?;
    }
    let store = Store::open(&grounds.home)?;
    let name = choose_name(&store, setup.name.as_deref())?;
    let made = Made::make(&grounds, &setup, &store, &name).await?;
    grounds.worktree = made.as_ref().map(|made| made.workplace().to_owned());
    grounds.left_in_place = made.as_ref().and_then(Made::left_in_place);
    grounds.kind.common_mut().git.branched = made.as_ref().and_then(Made::branched);
    if let Kind::Pr(options) = &mut grounds.kind {
        options.branch = made.as_ref().and_then(Made::users_branch);
    }
    let begun = begin(&mut setup, grounds, store, &name).await;
    match (made, &begun) {
        (Some(made), Ok(_)) => made.keep().await,
        (Some(made), Err(_)) => made.take_back().await,
        (None, _) => (),
    }
    begun
}

/// Whether an agent's program is one of the tree that the loop is to work in, which is not there
/// yet: where it is looked for must be where it is run.
fn means_the_worktree(grounds: &Grounds) -> bool {
    let mut programs = grounds.cast.iter().filter_map(|(_, hired)| hired.agent.program());
    let is_of_the_tree = |program: OsString| {
        let path = PathBuf::from(program);
        path.is_relative() && path.components().count() > 1
    };
    grounds.kind.common().git.worktree.is_some() && programs.any(is_of_the_tree)
}

async fn begin(
    setup: &mut Setup,
    mut grounds: Grounds,
    store: Store,
    name: &str,
) -> Result<Ready, LoopError> {
    if means_the_worktree(&grounds) {
        find_programs(&grounds.kind, &grounds.cast, &grounds.env, grounds.workplace())
            .map_err(not_in_worktree)?;
    }
    task_file::settle(&mut grounds)?;
    let admitted = admit(setup, &grounds, &store, None).await?;
    let id = LoopId::of_number(fastrand::u64(..));
    let mut locks = vec![
        lock_tree(&grounds.home, grounds.workplace(), &id, name)?,
        lock_loop(&grounds.home, &id, name)?,
    ];
    locks.extend(more_locks(&grounds.home, &grounds.kind, &id, name)?);
    let mut worker = grounds.hire(setup, &id, &locks).await?;
    if let Some(tree) = &worker.tree {
        tree.begin_loop().await?;
    }
    earlier_fixes::tell(&mut grounds.kind, &store, &grounds.directory)?;
    let told = match checks::settle(&mut grounds.kind, &worker).await {
        Ok(told) => told,
        Err(error) => {
            // The first error is the one to tell.
            drop(worker.sandboxes.close().await);
            return Err(error);
        }
    };
    settle_sandbox(&mut grounds, &worker);
    agent_programs::keep(&mut grounds.kind, &worker);
    let established = async {
        let epoch = establish(&mut grounds, &worker, &store, &id, name).await?;
        admitted.note(&store, &id)?;
        Ok(epoch)
    };
    let epoch = match established.await {
        Ok(epoch) => epoch,
        Err(error) => {
            // The first error is the one to tell.
            drop(worker.sandboxes.close().await);
            return Err(error);
        }
    };
    let start = start_report(setup, &grounds, &mut worker, told.also_found, &admitted).await;
    Ok(Ready {
        home: grounds.home.clone(),
        opening: opening(&grounds, &worker, name, start, (told.notes, &admitted)),
        named: grounds.kind.identity(&id, name, &grounds.cast),
        reporters: std::mem::take(&mut setup.reporters),
        stop: setup.stop.clone(),
        history: Vec::new(),
        last_seq: 0,
        kind: grounds.kind,
        worker,
        store,
        epoch,
        locks,
        id,
    })
}

/// The branch and the row of the loop; gives its epoch.
async fn establish(
    grounds: &mut Grounds,
    worker: &Worker,
    store: &Store,
    id: &LoopId,
    name: &str,
) -> Result<u64, LoopError> {
    let established = async {
        create_branch(grounds, worker, id, name).await?;
        Ok(store.create_loop(&new_loop(grounds, worker, id, name)?)?)
    };
    let established = established.await;
    if let Some(tree) = &worker.tree {
        // The branch stays with a loop that is there, and goes with one that is not.
        let settled = settle_tree(&grounds.home, store, tree, Some(id)).await;
        // The first error is the one to tell; what is left is settled by whoever comes next.
        drop(settled);
    }
    established
}

/// Freezes with the loop what `auto` has come to: a loop that is taken up again is confined as before.
pub(super) fn settle_sandbox(grounds: &mut Grounds, worker: &Worker) {
    let options = &mut grounds.kind.common_mut().sandbox;
    if options.sandbox == Some(SandboxName::Auto) {
        options.sandbox = Some(worker.sandboxes.name());
    }
}

fn not_in_worktree(error: LoopError) -> LoopError {
    match error {
        LoopError::AgentMissing { agent, source: StartError::NotFound { program, .. }, .. } => {
            LoopError::NotInWorktree { agent, program }
        }
        error => error,
    }
}

/// The name that was asked for, if it can be had; else one that is free.
fn choose_name(store: &Store, asked: Option<&str>) -> Result<String, LoopError> {
    let Some(name) = asked else { return Ok(store.free_name()?) };
    let bad = |why| Err(LoopError::BadName { name: name.to_owned(), why });
    let known = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let well_begun = name.starts_with(char::is_alphanumeric);
    if !well_begun || name.len() > 64 || !name.chars().all(known) {
        return bad("cannot be used: a name begins with a letter or a digit, and has letters, \
                    digits, `-`, `_` and `.`, 64 at the most");
    }
    if store.has_name(name)? {
        return bad("is taken by another loop");
    }
    Ok(name.to_owned())
}

/// Finds before the first session what would keep the loop from committing or branching.
pub(super) async fn may_commit(kind: &Kind, worker: &Worker) -> Result<(), LoopError> {
    // A merge that goes on after a conflict is an unfinished one.
    let commits = kind.commits() && !matches!(kind, Kind::Merge(_));
    match &worker.tree {
        Some(tree) if commits || kind.common().git.create_branch => Ok(tree.may_commit().await?),
        _ => Ok(()),
    }
}

async fn create_branch(
    grounds: &mut Grounds,
    worker: &Worker,
    id: &LoopId,
    name: &str,
) -> Result<(), LoopError> {
    may_commit(&grounds.kind, worker).await?;
    let options = &grounds.kind.common().git;
    let Some(tree) = &worker.tree else {
        return match (options.auto_commit, options.create_branch) {
            (true, _) => Err(needs_git("--auto-commit", &grounds.directory)),
            (_, true) => Err(needs_git("--create-branch", &grounds.directory)),
            (false, false) => Ok(()),
        };
    };
    if options.create_branch {
        let timestamp = clock::now().compact();
        let branch = options
            .branch_template
            .replace("{timestamp}", &timestamp)
            .replace("{name}", name)
            .replace("{id}", id.as_str());
        let (here, began) = (tree.branch().await?, options.branched.clone());
        tree.create_branch(&branch, id.as_str()).await?;
        let commit = tree.head_commit().await?;
        // In a worktree that is on a new branch already, the work belongs to where that began.
        let from = began.and_then(|began| began.from).or(here);
        grounds.kind.common_mut().git.branched =
            Some(Branched { branch, from, commit, is_new: false });
    }
    Ok(())
}

fn new_loop(
    grounds: &Grounds,
    worker: &Worker,
    id: &LoopId,
    name: &str,
) -> Result<NewLoop, LoopError> {
    let mut options = serde_json::to_value(&grounds.kind)
        .map_err(|error| StoreError::Other { why: error.to_string() })?;
    worker.secrets.clean_json(&mut options);
    Ok(NewLoop {
        id: id.clone(),
        name: name.to_owned(),
        kind: grounds.kind.word().to_owned(),
        directory: grounds.directory.clone(),
        worktree: grounds.worktree.clone(),
        agent: grounds.cast.lead_name().to_owned(),
        options,
        owner: Owner::this_process(),
    })
}

fn opening(
    grounds: &Grounds,
    worker: &Worker,
    name: &str,
    start: Option<Box<StartReport>>,
    (told, admitted): (Vec<String>, &Admitted),
) -> Vec<EventKind> {
    let started = EventKind::LoopStarted {
        name: name.to_owned(),
        kind: grounds.kind.word().to_owned(),
        directory: grounds.directory.display().to_string(),
        agent: grounds.cast.lead_name().to_owned(),
        max_iterations: grounds.kind.max_iterations(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        start,
    };
    let is_merge = matches!(grounds.kind, Kind::Merge(_));
    let mut opening = vec![started];
    opening.extend(about_merge(grounds).map(|text| EventKind::Noted { text }));
    let is_apart = apart::is_apart(&grounds.home, grounds.worktree.as_ref());
    let place = place_told(grounds).filter(|_| !is_merge && !is_apart);
    let unheeded = worker.tree.as_ref().and_then(Tree::unheeded_by_commits);
    let unheeded = unheeded.filter(|_| grounds.kind.commits()).map(str::to_owned);
    let stays = grounds.left_in_place.clone();
    let notes = place.into_iter().chain(stays).chain(unheeded);
    opening.extend(notes.map(|text| EventKind::Noted { text }));
    if worker.tree.is_none() {
        let text = "not in a git repository: windlass cannot measure progress, show diffs or roll \
                    back here";
        opening.push(EventKind::Noted { text: text.to_owned() });
    }
    opening.extend(worker.settled.iter().cloned().map(note));
    let agent = &grounds.kind.common().agent;
    let is_text = agent.decoder.is_none_or(|decoder| decoder == DecoderName::Text);
    let command = agent.command.as_deref().filter(|_| is_text);
    let decoder = command.and_then(json_lines::decoder_for).map(json_lines::told);
    opening.extend(decoder.map(|text| EventKind::Noted { text }));
    let hooks = agent_hooks::left_out(&grounds.kind, &grounds.cast);
    opening.extend(hooks.map(|text| EventKind::Noted { text }));
    opening.extend(admitted.found(&[]));
    opening.extend(told.into_iter().map(|text| EventKind::Noted { text }));
    opening
}

/// Where the loop works, if that is not where its user stands, and on which branch.
fn place_told(grounds: &Grounds) -> Option<String> {
    let git = &grounds.kind.common().git;
    let branch =
        git.branched.as_ref().map(|branched| format!("on the branch `{}`", branched.branch));
    match (&grounds.worktree, branch) {
        (Some(worktree), Some(branch)) => {
            Some(format!("works in {}, {branch}", worktree.display()))
        }
        (Some(worktree), None) => Some(format!("works in {}", worktree.display())),
        (None, Some(branch)) => Some(format!("works {branch}")),
        (None, None) => None,
    }
}

/// What is brought where, of a loop that does no more than that.
fn about_merge(grounds: &Grounds) -> Option<String> {
    let Kind::Merge(options) = &grounds.kind else { return None };
    let (branch, into) = (&options.branch, &options.into);
    Some(match (&options.commit, &options.unfit) {
        (Some(commit), _) if *commit == options.from => {
            format!("`{into}` moves forward to `{branch}`")
        }
        (_, Some(unfit)) => {
            format!(
                "`{branch}` does not fit `{into}`: an agent is asked about {}",
                listed(&unfit.files)
            )
        }
        (_, None) => format!("`{branch}` is brought to `{into}`"),
    })
}

fn needs_git(flag: &'static str, directory: &Path) -> LoopError {
    LoopError::NeedsGit { flag, directory: directory.to_owned() }
}
