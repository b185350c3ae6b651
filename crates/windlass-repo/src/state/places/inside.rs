//! Submodules, and other repositories in the work tree.
//!
//! Nothing is asked of git there, for its settings are an agent's. What HEAD's commit holds is what the
//! index names, but for what is staged: so the index stands for it, which is plain data, and which
//! another message does not change.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use windlass_core::evidence::PlaceKind;
use windlass_system::below::split;

use super::{
    super::{git_dir, index, inner, look::Dir, words},
    Digests, Draft, Ground, Part, files, head, is_id,
};
use crate::tree::{Inside, hex};

/// So many repositories of a kind are looked at.
const MOST: usize = 200;

/// A larger index is not read.
const INDEX: u64 = 64 << 20;

/// More packed refs than this are not read.
const PACKED: u64 = 1 << 20;

/// A ref is a line.
const REF: u64 = 4096;

/// The submodules and the other repositories in the work tree.
pub(super) fn drafts(ground: &Ground<'_>, inside: &Inside, digests: &mut Digests) -> Vec<Draft> {
    let is_filled = |path: &&Vec<u8>| files::is_filled(split(path).1);
    let ignored = inside.ignored.iter().filter(|path| !is_filled(path));
    let submodules: BTreeSet<&Vec<u8>> = inside.submodules.iter().collect();
    let others: BTreeSet<&Vec<u8>> = inside.others.iter().chain(ignored).collect();
    let others = others.difference(&submodules).copied().filter_map(|path| found(ground, path));
    let others = others.filter(|found| !found.is_told(ground)).take(MOST);
    let named = submodules.iter().copied().filter_map(|path| found(ground, path)).take(MOST);
    let mut by_kind: BTreeMap<PlaceKind, Vec<Found<'_>>> = BTreeMap::new();
    by_kind.entry(PlaceKind::Submodule).or_default().extend(named);
    for found in others {
        by_kind.entry(found.kind(ground)).or_default().push(found);
    }
    let mut drafts = Vec::new();
    for (kind, found) in by_kind {
        let count = found.len();
        drafts.extend(found.into_iter().map(|found| Draft {
            kind,
            name: words::cut(&String::from_utf8_lossy(found.path)),
            parts: found.parts(ground, count, digests),
        }));
    }
    drafts
}

/// A repository in the work tree.
struct Found<'a> {
    path: &'a [u8],
    dir: Dir,
    /// Where its git directory is; empty where that cannot be told.
    git: PathBuf,
}

/// The repository at a path; `None` where there is none.
fn found<'a>(ground: &Ground<'_>, path: &'a [u8]) -> Option<Found<'a>> {
    let dir = ground.top.dir(path)?;
    let whole = ground.place.root.join(OsStr::from_bytes(path));
    let mark = dir.mark(b".git")?;
    let git = match mark.kind {
        kind if kind.is_dir() => whole.join(".git"),
        kind if kind.is_file() => {
            let named = git_dir::named(&dir, &whole, b".git", b"gitdir: ");
            named.map(|at| inner::plain(&at)).unwrap_or_default()
        }
        _ => PathBuf::new(),
    };
    Some(Found { path, dir, git })
}

impl Found<'_> {
    /// Whether it is a work tree that the user's repository knows: those are told otherwise.
    fn is_told(&self, ground: &Ground<'_>) -> bool {
        self.is_worktree(ground) && ground.git_dir(&self.git).is_some()
    }

    /// Whether it is another work tree of the user's repository, or of what stands in for that in a
    /// sandbox.
    fn is_worktree(&self, ground: &Ground<'_>) -> bool {
        self.git.parent() == Some(&ground.repository.common_dir.join("worktrees"))
    }

    /// What it is, where the index does not name it. The user's repository has the git directories of
    /// submodules.
    fn kind(&self, ground: &Ground<'_>) -> PlaceKind {
        match self.git.starts_with(&ground.repository.common_dir) {
            true if self.is_worktree(ground) => PlaceKind::Worktree,
            true => PlaceKind::Submodule,
            false => PlaceKind::Nested,
        }
    }

    fn parts(&self, ground: &Ground<'_>, count: usize, digests: &mut Digests) -> Vec<Part> {
        let git = ground.git_dir(&self.git);
        let held = git.and_then(|git| held(&git, &self.git, digests));
        let files = files::print(&self.dir, count, digests);
        held.into_iter().chain([files]).map(Part::Print).collect()
    }
}

/// What identifies what a git directory holds for its work tree: what its index names or, where that
/// cannot be read, the commit of its HEAD.
pub(super) fn held(git: &Dir, path: &Path, digests: &mut Digests) -> Option<String> {
    let index = git.mark(b"index").and_then(|mark| {
        let key = path.join("index").into_os_string().into_encoded_bytes();
        let mark = Some(mark).filter(|mark| mark.kind.is_file() && mark.size <= INDEX)?;
        digests.of(key, (git, b"index", mark), INDEX, index::print)
    });
    index.map(|print| hex(&print[..16])).or_else(|| commit(git))
}

/// The commit of HEAD, as far as plain files tell.
fn commit(git: &Dir) -> Option<String> {
    let head = head::text(git)?;
    let Some(name) = head.strip_prefix("ref: ").map(str::trim) else {
        return Some(head).filter(|id| is_id(id));
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes.trim_ascii()).into_owned();
    let loose = name.starts_with("refs/heads/").then(|| git.read(name.as_bytes(), REF)).flatten();
    let id = loose.map(|bytes| text(&bytes)).or_else(|| {
        let packed = git.read(b"packed-refs", PACKED)?;
        let mut lines = packed.split(|byte| *byte == b'\n').map(text);
        lines.find_map(|line| Some(line.strip_suffix(name)?.strip_suffix(' ')?.to_owned()))
    });
    id.filter(|id| is_id(id))
}
