//! Reads the files of the work tree that go into the next tree.

use std::{
    collections::HashSet,
    io,
    num::NonZero,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::Mutex,
    thread,
};

use sha2::{Digest, Sha256};
use windlass_system::below::{self, Links};

use super::{
    listing::{Held, RawPath},
    look::now_ns,
    object_id::ObjectFormat,
    own::hex,
    present::{Candidate, HUGE, LARGE},
    progress::Progress,
};

/// So much content goes to git in one stream. Of more than that only the ids are computed here; what
/// the store does not have then comes from the repository's objects, or git reads the files itself.
/// That takes some calls more, but no memory.
const STREAM: u64 = 8 << 20;
const STREAM_FILES: usize = 256;

/// So many files are read by a thread before it takes more.
const AT_ONCE: usize = 64;

/// A file that grew while it was looked at is left for the next time.
const MOST_STREAMED: u64 = 64 << 20;

/// How the note in place of a large file begins.
pub(super) const PLACEHOLDER: &[u8] = b"windlass kept only the hash of this file\n";

/// What of the work tree goes into the next tree.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The files that were read.
    pub(super) read: Vec<ReadFile>,
    /// Files that could not be read.
    pub(super) unreadable: Vec<(RawPath, &'static str)>,
    /// Files that are gone again, or could not be read.
    pub(super) missing: HashSet<RawPath>,
}

/// A file that was read. There may be hundreds of thousands of them at once.
#[derive(Debug)]
pub(super) struct ReadFile {
    pub(super) path: RawPath,
    /// What the listing is told once the tree is written.
    pub(super) held: Held,
    /// What goes into the tree; `None` where the last one has it already.
    pub(super) write: Option<Write>,
}

/// What goes into a tree at one path.
#[derive(Debug)]
pub(super) enum Write {
    /// These bytes, with their mode.
    Bytes(&'static str, Vec<u8>),
    /// A file whose content is not held here.
    File(&'static str, FileObject),
}

/// A file as an object.
#[derive(Debug)]
pub(super) struct FileObject {
    /// Its id; `None` where the file changed while it was read.
    pub(super) id: Option<String>,
    pub(super) size: u64,
}

impl Changes {
    /// Paths with what goes into the tree there.
    pub(super) fn writes(&self) -> impl Iterator<Item = (&RawPath, &Write)> + Clone {
        self.read.iter().filter_map(|read| Some((&read.path, read.write.as_ref()?)))
    }

    /// What is written as it is, with its path.
    pub(super) fn contents(&self) -> impl Iterator<Item = (&RawPath, &[u8])> + Clone {
        self.writes().filter_map(|(path, write)| match write {
            Write::Bytes(_, bytes) => Some((path, bytes.as_slice())),
            Write::File(..) => None,
        })
    }

    /// Reads the candidates. Blocks.
    pub(super) fn read(
        top: &OwnedFd,
        candidates: Vec<Candidate>,
        format: ObjectFormat,
        progress: &Progress,
    ) -> Self {
        let bytes: u64 = candidates.iter().map(|candidate| candidate.stat.size.min(LARGE)).sum();
        let is_streamed = bytes <= STREAM && candidates.len() <= STREAM_FILES;
        let left = Mutex::new(in_parts(candidates));
        let take = || left.lock().ok().and_then(|mut left| left.pop()).unwrap_or_default();
        let work = || {
            let mut changes = Self::default();
            let mut part: Vec<Candidate> = take();
            while !part.is_empty() {
                for file in part {
                    let reading = Reading { top: top.as_fd(), file: &file, format, is_streamed };
                    let read = reading.read();
                    changes.add(file.path, read);
                    progress.read_one();
                }
                part = take();
            }
            changes
        };
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(4);
        if is_streamed || threads == 1 {
            return work();
        }
        thread::scope(|scope| {
            // With fewer threads than wanted, or none, it takes longer.
            let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let others: Vec<_> = (1..threads).filter_map(start).collect();
            let mut all = work();
            for other in others {
                all.extend(other.join().expect("reading a file does not panic"));
            }
            all
        })
    }

    fn add(&mut self, path: RawPath, read: io::Result<(Held, Option<Write>)>) {
        match read {
            Ok((held, write)) => self.read.push(ReadFile { path, held, write }),
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    self.unreadable.push((path.clone(), "it cannot be read"));
                }
                self.missing.insert(path);
            }
        }
    }

