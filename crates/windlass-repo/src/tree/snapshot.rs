//! Takes a snapshot: no call of git when nothing changed, one when a file did.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    sync::Arc,
};

use windlass_core::tree::Snapshot;
use windlass_system::process::aside;

use super::{
    Tree, TreeError,
    listing::RawPath,
    numbers::Essences,
    present::Candidate,
    progress::Progress,
    reading::Changes,
    record::Recorded,
    repository::{Head, nested_head},
    scan::{Scan, open_top},
    shown,
};
use crate::git::{Call, GitError};

/// How many files a note names; the rest is counted.
const NAMED: usize = 3;

/// So many paths are remembered that notes were made of.
const MOST_NOTED: usize = 100_000;

/// What is remembered from one snapshot to the next.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) scan: Scan,
    pub(super) recorded: Recorded,
    pub(super) essences: Essences,
    noted: BTreeSet<RawPath>,
    told_submodules: bool,
    notes: Vec<String>,
}

impl Memory {
    /// Keeps notes to be told with the next snapshot.
    pub(super) fn note(&mut self, notes: Vec<String>) {
        self.notes.extend(notes);
    }

    /// Notes which submodules a snapshot holds no more of than the commit, once.
    fn note_submodules(&mut self, submodules: Vec<String>) {
        if submodules.is_empty() || std::mem::replace(&mut self.told_submodules, true) {
            return;
        }
        let named = submodules.iter().take(NAMED).cloned().collect::<Vec<_>>().join("`, `");
        let more = submodules.len().saturating_sub(NAMED);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        self.notes.push(format!(
            "uncommitted work in submodules (`{named}`{more}) is not seen: it counts as no progress, is \
             in no diff, and `rollback` does not bring it back"
        ));
    }

