//! Puts the work tree back to a snapshot, and keeps off what is the user's.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs::{self, File},
    io::{self, Seek},
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
};

use serde::{Deserialize, Serialize};
use windlass_core::tree::Snapshot;
use windlass_system::below::{self, Content};

use super::{
    Known, Tree, TreeError,
    diff::RawChange,
    evidence::{BATCH, Depth},
    reading::PLACEHOLDER,
    scan::open_top,
    shown,
};

const NESTED: &str = "it is another git repository";

const ALTERED: &str = "what is in windlass's store is not what was recorded";

/// No note in place of a large file is longer.
const NOTE_MAX: u64 = 200;

/// What was put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restored {
    /// The work tree as it was before.
    pub before: Snapshot,
    /// Paths that were written.
    pub written: Vec<String>,
    /// Paths that were removed.
    pub removed: Vec<String>,
    /// Paths that differ and were left alone because the user has changed them since.
    pub spared: Vec<String>,
    /// Submodules whose uncommitted work no snapshot holds.
    pub submodules: Vec<String>,
    /// Paths that differ and could not be put back, each with why.
    pub not_restorable: Vec<(String, String)>,
}

impl Tree {
    /// Puts every file that differs from `target` back, but for those that the user has changed since
    /// they were as `known` says. Ignored files are never touched, and the user's index stays as it is.
    pub async fn restore(&self, target: &Snapshot, known: &Known) -> Result<Restored, TreeError> {
        let before = self.snapshot().await?;
        let mut restored = Restored {
            before,
            written: Vec::new(),
            removed: Vec::new(),
            spared: Vec::new(),
            submodules: self.submodules().await,
            not_restorable: Vec::new(),
        };
        self.verify_between(&restored.before.tree, &target.tree, Depth::Trees).await?;
        let mut changes = self.raw_changes(&restored.before.tree, &target.tree).await?;
        changes.retain(|change| !(known.existing_only && change.new_mode == "000000"));
        let users = self.of_the_user(known, &restored.before.tree, &changes).await?;
        let (spared, changes): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| users.contains(&change.path));
        restored.spared = spared.iter().map(|change| shown(&change.path)).collect();
        let precious = self.kept_by_hash(&changes).await?;
        let (left, changes): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| precious.contains(&change.old_id));
        let why = "it is large and not in git: what it holds now could not be brought back";
        restored.not_restorable = left.iter().map(|change| lost(&change.path, why)).collect();
        let sizes =
            self.sizes(&blobs(changes.iter().map(|one| (&one.new_mode, &one.new_id)))).await?;
        let top = open_top(&self.repository)?;
        let (removed, written): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| change.new_mode == "000000");
        // What goes comes first: a file may take the place of a directory.
        for change in &removed {
            remove(&top, change, &mut restored);
        }
        let folders: BTreeSet<&[u8]> =
            written.iter().map(|change| below::split(&change.path).0).collect();
        let folders = folders.into_iter().map(|folder| OsStr::from_bytes(folder).into()).collect();
        let intent = self.intend_writing(folders)?;
        for batch in batches(&written, &sizes) {
            self.write(&top, batch, &sizes, &mut restored).await?;
        }
        self.done(&intent);
        Ok(restored)
    }

    async fn write(
        &self,
        top: &OwnedFd,
        batch: &[RawChange],
        sizes: &BTreeMap<String, u64>,
        restored: &mut Restored,
    ) -> Result<(), TreeError> {
        let is_small =
            |change: &&RawChange| sizes.get(&change.new_id).is_some_and(|size| *size <= BATCH);
        let small = batch.iter().filter(is_small).map(|change| &change.new_id);
        let found = self.read_verified(small).await?;
        for change in batch {
            let path = shown(&change.path);
            let result = match found.contents.get(&change.new_id) {
                Some(bytes) => write_blob(top, change, bytes),
                None if change.new_mode == "160000" => Err(NESTED.to_owned()),
                None if found.altered.contains(&change.new_id) => Err(ALTERED.to_owned()),
                None if !sizes.contains_key(&change.new_id) => Err(self.lost_from()),
                None => self.write_large(top, change).await,
            };
            match result {
                Ok(()) => restored.written.push(path),
                Err(why) => restored.not_restorable.push((path, why)),
            }
        }
        Ok(())
    }

    /// The ids of the notes that stand for large files as they are now: such a file must stay.
    async fn kept_by_hash(&self, changes: &[RawChange]) -> Result<BTreeSet<String>, TreeError> {
        let old = changes.iter().filter(|change| change.old_id != change.new_id);
        let mut sizes =
            self.sizes(&blobs(old.map(|change| (&change.old_mode, &change.old_id)))).await?;
        sizes.retain(|_, size| *size < NOTE_MAX);
        let mut notes = self.read_verified(sizes.keys()).await?.contents;
        notes.retain(|_, bytes| bytes.starts_with(PLACEHOLDER));
        Ok(notes.into_keys().collect())
    }

    /// Where something is gone from.
    fn lost_from(&self) -> String {
        match self.own.evidence.borrows() {
            true => {
                "its content was kept in the repository's own objects, and is gone there".into()
            }
            false => "its content is not in the store any more".into(),
        }
    }

    /// A blob that is too large for memory goes through a file beside the store.
    async fn write_large(&self, top: &OwnedFd, change: &RawChange) -> Result<(), String> {
        let call = self.own.stored_or_borrowed().args(["unpack-file", &change.new_id]);
        let output = self.git.run(call).await.map_err(|error| error.to_string())?;
        let unpacked = self.own.path().join(shown(output.stdout.trim_ascii_end()));
        let written = File::open(&unpacked).and_then(|mut file| {
            let size = file.metadata()?.len();
            if self.own.format().id_of_stream(size, &file)?.as_ref() != Some(&change.new_id) {
                return Err(io::Error::other(ALTERED));
            }
            file.rewind()?;
            let content = Content::Copy(&mut file, change.new_mode == "100755");
            below::write(top, &change.path, content)
        });
        drop(fs::remove_file(&unpacked));
        written.map_err(said)
    }
}

