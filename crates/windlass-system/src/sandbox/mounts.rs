//! The places of a policy, each with what stands there inside, in the order in which they are put
//! up: what lies in another comes after it. Each sandbox with a root of its own goes by this.

use std::{collections::BTreeMap, path::PathBuf};

use super::{policy::Policy, request::GitMount};

/// What a place inside holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mount {
    /// What is there outside, for reading.
    Read(PathBuf),
    /// What is there outside.
    Write(PathBuf),
    /// Nothing, and what is written is forgotten.
    Empty,
}

impl Policy {
    /// The places that the policy names, each after those that hold it.
    pub(super) fn mounts(&self) -> BTreeMap<PathBuf, Mount> {
        let mut mounts = BTreeMap::new();
        let readable = self.readable.iter().chain(&self.own.shown);
        for path in readable.filter(|path| path.exists()) {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            // Below a link there is no place to put anything.
            let parent = path.parent().map(|parent| parent.canonicalize().ok());
            if parent.is_some_and(|parent| parent.as_deref() == path.parent()) {
                mounts.insert(path.clone(), Mount::Read(real.clone()));
            }
            mounts.insert(real.clone(), Mount::Read(real));
        }
        for path in &self.writable {
            mounts.insert(path.clone(), Mount::Write(path.clone()));
        }
        for (path, copy) in &self.credentials {
            mounts.insert(path.clone(), Mount::Write(copy.clone()));
        }
        // What is only read and already lies in something that is shown needs no place of its own.
        let shown: Vec<PathBuf> = mounts.keys().cloned().collect();
        mounts.retain(|path, mount| {
            let is_below = |other: &PathBuf| other != path && path.starts_with(other);
            !matches!(mount, Mount::Read(_)) || !shown.iter().any(is_below)
        });
        for GitMount { at, from, writable } in &self.git {
            let mount = if *writable { Mount::Write } else { Mount::Read };
            mounts.insert(at.clone(), mount(from.clone()));
        }
        for path in &self.seals.pinned {
            mounts.insert(path.clone(), Mount::Write(path.clone()));
        }
        for path in &self.seals.sealed {
            mounts.insert(path.clone(), Mount::Read(path.clone()));
        }
        for path in &self.hidden {
            if mounts.keys().any(|shown| path.starts_with(shown)) && path.is_dir() {
                mounts.insert(path.clone(), Mount::Empty);
            }
        }
        mounts
    }
}
