//! What is remembered of contents: what kind of file they make, and how they look through each lens.

use std::collections::{BTreeMap, HashMap};

use windlass_core::evidence::{FileKind, FilesMark, Lenses, Named};

use super::super::{diff::RawChange, listing::RawPath, reading::PLACEHOLDER, shown};

/// So many contents are remembered.
const MOST_KNOWN: usize = 4096;

/// What was seen of one content, in a file of some name.
#[derive(Clone, Debug)]
pub(super) struct Content {
    /// What kind of file it makes.
    pub(super) kind: FileKind,
    /// How it looks; `None` for what is not text, or is too large.
    pub(super) lenses: Option<Lenses>,
}

impl Content {
    fn of(bytes: &[u8], named: Named) -> Self {
        let is_whole = bytes.len() <= Lenses::LARGEST && !bytes.starts_with(PLACEHOLDER);
        let text = std::str::from_utf8(bytes).ok().filter(|text| is_whole && !text.contains('\0'));
        let (kind, reading) = named.with(text);
        Self { kind, lenses: text.and_then(|text| Lenses::of(text.as_bytes(), reading)) }
    }

    /// One of which nothing is known.
    pub(super) fn unknown(named: Named) -> Self {
        Self { kind: named.with(None).0, lenses: None }
    }
}

/// Contents that are to be known, by their ids, and what the files are named that hold them.
#[derive(Debug, Default)]
pub(super) struct Wanted(BTreeMap<String, Vec<Named>>);

impl Wanted {
    /// Adds one.
    pub(super) fn add(&mut self, id: &str, named: Named) {
        let names = self.0.entry(id.to_owned()).or_default();
        if !names.contains(&named) {
            names.push(named);
        }
    }

    /// The ids of those that are not known.
    pub(super) fn unknown(self, contents: &Contents) -> BTreeMap<String, Vec<Named>> {
        let mut unknown = self.0;
        for (id, names) in &mut unknown {
            names.retain(|named| contents.get(id, *named).is_none());
        }
        unknown.retain(|_, names| !names.is_empty());
        unknown
    }
}

/// What is remembered of contents.
#[derive(Debug, Default)]
pub(in super::super) struct Contents {
    by_id: HashMap<(String, Named), Content>,
    /// Of what the last tree was written with, for which there are no ids yet.
    written: HashMap<RawPath, Content>,
    tree: Option<String>,
}

impl Contents {
    /// Takes in what a new tree was written with; none of it where that is too much.
    pub(in super::super) fn wrote<'a>(
        &mut self,
        tree: &str,
        contents: impl Iterator<Item = (&'a RawPath, &'a [u8])> + Clone,
    ) {
        self.tree = Some(tree.to_owned());
        self.written.clear();
        let bytes: usize = contents.clone().map(|(_, bytes)| bytes.len()).sum();
        if contents.clone().count() <= FilesMark::MOST && bytes <= Lenses::LARGEST {
            let seen = |(path, bytes): (&RawPath, &[u8])| {
                (path.clone(), Content::of(bytes, Named::of(&shown(path))))
            };
            self.written = contents.map(seen).collect();
        }
    }

    /// Gives what was written the ids that it has in the tree `to`.
    pub(super) fn name(&mut self, changes: &[RawChange], to: &str) {
        if self.by_id.len() > MOST_KNOWN {
            self.by_id.clear();
        }
        if self.tree.as_deref() != Some(to) {
            return;
        }
        for change in changes {
            if let Some(content) = self.written.get(&change.path) {
                let named = Named::of(&shown(&change.path));
                self.by_id.insert((change.new_id.clone(), named), content.clone());
            }
        }
    }

    /// Remembers that what a path holds now is too large.
    pub(super) fn note_large(&mut self, change: &RawChange) {
        let named = Named::of(&shown(&change.path));
        self.by_id.insert((change.new_id.clone(), named), Content::unknown(named));
    }

    /// Remembers a content that was read; `None` for one that is lost, or too large.
    pub(super) fn add(&mut self, id: &str, names: &[Named], bytes: Option<&[u8]>) {
        for named in names {
            let content =
                bytes.map_or_else(|| Content::unknown(*named), |bytes| Content::of(bytes, *named));
            self.by_id.insert((id.to_owned(), *named), content);
        }
    }

    /// What is known of a content.
    pub(super) fn get(&self, id: &str, named: Named) -> Option<&Content> {
        self.by_id.get(&(id.to_owned(), named))
    }
}
