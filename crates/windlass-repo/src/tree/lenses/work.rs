//! What identifies all work since the start: what all files hold that changed, but for prose and logs.

use sha2::{Digest, Sha256};
use windlass_core::evidence::{FileKind, FilesMark, Named};

use super::{
    super::{diff::RawChange, own::hex, shown},
    contents::{Contents, Wanted},
    mark::Side,
};

/// Of so many files whose name does not tell whether they are prose, the text is asked. The others are work.
const MOST_UNSURE: usize = 200;

/// Adds what must be known to tell prose from work.
pub(super) fn wants(changes: &[RawChange], wanted: &mut Wanted) {
    for (side, named) in unsure(changes) {
        wanted.add(side.id, named);
    }
}

/// What identifies the work in these changes since the start. Where a file is as it was then there is no
/// change, so the same work has the same id.
pub(super) fn id(changes: &[RawChange], contents: &Contents) -> String {
    let mut left = MOST_UNSURE;
    let (mut hash, mut is_changed) = (Sha256::new(), false);
    for change in changes {
        let (side, named) = seen(change);
        let kind = match named {
            Named::Unsure if side.is_file() && left > 0 => {
                left -= 1;
                contents.get(side.id, named).map(|content| content.kind)
            }
            named => Some(named.with(None).0),
        };
        if kind != Some(FileKind::Prose) {
            is_changed = true;
            hash.update(&change.path);
            hash.update(format!("\0{} {}\n", change.new_id, change.new_mode));
        }
    }
    match is_changed {
        true => hex(&hash.finalize()[..6]),
        false => FilesMark::AT_START.to_owned(),
    }
}

/// The first files whose name does not tell.
fn unsure(changes: &[RawChange]) -> impl Iterator<Item = (Side<'_>, Named)> {
    let is_unsure = |(side, named): &(Side<'_>, Named)| *named == Named::Unsure && side.is_file();
    changes.iter().map(seen).filter(is_unsure).take(MOST_UNSURE)
}

fn seen(change: &RawChange) -> (Side<'_>, Named) {
    (Side::last(change), Named::of(&shown(&change.path)))
}
