//! Says whether the work of a loop may be merged, and what that would be about. Nothing of the
//! user's is touched before all of it is known to be right.

mod plan;

use std::{ffi::OsString, path::Path};

use serde_json::{Map, Value};
use windlass_store::store::{LoopRecord, Store};
use windlass_system::process::GuardianProgram;

use self::plan::Plan;
use super::{LoopError, interrupted, programs::opening, resume::frozen_options};
use crate::kind::{Kind, merge::Options};

/// How the work of a loop is to be brought home.
#[derive(Clone, Debug, Default)]
pub struct MergeRequest {
    /// The branch that it is brought to; the one that the loop's branch began from if left out.
    pub into: Option<String>,
    /// Whether the commits are made anew after those of the branch, so that there is no merge.
    pub rebase: bool,
    /// What must pass on the result; the loop's own checks if left out.
    pub checks: Option<Vec<String>>,
    /// Whether an agent may bring together what does not fit.
    pub resolve: bool,
    /// Whether the work of a loop is taken that did not end well.
    pub any_ending: bool,
    /// Whether work that is in no commit is committed first.
    pub commit: bool,
    /// Whether the loop's worktree stays.
    pub keep: bool,
    /// Options that are to have another value than for the loop, by the names of the flags with `_`.
    pub changes: Map<String, Value>,
}

/// What a merge comes to before it starts.
#[derive(Debug)]
pub enum Planned {
    /// All of the work is there already.
    Nothing {
        /// The loop's branch.
        branch: String,
        /// The branch that has it.
        into: String,
    },
    /// There is something to bring home, and it can be tried: [`Loop::merge`](super::Loop::merge)
    /// does it.
    Merge(Box<Options>),
}

/// Where merges take place.
pub struct MergePlace<'a> {
    /// The program that guards processes.
    pub guardian: &'a GuardianProgram,
    /// Where windlass keeps its store.
    pub home: &'a Path,
    /// The user's environment.
    pub host: Vec<(OsString, OsString)>,
}

/// Decides what merging the work of a loop is about. Merges that were cut off are brought to their
/// end first.
pub async fn plan_merge(
    place: &MergePlace<'_>,
    store: &Store,
    record: &LoopRecord,
    request: &MergeRequest,
) -> Result<Planned, LoopError> {
    interrupted::settle(place, store).await?;
    let kind = may_merge(place, record, request)?;
    let env = place.host.iter().cloned().collect();
    let opening = opening(place.guardian, place.home, &env, &[&record.directory])?;
    let planned = Plan { place, opening: &opening, store, record, request, kind };
    let planned = planned.make().await;
    opening.close().await;
    planned
}

/// Says whether the loop stands so that its work can be merged; gives its options.
fn may_merge(
    place: &MergePlace<'_>,
    record: &LoopRecord,
    request: &MergeRequest,
) -> Result<Kind, LoopError> {
    if record.ending.is_none() && record.owner.is_alive() {
        let (name, owner) = (record.name.clone(), Some(record.owner.clone()));
        return Err(LoopError::LoopInUse { name, owner });
    }
    let name = &record.name;
    if record.kind == "merge" {
        let why = "it is a merge itself".to_owned();
        let hint = "name the loop whose work is to be merged; `windlass list` shows all".to_owned();
        return Err(LoopError::NotMergeable { name: name.clone(), why, hint });
    }
    let is_done = record.ending.as_ref().is_some_and(|ending| ending.is_success());
    if !is_done && !request.any_ending {
        let how = record.ending.as_ref().map_or("interrupted", |ending| ending.word());
        let why = format!("it did not end well ({how})");
        let hint = format!(
            "`windlass why {name}` explains why; `windlass merge {name} --any-ending` merges it anyway"
        );
        return Err(LoopError::NotMergeable { name: name.clone(), why, hint });
    }
    frozen_options(place.host.clone(), record, &Map::new())
}