    /// Notes what a snapshot does not hold, each path once.
    fn note_left_out(
        &mut self,
        skipped: &[(RawPath, &'static str)],
        unreadable: &[(RawPath, &'static str)],
    ) {
        let left_out = skipped.iter().chain(unreadable);
        let left_out = left_out.map(|(path, why)| (path, Said::LeftOut(why)));
        let closed = self.scan.closed.iter().map(|(path, _)| (path, Said::Closed));
        let mut new: Vec<(Said, Vec<String>)> = Vec::new();
        for (path, said) in left_out.chain(closed) {
            if self.noted.len() >= MOST_NOTED || !self.noted.insert(path.clone()) {
                continue;
            }
            let path = format!("`{}`", shown(path));
            match new.iter_mut().find(|(known, _)| *known == said) {
                Some((_, paths)) => paths.push(path),
                None => new.push((said, vec![path])),
            }
        }
        self.notes.extend(new.into_iter().map(|(said, paths)| said.of(&paths)));
    }
}

/// What is said of a path that a snapshot does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    LeftOut(&'static str),
    Closed,
}

impl Said {
    /// One sentence on all paths of which it is said.
    fn of(self, paths: &[String]) -> String {
        let named = paths.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let named = match paths.len().saturating_sub(NAMED) {
            0 => named,
            more => format!("{named} and {more} more"),
        };
        match (self, paths.len()) {
            (Self::LeftOut(why), 1) => format!("{named} is left out of snapshots: {why}"),
            (Self::LeftOut(why), count) => {
                format!("{count} paths are left out of snapshots, each because {why}: {named}")
            }
            (Self::Closed, 1) => format!("{named} cannot be read: what is in it counts as gone"),
            (Self::Closed, count) => {
                format!(
                    "{count} directories cannot be read, and what is in them counts as gone: {named}"
                )
            }
        }
    }
}

impl Tree {
    /// The work tree as it is now.
    pub async fn snapshot(&self) -> Result<Snapshot, TreeError> {
        self.repository.check()?;
        let mut memory = self.memory.lock().await;
        let tree = match self.record(&mut memory).await {
            // A lock that a killed git left, or a store that is gone: mended, and once more.
            Err(error) if self.may_be_our_store(&error) => {
                self.start_afresh(&mut memory)?;
                self.record(&mut memory).await?
            }
            tree => tree?,
        };
        let head = self.head().await?.1;
        Ok(Snapshot { tree, head })
    }

    /// What the snapshots so far left out, each told once.
    pub async fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.memory.lock().await.notes)
    }

    fn may_be_our_store(&self, error: &TreeError) -> bool {
        let is_io =
            matches!(error, TreeError::Io { path, .. } if path.starts_with(self.own.path()));
        is_io || matches!(error, TreeError::Git(GitError::Failed { .. }) | TreeError::NoTree)
    }

    fn start_afresh(&self, memory: &mut Memory) -> Result<(), TreeError> {
        super::OwnDir::open(&self.home, &self.repository, &self.user)?.remove_stale_locks();
        memory.scan = Scan::default();
        memory.recorded = Recorded::default();
        Ok(())
    }

    async fn record(&self, memory: &mut Memory) -> Result<String, TreeError> {
        let changed = self.refresh(&mut memory.scan).await?;
        let links = self.links(&memory.scan);
        // Another look may have found what changed.
        if !changed
            && memory.scan.touched.is_empty()
            && links == memory.recorded.links
            && let Some(tree) = &memory.recorded.tree
        {
            return Ok(tree.clone());
        }
        let mut present = memory.scan.present(&memory.recorded.files);
        let candidates = std::mem::take(&mut present.candidates);
        let progress = Arc::new(Progress::new(self.own.path(), candidates.len()));
        let changes = self.read(candidates, &progress).await?;
        memory.note_left_out(&present.skipped, &changes.unreadable);
        memory.note_submodules(self.submodules_in(&memory.scan));
        progress.copying();
        let delta = memory.recorded.delta(present, links, &changes);
        let tree = self.write_tree(memory, &delta, &changes).await?;
        memory.essences.wrote(&tree, changes.contents());
        memory.recorded.apply(tree.clone(), delta);
        memory.scan.touched.clear();
        for read in changes.read {
            if let Some(entry) = memory.scan.listing.entry_mut(&read.path) {
                entry.held = read.held;
            }
        }
        Ok(tree)
    }

    async fn read(
        &self,
        candidates: Vec<Candidate>,
        progress: &Arc<Progress>,
    ) -> Result<Changes, TreeError> {
        let (top, format) = (open_top(&self.repository)?, self.own.format());
        let progress = Arc::clone(progress);
        let read = move || Changes::read(&top, candidates, format, &progress);
        Ok(aside(read).await)
    }

    /// The other repositories that the user's index names, and the commits they are at now.
    fn links(&self, scan: &Scan) -> BTreeMap<RawPath, String> {
        let now = |(path, id): (RawPath, &str)| {
            let at = self.repository.top.join(OsStr::from_bytes(&path));
            let is_dir = at.symlink_metadata().is_ok_and(|meta| meta.is_dir());
            is_dir.then(|| (path, nested_head(&at).unwrap_or_else(|| id.to_owned())))
        };
        scan.tracked.links().into_iter().filter_map(now).collect()
    }

    /// The branch that HEAD is on, and its commit.
    pub(super) async fn head(&self) -> Result<(Option<String>, Option<String>), TreeError> {
        if let Head::At { branch, commit } = self.repository.head()? {
            return Ok((branch, commit));
        }
        let ask = |args: &[&str]| {
            let call = Call::in_repository(&self.repository.git_dir, &self.repository.common_dir);
            self.git.run(call.args(args).accepting(&[0, 1]))
        };
        let line = |bytes: &[u8]| shown(bytes.trim_ascii());
        let branch = ask(&["symbolic-ref", "-q", "HEAD"]).await?;
        let commit = ask(&["rev-parse", "--verify", "-q", "HEAD^{commit}"]).await?;
        Ok((
            (branch.code == Some(0)).then(|| line(&branch.stdout)),
            (commit.code == Some(0)).then(|| line(&commit.stdout)),
        ))
    }
}
