//! Where a repository borrows objects from. The list stands in the repository, where an agent can
//! write it, so what it said before the first loop counts, and is kept in windlass's own store.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use windlass_repo::tree::Submodule;
use windlass_system::below::{self, Content, Links, Root};

/// The file with what was seen first.
const SEEN: &str = "alternates-seen";

/// The list, from where the objects are.
const LIST: &str = "info/alternates";

/// More than this is nobody's list.
const MOST: u64 = 64 << 10;

/// What a repository borrows from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Alternates {
    /// The list as it was before the first loop.
    list: Vec<u8>,
    /// Where the repository keeps objects of its own.
    #[serde(with = "windlass_repo::wire::path")]
    objects: PathBuf,
    /// Where the list is kept.
    #[serde(with = "windlass_repo::wire::path")]
    kept: PathBuf,
    /// Whether it was told that it is another now.
    told: bool,
}

impl Alternates {
    /// Those of the repository with that common directory; `own` is windlass's own directory for it,
    /// which must be there.
    pub(super) fn seen_first(own: &Path, common_dir: &Path) -> Self {
        Self::kept_as(SEEN, own, common_dir)
    }

    /// Those of a submodule; `own` is windlass's own directory for the repository that has it.
    pub(super) fn of_submodule(own: &Path, submodule: &Submodule) -> Self {
        Self::kept_as(&format!("{SEEN}-{}", submodule.id()), own, submodule.git_dir())
    }

    fn kept_as(name: &str, own: &Path, common_dir: &Path) -> Self {
        let (objects, kept) = (common_dir.join("objects"), own.join(name));
        let list = fs::read(&kept).unwrap_or_else(|_| {
            let list = read(&objects);
            // Where it cannot be kept, it is read again the next time.
            if let Ok(root) = Root::open(own) {
                drop(below::write(root, name.as_bytes(), Content::File(&list, false)));
            }
            list
        });
        Self { list, objects, kept, told: false }
    }

    /// The object directories that it borrows from.
    pub(super) fn directories(&self) -> Vec<PathBuf> {
        let lines = self.list.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| self.objects.join(OsStr::from_bytes(line))).collect()
    }

    /// Says that the list is another now, once.
    pub(super) fn note(&mut self) -> Option<String> {
        if self.told || read(&self.objects) == self.list {
            return None;
        }
        self.told = true;
        let (list, kept) = (self.objects.join(LIST), self.kept.display());
        Some(format!(
            "`{}` is not what it was before the first loop here: objects of other repositories are \
             read only where it led then; if the change is yours, remove `{kept}`",
            list.display()
        ))
    }
}

/// The list as it is now; empty where there is none.
fn read(objects: &Path) -> Vec<u8> {
    let root = Root::open(objects).ok();
    let read = root.map(|root| below::read(root, LIST.as_bytes(), Links::Refused, MOST));
    read.and_then(Result::ok).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_list_said_first_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (own, common) = (folder.path().join("own"), folder.path().join("common"));
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(common.join("objects/info")).unwrap();
        let list = common.join("objects/info/alternates");
        fs::write(&list, "/shared/objects\n").unwrap();
        assert_eq!(
            Alternates::seen_first(&own, &common).directories(),
            [PathBuf::from("/shared/objects")]
        );
        let mut seen = Alternates::seen_first(&own, &common);
        assert_eq!(seen.note(), None);
        fs::write(&list, "/home/me/private/.git/objects\n").unwrap();
        assert!(seen.note().is_some_and(|note| note.contains("own/alternates-seen")));
        assert_eq!(seen.note(), None, "it was told");
        assert_eq!(
            Alternates::seen_first(&own, &common).directories(),
            [PathBuf::from("/shared/objects")]
        );
    }

    #[test]
    fn none_at_first_is_none_later() {
        let folder = tempfile::tempdir().unwrap();
        let (own, common) = (folder.path().join("own"), folder.path().join("common"));
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(common.join("objects/info")).unwrap();
        assert!(Alternates::seen_first(&own, &common).directories().is_empty());
        fs::write(common.join("objects/info/alternates"), "/private/objects\n").unwrap();
        assert!(Alternates::seen_first(&own, &common).directories().is_empty());
    }
}
