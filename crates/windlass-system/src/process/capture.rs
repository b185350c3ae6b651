//! The raw output of one session in a file: its beginning and its end, whatever lies between.
//!
//! A full or read-only disk never stops a loop: what cannot be written is counted as dropped, and
//! what can is. Secrets are covered before they reach the disk, and only in what does: most of a
//! flood never does, and costs nothing.

use std::{fs::File, io, os::unix::fs::FileExt, path::PathBuf, sync::Arc};

use windlass_core::{process::StreamStats, secrets::Secrets};

use super::{Chunk, page::Page, round::Round};

/// How much of the beginning and of the end is kept.
const KEPT: u64 = 8 * 1024 * 1024;

/// More than this between two ticks is a flood.
const FLOOD: u64 = 1024 * 1024;

/// In a flood so many ticks go by until its end is written again.
const PATIENCE: u32 = 8;

/// The capped file of a session's raw output, made at the first byte with mode 0600.
///
/// The beginning is written at once. The end is kept in memory and written with each
/// [`Capture::tick`], round and round in place: most of a flood is never written at all.
/// [`Capture::finish`] puts the end in order.
#[derive(Debug)]
pub struct Capture {
    page: Page,
    end: Round,
    /// How many bytes of the end came since it was written.
    unsettled: u64,
    /// How many ticks of a flood went by since then.
    passed: u32,
    /// All bytes that came.
    bytes: u64,
    /// Those of them that came when nothing could be written any more.
    lost: u64,
    /// How much of the end the disk did not take.
    cut: u64,
    error: Option<io::Error>,
}

impl Capture {
    /// Captures into the file at `path`, which is replaced.
    pub fn new(path: PathBuf, secrets: &Arc<Secrets>) -> Self {
        Self::with_limit(path, KEPT, secrets)
    }

    /// Keeps `kept` bytes of the beginning and as many of the end.
    pub(crate) fn with_limit(path: PathBuf, kept: u64, secrets: &Arc<Secrets>) -> Self {
        let page = Page::new(path, kept, secrets);
        let end = Round::new(usize::try_from(kept).unwrap_or(usize::MAX));
        Self { page, end, unsettled: 0, passed: 0, bytes: 0, lost: 0, cut: 0, error: None }
    }

    /// Takes the next piece, and its memory if that is worth it.
    pub fn keep(&mut self, chunk: &mut Chunk) {
        if self.bytes < self.page.kept || self.is_lost() {
            return self.write(chunk.bytes());
        }
        let length = chunk.bytes().len() as u64;
        self.bytes += length;
        self.unsettled += length;
        self.end.keep(chunk);
    }

