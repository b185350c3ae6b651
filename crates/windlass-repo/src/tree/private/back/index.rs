//! What of the user's index changes with a branch. The files are as the agent left them already.

use super::super::super::{Tree, TreeError, dirty::paths, shown};

/// The mode of a repository inside of another one.
const NESTED: &[u8] = b"160000";

/// The tree without files.
const EMPTY: [&str; 2] = [
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/// What differs between two commits, as git's index takes it.
#[derive(Default)]
pub(super) struct IndexChanges {
    /// The entries of the new one.
    pub(super) there: Vec<u8>,
    /// Those of the old one.
    pub(super) back: Vec<u8>,
    /// A repository inside that the old one has not.
    pub(super) nested: Option<String>,
}

impl Tree {
    /// What differs between two commits.
    pub(super) async fn index_changes(
        &self,
        old: Option<&str>,
        new: &str,
    ) -> Result<IndexChanges, TreeError> {
        let empty = if self.own.zero_id().len() == 40 { EMPTY[0] } else { EMPTY[1] };
        let call = self.in_repository().args(["diff-tree", "-r", "-z", "--raw", "--no-renames"]);
        let call = call.args(["--no-abbrev", old.unwrap_or(empty), new]);
        let output = self.git.run(call).await?.stdout;
        let mut changes = IndexChanges::default();
        let mut fields = paths(&output);
        while let (Some(head), Some(path)) = (fields.next(), fields.next()) {
            let words: Vec<&[u8]> = head.split(|byte| *byte == b' ').collect();
            let [old_mode, new_mode, old_id, new_id, ..] = words[..] else { continue };
            let old_mode = old_mode.strip_prefix(b":").unwrap_or(old_mode);
            if new_mode == NESTED && old_mode != NESTED {
                changes.nested.get_or_insert_with(|| shown(&path));
            }
            add(&mut changes.there, new_mode, new_id, &path);
            add(&mut changes.back, old_mode, old_id, &path);
        }
        Ok(changes)
    }

    /// Sets entries of the user's index, and leaves all others as they are.
    pub(super) async fn set_index(&self, entries: Vec<u8>) -> Result<(), TreeError> {
        if entries.is_empty() {
            return Ok(());
        }
        self.wait_for_index().await?;
        let call = self.in_repository().args(["update-index", "-z", "--index-info"]);
        let call = call.stdin(entries);
        Ok(self.git.run(call).await.map(|_| ())?)
    }
}

fn add(entries: &mut Vec<u8>, mode: &[u8], id: &[u8], path: &[u8]) {
    let mode = if mode == b"000000" { b"0" } else { mode };
    entries.extend([mode, b" ", id, b"\t", path, b"\0"].concat());
}
