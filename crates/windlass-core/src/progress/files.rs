//! Which files hold what they did not hold before, and whether that is work.

use std::collections::{BTreeMap, BTreeSet};

use super::{Idle, Move, Moved};
use crate::{
    event::IterationSummary,
    evidence::{FileChange, FileKind, FileMark, FilesMark},
};

/// As many paths are remembered; with more of them, all are forgotten.
const MOST_PATHS: usize = 5000;

/// What the files held.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Files {
    by_path: BTreeMap<String, Known>,
    /// Shapes of files that were moved to other names.
    moved: BTreeSet<String>,
}

/// What one file held.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    shapes: BTreeSet<String>,
    ids: BTreeSet<String>,
    /// Whether only numbers, names or style changed in it once.
    is_retouched: bool,
    /// Whether the agent added it.
    is_added: bool,
}

/// What the change of one file comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    Work,
    Padded,
    Restyled,
    Retouched,
    Prose,
    Back,
}

impl Files {
    /// Takes in what an iteration changed. `keep_failing` says that checks are known to fail, and did not get
    /// better.
    pub(super) fn observe(
        &mut self,
        summary: &IterationSummary,
        keep_failing: bool,
        moved: &mut Moved,
    ) {
        let Some(files) = &summary.evidence.files else {
            return Self::of_earlier_version(summary, moved);
        };
        if self.by_path.len() > MOST_PATHS {
            *self = Self::default();
        }
        let came: Vec<Came> = files.changed.iter().map(|file| self.one(file, files)).collect();
        let number = |what: Came| {
            let count = came.iter().filter(|one| **one == what).count();
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        if number(Came::Work) > 0 {
            moved.add(Move::Files { count: number(Came::Work) + files.left_out });
        }
        if number(Came::Padded) > 0 {
            moved.add(Move::Padded { count: number(Came::Padded) });
        }
        if number(Came::Restyled) > 0 {
            moved.add(Move::Restyled { count: number(Came::Restyled) });
        }
        if number(Came::Retouched) > 0 {
            moved.add(Move::Retouched { count: number(Came::Retouched) });
        }
        if number(Came::Prose) > 0 && !keep_failing {
            moved.add(Move::Notes);
        }
        for (came, idle) in [(Came::Back, Idle::Back), (Came::Prose, Idle::Prose)] {
            if number(came) > 0 {
                moved.add_idle(idle);
            }
        }
    }

    fn of_earlier_version(summary: &IterationSummary, moved: &mut Moved) {
        let count = summary.files_changed;
        match summary.evidence.only_numbers {
            _ if count == 0 => (),
            true => moved.add(Move::Retouched { count }),
            false => moved.add(Move::Files { count }),
        }
    }

    fn one(&mut self, file: &FileMark, all: &FilesMark) -> Came {
        let is_retouched = matches!(file.change, FileChange::Stamps | FileChange::Numbers);
        if file.kind == FileKind::Prose && !is_retouched {
            return Came::Prose;
        }
        if let Some(shape) = other_name(file, all) {
            return match self.moved.insert(shape.to_owned()) {
                true => Came::Restyled,
                false => Came::Retouched,
            };
        }
        let known = self.by_path.entry(file.path.clone()).or_default();
        let is_first = known.shapes.is_empty();
        known.shapes.extend(file.was.clone().filter(|_| is_first));
        let is_new = |seen: &mut BTreeSet<String>, one: &Option<String>| {
            one.as_ref().is_none_or(|one| seen.insert(one.clone()))
        };
        let (new_id, new_shape) =
            (is_new(&mut known.ids, &file.id), is_new(&mut known.shapes, &file.shape));
        match file.change {
            FileChange::Added if is_first => {
                known.is_added = true;
                Came::Work
            }
            FileChange::Deleted if known.is_added => Came::Back,
            FileChange::Deleted => Came::Work,
            FileChange::Mode | FileChange::Unknown if new_id => Came::Work,
            _ if !new_id => Came::Back,
            FileChange::Stamps | FileChange::Numbers | FileChange::Style => {
                match std::mem::replace(&mut known.is_retouched, true) {
                    false => Came::Restyled,
                    true => Came::Retouched,
                }
            }
            FileChange::Repeats => Came::Padded,
            _ if new_shape => Came::Work,
            _ => Came::Back,
        }
    }
}

/// The shape of a file that only got another name: one is gone that had it, and another came.
fn other_name<'a>(file: &'a FileMark, all: &'a FilesMark) -> Option<&'a str> {
    let (shape, other) = match file.change {
        FileChange::Added => (file.shape.as_deref()?, FileChange::Deleted),
        FileChange::Deleted => (file.was.as_deref()?, FileChange::Added),
        _ => return None,
    };
    let is_other = |one: &FileMark| {
        let had = if other == FileChange::Deleted { &one.was } else { &one.shape };
        one.change == other && had.as_deref() == Some(shape)
    };
    all.changed.iter().any(is_other).then_some(shape)
}
