//! What stands in the place of containers where windlass is built without them: nothing can be made,
//! and so nothing can be done with it.

#![expect(clippy::unused_async, reason = "the one that can takes its time")]

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use windlass_core::{
    ids::LoopId,
    options::{SandboxName, SandboxOptions},
    process::ProcessSpec,
};

use super::{
    SandboxError, credentials::Credentials, inside::OWN_FAILURE, machine::Missing, notes::Notes,
    policy::Policy,
};
use crate::process::StartError;

/// Why there is none.
const WHY: &str = "this windlass was built without containers";
const HINT: &str = "build it with the feature `containers`, or take another sandbox";

/// A container, of which there is none.
#[derive(Debug)]
pub enum Container {}

/// A session in a container, of which there is none.
#[derive(Debug)]
pub enum Visit {}

#[expect(dead_code, reason = "what is wanted is the same, and nobody is there to look at it")]
pub(super) struct Whose<'a> {
    pub(super) loop_id: &'a LoopId,
    pub(super) windlass_home: &'a Path,
    pub(super) at: usize,
    pub(super) guardian: u32,
}

#[expect(dead_code, reason = "what is wanted is the same, and nobody is there to look at it")]
pub(super) struct Wanted<'a> {
    pub(super) name: SandboxName,
    pub(super) whose: Whose<'a>,
    pub(super) options: &'a SandboxOptions,
    pub(super) policy: Policy,
    pub(super) windlass: PathBuf,
    pub(super) run_directory: &'a Path,
    pub(super) directory: &'a Path,
    pub(super) host: &'a BTreeMap<OsString, OsString>,
    pub(super) agent: &'a str,
    pub(super) program: Option<OsString>,
    pub(super) credentials: Credentials,
    pub(super) notes: Notes,
}

impl Container {
    pub(super) async fn open(wanted: Wanted<'_>) -> Result<Self, SandboxError> {
        let (why, hint) = (WHY.to_owned(), HINT.to_owned());
        Err(SandboxError::Unavailable { name: wanted.name, why, hint })
    }

    pub(super) async fn wrap(
        &self,
        _: ProcessSpec,
        _: &[&Path],
    ) -> Result<(ProcessSpec, Visit), StartError> {
        match *self {}
    }

    pub(super) async fn settle(&self, _: Visit) -> Result<(), StartError> {
        match *self {}
    }

    pub(super) async fn close(&self) -> Option<String> {
        match *self {}
    }

    pub(super) fn files_directory(&self) -> &Path {
        match *self {}
    }

    pub(super) fn is_root_inside(&self) -> bool {
        match *self {}
    }

    pub(super) fn policy(&self) -> &Policy {
        match *self {}
    }

    pub(super) fn credentials(&self) -> &Credentials {
        match *self {}
    }

    pub(super) fn notes(&self) -> &Notes {
        match *self {}
    }

    pub(super) fn told(&self) -> String {
        match *self {}
    }
}

/// Nothing answers.
pub(super) async fn look(
    _: SandboxName,
    _: &BTreeMap<OsString, OsString>,
) -> Result<String, Missing> {
    Err(Missing { why: WHY.to_owned(), hint: HINT, is_absent: true })
}

/// Nothing can have been left.
pub fn remove_left_over(_: &Path, _: &LoopId, _: bool) -> Result<u64, String> {
    Ok(0)
}

/// Nobody asks for this.
pub(crate) fn play(_: Vec<OsString>) -> i32 {
    OWN_FAILURE
}
