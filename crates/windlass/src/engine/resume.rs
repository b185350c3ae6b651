//! Takes a loop up again: one that was cut off, or one that ended and may go on.

use std::{ffi::OsString, path::PathBuf};

use serde_json::{Map, Value};
use windlass_core::{
    ending::Ending,
    event::{EventKind, OptionChanged},
    process::Survivor,
    rules::Spend,
    secrets::{self, Secrets},
};
use windlass_store::store::{LoopRecord, Store, StoreError};
use windlass_system::ownership::Owner;

use super::{
    LoopError, agent_hooks,
    agent_programs::{self, find_programs},
    agent_trust::admit,
    apart,
    cancel::end_lost,
    changes::{self, changed_options},
    checks,
    drive::Ready,
    fresh::{may_commit, settle_sandbox},
    grounds::Grounds,
    home_outside, left_behind,
    locks::more_locks,
    settled::note,
    setup::{Setup, lock_loop, lock_tree, take_over_locks, validate},
    start_report::start_report,
};
use crate::{kind::Kind, perform::Worker, workplace::still_meant};

/// Which loop to take up again, and what is different this time.
#[derive(Clone, Debug, Default)]
pub struct ResumeOptions {
    /// Its name, id or a prefix of one; the newest of the directory if left out.
    pub reference: Option<String>,
    /// Options that are to have another value, by the names of the flags with `_`.
    pub changes: Map<String, Value>,
    /// Close the circuit and zero the rules' counts first.
    pub reset_circuit: bool,
    /// Take the loop from a process that does not answer any more.
    pub take_over: bool,
}

/// Everything up to the first event of this run.
pub(super) async fn prepare(options: ResumeOptions, mut setup: Setup) -> Result<Ready, LoopError> {
    let home = setup.home()?;
    let directory = setup.directory()?;
    let store = Store::open(&home)?;
    let record = store.find(options.reference.as_deref(), &directory)?;
    if !options.take_over && record.ending.is_none() && record.owner.is_alive() {
        return Err(LoopError::LoopInUse { name: record.name, owner: Some(record.owner) });
    }
    home_outside::check(&home, record.worktree.as_deref().unwrap_or(&record.directory))?;
    let was = frozen_options(setup.host(), &record, &Map::new()).ok();
    let now = LoopRecord {
        options: changed_options(&record.options, &options.changes),
        ..record.clone()
    };
    let kind = frozen_options(setup.host(), &now, &Map::new())?;
    let changes = was.map(|was| changes::between(&was, &kind)).unwrap_or_default();
    may_resume(&record, &kind, &options, &changes)?;
    let stale_prompt = changes::stale_prompt(&kind);
    apart::make_room(&home, &record)?;
    let mut grounds = grounds(&setup, home, &record, kind)?;

    let locks = if options.take_over {
        take_over_locks(&grounds.home, grounds.workplace(), &record)?
    } else {
        vec![
            lock_loop(&grounds.home, &record.id, &record.name)?,
            lock_tree(&grounds.home, grounds.workplace(), &record.id, &record.name)?,
        ]
    };
    let more = more_locks(&grounds.home, &grounds.kind, &record.id, &record.name)?;
    let locks: Vec<_> = locks.into_iter().chain(more).collect();
    // Whoever held the locks before has let go: what is read from here on stays true.
    let record = store.get(&record.id)?.unwrap_or(record);
    may_resume(&record, &grounds.kind, &options, &changes)?;
    let survivors = end_lost(&grounds.home, &record.id, grounds.kind.common().pace.grace.0);
    // Before the tree is opened, which what was left there may prevent. What cannot be looked at now
    // is looked at when the loop goes on.
    let (guardian, env) = (&setup.guardian, &grounds.env);
    drop(left_behind::tell_held(guardian, &grounds.home, env, &store, &record).await);
    let history = store.history(&record.id)?;
    let admitted = admit(&setup, &grounds, &store, Some((&record.id, &history))).await?;
    apart::renew(&setup, &grounds).await?;
    let mut worker = grounds.hire(&setup, &record.id, &locks).await?;
    settle_sandbox(&mut grounds, &worker);
    let moved = agent_programs::keep(&mut grounds.kind, &worker);
    let may_go_on = async {
        if changes.iter().any(|change| CHECKS.contains(&change.option.as_str())) {
            checks::refuse_unknown(&grounds.kind, &worker).await?;
        }
        may_commit(&grounds.kind, &worker).await
    };
    let taken = match may_go_on.await {
        Ok(()) => take_over(&store, &record, &grounds, &worker),
        refused => refused.map(|()| 0),
    };
    let epoch = match taken {
        Ok(epoch) => epoch,
        Err(error) => {
            // The first error is the one to tell.
            drop(worker.sandboxes.close().await);
            return Err(error);
        }
    };
    let record = store.get(&record.id)?.unwrap_or(record);

    let start = start_report(&setup, &grounds, &mut worker, Vec::new(), &admitted).await;
    let max_iterations = grounds.kind.max_iterations();
    let mut opening =
        vec![EventKind::LoopResumed { epoch, max_iterations, start, accepting: false }];
    let closes = closes_circuit(&record, &options, &changes);
    opening.extend(changes.into_iter().map(EventKind::OptionChanged));
    if options.reset_circuit || closes.is_some() {
        opening.push(EventKind::CircuitReset);
    }
    let notes = closes.into_iter().chain(stale_prompt);
    opening.extend(notes.map(|text| EventKind::Noted { text }));
    opening.extend(moved.into_iter().map(|text| EventKind::Noted { text }));
    opening.extend(worker.settled.iter().cloned().map(note));
    if !survivors.is_empty() {
        let text = format!("of the last run {}", Survivor::listed(&survivors));
        opening.push(EventKind::Noted { text });
    }
    let history = store.history(&record.id)?;
    opening.extend(admitted.found(&history));
    Ok(Ready {
        home: grounds.home.clone(),
        opening,
        named: grounds.kind.identity(&record.id, &record.name, &grounds.cast),
        reporters: std::mem::take(&mut setup.reporters),
        stop: setup.stop.clone(),
        history,
        last_seq: record.last_seq,
        kind: grounds.kind,
        worker,
        store,
        epoch,
        locks,
        id: record.id,
    })
}

