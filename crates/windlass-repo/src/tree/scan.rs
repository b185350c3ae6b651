//! Keeps the listing in step with the work tree: what is there, and what of it counts.

use std::{
    collections::HashSet,
    ffi::OsStr,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::Path,
    sync::Arc,
};

use rustix::{
    fs::{Mode, OFlags, open},
    io::Errno,
};
use windlass_system::process::aside;

use super::{
    Tree, TreeError,
    listing::{Entry, Held, Listing, RawPath, join},
    look::look,
    mark::FileMark,
    own::OwnDir,
    present::LARGE,
    repository::Repository,
    tracked::{Tracked, TrackedPaths},
};
use crate::git::{Call, Git};

/// More rules in one file than this are nobody's.
const MOST_RULES: u64 = 8 << 20;

/// The work tree as it was last looked at.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) listing: Listing,
    pub(super) tracked: Arc<TrackedPaths>,
    /// Directories to compare with the last tree, until it is written.
    pub(super) touched: HashSet<RawPath>,
    /// Directories that are there and cannot be opened, and whether only tracked files count there.
    pub(super) closed: Vec<(RawPath, bool)>,
    index: FileMark,
}

impl Tree {
    /// Looks at the whole work tree. The answer is whether anything may differ from last time.
    pub(super) async fn refresh(&self, scan: &mut Scan) -> Result<bool, TreeError> {
        self.have_rules()?;
        scan.refresh(&self.git, &self.own, &self.repository).await
    }
}

impl Scan {
    async fn refresh(
        &mut self,
        git: &Git,
        own: &OwnDir,
        repository: &Repository,
    ) -> Result<bool, TreeError> {
        let top = open_top(repository)?;
        let mut rules_changed = false;
        let mut changed = false;
        let mut index = self.index;
        if index.renew(&repository.index()) {
            self.tracked = Arc::new(TrackedPaths::read(git, own, repository).await?);
            self.forget_what_hung_on_the_index();
            self.touched.extend(self.listing.dirs.keys().cloned());
            changed = true;
        }
        // Only now: an index that could not be read is tried again.
        self.index = index;
        let mut todo: Vec<(RawPath, bool)> =
            self.listing.dirs.iter().map(|(path, dir)| (path.clone(), dir.confined)).collect();
        if !self.listing.dirs.contains_key(&b""[..]) {
            todo.push((RawPath::new(), false));
        }
        // They may be open now, and nothing else shows that.
        todo.append(&mut self.closed);
        let mut gone = HashSet::new();
        while !todo.is_empty() {
            changed |= self.look(&top, todo, &mut rules_changed, &mut gone).await?;
            if rules_changed {
                self.listing.forget_verdicts();
                self.touched.extend(self.listing.dirs.keys().cloned());
                rules_changed = false;
            }
            if !changed {
                return Ok(false);
            }
            self.ask_what_is_ignored(git, own, repository).await?;
            // What could not be opened just now would be missing again and again.
            (self.closed, todo) =
                self.missing().into_iter().partition(|(path, _)| gone.contains(path));
        }
        Ok(changed)
    }

    /// Looks at `todo` on a thread that may block; whether anything differs.
    async fn look(
        &mut self,
        top: &OwnedFd,
        todo: Vec<(RawPath, bool)>,
        rules_changed: &mut bool,
        gone: &mut HashSet<RawPath>,
    ) -> Result<bool, TreeError> {
        let top = top.try_clone().map_err(TreeError::io("look at", Path::new(".")))?;
        // Should this future be dropped here, the listing stays empty: all is looked at anew.
        let listing = std::mem::take(&mut self.listing);
        let tracked = self.tracked.clone();
        let (seen, listing) = aside(move || (look(&top, &todo, &listing, &tracked), listing)).await;
        self.listing = listing;
        let seen = seen.map_err(|errno| TreeError::Look { source: errno.into() })?;
        let differs = !seen.is_empty();
        self.touched.extend(seen.iter().map(|seen| seen.path.clone()));
        gone.extend(seen.iter().filter(|seen| seen.dir.is_none()).map(|seen| seen.path.clone()));
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
        let touched = self.touched.iter().filter_map(|path| self.listing.dirs.get_key_value(path));
        for (path, dir) in touched {
            let tracked = self.tracked.names(path);
            for (name, entry) in &dir.entries {
                check_rules(repository, path, name, entry)?;
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
                    let is_dir = |entry: &&Entry| entry.stat.file_type().is_dir();
                    for (name, entry) in dir.entries.iter().filter(|(_, entry)| is_dir(entry)) {
                        let path = join(&path, name);
                        let confined = confined || dir.foreign || entry.ignored == Some(true);
                        if self.counts(&path, confined) {
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
}

/// Says what is wrong with a file of rules that git would wait at, or read into memory.
fn check_rules(
    repository: &Repository,
    directory: &[u8],
    name: &[u8],
    entry: &Entry,
) -> Result<(), TreeError> {
    if !matches!(name, b".gitignore" | b".gitattributes") {
        return Ok(());
    }
    let kind = entry.stat.file_type();
    let what = if kind.is_file() && entry.stat.size > MOST_RULES {
        format!("{} MiB large", entry.stat.size >> 20)
    } else if kind.is_file() || kind.is_symlink() || kind.is_dir() {
        // Git does not follow such a link.
        return Ok(());
    } else {
        "a pipe, a socket or a device".to_owned()
    };
    let path = repository.top.join(OsStr::from_bytes(&join(directory, name)));
    Err(TreeError::Strange { path, what })
}

pub(super) fn is_file(tracked: &Tracked) -> bool {
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
