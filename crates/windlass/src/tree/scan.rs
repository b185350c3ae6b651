//! Keeps the listing in step with the work tree: what is there, and what of it counts.

use std::{collections::HashSet, fs, os::fd::OwnedFd, os::unix::fs::MetadataExt, path::Path};

use rustix::{
    fs::{Mode, OFlags, open},
    io::Errno,
};

use super::{
    TreeError,
    listing::{Dir, Held, Listing, RawPath, Stat, join},
    look::{look, now_ns},
    own::OwnDir,
    repository::Repository,
    tracked::{Tracked, TrackedPaths},
};
use crate::git::{Call, Git};

/// A file that is not in the user's index and larger than this is recorded by hash only.
pub(super) const LARGE: u64 = 10 << 20;

/// The work tree as it was last looked at.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) listing: Listing,
    pub(super) tracked: TrackedPaths,
    index: FileMark,
    excludes: FileMark,
}

/// What counts in the work tree, and what is left out of it.
#[derive(Debug, Default)]
pub(super) struct Present {
    /// Files and symbolic links.
    pub(super) files: HashSet<RawPath>,
    /// Those that the last tree may not hold as they are.
    pub(super) candidates: Vec<(RawPath, Stat, Held)>,
    /// What is left out, and why.
    pub(super) skipped: Vec<(RawPath, &'static str)>,
}

/// Tells whether a file outside the listing is as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FileMark {
    stat: Option<(i64, i64, u64, u64)>,
    is_racy: bool,
}

impl FileMark {
    fn of(path: &Path) -> Self {
        let stat = fs::metadata(path)
            .ok()
            .map(|meta| (meta.ctime(), meta.ctime_nsec(), meta.ino(), meta.size()));
        let is_racy = stat.is_some_and(|(seconds, ns, ..)| {
            i128::from(seconds) * 1_000_000_000 + i128::from(ns) + 2_000_000_000 > now_ns()
        });
        Self { stat, is_racy }
    }

    /// Looks again; whether the file may be another than before.
    fn renew(&mut self, path: &Path) -> bool {
        let (before, now) = (*self, Self::of(path));
        *self = now;
        before.is_racy || before.stat != now.stat
    }
}

impl Scan {
    /// Looks at the whole work tree. The answer is whether anything may differ from last time.
    pub(super) async fn refresh(
        &mut self,
        git: &Git,
        own: &OwnDir,
        repository: &Repository,
        excludes: Option<&Path>,
    ) -> Result<bool, TreeError> {
        let top = open_top(repository)?;
        let info_exclude = repository.common_dir.join("info/exclude");
        let mut rules_changed = own.mirror(&info_exclude, "info/exclude")?;
        rules_changed |= excludes.is_some_and(|path| self.excludes.renew(path));
        let mut changed = rules_changed;
        if self.index.renew(&repository.index()) {
            self.tracked = TrackedPaths::read(git, own, repository).await?;
            self.forget_what_hung_on_the_index();
            changed = true;
        }
        let mut todo: Vec<(RawPath, bool)> =
            self.listing.dirs.iter().map(|(path, dir)| (path.clone(), dir.confined)).collect();
        if !self.listing.dirs.contains_key(&b""[..]) {
            todo.push((RawPath::new(), false));
        }
        while !todo.is_empty() {
            changed |= self.look(&top, todo, &mut rules_changed).await?;
            if rules_changed {
                self.listing.forget_verdicts();
                rules_changed = false;
            }
            if !changed {
                return Ok(false);
            }
            self.ask_what_is_ignored(git, own, repository).await?;
            todo = self.missing();
        }
        Ok(changed)
    }

    /// Looks at `todo` on a thread that may block; whether anything differs.
    async fn look(
        &mut self,
        top: &OwnedFd,
        todo: Vec<(RawPath, bool)>,
        rules_changed: &mut bool,
    ) -> Result<bool, TreeError> {
        let top = top.try_clone().map_err(TreeError::io("look at", Path::new(".")))?;
        // Should this future be dropped here, the listing stays empty: all is looked at anew.
        let listing = std::mem::take(&mut self.listing);
        let tracked = std::mem::take(&mut self.tracked);
        let (seen, listing, tracked) = tokio::task::spawn_blocking(move || {
            (look(&top, &todo, &listing, &tracked), listing, tracked)
        })
        .await
        .expect("looking at directories neither panics nor is aborted");
        (self.listing, self.tracked) = (listing, tracked);
        let seen = seen.map_err(|errno| TreeError::Look { source: errno.into() })?;
        let differs = !seen.is_empty();
        *rules_changed |= self.listing.merge(seen);
        Ok(differs)
    }