/// Makes the loop this process's own, with the options as they are now; gives its epoch.
fn take_over(
    store: &Store,
    record: &LoopRecord,
    grounds: &Grounds,
    worker: &Worker,
) -> Result<u64, LoopError> {
    let epoch = store.take_over(&record.id, &Owner::this_process())?;
    let mut frozen = serde_json::to_value(&grounds.kind)
        .map_err(|error| StoreError::Other { why: error.to_string() })?;
    worker.secrets.clean_json(&mut frozen);
    store.set_options(&record.id, epoch, &frozen)?;
    Ok(epoch)
}

/// The options as they were frozen, with those changed that may be, and with the secrets of the
/// environment, which were not frozen with them.
pub(super) fn frozen_options(
    host: Vec<(OsString, OsString)>,
    record: &LoopRecord,
    changes: &Map<String, Value>,
) -> Result<Kind, LoopError> {
    let refuse = |why| LoopError::NotResumable { name: record.name.clone(), why };
    let mut options = record.options.clone();
    if let Value::Object(frozen) = &mut options {
        frozen.extend(changes.clone());
    }
    if options.to_string().contains(secrets::BEGINS) {
        Secrets::of_environment(host).restore_json(&mut options);
    }
    if let Some(lost) = ACTING.iter().find_map(|key| lost_secret(key, &options[key])) {
        return Err(refuse(lost));
    }
    serde_json::from_value(options)
        .map_err(|error| refuse(format!("its options cannot be read: {error}")))
}

/// Options that are commands of the user which prove the work.
const CHECKS: [&str; 2] = ["checks", "test"];

/// Options that do something other without the secrets in them. A prompt, say, does not.
const ACTING: [&str; 8] =
    ["env", "command", "agent_args", "hooks_text", "agents", "checks", "test", "on"];

/// Says that an option had a secret that nobody has any more, if it had.
fn lost_secret(key: &str, option: &Value) -> Option<String> {
    let text = option.to_string();
    let (_, rest) = text.split_once(secrets::BEGINS)?;
    let word = rest.split(']').next().unwrap_or_default();
    Some(match word.strip_prefix(':') {
        Some(name) if !name.contains([' ', ',']) => format!(
            "its option `{key}` has a secret in it, which is not stored: set the variable `{name}`"
        ),
        _ => format!(
            "its option `{key}` has a secret in it, which is not stored; put it into a variable such \
             as `MY_TOKEN`, and start anew"
        ),
    })
}

