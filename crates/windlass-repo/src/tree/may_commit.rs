//! What would keep windlass from committing, found before there is anything to commit.

use std::collections::BTreeSet;

use super::{Tree, TreeError, dirty::paths, shown};

impl Tree {
    /// Says what the user has under way that a commit would cut off: a merge, a rebase, files in
    /// conflict.
    pub async fn may_commit(&self) -> Result<(), TreeError> {
        if let Some(what) = self.repository.under_way() {
            return Err(TreeError::UnderWay { what: what.into() });
        }
        let index = self.repository.index();
        let call = self.with_index(&index).args(["ls-files", "-z", "--unmerged", "--full-name"]);
        let unmerged = self.git.run(call).await?.stdout;
        // `MODE ID STAGE<tab>PATH`, for each stage.
        let name = |entry: &Vec<u8>| {
            let tab = entry.iter().position(|byte| *byte == b'\t')?;
            Some(shown(&entry[tab + 1..]))
        };
        let files: BTreeSet<String> = paths(&unmerged).filter_map(|entry| name(&entry)).collect();
        if files.is_empty() {
            return Ok(());
        }
        Err(TreeError::Unmerged { paths: files.into_iter().collect() })
    }
}
