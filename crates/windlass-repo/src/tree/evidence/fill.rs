//! Fills the store with objects that the repository has already, so that they need not be written
//! one by one: as clones of its packs, or as one pack of those that are missing.
//!
//! Such a pack is indexed anew from its content. An object that was forged in the repository gets
//! the id that it deserves, and so the one that was wanted is still missing.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    super::{Tree, TreeError, snapshot::Memory},
    reflink, room,
};
use crate::git::{Call, GitError};

/// Fewer objects than this are written one by one, which takes a call less.
const WORTH_A_PACK: usize = 256;

/// What is made on the way: a directory of the work tree's own, so that nobody else is in it.
const INCOMING: &str = "incoming";

impl Tree {
    /// Takes over what the repository has of these objects, each with its size; gives those that are
    /// to be written because the store does not have them.
    pub(in super::super) async fn collect(
        &self,
        wanted: &BTreeMap<String, u64>,
        memory: &mut Memory,
    ) -> Result<BTreeSet<String>, TreeError> {
        let missing = self.not_stored(wanted.keys().cloned().collect()).await?;
        if missing.len() < WORTH_A_PACK || self.own.evidence.borrows() {
            return Ok(missing);
        }
        let missing = self.clone_packs(missing).await?;
        let bytes: u64 = missing.iter().filter_map(|id| wanted.get(id)).sum();
        if bytes > room::most(self.own.evidence.objects()) {
            self.borrow(bytes, memory)?;
        } else {
            self.copy(&missing).await?;
        }
        self.not_stored(missing).await
    }

    /// Takes over every object of a tree that the repository has.
    pub(in super::super) async fn keep_tree(&self, tree: &str) -> Result<(), TreeError> {
        if self.own.evidence.borrows() {
            return Ok(());
        }
        let call = Call::new(self.own.path(), self.own.path());
        let call =
            call.args(["ls-tree", "-r", "-t", "-z", "--full-tree", "--end-of-options", tree]);
        let listed = self.git.run(call).await?.stdout;
        // `100644 blob <id>\t<path>`
        let id = |line: &[u8]| {
            let mut words = line.split(|byte| matches!(byte, b' ' | b'\t'));
            (words.nth(1)? != b"commit").then_some(())?;
            Some(String::from_utf8_lossy(words.next()?).into_owned())
        };
        let mut ids: BTreeSet<String> = listed.split(|byte| *byte == 0).filter_map(id).collect();
        ids.insert(tree.to_owned());
        let missing = self.not_stored(ids).await?;
        let missing =
            if missing.len() < WORTH_A_PACK { missing } else { self.clone_packs(missing).await? };
        self.copy(&missing).await
    }

    /// Which of these objects the store does not have.
    async fn not_stored(&self, ids: BTreeSet<String>) -> Result<BTreeSet<String>, TreeError> {
        // Git looks for each that is missing in a thorough way.
        if ids.is_empty() || self.own.evidence.is_empty() {
            return Ok(ids);
        }
        missing_in(self, self.own.stored(), &ids).await
    }

    /// Has the store borrow, and says what follows from that.
    fn borrow(&self, bytes: u64, memory: &mut Memory) -> Result<(), TreeError> {
        let objects = self.own.evidence.objects();
        let borrowed = self.own.evidence.borrow_from(&self.repository);
        borrowed.map_err(TreeError::io("write to", objects))?;
        memory.note(vec![format!(
            "a copy of the work tree would take {} MiB, which is too much for this disk: snapshots \
             use the repository's own objects, and what is pruned or changed there cannot be rolled \
             back",
            bytes >> 20
        )]);
        Ok(())
    }

    /// Takes over the repository's packs if the file system can share blocks; gives what is missing
    /// then.
    async fn clone_packs(&self, missing: BTreeSet<String>) -> Result<BTreeSet<String>, TreeError> {
        let to = self.own.evidence.objects().join("pack");
        match reflink::clone_packs(&self.repository.objects().join("pack"), &to) {
            Ok(true) => self.not_stored(missing).await,
            // Copied instead.
            Ok(false) | Err(_) => Ok(missing),
        }
    }

    /// Copies objects from the repository, as one pack. Those that it does not have are left.
    async fn copy(&self, ids: &BTreeSet<String>) -> Result<(), TreeError> {
        let users = || Call::new(self.own.path(), self.own.path());
        let absent = missing_in(self, users(), ids).await?;
        let ids: String = ids.difference(&absent).map(|id| format!("{id}\n")).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let incoming = self.own.path().join(INCOMING);
        let failed = |source: io::Error| TreeError::io("prepare", &incoming)(source);
        make_empty(&incoming).map_err(failed)?;
        let call = users()
            .config("pack.compression", "1")
            .config("pack.packSizeLimit", "0")
            .args(["pack-objects", "-q", "--window=0"])
            .arg(incoming.join("p"))
            .stdin(ids.into_bytes());
        let packed = match self.git.run(call).await {
            Ok(_) => self.take_in(&incoming).await,
            // An object of the repository is broken: what is needed is read from the files instead.
            Err(GitError::Failed { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        };
        drop(fs::remove_dir_all(&incoming));
        packed
    }

    /// Indexes the packs at `incoming` by their content, and puts them into the store.
    async fn take_in(&self, incoming: &Path) -> Result<(), TreeError> {
        let to = self.own.evidence.objects().join("pack");
        for pack in packs(incoming).map_err(TreeError::io("read", incoming))? {
            let index = pack.with_extension("idx");
            drop(fs::remove_file(&index));
            let call = self.own.stored().args(["index-pack", "--no-rev-index", "-o"]);
            match self.git.run(call.arg(&index).arg(&pack)).await {
                Err(GitError::Failed { .. }) => continue,
                indexed => indexed?,
            };
            // The index comes last: git takes a pack for there when its index is.
            for file in [&pack, &index] {
                let name = format!("pack-{}", file_name(file).trim_start_matches("p-"));
                let moved = fs::rename(file, to.join(name));
                moved.map_err(TreeError::io("write to", &to))?;
            }
        }
        Ok(())
    }
}

/// Which of these objects are not where `call` looks.
async fn missing_in(
    tree: &Tree,
    call: Call,
    ids: &BTreeSet<String>,
) -> Result<BTreeSet<String>, TreeError> {
    let question: String = ids.iter().map(|id| format!("{id}\n")).collect();
    let call = call.args(["cat-file", "--buffer", "--batch-check=%(objectname)"]);
    let output = tree.git.run(call.stdin(question.into_bytes())).await?.stdout;
    let output = String::from_utf8_lossy(&output);
    let missing = output.lines().filter_map(|line| line.strip_suffix(" missing"));
    Ok(missing.map(str::to_owned).collect())
}

fn make_empty(directory: &Path) -> io::Result<()> {
    drop(fs::remove_dir_all(directory));
    fs::create_dir(directory)
}

fn packs(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pack"));
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