    fn extend(&mut self, more: Self) {
        self.read.extend(more.read);
        self.unreadable.extend(more.unreadable);
        self.missing.extend(more.missing);
    }
}

/// The candidates as parts that one thread reads at once, the first at the end. Each part is freed when it was
/// read, so that what is to be read and what was read take the place of each other.
fn in_parts(mut candidates: Vec<Candidate>) -> Vec<Vec<Candidate>> {
    let mut parts = Vec::with_capacity(candidates.len().div_ceil(AT_ONCE));
    while !candidates.is_empty() {
        parts.push(candidates.split_off(candidates.len().saturating_sub(AT_ONCE)));
        if candidates.capacity() > 2 * candidates.len() {
            candidates.shrink_to_fit();
        }
    }
    parts
}

struct Reading<'a> {
    top: BorrowedFd<'a>,
    file: &'a Candidate,
    format: ObjectFormat,
    is_streamed: bool,
}

impl Reading<'_> {
    fn read(&self) -> io::Result<(Held, Option<Write>)> {
        let &Candidate { ref path, stat, held, is_recorded, is_large } = self.file;
        let mode = stat.git_mode().expect("only files and links are candidates");
        let (content, write) = if mode == "120000" {
            let target = below::read_link(self.top, path)?;
            (Some(Sha256::digest(&target).into()), Write::Bytes(mode, target))
        } else if is_large {
            let (digest, note) = self.note()?;
            (Some(digest), Write::Bytes(mode, [PLACEHOLDER, note.as_bytes()].concat()))
        } else if self.is_streamed {
            let bytes = below::read(self.top, path, Links::Refused, MOST_STREAMED)?;
            (Some(Sha256::digest(&bytes).into()), Write::Bytes(mode, bytes))
        } else {
            let is_needed = self.is_racy() || matches!(held, Held::IfContent(_));
            let digest = || below::digest(self.top, path, Links::Refused, HUGE);
            let content = if is_needed { Some(digest()?.0) } else { None };
            (content, Write::File(mode, self.object()?))
        };
        let is_same = matches!((held, content), (Held::IfContent(then), Some(now)) if then == now);
        let held = match content {
            Some(content) if self.is_racy() => Held::IfContent(content),
            _ => Held::Yes,
        };
        Ok((held, (!is_same || !is_recorded).then_some(write)))
    }

    /// The object that the file is.
    fn object(&self) -> io::Result<FileObject> {
        let file = below::open_file(self.top, &self.file.path, Links::Refused)?;
        let size = file.metadata()?.len();
        let id = if size > HUGE { None } else { self.format.id_of_stream(size, file)? };
        Ok(FileObject { id, size })
    }

    /// What stands for a file that is not kept: its hash; or, where reading it would take too long,
    /// its size and when it was changed.
    fn note(&self) -> io::Result<([u8; 32], String)> {
        let Candidate { path, stat, .. } = self.file;
        if stat.size > HUGE {
            let note = format!("size {}\nmodified {} ns\n", stat.size, stat.modified_ns);
            below::open_file(self.top, path, Links::Refused)?;
            return Ok((Sha256::digest(&note).into(), note));
        }
        let (digest, size) = below::digest(self.top, path, Links::Refused, HUGE)?;
        Ok((digest, format!("sha256 {}\nsize {size}\n", hex(&digest))))
    }

    fn is_racy(&self) -> bool {
        self.file.stat.is_racy(now_ns())
    }
}
