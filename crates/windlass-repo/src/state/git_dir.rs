//! What a git directory says: settings, hooks, rules, links, and what is under way.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use sha2::{Digest, Sha256};
use windlass_system::below;

use super::{
    config,
    fact::{About, Leaf},
    look::{Dir, Look},
    operations, refs,
};
use crate::tree::hex;

/// Files that people write are not larger.
const TEXT: u64 = 1 << 20;

/// A path has no more bytes.
const PATH: u64 = 4096;

/// So many lines of a file are told apart.
const MOST_LINES: usize = 1000;

/// A hook that is larger is told apart by its size and time.
const HOOK: u64 = 1 << 20;

/// So many files that settings bring in are read.
const MOST_INCLUDED: usize = 20;

/// Whose git directory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// The user's, with branches and settings: everything counts.
    User,
    /// A submodule's or that of a repository in the tree: what could run counts.
    Inner,
}

/// The places that settings can lead to.
pub(super) struct Reach<'a> {
    /// The top of the work tree.
    pub(super) top: &'a Dir,
    /// Its path.
    pub(super) top_path: &'a Path,
}

/// What all work trees of a repository share.
pub(super) fn shared(look: &mut Look<'_>, dir: &Dir, path: &Path, reach: &Reach<'_>, whose: Whose) {
    links(look, dir, b"");
    let hooks_path = all_settings(look, dir, path, reach, whose);
    if let Some(hooks) = dir.dir(b"hooks") {
        self::hooks(look, &hooks);
    }
    let named = hooks_path.and_then(|named| inside(&reach.top_path.join(named), reach.top_path));
    if let Some(hooks) = named.and_then(|named| reach.top.dir(&named)) {
        self::hooks(look, &hooks);
    }
    lines(look, dir, b"info/attributes");
    lines(look, dir, b"commondir");
    if whose == Whose::User {
        for name in ["info/exclude", "info/grafts", "shallow", "objects/info/alternates"] {
            lines(look, dir, name.as_bytes());
        }
        lines(look, dir, b"objects/info/http-alternates");
        for name in ["objects", "objects/info", "objects/pack", "info", "logs", "lfs"] {
            links(look, dir, name.as_bytes());
        }
        for old in ["remotes", "branches"] {
            let names = dir.dir(old.as_bytes()).map(|dir| dir.names()).unwrap_or_default();
            for (name, _) in names {
                lines(look, dir, &[old.as_bytes(), b"/", &name].concat());
            }
        }
        refs::stash(look, dir);
    }
}

/// What each work tree has of its own.
pub(super) fn own(look: &mut Look<'_>, dir: &Dir, whose: Whose) {
    settings(look, dir, b"config.worktree", whose);
    lines(look, dir, b"info/sparse-checkout");
    operations::look_at(look, dir);
    if whose == Whose::User {
        look.file(dir, b"HEAD", PATH, |text, leaf| {
            let text = String::from_utf8_lossy(text.trim_ascii()).into_owned();
            leaf.insert((About::Head, String::new()), text);
        });
    }
}

/// Symbolic links in a directory. HEAD may be one that leads to a branch.
pub(super) fn links(look: &mut Look<'_>, dir: &Dir, inner: &[u8]) {
    let Some(dir) = (if inner.is_empty() { dir.dir(b"") } else { dir.dir(inner) }) else { return };
    let shown = dir.shown.trim_end_matches('/').to_owned();
    for (name, kind) in dir.names() {
        let target = if kind.is_symlink() { dir.target(&name) } else { continue };
        if name != b"HEAD" || !target.starts_with("refs/heads/") {
            look.fact(shown.clone(), About::Link, &String::from_utf8_lossy(&name), target);
        }
    }
}

