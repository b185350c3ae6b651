//! Frees what no loop needs: of a store that several loops share, the objects of those that were
//! removed.

use std::{collections::BTreeSet, fs, io, path::Path};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use super::super::{Tree, TreeError, own::write_private};
use crate::git::Call;

/// Says that loops were removed whose objects are in the store.
const MARK: &str = "to-compact";

/// The git directory that names what stays.
const WORKBENCH: &str = "compacting";

/// Whether loops were removed from a store since it was compacted.
pub fn is_to_compact(evidence: &Path) -> bool {
    evidence.join(MARK).exists()
}

/// Says that a loop is removed whose snapshots are in a store.
pub fn mark_to_compact(evidence: &Path) {
    // Without the mark its objects stay until the next loop of the repository is removed.
    drop(fs::write(evidence.join(MARK), b""));
}

/// What compacting a store came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compacted {
    /// How many bytes it takes less now.
    pub bytes: u64,
}

impl Tree {
    /// Removes every object that none of these trees needs. It does nothing where loops were not
    /// removed, or somebody else uses the store: then the next time will do.
    pub async fn compact(&self, keep: &BTreeSet<String>) -> Result<Compacted, TreeError> {
        let evidence = &self.own.evidence;
        if !is_to_compact(evidence.objects()) {
            return Ok(Compacted::default());
        }
        if flock(&evidence.in_use, FlockOperation::NonBlockingLockExclusive).is_err() {
            // A lock that cannot be made exclusive is given up.
            let _ = flock(&evidence.in_use, FlockOperation::LockShared);
            return Ok(Compacted::default());
        }
        let before = size(evidence.objects());
        let compacted = self.compact_alone(keep).await;
        drop(fs::remove_dir_all(self.own.path().join(WORKBENCH)));
        // Others were kept out, so this does not wait.
        let _ = flock(&evidence.in_use, FlockOperation::LockShared);
        compacted?;
        drop(fs::remove_file(evidence.objects().join(MARK)));
        Ok(Compacted { bytes: before.saturating_sub(size(evidence.objects())) })
    }

    async fn compact_alone(&self, keep: &BTreeSet<String>) -> Result<(), TreeError> {
        let keep: BTreeSet<String> = self.stored_of(keep).await?;
        let workbench = self.own.path().join(WORKBENCH);
        self.make_workbench(&workbench, &keep).map_err(TreeError::io("prepare", &workbench))?;
        for args in [&["repack", "-a", "-d", "-l", "-q"][..], &["prune", "--expire=now"]] {
            let call = Call::new(&workbench, &workbench)
                .env("GIT_OBJECT_DIRECTORY", self.own.evidence.objects());
            self.git.run(call.args(args)).await?;
        }
        Ok(())
    }

    /// Which of these ids are those of objects in the store.
    async fn stored_of(&self, ids: &BTreeSet<String>) -> Result<BTreeSet<String>, TreeError> {
        let question: String = ids.iter().map(|id| format!("{id}\n")).collect();
        let call = self.own.stored().args(["cat-file", "--batch-check=%(objectname)"]);
        let output = self.git.run(call.stdin(question.into_bytes())).await?.stdout;
        let output = String::from_utf8_lossy(&output);
        let found = output.lines().filter(|line| !line.contains(' '));
        Ok(found.map(str::to_owned).collect())
    }

    /// A git directory whose refs are all that stays.
    fn make_workbench(&self, at: &Path, keep: &BTreeSet<String>) -> io::Result<()> {
        drop(fs::remove_dir_all(at));
        fs::create_dir_all(at.join("refs"))?;
        let mut refs = "# pack-refs with: sorted \n".to_owned();
        for (number, id) in keep.iter().enumerate() {
            refs += &format!("{id} refs/keep/{number:08}\n");
        }
        write_private(&at.join("packed-refs"), refs.as_bytes())?;
        write_private(&at.join("HEAD"), b"ref: refs/keep/none\n")?;
        write_private(&at.join("config"), self.own.bare_config().as_bytes())
    }
}

fn size(directory: &Path) -> u64 {
    let files = WalkDir::new(directory).into_iter().flatten();
    files
        .filter_map(|file| file.metadata().ok())
        .filter(fs::Metadata::is_file)
        .map(|f| f.len())
        .sum()
}
