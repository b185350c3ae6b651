//! What is told of one change.

use windlass_core::evidence::{FileChange, FileMark, Named};

use super::{
    super::{
        diff::{ChangeKind, RawChange},
        shown,
    },
    contents::{Content, Contents, Wanted},
};

/// So many digits of an id are kept.
const DIGITS: usize = 12;

/// What a path holds before or after a change.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) id: &'a str,
    pub(super) mode: &'a str,
}

impl<'a> Side<'a> {
    fn before(change: &'a RawChange) -> Option<Self> {
        let is_there = change.kind != ChangeKind::Added;
        is_there.then_some(Self { id: &change.old_id, mode: &change.old_mode })
    }

    fn now(change: &'a RawChange) -> Option<Self> {
        let is_there = change.kind != ChangeKind::Deleted;
        is_there.then_some(Self { id: &change.new_id, mode: &change.new_mode })
    }

    /// What tells of which kind a file is: what it holds now, or what it held before it went.
    pub(super) fn last(change: &'a RawChange) -> Self {
        Self::now(change).unwrap_or(Self { id: &change.old_id, mode: &change.old_mode })
    }

    /// Whether it is a file, and neither a link nor another repository.
    pub(super) fn is_file(self) -> bool {
        self.mode.starts_with("100")
    }

    fn short(self) -> &'a str {
        self.id.get(..DIGITS).unwrap_or(self.id)
    }
}

/// Adds what must be known to tell of a change.
pub(super) fn wants(change: &RawChange, wanted: &mut Wanted) {
    let named = Named::of(&shown(&change.path));
    let sides = [Side::before(change), Side::now(change)];
    for side in sides.into_iter().flatten().filter(|side| side.is_file()) {
        wanted.add(side.id, named);
    }
}

/// What is told of a change.
pub(super) fn of(change: &RawChange, contents: &Contents) -> FileMark {
    let path = shown(&change.path);
    let named = Named::of(&path);
    let content = |side: Side<'_>| {
        contents
            .get(side.id, named)
            .filter(|_| side.is_file())
            .cloned()
            .unwrap_or_else(|| Content::unknown(named))
    };
    let shape = |side: Side<'_>| {
        content(side).lenses.map_or_else(|| side.short().to_owned(), |lenses| lenses.shape)
    };
    let (before, now) = (Side::before(change), Side::now(change));
    FileMark {
        kind: content(Side::last(change)).kind,
        change: match (before, now) {
            (None, _) => FileChange::Added,
            (_, None) => FileChange::Deleted,
            (Some(before), Some(now)) => between(before, now, content),
        },
        id: now.map(|now| match now.mode {
            "100644" => now.short().to_owned(),
            mode => format!("{}:{mode}", now.short()),
        }),
        was: before.map(shape),
        shape: now.map(shape),
        path,
    }
}

/// How a file changed that was there before and is there now.
fn between<'a>(
    before: Side<'a>,
    now: Side<'a>,
    content: impl Fn(Side<'a>) -> Content,
) -> FileChange {
    if before.id == now.id {
        return FileChange::Mode;
    }
    if before.mode != now.mode {
        return FileChange::Content;
    }
    match (content(before).lenses, content(now).lenses) {
        (Some(before), Some(now)) => now.change_from(&before),
        _ => FileChange::Content,
    }
}