/// The settings of a config, and of the files of the tree that it brings in; gives the place of hooks
/// that they name.
fn all_settings(
    look: &mut Look<'_>,
    dir: &Dir,
    path: &Path,
    reach: &Reach<'_>,
    whose: Whose,
) -> Option<String> {
    let mut todo = vec![(path.to_owned(), settings(look, dir, b"config", whose)?)];
    let mut hooks_path = None;
    let mut left = MOST_INCLUDED;
    while let Some((from, leaf)) = todo.pop() {
        hooks_path = value(&leaf, "core.hookspath").map(str::to_owned).or(hooks_path);
        for included in included(&leaf) {
            let Some(inside) = inside(&from.join(included), reach.top_path) else { continue };
            if left == 0 {
                return hooks_path;
            }
            left -= 1;
            let from = reach.top_path.join(OsStr::from_bytes(below::split(&inside).0));
            todo.extend(settings(look, reach.top, &inside, whose).map(|leaf| (from, leaf)));
        }
    }
    hooks_path
}

/// The settings of a file that could do something.
fn settings(look: &mut Look<'_>, dir: &Dir, path: &[u8], whose: Whose) -> Option<Arc<Leaf>> {
    let about = match whose {
        Whose::User => About::Setting,
        Whose::Inner => About::RunningSetting,
    };
    look.file(dir, path, TEXT, |text, leaf| {
        for (key, value) in config::telling(text) {
            let runs = config::effect(&key, "").is_some_and(|(does, _)| does == config::Does::Runs);
            if runs || whose == Whose::User {
                leaf.insert((about, key), value);
            }
        }
    })
}

fn value<'a>(leaf: &'a Leaf, key: &str) -> Option<&'a str> {
    let found = [About::Setting, About::RunningSetting]
        .into_iter()
        .find_map(|about| leaf.get(&(about, key.to_owned())));
    found.and_then(|values| values.lines().last())
}

/// The files that a file brings in.
fn included(leaf: &Leaf) -> Vec<String> {
    let is_include = |key: &str| key == "include.path" || key.starts_with("includeif.");
    let all = leaf.iter().filter(|((_, key), _)| is_include(key));
    all.flat_map(|(_, values)| values.lines().map(str::to_owned)).collect()
}

/// A path below the top, without links being followed; `None` where it leads elsewhere.
fn inside(path: &Path, top: &Path) -> Option<Vec<u8>> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    let inner = plain.strip_prefix(top).ok()?;
    Some(inner.as_os_str().as_bytes().to_vec()).filter(|inner| !inner.is_empty())
}

/// The executable files of a directory of hooks.
fn hooks(look: &mut Look<'_>, dir: &Dir) {
    for (name, kind) in dir.names() {
        if name.ends_with(b".sample") {
            continue;
        }
        let shown = String::from_utf8_lossy(&name).into_owned();
        if kind.is_symlink() {
            let target = format!("a link to `{}`", dir.target(&name));
            look.fact(dir.shown(&name), About::Hook, &shown, target);
        } else if let Some(mark) = dir.mark(&name)
            && mark.kind.is_file()
            && mark.mode & 0o111 != 0
        {
            if mark.size > HOOK {
                let value = format!("{mark:?}");
                look.fact(dir.shown(&name), About::Hook, &shown, value);
                continue;
            }
            look.file(dir, &name, HOOK, |text, leaf| {
                leaf.insert((About::Hook, shown), hex(&Sha256::digest(text)));
            });
        }
    }
}

/// The lines of a file of rules, or of one that names another place.
pub(super) fn lines(look: &mut Look<'_>, dir: &Dir, path: &[u8]) {
    let about = if below::split(path).1 == b"commondir" { About::CommonDir } else { About::Line };
    look.file(dir, path, TEXT, |text, leaf| {
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"));
        for line in lines.take(MOST_LINES) {
            let line: String = String::from_utf8_lossy(line).chars().take(300).collect();
            leaf.insert((about, line), String::new());
        }
    });
}

/// What a file names after a prefix, from the directory that it is in.
pub(super) fn named(dir: &Dir, path: &Path, file: &[u8], prefix: &[u8]) -> Option<PathBuf> {
    let text = dir.read(file, PATH)?;
    let name = text.strip_prefix(prefix)?.trim_ascii_end();
    (!name.is_empty()).then(|| path.join(OsStr::from_bytes(name)))
}