/// Why the circuit closes though nobody asked for that: something was changed that the rule tripped
/// on.
fn closes_circuit(
    record: &LoopRecord,
    options: &ResumeOptions,
    changes: &[OptionChanged],
) -> Option<String> {
    let Some(Ending::Rule { rule, .. }) = &record.ending else { return None };
    let change = changes::bearing_on(rule, changes)?;
    let is_open = record.circuit == "open" && !options.reset_circuit;
    is_open.then(|| format!("`{}` changes what the rule {rule} tripped on", change.flag()))
}

fn may_resume(
    record: &LoopRecord,
    kind: &Kind,
    options: &ResumeOptions,
    changes: &[OptionChanged],
) -> Result<(), LoopError> {
    let name = || record.name.clone();
    let (used, limit) = (record.iteration, kind.max_iterations());
    if options.changes.contains_key("max_iterations") && limit != 0 && limit < used {
        return Err(LoopError::NotResumable { name: name(), why: more_iterations(used) });
    }
    let Some(ending) = &record.ending else { return Ok(()) };
    if let Err(why) = ending.resumable() {
        return Err(LoopError::NotResumable { name: name(), why: why.to_owned() });
    }
    if let Some(why) = used_up(record, kind, ending) {
        return Err(LoopError::NotResumable { name: name(), why });
    }
    if let Ending::Budget { kind: budget, .. } = ending
        && let rules = &kind.common().rules
        && let (usage, time) = (record.usage, record.active_ms)
        && let Some(spend) = Spend::of(*budget, rules, usage, time, record.iteration)
        && let Some(figures) = spend.exhausted()
    {
        let why = format!("{figures}; give it more with `{}`", budget.flag());
        return Err(LoopError::NotResumable { name: name(), why });
    }
    if let Ending::Rule { rule, reason, .. } = ending
        && record.circuit == "open"
        && !options.reset_circuit
        && changes::bearing_on(rule, changes).is_none()
    {
        return Err(LoopError::CircuitOpen { name: name(), reason: format!("{rule}: {reason}") });
    }
    Ok(())
}

/// Says that all allowed iterations are used up, if they are.
fn used_up(record: &LoopRecord, kind: &Kind, ending: &Ending) -> Option<String> {
    let allowed = kind.common().rules.max_iterations;
    if allowed == 0 {
        return None;
    }
    if let Ending::Escalated { limit, .. } = ending {
        return match limit {
            0 => Some("no task is open, and its checks fail".to_owned()),
            limit if allowed <= *limit => Some(format!(
                "the iteration limit for a task ({limit}) is reached; raise it with `--max-iterations`"
            )),
            _ => None,
        };
    }
    let is_counted = matches!(ending, Ending::MaxIterations { .. });
    (is_counted && allowed <= record.iteration).then(|| more_iterations(record.iteration))
}

/// How many iterations are used, and what would help.
fn more_iterations(used: u32) -> String {
    let (are, more) = (if used == 1 { "iteration is" } else { "iterations are" }, used + 1);
    format!("{used} {are} used; `--max-iterations {more}` or more continues")
}

fn grounds(
    setup: &Setup,
    home: PathBuf,
    record: &LoopRecord,
    mut kind: Kind,
) -> Result<Grounds, LoopError> {
    let env = setup.environment(&kind);
    for place in record.worktree.iter().chain([&record.directory]) {
        still_meant(&home, place)?;
    }
    let cast = setup.cast(&mut kind, &record.directory, &env)?;
    validate(&kind, &cast)?;
    agent_hooks::check(&kind, &cast)?;
    let grounds = Grounds {
        home,
        directory: record.directory.clone(),
        worktree: record.worktree.clone(),
        left_in_place: None,
        kind,
        cast,
        env,
    };
    if let Kind::Merge(options) = &grounds.kind
        && !grounds.workplace().is_dir()
    {
        let again = &options.of_name;
        let why = format!("its worktree is gone; `windlass merge {again}` starts again");
        return Err(LoopError::NotResumable { name: record.name.clone(), why });
    }
    if !grounds.workplace().is_dir() {
        return Err(LoopError::NoDirectory { directory: grounds.workplace().to_owned() });
    }
    find_programs(&grounds.kind, &grounds.cast, &grounds.env, grounds.programs_at())?;
    Ok(grounds)
}
