//! Records what is guarded at a loop's start, and keeps what no snapshot has.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::DirBuilder,
    io,
    os::unix::{ffi::OsStrExt, fs::DirBuilderExt},
    path::{Component, Path, PathBuf},
};

use windlass_core::{step::guarded::GuardReport, text::causes::with_causes};
use windlass_proof::guard::{Class, Guard, Request};
use windlass_repo::tree::{InTree, Tree};
use windlass_system::below::{self, Links, Root, Stood, Walked};

use super::{
    Asked,
    free_paths::free_paths,
    kept::{Back, Kept},
    look::{Print, Touched},
    manifest::{Manifest, write},
    named::named,
};

/// So much is copied.
const MOST_COPIED: u64 = 64 << 20;

/// A file that is not in git and larger than this is in snapshots by its hash only.
const LARGE: u64 = 10 << 20;

/// How many files are named in a report.
const NAMED: usize = 20;

/// Where copies are.
pub(super) const COPIES: &str = "copies";

/// What was found at the start.
pub(super) struct Found {
    pub(super) report: GuardReport,
    tree: Option<String>,
    walked: Vec<String>,
    closed: Vec<String>,
    /// Guarded files that no snapshot has, with why they cannot be copied, and the link that leads there.
    apart: BTreeMap<String, Apart>,
}

#[derive(Clone, Debug, Default)]
struct Apart {
    locked: Option<String>,
    behind: Option<String>,
    /// Whether a change is only a doubt.
    watched: bool,
}

