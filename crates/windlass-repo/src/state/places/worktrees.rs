//! Other work trees of the repository. Those of windlass's own are of other loops: neither they nor
//! the branches that they are on are told.

use std::{
    collections::HashSet,
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use windlass_core::evidence::PlaceKind;

use super::{
    super::{git_dir, inner, look::Dir, words},
    Branches, Digests, Draft, Ground, Part, below, files, head,
    inside::held,
};

/// So many work trees are looked at.
const MOST: usize = 200;

/// The other work trees, and the branches of other loops.
pub(super) fn drafts(
    ground: &Ground<'_>,
    branches: Branches<'_>,
    digests: &mut Digests,
) -> (Vec<Draft>, HashSet<String>) {
    let folder = ground.repository.common_dir.join("worktrees");
    let (mut drafts, mut of_loops) = (Vec::new(), HashSet::new());
    let Some(dir) = ground.common.dir(b"worktrees") else { return (drafts, of_loops) };
    let names = dir.names();
    for (name, _) in names.iter().take(MOST) {
        let path = folder.join(OsStr::from_bytes(name));
        let Some(dir) = dir.dir(name).filter(|_| path != ground.repository.git_dir) else {
            continue;
        };
        let Some(at) = place_of(&dir, &path) else { continue };
        if at.starts_with(&ground.place.home) {
            let head = head::text(&dir).unwrap_or_default();
            of_loops.extend(head.strip_prefix("ref: ").map(str::to_owned));
            continue;
        }
        let commit = branches.head(&dir).1;
        let mut parts: Vec<Part> = commit.into_iter().map(Part::Commit).collect();
        parts.extend(held(&dir, &path, digests).map(Part::Print));
        let files = linked(ground, &at).map(|dir| files::print(&dir, names.len(), digests));
        parts.extend(files.map(Part::Print));
        let name = at.strip_prefix(&ground.place.root).unwrap_or(&at);
        let name = words::cut(&name.to_string_lossy());
        drafts.push(Draft { kind: PlaceKind::Worktree, name, parts });
    }
    (drafts, of_loops)
}

/// Where a work tree is, as its git directory says.
fn place_of(dir: &Dir, path: &Path) -> Option<PathBuf> {
    let git = inner::plain(&git_dir::named(dir, path, b"gitdir", b"")?);
    git.parent().map(Path::to_owned)
}

/// The files of a work tree that lies in this one. Others cannot be reached.
fn linked(ground: &Ground<'_>, at: &Path) -> Option<Dir> {
    let dir = ground.top.dir(below(at, &ground.place.root)?)?;
    dir.mark(b".git").is_some_and(|mark| mark.kind.is_file()).then_some(dir)
}
