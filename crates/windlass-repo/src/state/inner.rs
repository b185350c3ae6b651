//! Repositories inside of a repository: its submodules, its other work trees, and those that stand in
//! the work tree.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{
    fact::About,
    git_dir::{self, Reach, Whose},
    look::{Dir, Look},
};

/// So many directories of submodules are looked into.
const MOST_MODULES: usize = 1000;

/// So many work trees are looked at.
const MOST_WORKTREES: usize = 1000;

/// So many repositories in the tree are looked into.
const MOST_NESTED: usize = 200;

/// The work trees of a repository. Those below `home` are windlass's own, which come and go.
pub(super) fn worktrees(look: &mut Look<'_>, common: &Dir, home: &Path) {
    let Some(folder) = common.dir(b"worktrees") else { return };
    git_dir::links(look, common, b"worktrees");
    for (name, _) in folder.names().into_iter().take(MOST_WORKTREES) {
        let Some(dir) = folder.dir(&name) else { continue };
        let at = git_dir::named(&dir, Path::new(""), b"gitdir", b"").unwrap_or_default();
        if at.starts_with(home) {
            let head = dir.read(b"HEAD", 4096).unwrap_or_default();
            let head = String::from_utf8_lossy(head.trim_ascii()).into_owned();
            if let Some(branch) = head.strip_prefix("ref: ") {
                look.fact(dir.shown, About::LoopBranch, branch, String::new());
            }
            continue;
        }
        let shown = at.parent().unwrap_or(&at).to_string_lossy().into_owned();
        look.fact(dir.shown.clone(), About::Worktree, "", shown);
        git_dir::links(look, &dir, b"");
        git_dir::lines(look, &dir, b"commondir");
        git_dir::own(look, &dir, Whose::User);
    }
}

/// The git directories of submodules, also of those in submodules.
pub(super) fn modules(look: &mut Look<'_>, common: &Dir, path: &Path, reach: &Reach<'_>) {
    let mut left = MOST_MODULES;
    let mut todo: Vec<(Dir, PathBuf)> =
        common.dir(b"modules").map(|dir| (dir, path.join("modules"))).into_iter().collect();
    while let Some((dir, path)) = todo.pop() {
        git_dir::links(look, &dir, b"");
        for (name, kind) in dir.names() {
            let Some(inner) = kind.is_dir().then(|| dir.dir(&name)).flatten() else { continue };
            if left == 0 {
                return;
            }
            left -= 1;
            let path = path.join(OsStr::from_bytes(&name));
            if inner.mark(b"HEAD").is_none() {
                todo.push((inner, path));
                continue;
            }
            git_dir::shared(look, &inner, &path, reach, Whose::Inner);
            git_dir::own(look, &inner, Whose::Inner);
            todo.extend(inner.dir(b"modules").map(|modules| (modules, path.join("modules"))));
        }
    }
}

/// The repositories that stand in the work tree at these paths. Submodules and work trees of the
/// repository are known otherwise.
pub(super) fn nested(
    look: &mut Look<'_>,
    paths: &[Vec<u8>],
    common: Option<&Path>,
    reach: &Reach<'_>,
) {
    for path in paths.iter().take(MOST_NESTED) {
        let Some(dir) = reach.top.dir(path) else { continue };
        let whole = reach.top_path.join(OsStr::from_bytes(path));
        let shown = if path.is_empty() { ".".to_owned() } else { dir.shown.clone() };
        let tell = |look: &mut Look<'_>, value: &str| {
            look.fact(shown.clone(), About::Nested, "", value.to_owned());
        };
        let Some(mark) = dir.mark(b".git") else {
            if is_bare(&dir) {
                tell(look, "bare");
                inside(look, &dir, &whole, reach);
            }
            continue;
        };
        if mark.kind.is_symlink() {
            tell(look, &dir.target(b".git"));
        } else if mark.kind.is_file() {
            let at = git_dir::named(&dir, &whole, b".git", b"gitdir: ").unwrap_or_default();
            let at = plain(&at);
            let is_known = common.is_some_and(|common| {
                at.starts_with(common.join("modules")) || at.starts_with(common.join("worktrees"))
            });
            if !is_known {
                tell(look, &at.to_string_lossy());
                let inner = at.strip_prefix(reach.top_path).ok();
                let inner = inner.and_then(|inner| reach.top.dir(inner.as_os_str().as_bytes()));
                inner.iter().for_each(|inner| inside(look, inner, &at, reach));
            }
        } else if let Some(git) = dir.dir(b".git").filter(|git| git.mark(b"HEAD").is_some()) {
            tell(look, "");
            inside(look, &git, &whole.join(".git"), reach);
        }
    }
}

fn inside(look: &mut Look<'_>, dir: &Dir, path: &Path, reach: &Reach<'_>) {
    git_dir::shared(look, dir, path, reach, Whose::Inner);
    git_dir::own(look, dir, Whose::Inner);
}

fn is_bare(dir: &Dir) -> bool {
    let is_dir = |name: &[u8]| dir.mark(name).is_some_and(|mark| mark.kind.is_dir());
    dir.mark(b"HEAD").is_some() && is_dir(b"objects") && is_dir(b"refs")
}

/// A path without `.` and `..`, by its words alone.
fn plain(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
