//! What of the user's index changes with a branch. The files are as the agent left them already.

use std::{collections::BTreeMap, ffi::OsStr, os::unix::ffi::OsStrExt, path::Path};

use super::super::super::{
    IndexChange, IndexEntry, Tree, TreeError, dirty::paths, listing::RawPath, shown,
};

/// The mode of a repository inside of another one.
const NESTED: &[u8] = b"160000";

/// The mode of what is not there.
const GONE: &[u8] = b"000000";

/// The tree without files.
const EMPTY: [&str; 2] = [
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/// What differs between two commits.
#[derive(Default)]
pub(super) struct IndexChanges {
    /// The entries of the new one, by path.
    pub(super) there: BTreeMap<RawPath, Option<IndexEntry>>,
    /// A repository inside that the old one has not.
    pub(super) nested: Option<String>,
}

impl IndexChanges {
    /// The submodules whose commit is another one, with that.
    pub(super) fn submodules(&self) -> impl Iterator<Item = (&Path, &str)> {
        let entries = self.there.iter().filter_map(|(path, entry)| Some((path, entry.as_ref()?)));
        entries
            .filter(|(_, entry)| entry.mode.as_bytes() == NESTED)
            .map(|(path, entry)| (Path::new(OsStr::from_bytes(path)), entry.id.as_str()))
    }
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
            let [old_mode, new_mode, _, new_id, ..] = words[..] else { continue };
            let old_mode = old_mode.strip_prefix(b":").unwrap_or(old_mode);
            if new_mode == NESTED && old_mode != NESTED {
                changes.nested.get_or_insert_with(|| shown(&path));
            }
            let entry =
                (new_mode != GONE).then(|| IndexEntry { mode: shown(new_mode), id: shown(new_id) });
            changes.there.insert(path, entry);
        }
        Ok(changes)
    }

    /// What that changes in the user's index.
    pub(super) async fn in_users_index(
        &self,
        changes: &IndexChanges,
    ) -> Result<Vec<IndexChange>, TreeError> {
        let before = self.users_entries().await?;
        let change = |(path, after): (&RawPath, &Option<IndexEntry>)| IndexChange {
            path: OsStr::from_bytes(path).into(),
            before: before.get(path).cloned(),
            after: after.clone(),
        };
        Ok(changes.there.iter().map(change).collect())
    }
}