/// Records a start.
pub(super) struct Recorder<'a> {
    asked: &'a Asked,
    root: Root,
    request: Request,
    guard: Guard,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(root: &Path, directory: &Path, asked: &'a Asked) -> Result<Self, String> {
        let mut request = asked.request(root, directory);
        request.scripts.extend(asked.behind_links(root));
        let guard = Guard::new(request.clone()).map_err(|error| error.to_string())?;
        let root = Root::open(root).map_err(|errno| errno.to_string())?;
        Ok(Self { asked, root, request, guard })
    }

    /// Looks at every file.
    pub(super) async fn look(&mut self, tree: Option<&Tree>) -> Result<Found, String> {
        let Walked { files, nested, closed } =
            below::walk(&self.root).map_err(|errno| errno.to_string())?;
        let named = named(&self.root, &self.guard, &files);
        if !named.is_empty() {
            self.request.scripts.extend(named);
            self.guard = Guard::new(self.request.clone()).map_err(|error| error.to_string())?;
        }
        let behind_links = self.behind_links(&files);
        let (id, in_tree) = match tree {
            Some(tree) => {
                let id = tree.snapshot().await.map_err(|error| with_causes(&error))?.tree;
                // A tree may have very many files, and few of them matter.
                let is_wanted = |raw: &[u8]| {
                    let path = String::from_utf8_lossy(raw);
                    behind_links.contains_key(&*path) || self.guard.class(&path) != Class::Free
                };
                let recorded = tree.files_in(&id, is_wanted).await;
                (Some(id), recorded.map_err(|error| with_causes(&error))?)
            }
            None => (None, BTreeMap::new()),
        };
        let mut found = Found {
            report: GuardReport::default(),
            tree: id,
            walked: Vec::with_capacity(files.len()),
            closed: closed.iter().map(|path| shown(path)).collect(),
            apart: BTreeMap::new(),
        };
        let mut large = BTreeMap::new();
        for raw in files {
            let recorded = in_tree.get(&raw);
            let path = String::from_utf8(raw).unwrap_or_else(|raw| shown(raw.as_bytes()));
            self.take(&mut found, &path, recorded, &nested, &mut large);
            found.walked.push(path);
        }
        if let Some(tree) = tree {
            lock_large(tree, large, &mut found).await?;
        }
        for (path, link) in behind_links {
            if !in_tree.contains_key(path.as_bytes()) && !found.apart.contains_key(&path) {
                found.apart.insert(path, Apart { behind: Some(link), ..Apart::default() });
            }
        }
        self.sum_up(&mut found);
        Ok(found)
    }

    /// Takes one file in.
    fn take(
        &self,
        found: &mut Found,
        path: &str,
        recorded: Option<&InTree>,
        nested: &[Vec<u8>],
        large: &mut BTreeMap<String, String>,
    ) {
        let class = self.guard.class(path);
        let report = &mut found.report;
        match &class {
            Class::Free => return,
            Class::Watched if found.tree.is_some() => return,
            Class::Watched => {}
            Class::Test => report.tests += 1,
            // The packages of a runner are too many to tell of each.
            Class::RunnerConfig if path.contains("node_modules/") => {}
            Class::RunnerConfig | Class::Program => {
                report.others_count += 1;
                if report.others.len() < NAMED {
                    report.others.push(path.to_owned());
                }
            }
            Class::Shared { .. } => report.shared.push(path.to_owned()),
        }
        if let Some(recorded) = recorded {
            let stood = below::stood(&self.root, path.as_bytes()).ok().flatten();
            if stood.is_some_and(|stood| stood.kind().is_file() && stood.size > LARGE) {
                large.insert(path.to_owned(), recorded.id.clone());
            }
            return;
        }
        let is_in = |folder: &&Vec<u8>| {
            path.as_bytes().strip_prefix(folder.as_slice()).is_some_and(|it| it.starts_with(b"/"))
        };
        let is_apart = found.tree.is_some() && nested.iter().any(|folder| is_in(&folder));
        let locked = is_apart.then(|| "it is in another git repository".to_owned());
        let watched = class == Class::Watched;
        found.apart.insert(path.to_owned(), Apart { locked, behind: None, watched });
    }

    /// The files in the tree that programs lead to which are links, each with the first such link.
    fn behind_links(&self, files: &[Vec<u8>]) -> BTreeMap<String, String> {
        let mut behind = BTreeMap::new();
        for raw in files {
            let link = String::from_utf8_lossy(raw);
            if self.guard.class(&link) == Class::Program
                && let Some(path) = self.behind(&link)
            {
                behind.entry(path).or_insert_with(|| link.into_owned());
            }
        }
        behind
    }

    /// The file below the root that a link leads to.
    fn behind(&self, link: &str) -> Option<String> {
        let mut path = PathBuf::from(link);
        for _ in 0..8 {
            let bytes = path.as_os_str().as_bytes();
            let stood = below::stood(&self.root, bytes).ok().flatten()?;
            if !stood.kind().is_symlink() {
                let is_other = path != Path::new(link) && stood.kind().is_file();
                return is_other.then(|| path.to_str().map(str::to_owned)).flatten();
            }
            let target = below::read_link(&self.root, bytes).ok()?;
            let target = Path::new(std::ffi::OsStr::from_bytes(&target));
            path = plainly(path.parent()?, target)?;
        }
        None
    }

    fn sum_up(&self, found: &mut Found) {
        for (path, apart) in &found.apart {
            if let Some(why) = &apart.locked {
                found.report.locked.push(format!("`{path}`: {why}"));
            }
        }
        let mut left = MOST_COPIED;
        let (mut count, mut first) = (0, None);
        for (path, apart) in &mut found.apart {
            let stood = below::stood(&self.root, path.as_bytes()).ok().flatten();
            let size = stood.filter(|it| it.kind().is_file()).map_or(0, |it| it.size);
            if apart.locked.is_some() || apart.watched {
                continue;
            }
            match left.checked_sub(size) {
                Some(rest) => left = rest,
                None => {
                    apart.watched = true;
                    count += 1;
                    first = first.or_else(|| Some(path.clone()));
                }
            }
        }
        if let Some(first) = first {
            found.report.notes.push(format!(
                "{count} guarded {} not in git and too large to copy (more than {} MiB in all), so a \
                 change is only noted: `{first}`{}",
                if count == 1 { "file is" } else { "files are" },
                MOST_COPIED >> 20,
                if count == 1 { "" } else { " and others" },
            ));
        }
    }

    /// Keeps what was found, with copies.
    pub(super) fn keep(&self, folder: &Path, found: Found) -> Result<(), String> {
        let failed = |error: io::Error| {
            format!("the originals cannot be kept in `{}`: {error}", folder.display())
        };
        let copies = folder.join(COPIES);
        DirBuilder::new().recursive(true).mode(0o700).create(&copies).map_err(failed)?;
        let mut kept = BTreeMap::new();
        for (path, apart) in &found.apart {
            let stood = below::stood(&self.root, path.as_bytes());
            let Some(stood) = stood.map_err(|errno| failed(errno.into()))? else { continue };
            let number = kept.len();
            kept.insert(path.clone(), self.keep_one(path, apart, &stood, (&copies, number))?);
        }
        let manifest = Manifest {
            tree: found.tree,
            scripts: self.request.scripts.clone(),
            path_directories: self.request.path_directories.clone(),
            programs: self.asked.programs.iter().cloned().collect(),
            free: free_paths(&self.root, &self.guard, &found.walked),
            closed: found.closed,
            kept,
            before: found.walked.into_iter().collect(),
            ..Manifest::default()
        };
        manifest.write(folder).map_err(failed)
    }

    fn keep_one(
        &self,
        path: &str,
        apart: &Apart,
        stood: &Stood,
        (copies, number): (&Path, usize),
    ) -> Result<Kept, String> {
        let failed = |error: io::Error| format!("`{path}` cannot be kept: {error}");
        let kind = stood.kind();
        let is_copied = apart.locked.is_none() && !apart.watched && kind.is_file();
        let print = if is_copied {
            let held = below::read(&self.root, path.as_bytes(), Links::Refused, MOST_COPIED);
            let held = held.map_err(failed)?;
            write(&copies.join(number.to_string()), &held).map_err(failed)?;
            let digest = <sha2::Sha256 as sha2::Digest>::digest(&held);
            let executable = stood.mode & 0o100 != 0;
            Print::File { digest: crate::workplace::hex(&digest), executable }
        } else {
            Print::of(&self.root, path, stood).map_err(failed)?
        };
        let back = match (&apart.locked, apart.watched) {
            (Some(why), _) => Back::Locked(why.clone()),
            (None, true) => Back::Watched,
            (None, false) if is_copied => Back::Copy(number),
            (None, false) if kind.is_symlink() => Back::Link,
            (None, false) => Back::Locked("it is not a regular file".to_owned()),
        };
        // What changed while it was read shows in what is looked at now.
        let after = below::stood(&self.root, path.as_bytes()).ok().flatten();
        let touched = after.filter(|after| after == stood).map(|stood| Touched::of(&stood));
        let touched = touched.filter(Touched::is_settled);
        Ok(Kept { print, mode: stood.mode & 0o7777, touched, back, behind: apart.behind.clone() })
    }
}

/// Locks files of which a snapshot has only the hash.
async fn lock_large(
    tree: &Tree,
    large: BTreeMap<String, String>,
    found: &mut Found,
) -> Result<(), String> {
    let ids: BTreeSet<String> = large.values().cloned().collect();
    let sizes = tree.object_sizes(&ids).await.map_err(|error| with_causes(&error))?;
    for (path, id) in large {
        if sizes.get(&id).is_none_or(|size| *size < LARGE) {
            let locked = Some("it is larger than 10 MiB and not in git".to_owned());
            found.apart.insert(path, Apart { locked, ..Apart::default() });
        }
    }
    Ok(())
}

/// Where a link in a directory leads, from the root; `None` where that is outside.
fn plainly(directory: &Path, target: &Path) -> Option<PathBuf> {
    let mut path = directory.to_owned();
    for part in target.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !path.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
