//! Other repositories in the work tree, as the scan of it finds them.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use super::{
    Tree,
    listing::{Listing, RawPath},
    scan::Scan,
    shown,
};

/// So many are named.
const MOST: usize = 1000;

impl Tree {
    /// The directories that were other repositories at the last look, or looked like one; `None`
    /// before the first look.
    pub async fn nested(&self) -> Option<Vec<RawPath>> {
        let memory = self.memory.lock().await;
        let is_seen = !memory.scan.listing.dirs.is_empty();
        is_seen.then(|| found(&memory.scan))
    }

    /// The submodules that are checked out, at the last look: snapshots hold the commits that they are
    /// at, and nothing of what is uncommitted in them.
    pub(super) async fn submodules(&self) -> Vec<String> {
        let memory = self.memory.lock().await;
        self.submodules_in(&memory.scan)
    }

    pub(super) fn submodules_in(&self, scan: &Scan) -> Vec<String> {
        let links = scan.tracked.links().into_iter().map(|(path, _)| path);
        let is_there = |path: &RawPath| {
            let git = self.repository.top.join(OsStr::from_bytes(path)).join(".git");
            git.symlink_metadata().is_ok()
        };
        links.filter(is_there).map(|path| shown(&path)).collect()
    }

    /// The same after a look at the whole work tree. What cannot be looked at is passed over: whoever
    /// takes a snapshot is told of it.
    pub async fn find_nested(&self) -> Vec<RawPath> {
        let mut memory = self.memory.lock().await;
        if self.repository.check().is_ok() {
            drop(self.refresh(&mut memory.scan).await);
        }
        found(&memory.scan)
    }
}

fn found(scan: &Scan) -> Vec<RawPath> {
    let links = scan.tracked.links().into_iter().map(|(path, _)| path);
    let mut found: Vec<RawPath> = links.chain(in_listing(&scan.listing)).collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST);
    found
}

fn in_listing(listing: &Listing) -> impl Iterator<Item = RawPath> {
    let looks_bare = |names: &std::collections::BTreeMap<RawPath, super::listing::Entry>| {
        ["HEAD", "objects", "refs"].iter().all(|name| names.contains_key(name.as_bytes()))
    };
    let dirs = listing.dirs.iter().filter(|(path, _)| !path.is_empty());
    dirs.filter(move |(_, dir)| dir.foreign || looks_bare(&dir.entries))
        .map(|(path, _)| path.clone())
}
