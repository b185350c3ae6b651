//! The refs of a git directory that an agent owns, read as data: no git is asked.

use std::{collections::BTreeMap, io, os::fd::OwnedFd};

use rustix::{
    fs::{Dir, FileType},
    io::Errno,
};
use serde::{Deserialize, Serialize};
use windlass_system::below::{self, Links};

use super::super::repository::object_id;

/// A ref or HEAD is a line.
const MOST_IN_REF: u64 = 4096;

/// More packed refs than this are nobody's.
const MOST_PACKED: u64 = 64 << 20;

/// More refs than this are not looked at.
const MOST_REFS: usize = 100_000;

/// How deep the names of refs go.
const DEEPEST: u32 = 16;

/// What HEAD and refs are at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Refs {
    /// What HEAD is: a branch by its full name, or a commit.
    pub(super) head: Head,
    /// The ids of refs by their full names.
    pub(super) ids: BTreeMap<String, String>,
}

/// What HEAD is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Head {
    /// On a branch, by its full name.
    Branch(String),
    /// At a commit.
    Detached(String),
    /// Something else.
    #[default]
    Unknown,
}

impl Refs {
    /// Reads those of the git directory at `root`, with the HEAD of the one at `inner` in it.
    pub(super) fn read(root: &OwnedFd, inner: &str) -> io::Result<Self> {
        let mut refs = Self { head: read_head(root, inner)?, ids: BTreeMap::new() };
        match below::read(root, b"packed-refs", Links::Refused, MOST_PACKED) {
            Ok(packed) => packed.split(|byte| *byte == b'\n').for_each(|line| refs.packed(line)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let directory = below::open_dir(root, b"refs")?;
        refs.loose("refs", &directory, DEEPEST)?;
        Ok(refs)
    }

    fn packed(&mut self, line: &[u8]) {
        let at = line.iter().position(|byte| *byte == b' ');
        let Some((id, name)) = at.map(|at| line.split_at(at)) else { return };
        if let (Some(id), Ok(name)) = (object_id(id), std::str::from_utf8(&name[1..])) {
            self.ids.insert(name.trim_end().to_owned(), id);
        }
    }

    fn loose(&mut self, name: &str, directory: &OwnedFd, deep: u32) -> io::Result<()> {
        for entry in Dir::read_from(directory)? {
            let entry = entry?;
            let Ok(inner) = entry.file_name().to_str() else { continue };
            if inner == "." || inner == ".." || deep == 0 || self.ids.len() > MOST_REFS {
                continue;
            }
            let full = format!("{name}/{inner}");
            match below::kind(directory, inner.as_bytes())? {
                FileType::Directory => {
                    let below = below::open_dir(directory, inner.as_bytes())?;
                    self.loose(&full, &below, deep - 1)?;
                }
                FileType::RegularFile => {
                    let inner = inner.as_bytes();
                    let text = below::read_some(directory, inner, Links::Refused, MOST_IN_REF)?;
                    if let Some(id) = object_id(text.trim_ascii_end()) {
                        self.ids.insert(full, id);
                    }
                }
                // No git makes a ref of anything else.
                _ => {}
            }
        }
        Ok(())
    }
}

/// What the HEAD of a git directory is.
fn read_head(root: &OwnedFd, inner: &str) -> io::Result<Head> {
    let path = [inner.as_bytes(), b"HEAD"].concat();
    let text = below::read_some(root, &path, Links::Refused, MOST_IN_REF)?;
    let text = text.trim_ascii_end();
    let branch = text.strip_prefix(b"ref: ").map(<[u8]>::trim_ascii);
    Ok(match branch.and_then(|name| std::str::from_utf8(name).ok()) {
        Some(name) if name.starts_with("refs/heads/") => Head::Branch(name.to_owned()),
        _ => object_id(text).map_or(Head::Unknown, Head::Detached),
    })
}

/// Whether git would take it for the name of a ref; what it would not take is not handed to it.
pub(super) fn is_name(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && !part.ends_with('.')
            && !part.ends_with(".lock")
    };
    let is_forbidden = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    name.split('/').all(is_part)
        && !name.contains(is_forbidden)
        && !name.contains("..")
        && !name.contains("@{")
}

/// Whether something is not there, or is no directory.
pub(super) fn is_missing(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(errno, Some(Errno::NOENT | Errno::NOTDIR))
}
