//! Decides before the first session whether what the work tree brings for agents may act.

use windlass_core::{
    ask::Choice,
    event::{ConfigEntry, ConfigKind, Event, EventKind},
    ids::LoopId,
    stop::StopLevel,
};
use windlass_store::store::Store;

use super::{is_confined, known::Known, repository};
use crate::{
    engine::{
        LoopError, called_off_by,
        grounds::Grounds,
        repo_config::{self, Entry},
        setup::Setup,
    },
    kind::Kind,
    perform::Arrival,
};

/// What the work tree brings for the agents of a loop, all of which may act.
#[derive(Default)]
pub(in crate::engine) struct Admitted {
    entries: Vec<Entry>,
    is_confined: bool,
}

impl Admitted {
    /// The list of it, without what the loop's history tells of.
    pub(in crate::engine) fn found(&self, history: &[Event]) -> Option<EventKind> {
        repo_config::found(&self.entries, history)
    }

    /// Whether an agent gets something of that kind.
    pub(in crate::engine) fn has(&self, agent: &str, kind: ConfigKind) -> bool {
        self.entries.iter().any(|one| one.entry.agent == agent && one.entry.kind == kind)
    }

    /// Remembers it for when the loop is resumed.
    pub(in crate::engine) fn note(&self, store: &Store, id: &LoopId) -> Result<(), LoopError> {
        let digests = self.entries.iter().map(|one| one.digest.as_str());
        Ok(store.note_entries(id, self.is_confined, digests)?)
    }
}

/// Looks at what the work tree brings, and asks for trust where that is needed. `past` is the loop
/// that goes on, with its history.
pub(in crate::engine) async fn admit(
    setup: &Setup,
    grounds: &Grounds,
    store: &Store,
    past: Option<(&LoopId, &[Event])>,
) -> Result<Admitted, LoopError> {
    let works = !matches!(&grounds.kind, Kind::Merge(options) if options.unfit.is_none());
    // What is in the head of a pull request is looked at when that is there.
    let is_there = match grounds.arrival() {
        Arrival::None => true,
        Arrival::Worktree { .. } => past.is_some(),
        Arrival::Apart { .. } => false,
    };
    if !works || !is_there {
        return Ok(Admitted::default());
    }
    let is_confined = is_confined(&grounds.kind.common().sandbox);
    let entries = repo_config::of_cast(&grounds.cast, grounds.workplace());
    let admitted = Admitted { entries, is_confined };
    if admitted.entries.is_empty() || is_confined || setup.trust_agent_config {
        return Ok(admitted);
    }
    let root = repository(&grounds.directory);
    let mut known = Known::of_repository(store, &root)?;
    if let Some((id, history)) = past {
        known.add_loop(store, id, is_confined, history)?;
    }
    let unknown = known.unknown(&admitted.entries);
    if unknown.is_empty() {
        return Ok(admitted);
    }
    if is_trusted_now(setup, &unknown).await? {
        store.trust_entries(&root, unknown.iter().map(|one| one.digest.as_str()))?;
        // An answer may take long, and is about what was shown.
        let now = repo_config::of_cast(&grounds.cast, grounds.workplace());
        known.add(&unknown);
        let admitted = Admitted { entries: now, is_confined };
        return refuse(store, grounds, &known.unknown(&admitted.entries)).map(|()| admitted);
    }
    refuse(store, grounds, &unknown).map(|()| admitted)
}

/// Refuses the loop if there is something that may not act, and remembers what that is.
fn refuse(store: &Store, grounds: &Grounds, unknown: &[Entry]) -> Result<(), LoopError> {
    if unknown.is_empty() {
        return Ok(());
    }
    let refused = unknown.iter().map(|one| (one.digest.as_str(), &one.entry));
    store.refuse_entries(&repository(&grounds.directory), refused)?;
    let (entries, directory) = (shown(unknown), grounds.directory.clone());
    Err(LoopError::Untrusted { entries, directory })
}

/// Asks for trust, where somebody can answer.
async fn is_trusted_now(setup: &Setup, unknown: &[Entry]) -> Result<bool, LoopError> {
    let Some(asker) = &setup.asker else { return Ok(false) };
    let mut question = "This repository has untrusted settings for agents:\n".to_owned();
    for entry in shown(unknown) {
        question.push_str("  ");
        question.push_str(&entry.line());
        question.push('\n');
    }
    question.push_str("Trust them? They can run commands as you.");
    tokio::select! {
        answer = asker.ask_first(&question, &[Choice::Trust, Choice::Abort]) => {
            Ok(answer == Some(Choice::Trust))
        }
        () = setup.stop.reached(StopLevel::AfterIteration) => {
            Err(LoopError::CalledOff { by: called_off_by(&setup.stop) })
        }
    }
}

/// What is shown of entries: two that differ in what is not shown are one line.
pub(super) fn shown(entries: &[Entry]) -> Vec<ConfigEntry> {
    let mut shown: Vec<ConfigEntry> = Vec::new();
    for one in entries {
        if !shown.contains(&one.entry) {
            shown.push(one.entry.clone());
        }
    }
    shown
}
