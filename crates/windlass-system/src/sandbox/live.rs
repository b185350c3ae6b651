//! A file of the system that may change while a loop runs, and its copy in the sandbox.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// Which file it was, and as of when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    file: u64,
    size: u64,
    changed: (i64, i64),
}

/// A copy that is brought up to date when asked.
#[derive(Debug)]
pub(super) struct Live {
    from: PathBuf,
    to: PathBuf,
    /// What the copy was made of.
    copied: Mutex<Option<Version>>,
}

impl Live {
    /// Makes no copy yet.
    pub(super) fn new(from: PathBuf, to: PathBuf) -> Self {
        Self { from, to, copied: Mutex::new(None) }
    }

    /// Copies it where it is not what was copied last. One that is gone leaves its copy.
    pub(super) fn refresh(&self) -> io::Result<()> {
        let Ok(found) = fs::metadata(&self.from) else { return Ok(()) };
        let version = Version {
            file: found.ino(),
            size: found.size(),
            changed: (found.ctime(), found.ctime_nsec()),
        };
        let mut copied = self.copied.lock().unwrap_or_else(PoisonError::into_inner);
        if *copied != Some(version) {
            // In one step, for a session may be reading the last one.
            let next = self.to.with_extension("next");
            fs::copy(&self.from, &next)?;
            fs::rename(next, &self.to)?;
            *copied = Some(version);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_follows_the_file_and_stays_when_that_is_gone() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let live = Live::new(path("hosts"), path("copy"));
        live.refresh().unwrap();
        assert!(!path("copy").exists());
        for text in ["one\n", "two\n"] {
            fs::write(path("hosts"), text).unwrap();
            live.refresh().unwrap();
            assert_eq!(fs::read_to_string(path("copy")).unwrap(), text);
        }
        let first = fs::metadata(path("copy")).unwrap().ino();
        live.refresh().unwrap();
        assert_eq!(fs::metadata(path("copy")).unwrap().ino(), first, "nothing to copy");
        fs::remove_file(path("hosts")).unwrap();
        live.refresh().unwrap();
        assert_eq!(fs::read_to_string(path("copy")).unwrap(), "two\n");
    }

    #[test]
    fn what_cannot_be_copied_is_told_and_tried_again() {
        let directory = tempfile::tempdir().unwrap();
        let (from, place) = (directory.path().join("hosts"), directory.path().join("place"));
        fs::write(&from, "one\n").unwrap();
        let live = Live::new(from, place.join("hosts"));
        assert_eq!(live.refresh().unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::create_dir(&place).unwrap();
        live.refresh().unwrap();
        assert_eq!(fs::read_to_string(place.join("hosts")).unwrap(), "one\n");
    }
}
