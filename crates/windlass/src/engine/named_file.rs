//! Files that the user names before a loop starts. One in the work tree may be what an earlier agent
//! left: a link that leads out of it is not followed.

use std::{
    ffi::OsStr,
    io::{self, ErrorKind},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use windlass_core::task_file::LARGEST;
use windlass_system::below::{self, Root, TextError};

use super::setup::work_tree;
use crate::workplace::plain;

/// Where a file really is that is named from `directory`.
pub(super) fn locate(directory: &Path, path: &Path) -> Result<PathBuf, TextError> {
    let whole = plain(&directory.join(path));
    let real = whole.canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => TextError::Missing,
        _ => TextError::Io(error.to_string()),
    })?;
    let top = work_tree(directory);
    if whole.starts_with(&top) && !real.starts_with(&top) {
        return Err(TextError::LeadsOut);
    }
    Ok(real)
}

/// The text of a file that the user names from `directory`, of at most a mebibyte. Where it is in the
/// work tree, a link that leads out of that is not followed: an agent may have put it there.
pub fn read(directory: &Path, path: &Path) -> Result<String, TextError> {
    let real = locate(directory, path)?;
    let root =
        Root::open(real.parent().unwrap_or(Path::new("/"))).map_err(|_| TextError::Missing)?;
    below::read_text(root, real.file_name().unwrap_or(OsStr::new(".")).as_bytes(), LARGEST)
}

/// Puts a text in the place of a file that the user names from `directory`, all of it or nothing. A link
/// that leads out of the file's directory is refused: an agent may have put it there.
pub fn replace(directory: &Path, path: &Path, text: &str) -> io::Result<()> {
    let whole = plain(&directory.join(path));
    let parent = whole.parent().unwrap_or(Path::new("/")).canonicalize()?;
    let name = whole.file_name().ok_or(ErrorKind::IsADirectory)?;
    let root = Root::open(&parent).map_err(io::Error::from)?;
    below::replace(root, name.as_bytes(), text.as_bytes())
}
