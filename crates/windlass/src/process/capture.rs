//! The raw output of one session in a file: its beginning and its end, whatever lies between.
//!
//! A full or read-only disk never stops a loop: what cannot be written is counted as dropped.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::PathBuf,
};

use super::StreamStats;

/// How much of the beginning and of the end is kept.
const KEPT: u64 = 8 * 1024 * 1024;

/// The capped file of a session's raw output, made at the first byte with mode 0600.
///
/// Behind the beginning, the end is written round and round in place; [`Capture::finish`] puts it
/// in order.
#[derive(Debug)]
pub struct Capture {
    path: PathBuf,
    kept: u64,
    file: Option<File>,
    /// All bytes that came.
    bytes: u64,
    /// Those of them that could not be written.
    lost: u64,
    error: Option<io::Error>,
}

impl Capture {
    /// Captures into the file at `path`, which is replaced.
    pub fn new(path: PathBuf) -> Self {
        Self::with_limit(path, KEPT)
    }

    /// Keeps `kept` bytes of the beginning and as many of the end.
    pub fn with_limit(path: PathBuf, kept: u64) -> Self {
        Self { path, kept, file: None, bytes: 0, lost: 0, error: None }
    }

    /// Takes the next bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let from = self.bytes;
        self.bytes += bytes.len() as u64;
        if self.error.is_some() {
            self.lost += bytes.len() as u64;
        } else if let Err(error) = self.store(from, bytes) {
            self.lost += bytes.len() as u64;
            self.error = Some(error);
        }
    }

    /// What came and what was not kept, so far.
    pub fn stats(&self) -> StreamStats {
        StreamStats { bytes: self.bytes, dropped: self.overrun() + self.lost }
    }

    /// The first error of the disk, if any.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    /// Puts the end behind the beginning, with a line between that says how much was dropped.
    pub fn finish(&mut self) -> StreamStats {
        if self.error.is_none()
            && let Err(error) = self.put_in_order()
        {
            self.error = Some(error);
        }
        self.file = None;
        self.stats()
    }

    /// How many of the stored bytes were overwritten by later ones.
    fn overrun(&self) -> u64 {
        (self.bytes - self.lost).saturating_sub(2 * self.kept)
    }

    fn store(&mut self, from: u64, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(create(&self.path)?),
        };
        let mut rest = bytes;
        let mut at = from;
        while !rest.is_empty() {
            let (place, room) = if at < self.kept {
                (at, self.kept - at)
            } else {
                let round = (at - self.kept) % self.kept;
                (self.kept + round, self.kept - round)
            };
            let count = rest.len().min(usize::try_from(room).unwrap_or(usize::MAX));
            file.write_all_at(&rest[..count], place)?;
            rest = &rest[count..];
            at += count as u64;
        }
        Ok(())
    }

    fn put_in_order(&self) -> io::Result<()> {
        let (Some(file), dropped) = (&self.file, self.overrun()) else { return Ok(()) };
        if dropped == 0 {
            return Ok(());
        }
        let mut end = vec![0; usize::try_from(self.kept).unwrap_or(usize::MAX)];
        file.read_exact_at(&mut end, self.kept)?;
        let oldest = usize::try_from((self.bytes - self.kept) % self.kept).unwrap_or(0);
        end.rotate_left(oldest);
        let note = format!("\n[windlass: {dropped} bytes were dropped here]\n");
        file.write_all_at(note.as_bytes(), self.kept)?;
        file.write_all_at(&end, self.kept + note.len() as u64)
    }
}

fn create(path: &PathBuf) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_byte_makes_no_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.out");
        let mut capture = Capture::new(path.clone());
        capture.write(b"");
        assert_eq!(capture.finish(), StreamStats::default());
        assert!(!path.exists());
    }

    #[test]
    fn a_flood_leaves_its_beginning_and_its_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.out");
        let mut capture = Capture::with_limit(path.clone(), 10);
        (0..10).for_each(|n| capture.write(format!("line {n}\n").as_bytes()));
        assert_eq!(capture.finish(), StreamStats { bytes: 70, dropped: 50 });
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "line 0\nlin\n[windlass: 50 bytes were dropped here]\n 8\nline 9\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_disk_that_takes_nothing_is_counted_and_remembered() {
        let mut capture = Capture::new("/nowhere/at/all/1.out".into());
        capture.write(b"abc");
        capture.write(b"de");
        assert_eq!(capture.finish(), StreamStats { bytes: 5, dropped: 5 });
        assert_eq!(capture.error().unwrap().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_full_disk_is_an_error_of_the_capture_alone() {
        let mut capture = Capture::new("/dev/full".into());
        capture.write(b"abc");
        assert_eq!(capture.finish(), StreamStats { bytes: 3, dropped: 3 });
        assert_eq!(capture.error().unwrap().kind(), io::ErrorKind::StorageFull);
    }

    proptest! {
        #[test]
        fn whatever_the_chunks_the_file_is_the_beginning_and_the_end(
            sizes in prop::collection::vec(0_usize..40, 0..12),
        ) {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("1.out");
            let mut capture = Capture::with_limit(path.clone(), 16);
            let mut all = Vec::new();
            for size in sizes {
                let chunk: Vec<u8> = (0..size).map(|n| b'a' + ((all.len() + n) % 26) as u8).collect();
                capture.write(&chunk);
                all.extend(chunk);
            }
            let stats = capture.finish();
            let dropped = all.len().saturating_sub(32);
            prop_assert_eq!(stats, StreamStats { bytes: all.len() as u64, dropped: dropped as u64 });
            let expected = if dropped == 0 {
                all
            } else {
                let note = format!("\n[windlass: {dropped} bytes were dropped here]\n");
                [&all[..16], note.as_bytes(), &all[all.len() - 16..]].concat()
            };
            prop_assert_eq!(fs::read(&path).unwrap_or_default(), expected);
        }
    }
}