fn remove(top: &OwnedFd, change: &RawChange, restored: &mut Restored) {
    if change.old_mode == "160000" {
        restored.not_restorable.push(lost(&change.path, NESTED));
        return;
    }
    match below::remove(top, &change.path) {
        Ok(()) => restored.removed.push(shown(&change.path)),
        Err(error) => restored.not_restorable.push(lost(&change.path, &error.to_string())),
    }
}

fn lost(path: &[u8], why: &str) -> (String, String) {
    (shown(path), why.to_owned())
}

fn write_blob(top: &OwnedFd, change: &RawChange, bytes: &[u8]) -> Result<(), String> {
    let executable = change.new_mode == "100755";
    let is_placeholder = bytes.starts_with(PLACEHOLDER) && change.new_mode != "120000";
    if change.old_id == change.new_id && change.old_mode != "120000" && change.new_mode != "120000"
    {
        return below::set_executable(top, &change.path, executable).map_err(said);
    }
    if is_placeholder {
        return Err("only its hash was kept, because it is large and not in git".to_owned());
    }
    let content = match change.new_mode.as_str() {
        "120000" => Content::Link(bytes),
        _ => Content::File(bytes, executable),
    };
    below::write(top, &change.path, content).map_err(said)
}

fn said(error: io::Error) -> String {
    error.to_string()
}

/// The ids of what is a file or a link, by mode and id.
fn blobs<'a>(all: impl Iterator<Item = (&'a String, &'a String)>) -> BTreeSet<String> {
    all.filter(|(mode, _)| !matches!(mode.as_str(), "000000" | "160000"))
        .map(|(_, id)| id.clone())
        .collect()
}

/// Cuts the changes where the content of one call becomes too much.
fn batches<'a>(
    changes: &'a [RawChange],
    sizes: &'a BTreeMap<String, u64>,
) -> impl Iterator<Item = &'a [RawChange]> {
    let mut sum = 0;
    changes.chunk_by(move |_, next| {
        sum += sizes.get(&next.new_id).copied().unwrap_or(0).min(BATCH);
        let fits = sum <= BATCH;
        if !fits {
            sum = 0;
        }
        fits
    })
}
