//! Originals as snapshots have them.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{ChangeKind, Tree, TreeError, reading::PLACEHOLDER};

/// A path that differs between two trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// The path from the top, which need not be text.
    pub path: Vec<u8>,
    /// How it differs.
    pub kind: ChangeKind,
    /// What the first tree has there; `None` where it has nothing.
    pub old: Option<InTree>,
    /// Whether only the right to execute differs.
    pub only_mode: bool,
}

/// What a tree has at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InTree {
    /// The mode, as git writes it.
    pub mode: String,
    /// The id of the content.
    pub id: String,
}

impl InTree {
    /// Whether it is a symbolic link.
    pub fn is_link(&self) -> bool {
        self.mode == "120000"
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        !self.is_link() && !self.is_repository()
    }

    /// Whether it is another repository.
    pub fn is_repository(&self) -> bool {
        self.mode == "160000"
    }

    /// Whether it can be executed.
    pub fn is_executable(&self) -> bool {
        self.mode == "100755"
    }
}

/// Whether a snapshot has only the hash of a file, because it is large.
pub fn is_hash_only(content: &[u8]) -> bool {
    content.starts_with(PLACEHOLDER)
}

impl Tree {
    /// What differs between two trees.
    pub async fn differing_between(
        &self,
        from: &str,
        to: &str,
    ) -> Result<Vec<Differing>, TreeError> {
        if from == to {
            return Ok(Vec::new());
        }
        let changes = self.raw_changes(from, to).await?.into_iter();
        let differing = changes.map(|change| Differing {
            path: change.path,
            kind: change.kind,
            only_mode: change.old_id == change.new_id,
            old: (change.old_mode != "000000")
                .then_some(InTree { mode: change.old_mode, id: change.old_id }),
        });
        Ok(differing.collect())
    }

    /// The wanted files of a tree, by their paths.
    pub async fn files_in(
        &self,
        tree: &str,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<BTreeMap<Vec<u8>, InTree>, TreeError> {
        let call = self.own.stored().args(["ls-tree", "-r", "-z", "--full-tree"]);
        let output = self.git.run(call.args(["--end-of-options", tree])).await?.stdout;
        let entry = |line: &[u8]| {
            let end = memchr::memchr(b'\t', line).filter(|end| wanted(&line[end + 1..]))?;
            let head = std::str::from_utf8(&line[..end]).ok()?;
            let mut words = head.split(' ');
            let (mode, id) = (words.next()?.to_owned(), words.nth(1)?.to_owned());
            Some((line[end + 1..].to_vec(), InTree { mode, id }))
        };
        Ok(output.split(|byte| *byte == 0).filter_map(entry).collect())
    }

    /// What these objects hold, each held against its id.
    ///
    /// # Errors
    /// One is not what was recorded, or not there any more.
    pub async fn contents(
        &self,
        ids: BTreeSet<String>,
    ) -> Result<BTreeMap<String, Vec<u8>>, TreeError> {
        let found = self.read_verified(&ids).await?;
        if let Some(id) = found.altered.first() {
            return Err(TreeError::Altered { id: id.clone() });
        }
        match ids.iter().find(|id| !found.contents.contains_key(*id)) {
            Some(id) => Err(TreeError::Lost { tree: id.clone() }),
            None => Ok(found.contents),
        }
    }

    /// How large these objects are.
    pub async fn object_sizes(
        &self,
        ids: &BTreeSet<String>,
    ) -> Result<BTreeMap<String, u64>, TreeError> {
        self.sizes(ids).await
    }
}