    /// Takes the next bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let room = usize::try_from(self.page.kept.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        let (beginning, rest) = bytes.split_at(bytes.len().min(room));
        if !self.is_lost()
            && !beginning.is_empty()
            && let Err(error) = self.page.put(beginning)
        {
            self.error = Some(error);
            self.page.file = None;
        }
        self.bytes += bytes.len() as u64;
        if self.is_lost() {
            self.lost += bytes.len() as u64;
        } else {
            self.end.push(rest);
            self.unsettled += rest.len() as u64;
        }
    }

    /// Time goes by: writes what is in memory only, but for what may be the beginning of a secret.
    /// Of a flood, which nobody can follow, only now and then.
    pub fn tick(&mut self) {
        if self.unsettled >= FLOOD && self.passed < PATIENCE {
            self.passed += 1;
        } else {
            self.settle();
        }
    }

    /// Where the disk does not take it, it stays in memory until the end is put in order.
    fn settle(&mut self) {
        self.passed = 0;
        let unsettled = std::mem::take(&mut self.unsettled);
        if self.error.is_none()
            && let Err(error) = self.write_end(unsettled)
        {
            self.error = Some(error);
        }
    }

    /// What came and what was not kept, so far.
    pub fn stats(&self) -> StreamStats {
        StreamStats { bytes: self.bytes, dropped: self.overrun() + self.lost + self.cut }
    }

    /// Puts the end behind the beginning, with a line between that says how much was dropped. Where
    /// the disk does not take all of it, as much as it takes.
    pub fn finish(&mut self) -> StreamStats {
        if self.overrun() == 0 {
            self.settle();
            if self.error.is_none()
                && let Err(error) = self.page.put_rest()
            {
                self.error = Some(error);
            }
        }
        if self.overrun() > 0 || self.error.is_some() {
            self.put_in_order();
        }
        (self.page.file, self.end) = (None, Round::new(self.end.most()));
        self.stats()
    }

    /// Whether there is no file that could take anything.
    fn is_lost(&self) -> bool {
        self.page.file.is_none() && self.error.is_some()
    }

    /// How many of the stored bytes were overwritten by later ones.
    fn overrun(&self) -> u64 {
        (self.bytes - self.lost).saturating_sub(2 * self.page.kept)
    }

    fn write_end(&mut self, unsettled: u64) -> io::Result<()> {
        if unsettled > self.page.kept {
            self.page.skip()?;
            self.page.at = self.bytes - self.page.kept;
        }
        let mut pieces = self.end.last(unsettled);
        pieces.try_for_each(|piece| self.page.put(piece))
    }

    /// The first try tells how much the disk takes; where that is not all, the second brings the
    /// very last of it.
    fn put_in_order(&mut self) {
        if self.page.file.is_some()
            && let Err(error) = self.page.skip()
        {
            self.error.get_or_insert(error);
        }
        let Some(file) = self.page.file.take() else { return };
        let came = (self.bytes - self.lost).saturating_sub(self.page.kept);
        let most = came.min(self.page.kept);
        let mut tried = self.bring_end(&file, came, most);
        if let Some(error) = tried.error.take() {
            self.error.get_or_insert(error);
            let room = tried.bytes.saturating_sub(note(came).len() as u64).min(most);
            tried = self.bring_end(&file, came, room);
            drop(file.set_len(self.page.kept + tried.bytes));
        }
        self.cut = most - tried.kept;
    }

    /// Writes the last `room` of the bytes that came after the beginning, and a note of the others.
    fn bring_end(&self, file: &File, came: u64, room: u64) -> Brought {
        let note = if came == room { String::new() } else { note(came - room) };
        let kept = self.page.kept;
        if let Err(error) = file.write_all_at(note.as_bytes(), kept) {
            return Brought { bytes: 0, kept: 0, error: Some(error) };
        }
        let note = note.len() as u64;
        let (brought, error) = self.page.bring(file, kept + note, self.end.last(room));
        Brought { bytes: note + brought, kept: brought, error }
    }
}

/// What the disk took when the end was put in order.
struct Brought {
    /// How much it took, with the note.
    bytes: u64,
    /// How much of the end that is.
    kept: u64,
    /// Why it did not take the rest.
    error: Option<io::Error>,
}

