//! Pipes among the objects of a repository. An agent can put one there, and git would wait at it: to
//! look at every object before each call would cost more than the call, so it is done where a call
//! takes long.

use std::{
    fs,
    os::unix::fs::FileTypeExt,
    path::{Path, PathBuf},
};

/// So many files are looked at.
const MOST: usize = 1_000_000;

/// A pipe among these objects, if there is one, or a link to one.
pub(super) fn pipe_among(objects: &Path) -> Option<PathBuf> {
    let mut left = MOST;
    let folders = fs::read_dir(objects).ok()?.flatten();
    let folders = folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    for folder in folders {
        for entry in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            left = left.checked_sub(1)?;
            let Ok(kind) = entry.file_type() else { continue };
            let leads_to_one =
                || fs::metadata(entry.path()).is_ok_and(|found| found.file_type().is_fifo());
            if kind.is_fifo() || (kind.is_symlink() && leads_to_one()) {
                return Some(entry.path());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;

    #[test]
    fn a_pipe_and_a_link_to_one_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let objects = folder.path().join("objects");
        for name in ["00", "ff", "pack", "info"] {
            fs::create_dir_all(objects.join(name)).unwrap();
            fs::write(objects.join(name).join("one"), "x").unwrap();
        }
        symlink("one", objects.join("00/two")).unwrap();
        assert_eq!(pipe_among(&objects), None);
        let pipe = folder.path().join("pipe");
        mkfifoat(CWD, &pipe, Mode::RUSR).unwrap();
        symlink(&pipe, objects.join("pack/linked")).unwrap();
        assert_eq!(pipe_among(&objects), Some(objects.join("pack/linked")));
        fs::remove_file(objects.join("pack/linked")).unwrap();
        fs::rename(&pipe, objects.join("ff/pipe")).unwrap();
        assert_eq!(pipe_among(&objects), Some(objects.join("ff/pipe")));
    }
}