    /// What is only there because the index named it, or is not there because it did not.
    fn forget_what_hung_on_the_index(&mut self) {
        self.listing.dirs.retain(|_, dir| !dir.confined && !dir.foreign);
        for dir in self.listing.dirs.values_mut() {
            for entry in dir.entries.values_mut().filter(|entry| entry.stat.size > LARGE) {
                entry.held = Held::No;
            }
        }
    }

    /// Asks git about every entry that it has not been asked about, in one call.
    async fn ask_what_is_ignored(
        &mut self,
        git: &Git,
        own: &OwnDir,
        repository: &Repository,
    ) -> Result<(), TreeError> {
        let mut question = Vec::new();
        for (path, dir) in &self.listing.dirs {
            let tracked = self.tracked.names(path);
            for (name, entry) in &dir.entries {
                let is_file = tracked.and_then(|names| names.get(name)).is_some_and(is_file);
                if entry.ignored.is_none() && !dir.confined && !dir.foreign && !is_file {
                    // `check-ignore` has no literal pathspecs, and a name may begin with a colon.
                    question.extend(b"./");
                    question.extend(join(path, name));
                    question.push(0);
                }
            }
        }
        if question.is_empty() {
            return Ok(());
        }
        let call = Call::new(own.path(), &repository.top)
            .env("GIT_WORK_TREE", &repository.top)
            .env("GIT_LITERAL_PATHSPECS", "0")
            .args(["check-ignore", "--no-index", "-z", "--stdin"])
            .stdin(question.clone())
            .accepting(&[0, 1]);
        let output = git.run(call).await?;
        for (paths, ignored) in [(&question, false), (&output.stdout, true)] {
            for path in paths.split(|byte| *byte == 0).filter_map(|path| path.strip_prefix(b"./")) {
                if let Some(entry) = self.listing.entry_mut(path) {
                    entry.ignored = Some(ignored);
                }
            }
        }
        Ok(())
    }

    /// Directories that count and were not looked into; forgets those that count no longer.
    fn missing(&mut self) -> Vec<(RawPath, bool)> {
        let mut missing = Vec::new();
        let mut reached = HashSet::new();
        let mut todo = vec![(RawPath::new(), false)];
        while let Some((path, confined)) = todo.pop() {
            match self.listing.dirs.get(&path) {
                Some(dir) if dir.confined == confined => {
                    for (name, entry) in &dir.entries {
                        let path = join(&path, name);
                        let confined = confined || dir.foreign || entry.ignored == Some(true);
                        if entry.stat.file_type().is_dir() && self.counts(&path, confined) {
                            todo.push((path, confined));
                        }
                    }
                }
                _ => missing.push((path.clone(), confined)),
            }
            reached.insert(path);
        }
        self.listing.dirs.retain(|path, _| reached.contains(path));
        missing
    }

    fn counts(&self, dir: &[u8], confined: bool) -> bool {
        match self.tracked.get(dir) {
            Some(Tracked::Link(_)) => false,
            Some(Tracked::Dir) => true,
            _ => !confined,
        }
    }

    /// All that counts.
    pub(super) fn present(&self, recorded: &HashSet<RawPath>) -> Present {
        let mut present = Present::default();
        for (path, dir) in &self.listing.dirs {
            if dir.foreign && self.tracked.names(path).is_none() {
                present.skipped.push((path.clone(), "it is another git repository"));
            }
            self.add(&mut present, path, dir, recorded);
        }
        present
    }

    fn add(&self, present: &mut Present, path: &[u8], dir: &Dir, recorded: &HashSet<RawPath>) {
        let tracked = self.tracked.names(path);
        for (name, entry) in &dir.entries {
            let is_tracked = tracked.and_then(|names| names.get(name)).is_some_and(is_file);
            let is_confined = dir.confined || dir.foreign || entry.ignored != Some(false);
            if entry.stat.file_type().is_dir() || (is_confined && !is_tracked) {
                continue;
            }
            let path = join(path, name);
            if entry.stat.git_mode().is_none() {
                present.skipped.push((path, "it is not a regular file"));
            } else if entry.stat.file_type().is_symlink()
                && name.eq_ignore_ascii_case(b".gitmodules")
            {
                present.skipped.push((path, "git does not hold such a link"));
            } else {
                if entry.held != Held::Yes || !recorded.contains(&path) {
                    present.candidates.push((path.clone(), entry.stat, entry.held));
                }
                present.files.insert(path);
            }
        }
    }
}

fn is_file(tracked: &Tracked) -> bool {
    matches!(tracked, Tracked::File { .. })
}

/// Opens the top of the work tree.
pub(super) fn open_top(repository: &Repository) -> Result<OwnedFd, TreeError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    open(&repository.top, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::NOENT | Errno::NOTDIR => TreeError::Gone { path: repository.top.clone() },
        errno => TreeError::io("open", &repository.top)(errno.into()),
    })
}