fn note(dropped: u64) -> String {
    format!("\n[windlass: {dropped} bytes were dropped here]\n")
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use proptest::prelude::*;

    use super::*;

    fn secrets() -> Arc<Secrets> {
        let token = ("DEPLOY_TOKEN".into(), "canary-0123456789".into());
        Arc::new(Secrets::of_environment([token]))
    }

    #[test]
    fn no_secret_reaches_the_file_whatever_the_chunks() {
        let text = "say canary-0123456789 twice: canary-0123456789.".repeat(3);
        for kept in [8, 20, 47, 64, 200] {
            for size in 1..40 {
                let directory = tempfile::tempdir().unwrap();
                let path = directory.path().join("1.out");
                let mut capture = Capture::with_limit(path.clone(), kept, &secrets());
                for (number, chunk) in text.as_bytes().chunks(size).enumerate() {
                    capture.write(chunk);
                    if number % 3 == 0 {
                        capture.tick();
                    }
                    let now = fs::read(&path).unwrap_or_default();
                    let now = String::from_utf8_lossy(&now);
                    assert!(!now.contains("canary-0123456"), "{kept} {size}: {now}");
                }
                capture.finish();
                let end = fs::read_to_string(&path).unwrap();
                assert!(!end.contains("0123456") && !end.contains('\0'), "{kept} {size}: {end}");
            }
        }
    }

    #[test]
    fn no_byte_makes_no_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.out");
        let mut capture = Capture::new(path.clone(), &secrets());
        capture.write(b"");
        assert_eq!(capture.finish(), StreamStats::default());
        assert!(!path.exists());
    }

    #[test]
    fn a_flood_leaves_its_beginning_and_its_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.out");
        let mut capture = Capture::with_limit(path.clone(), 10, &secrets());
        (0..10).for_each(|n| capture.write(format!("line {n}\n").as_bytes()));
        assert_eq!(capture.finish(), StreamStats { bytes: 70, dropped: 50 });
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "line 0\nlin\n[windlass: 50 bytes were dropped here]\n 8\nline 9\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_disk_that_takes_nothing_is_counted_and_remembered() {
        let mut capture = Capture::new("/nowhere/at/all/1.out".into(), &secrets());
        capture.write(b"abc");
        capture.write(b"de");
        assert_eq!(capture.finish(), StreamStats { bytes: 5, dropped: 5 });
        assert_eq!(capture.error.as_ref().unwrap().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_full_disk_is_an_error_of_the_capture_alone() {
        let mut capture = Capture::new("/dev/full".into(), &secrets());
        capture.write(b"abc");
        assert_eq!(capture.finish(), StreamStats { bytes: 3, dropped: 3 });
        assert_eq!(capture.error.as_ref().unwrap().kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn what_is_settled_is_in_the_file_before_the_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.out");
        let mut capture = Capture::with_limit(path.clone(), 4, &secrets());
        capture.write(b"012345");
        assert_eq!(fs::read(&path).unwrap(), b"0123");
        capture.tick();
        assert_eq!(fs::read(&path).unwrap(), b"012345");
        capture.write(b"678901");
        capture.tick();
        assert_eq!(fs::read(&path).unwrap(), b"01238901");
    }

    #[test]
    fn what_the_disk_does_not_take_of_the_end_is_counted() {
        let mut capture = Capture::with_limit("/dev/full".into(), 2, &secrets());
        (capture.page.file, capture.page.at) = (Some(File::create("/dev/full").unwrap()), 2);
        capture.bytes = 2;
        capture.write(b"cdefg");
        assert_eq!(capture.finish(), StreamStats { bytes: 7, dropped: 5 });
        assert_eq!(capture.error.as_ref().unwrap().kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn of_a_flood_the_end_is_written_now_and_then() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.out");
        let mut capture = Capture::with_limit(path.clone(), 4, &secrets());
        let flood = vec![b' '; usize::try_from(FLOOD).unwrap() + 4];
        let mut sizes = Vec::new();
        for _ in 0..2 * (PATIENCE + 1) {
            capture.write(&flood);
            capture.tick();
            sizes.push(fs::metadata(&path).unwrap().len());
        }
        let times = usize::try_from(PATIENCE).unwrap();
        assert!(sizes[..times].iter().all(|size| *size == 4), "{sizes:?}");
        assert!(sizes[times..].iter().all(|size| *size == 8), "{sizes:?}");
    }

    proptest! {
        #[test]
        fn whatever_the_chunks_the_file_is_the_beginning_and_the_end(
            sizes in prop::collection::vec(0_usize..40, 0..12),
            settled in prop::collection::vec(any::<bool>(), 12),
        ) {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("1.out");
            let mut capture = Capture::with_limit(path.clone(), 16, &secrets());
            let mut all = Vec::new();
            for (size, settles) in sizes.into_iter().zip(settled) {
                // Words of one letter, for longer ones are covered where they are cut.
                let byte = |n: usize| if n.is_multiple_of(2) { b' ' } else { b"0123456789"[n / 2 % 10] };
                let chunk: Vec<u8> = (0..size).map(|n| byte(all.len() + n)).collect();
                capture.write(&chunk);
                if settles {
                    capture.tick();
                }
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
