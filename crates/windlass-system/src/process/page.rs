//! The file of a capture, and what covers secrets on the way to it.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::PathBuf,
    sync::Arc,
};

use windlass_core::secrets::{Masker, Secrets};

/// So much is looked through at once, so that it takes little memory.
const PART: usize = 256 * 1024;

/// The file of a capture. No secret reaches it.
#[derive(Debug)]
pub(super) struct Page {
    path: PathBuf,
    /// How much of the beginning is kept, and of the end, which goes round and round behind it.
    pub(super) kept: u64,
    /// Made for the first byte.
    pub(super) file: Option<File>,
    secrets: Arc<Secrets>,
    masker: Masker,
    /// Which byte of the stream is written next.
    pub(super) at: u64,
}

impl Page {
    pub(super) fn new(path: PathBuf, kept: u64, secrets: &Arc<Secrets>) -> Self {
        let (masker, secrets) = (Masker::new(Arc::clone(secrets)), Arc::clone(secrets));
        Self { path, kept, file: None, secrets, masker, at: 0 }
    }

    /// Writes the next bytes of the stream, but for what may be the beginning of a secret.
    pub(super) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        bytes.chunks(PART).try_for_each(|part| self.through(|masker, give| masker.push(part, give)))
    }

    /// Writes what was held back: nothing follows.
    pub(super) fn put_rest(&mut self) -> io::Result<()> {
        self.through(|masker, give| masker.finish(give))
    }

    /// Covers what was held back, for the stream goes on elsewhere.
    pub(super) fn skip(&mut self) -> io::Result<()> {
        self.through(|masker, give| masker.skip(give))
    }

    /// Writes pieces of the stream, before which others were left out, from a place in the file on,
    /// until the disk takes no more; gives how much it took, and why not more.
    pub(super) fn bring<'a>(
        &self,
        file: &File,
        at: u64,
        pieces: impl Iterator<Item = &'a [u8]>,
    ) -> (u64, Option<io::Error>) {
        let (mut written, mut error) = (0, None);
        let mut write = |bytes: &[u8]| {
            if error.is_none() {
                let (took, failed) = write_as_far(file, bytes, at + written);
                (written, error) = (written + took as u64, failed);
            }
        };
        let mut masker = Masker::new(Arc::clone(&self.secrets));
        masker.skip(|_| ());
        for piece in pieces {
            piece.chunks(PART).for_each(|part| masker.push(part, &mut write));
        }
        masker.finish(&mut write);
        (written, error)
    }

    /// Writes what the masker gives out.
    fn through(&mut self, act: impl FnOnce(&mut Masker, &mut dyn FnMut(&[u8]))) -> io::Result<()> {
        let (path, kept, file, at) = (&self.path, self.kept, &mut self.file, &mut self.at);
        let mut written = Ok(());
        act(&mut self.masker, &mut |bytes| {
            if written.is_ok() {
                written = write_round(path, file, bytes, *at, kept);
            }
            *at += bytes.len() as u64;
        });
        written
    }
}

/// Writes the bytes of the stream from `at` on to their places: those of the end go round and round.
fn write_round(
    path: &PathBuf,
    file: &mut Option<File>,
    bytes: &[u8],
    mut at: u64,
    kept: u64,
) -> io::Result<()> {
    let file = match file {
        Some(file) => file,
        none => none.insert(create(path)?),
    };
    let mut rest = bytes;
    while !rest.is_empty() {
        let (place, room) = if at < kept {
            (at, kept - at)
        } else {
            let place = (at - kept) % kept.max(1);
            (kept + place, kept - place)
        };
        let room = usize::try_from(room).unwrap_or(usize::MAX).min(rest.len());
        let (piece, after) = rest.split_at(room);
        file.write_all_at(piece, place)?;
        at += piece.len() as u64;
        rest = after;
    }
    Ok(())
}

fn create(path: &PathBuf) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(true).mode(0o600).open(path)
}

/// Writes until the disk takes no more; gives how much it took, and why not more.
fn write_as_far(file: &File, bytes: &[u8], at: u64) -> (usize, Option<io::Error>) {
    let mut written = 0;
    while written < bytes.len() {
        match file.write_at(&bytes[written..], at + written as u64) {
            Ok(0) => return (written, Some(io::ErrorKind::WriteZero.into())),
            Ok(count) => written += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (written, Some(error)),
        }
    }
    (written, None)
}
