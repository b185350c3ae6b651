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

/// So many notes are made of one snapshot; the rest is counted.
const MOST_NOTES: usize = 20;

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
        let named = submodules.iter().take(MOST_NOTES).cloned().collect::<Vec<_>>().join("`, `");
        let more = submodules.len().saturating_sub(MOST_NOTES);
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
        let left_out =
            left_out.map(|(path, why)| (path, format!("is left out of snapshots: {why}")));
        let closed = self.scan.closed.iter();
        let closed = closed
            .map(|(path, _)| (path, "cannot be read: what is in it counts as gone".to_owned()));
        let mut new: Vec<String> = Vec::new();
        for (path, why) in left_out.chain(closed) {
            if self.noted.len() < MOST_NOTED && self.noted.insert(path.clone()) {
                new.push(format!("`{}` {why}", shown(path)));
            }
        }
        let more = new.len().saturating_sub(MOST_NOTES);
        new.truncate(MOST_NOTES);
        if more > 0 {
            new.push(format!("{more} more files are left out of snapshots"));
        }
        self.notes.append(&mut new);
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
        for (path, held) in changes.held {
            if let Some(entry) = memory.scan.listing.entry_mut(&path) {
                entry.held = held;
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
