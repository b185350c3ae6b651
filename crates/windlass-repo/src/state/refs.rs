//! Branches, tags and the stash, read as data.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use super::{
    fact::{About, Leaf},
    look::{Dir, Look, Mark},
};

/// A ref is a line.
const REF: u64 = 4096;

/// More packed refs than this are not read.
const PACKED: u64 = 64 << 20;

/// So many refs are told apart.
const MOST: usize = 50_000;

/// So deep are names of refs.
const DEEPEST: usize = 12;

/// The log of the stash is not larger.
const STASH: u64 = 1 << 20;

/// Refs that come and go with ordinary work, or are windlass's own: remote branches move with every
/// fetch.
const PASSED_OVER: &[&str] = &[
    "refs/remotes/",
    "refs/windlass/",
    "refs/stash",
    "refs/bisect/",
    "refs/worktree/",
    "refs/rewritten/",
    "refs/prefetch/",
    "refs/jj/",
];

/// The refs that were read last.
#[derive(Debug, Default)]
pub(super) struct KnownRefs {
    loose: HashMap<String, (Mark, String)>,
    packed: Option<(Mark, Arc<BTreeMap<String, String>>)>,
    leaf: Arc<Leaf>,
}

/// Adds the refs of a common directory.
pub(super) fn look_at(look: &mut Look<'_>, dir: &Dir, known: &mut KnownRefs) {
    let shown = dir.shown(b"refs");
    let mut walk = Walk { known, loose: HashMap::new(), is_new: false, links: Vec::new() };
    if let Some(refs) = dir.dir_as(b"refs", "refs".to_owned()) {
        walk.directory(&refs, 0);
    } else if let Some(strange) = dir.mark(b"refs").and_then(|mark| mark.strange()) {
        look.fact(shown, About::Strange, "", strange.to_owned());
    }
    let Walk { loose, mut is_new, links, .. } = walk;
    is_new |= loose.len() != known.loose.len();
    known.loose = loose;
    is_new |= known.read_packed(dir);
    for (name, target) in links {
        look.fact(dir.shown.clone(), About::Link, &name, target);
    }
    if is_new {
        known.leaf = Arc::new(known.leaf());
    }
    // What is racy is read again the next time.
    known.loose.retain(|_, (mark, _)| !mark.is_racy());
    look.state.0.insert(dir.shown(b""), known.leaf.clone());
}

struct Walk<'a> {
    known: &'a KnownRefs,
    loose: HashMap<String, (Mark, String)>,
    is_new: bool,
    links: Vec<(String, String)>,
}

impl Walk<'_> {
    fn directory(&mut self, dir: &Dir, depth: usize) {
        for (name, kind) in dir.names() {
            let shown = dir.shown(&name);
            if self.loose.len() >= MOST {
                return;
            }
            if kind.is_symlink() {
                self.links.push((shown, dir.target(&name)));
            } else if kind.is_dir() && depth < DEEPEST {
                let is_wanted = !PASSED_OVER.contains(&format!("{shown}/").as_str());
                if let Some(inner) = is_wanted.then(|| dir.dir(&name)).flatten() {
                    self.directory(&inner, depth + 1);
                }
            } else if kind.is_file() && !is_passed_over(&shown) && !shown.ends_with(".lock") {
                self.one(dir, &name, shown);
            }
        }
    }

    fn one(&mut self, dir: &Dir, name: &[u8], shown: String) {
        let Some(mark) = dir.mark(name) else { return };
        if let Some((then, value)) = self.known.loose.get(&shown)
            && *then == mark
        {
            self.loose.insert(shown, (mark, value.clone()));
            return;
        }
        self.is_new = true;
        let Some(text) = dir.read(name, REF) else { return };
        let value = String::from_utf8_lossy(text.trim_ascii()).into_owned();
        self.loose.insert(shown, (mark, value));
    }
}

impl KnownRefs {
    /// Reads the packed refs if they are not as they were; whether they are not.
    fn read_packed(&mut self, dir: &Dir) -> bool {
        let mark = dir.mark(b"packed-refs");
        if let (Some((then, _)), Some(mark)) = (&self.packed, mark)
            && *then == mark
            && !mark.is_racy()
        {
            return false;
        }
        let had = self.packed.take().is_some();
        let Some(mark) = mark else { return had };
        let text = dir.read(b"packed-refs", PACKED).unwrap_or_default();
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#"));
        let refs = lines.filter_map(|line| {
            let at = line.iter().position(|byte| *byte == b' ')?;
            let name = String::from_utf8_lossy(&line[at + 1..]).into_owned();
            let id = String::from_utf8_lossy(&line[..at]).into_owned();
            (!is_passed_over(&name)).then_some((name, id))
        });
        self.packed = Some((mark, Arc::new(refs.take(MOST).collect())));
        true
    }

    fn leaf(&self) -> Leaf {
        let mut all: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, id) in self.packed.iter().flat_map(|(_, packed)| packed.iter()) {
            all.insert(name, id);
        }
        for (name, (_, id)) in &self.loose {
            all.insert(name, id);
        }
        let names: HashSet<&str> = all.keys().copied().collect();
        let is_shadow = |tag: &str| names.contains(format!("refs/heads/{tag}").as_str());
        let mut leaf = Leaf::new();
        for (name, id) in all {
            if name.strip_prefix("refs/tags/").is_some_and(is_shadow) {
                leaf.insert((About::Shadow, name.to_owned()), id.to_owned());
            }
            leaf.insert((About::Ref, name.to_owned()), id.to_owned());
        }
        leaf
    }
}

fn is_passed_over(name: &str) -> bool {
    PASSED_OVER.iter().any(|passed| name.starts_with(passed))
}

/// The commits of the stash, the newest first.
pub(super) fn stash(look: &mut Look<'_>, dir: &Dir) {
    let logged = look.file(dir, b"logs/refs/stash", STASH, |text, leaf| {
        let lines = text.split(|byte| *byte == b'\n').rev();
        let ids = lines.filter_map(|line| {
            let id = line.split(|byte| *byte == b' ').nth(1)?;
            Some(String::from_utf8_lossy(id).into_owned())
        });
        let ids: Vec<String> = ids.collect();
        leaf.insert((About::Stash, String::new()), ids.join("\n"));
    });
    if logged.is_none() {
        look.file(dir, b"refs/stash", REF, |text, leaf| {
            let id = String::from_utf8_lossy(text.trim_ascii()).into_owned();
            leaf.insert((About::Stash, String::new()), id);
        });
    }
}
