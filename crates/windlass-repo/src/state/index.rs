//! Which files the index has git pass over: an index is read as data, in the versions 2 to 4.

use super::{
    fact::{About, Leaf},
    look::{Dir, Look},
};

/// An index that is larger is not read.
const INDEX: u64 = 256 << 20;

/// So many marked files are told apart.
const MOST: usize = 10_000;

const ASSUMED: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const SKIPPED: u16 = 0x4000;

/// Adds the marks of an index, with the shared part that a split one has.
pub(super) fn look_at(look: &mut Look<'_>, dir: &Dir) {
    let read = |bytes: &[u8], leaf: &mut Leaf| {
        // Nothing in it says which hash it has: the other one does not fit.
        let marked = [20, 32].into_iter().find_map(|hash| marked(bytes, hash));
        for (path, mark) in marked.unwrap_or_default() {
            leaf.insert((About::Flag, path), mark.to_owned());
        }
    };
    look.file(dir, b"index", INDEX, read);
    for (name, _) in dir.names() {
        if name.starts_with(b"sharedindex.") {
            look.file(dir, &name, INDEX, read);
        }
    }
}

/// The marked files of an index; `None` where it cannot be read so.
fn marked(bytes: &[u8], hash: usize) -> Option<Vec<(String, &'static str)>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let flags = |at: usize| Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let (mut at, mut name, mut found) = (12, Vec::new(), Vec::new());
    for _ in 0..count {
        let start = at;
        at += 40 + hash;
        let plain = flags(at)?;
        at += 2;
        let mut more = 0;
        if plain & EXTENDED != 0 && version >= 3 {
            more = flags(at)?;
            at += 2;
        }
        if version == 4 {
            let (kept, next) = strip(bytes, at)?;
            name.truncate(name.len().checked_sub(kept)?);
            at = next;
        } else {
            name.clear();
        }
        let rest = bytes.get(at..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&rest[..end]);
        at += end + 1;
        if version < 4 {
            // At least one zero, up to a multiple of eight.
            at = start + (at - 1 - start + 8) / 8 * 8;
        }
        let mark = if more & SKIPPED != 0 { Some("skip-worktree") } else { None };
        let mark = if plain & ASSUMED != 0 { Some("assume-unchanged") } else { mark };
        if let Some(mark) = mark.filter(|_| found.len() < MOST) {
            found.push((String::from_utf8_lossy(&name).into_owned(), mark));
        }
    }
    // What follows are extensions with names, and the checksum.
    let is_extension = bytes.get(at..at + 4)?.iter().all(u8::is_ascii_alphabetic);
    (is_extension || bytes.len() == at + hash).then_some(found)
}

/// How many bytes of the last name are dropped, and where the next ones begin.
fn strip(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 127);
    while byte & 128 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_shl(7)? | usize::from(byte & 127);
    }
    Some((value, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_index_has_no_marks() {
        for bytes in [&b""[..], b"DIRC", b"DIRC\0\0\0\x02\xff\xff\xff\xff", &[0; 100]] {
            assert_eq!(marked(bytes, 20), None);
        }
    }
}
