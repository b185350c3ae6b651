//! Turns what changed in the work tree into a git tree, with one call of git.
//!
//! The bytes are read here and handed to `git fast-import`, which neither knows the work tree nor
//! converts anything: no attribute, filter or index has a part in it.

use std::{
    collections::{BTreeMap, HashSet},
    os::fd::{AsFd, OwnedFd},
};

use sha2::{Digest, Sha256};
use windlass_system::below::{self, Links};

use super::{
    TreeError,
    listing::{Held, RawPath, join, split},
    look::now_ns,
    own::{OwnDir, hex, quote},
    present::{Candidate, HUGE, LARGE, Names, Present},
    repository::{Repository, object_id},
};
use crate::git::{Call, Git};

/// So much content goes to git in one stream; more than that, and git reads the files itself, which
/// takes a call more, but no memory, and writes nothing that is in the repository already.
const STREAM: u64 = 8 << 20;
const STREAM_FILES: usize = 256;

/// A file that grew while it was looked at is left for the next time.
const MOST_STREAMED: u64 = 64 << 20;

/// How the note in place of a large file begins.
pub(super) const PLACEHOLDER: &[u8] = b"windlass kept only the hash of this file\n";

/// What of the work tree goes into the next tree.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Paths with what they hold now.
    writes: Vec<(RawPath, Write)>,
    /// What the listing is told once the tree is written.
    pub(super) held: Vec<(RawPath, Held)>,
    /// Files that could not be read.
    pub(super) unreadable: Vec<(RawPath, &'static str)>,
    /// Files that are gone again, or could not be read.
    missing: HashSet<RawPath>,
}

impl Changes {
    /// What is written as it is, with its path.
    pub(super) fn contents(&self) -> impl Iterator<Item = (&RawPath, &[u8])> + Clone {
        self.writes.iter().filter_map(|(path, write)| match write {
            Write::Bytes(_, bytes) => Some((path, bytes.as_slice())),
            Write::File(_) => None,
        })
    }
}

#[derive(Debug)]
enum Write {
    Bytes(&'static str, Vec<u8>),
    /// Git reads the file itself.
    File(&'static str),
}

/// The tree that was last written, and what is in it.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub(super) tree: Option<String>,
    pub(super) files: Names,
    pub(super) links: BTreeMap<RawPath, String>,
}

/// What the next tree has and has not, against the last one.
#[derive(Debug)]
pub(super) struct Delta {
    /// The names in the directories that were compared.
    files: Names,
    links: BTreeMap<RawPath, String>,
    gone: Vec<RawPath>,
}

/// Reads the candidates. Blocks.
pub(super) fn read_candidates(top: &OwnedFd, candidates: Vec<Candidate>) -> Changes {
    let mut changes = Changes::default();
    let bytes: u64 = candidates.iter().map(|candidate| candidate.stat.size.min(LARGE)).sum();
    let is_streamed = bytes <= STREAM && candidates.len() <= STREAM_FILES;
    for candidate in candidates {
        let reading = Reading { top: top.as_fd(), file: &candidate, is_streamed };
        let result = reading.read();
        let path = candidate.path;
        match result {
            Ok((held, write)) => {
                changes.held.push((path.clone(), held));
                changes.writes.extend(write.map(|write| (path, write)));
            }
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    changes.unreadable.push((path.clone(), "it cannot be read"));
                }
                changes.missing.insert(path);
            }
        }
    }
    changes
}

struct Reading<'a> {
    top: std::os::fd::BorrowedFd<'a>,
    file: &'a Candidate,
    is_streamed: bool,
}

impl Reading<'_> {
    fn read(&self) -> std::io::Result<(Held, Option<Write>)> {
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
            below::open_file(self.top, path, Links::Refused)?;
            (content, Write::File(mode))
        };
        let is_same = matches!((held, content), (Held::IfContent(then), Some(now)) if then == now);
        let held = match content {
            Some(content) if self.is_racy() => Held::IfContent(content),
            _ => Held::Yes,
        };
        Ok((held, (!is_same || !is_recorded).then_some(write)))
    }

    /// What stands for a file that is not kept: its hash; or, where reading it would take too long,
    /// its size and when it was changed.
    fn note(&self) -> std::io::Result<([u8; 32], String)> {
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

impl Recorded {
    /// What is to be done to the last tree.
    pub(super) fn delta(
        &self,
        present: Present,
        links: BTreeMap<RawPath, String>,
        changes: &Changes,
    ) -> Delta {
        let mut files = present.files;
        for path in &changes.missing {
            let (parent, name) = split(path);
            files.get_mut(parent).map(|names| names.remove(name));
        }
        let mut gone = Vec::new();
        for (dir, names) in &files {
            let before = self.files.get(dir).into_iter().flatten();
            gone.extend(before.filter(|name| !names.contains(*name)).map(|name| join(dir, name)));
        }
        gone.extend(self.links.keys().filter(|path| !links.contains_key(*path)).cloned());
        gone.sort();
        Delta { files, links, gone }
    }

    /// Takes over what a new tree holds.
    pub(super) fn apply(&mut self, tree: String, delta: Delta) {
        self.tree = Some(tree);
        self.links = delta.links;
        for (dir, names) in delta.files {
            if names.is_empty() {
                self.files.remove(&dir);
            } else {
                self.files.insert(dir, names);
            }
        }
    }

    /// The tree as it is now, written if it is another than the last.
    pub(super) async fn write(
        &self,
        git: &Git,
        own: &OwnDir,
        repository: &Repository,
        delta: &Delta,
        changes: &Changes,
    ) -> Result<String, TreeError> {
        let is_same =
            changes.writes.is_empty() && delta.gone.is_empty() && self.links == delta.links;
        if let (true, Some(tree)) = (is_same, &self.tree) {
            return Ok(tree.clone());
        }
        let ids = hash_files(git, own, repository, changes).await?;
        let call = Call::new(own.path(), own.path())
            .args(["fast-import", "--quiet", "--force", "--done"])
            .stdin(self.stream(delta, changes, &ids));
        let output = git.run(call).await?;
        tree_id(&output.stdout).ok_or(TreeError::NoTree)
    }

    fn stream(&self, delta: &Delta, changes: &Changes, ids: &BTreeMap<&[u8], String>) -> Vec<u8> {
        let mut stream = b"commit refs/windlass/tree\n\
            committer windlass <windlass@localhost> 0 +0000\ndata 0\n"
            .to_vec();
        if let Some(tree) = &self.tree {
            stream.extend(format!("M 040000 {tree} \"\"\n").bytes());
        }
        // What goes comes first: a file may take the place of a directory.
        for path in &delta.gone {
            line(&mut stream, b"D ", path);
        }
        for (path, id) in &delta.links {
            line(&mut stream, format!("M 160000 {id} ").as_bytes(), path);
        }
        for (path, write) in &changes.writes {
            match write {
                Write::Bytes(mode, bytes) => {
                    line(&mut stream, format!("M {mode} inline ").as_bytes(), path);
                    stream.extend(format!("data {}\n", bytes.len()).bytes());
                    stream.extend_from_slice(bytes);
                    stream.push(b'\n');
                }
                Write::File(mode) => {
                    if let Some(id) = ids.get(path.as_slice()) {
                        line(&mut stream, format!("M {mode} {id} ").as_bytes(), path);
                    }
                }
            }
        }
        stream.extend(b"ls \"\"\ndone\n");
        stream
    }
}

/// Lets git read the files that are too much for a stream.
async fn hash_files<'a>(
    git: &Git,
    own: &OwnDir,
    repository: &Repository,
    changes: &'a Changes,
) -> Result<BTreeMap<&'a [u8], String>, TreeError> {
    let paths: Vec<&[u8]> = changes
        .writes
        .iter()
        .filter(|(_, write)| matches!(write, Write::File(_)))
        .map(|(path, _)| path.as_slice())
        .collect();
    if paths.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut names = Vec::new();
    for path in &paths {
        quote(&mut names, path);
        names.push(b'\n');
    }
    let call = Call::new(own.path(), &repository.top)
        .args(["hash-object", "-w", "--no-filters", "--stdin-paths"])
        .stdin(names);
    let output = git.run(call).await?;
    let ids = output.stdout.split(|byte| *byte == b'\n').filter_map(object_id);
    let ids: BTreeMap<&[u8], String> = paths.iter().copied().zip(ids).collect();
    if ids.len() == paths.len() { Ok(ids) } else { Err(TreeError::NoTree) }
}

fn line(stream: &mut Vec<u8>, verb: &[u8], path: &[u8]) {
    stream.extend_from_slice(verb);
    quote(stream, path);
    stream.push(b'\n');
}

fn tree_id(output: &[u8]) -> Option<String> {
    let rest = output.strip_prefix(b"040000 tree ")?;
    object_id(rest.split(|byte| *byte == b'\t').next()?)
}
