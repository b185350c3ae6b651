//! Where a repository borrows objects from. The list stands in the repository, where an agent can
//! write it, so what it said before the first loop counts, and is kept in windlass's own store.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use windlass_system::below::{self, Content, Links, Root};

/// The file with what was seen first.
const SEEN: &str = "alternates-seen";

/// More than this is nobody's list.
const MOST: u64 = 64 << 10;

/// The object directories that the repository with that common directory borrows from; `own` is
/// windlass's own directory for it, which must be there.
pub(super) fn alternates(own: &Path, common_dir: &Path) -> Vec<PathBuf> {
    let objects = common_dir.join("objects");
    let list = fs::read(own.join(SEEN)).unwrap_or_else(|_| {
        let root = Root::open(&objects).ok();
        let read = root.map(|root| below::read(root, b"info/alternates", Links::Refused, MOST));
        let list = read.and_then(Result::ok).unwrap_or_default();
        // Where it cannot be kept, it is read again the next time.
        if let Ok(root) = Root::open(own) {
            drop(below::write(root, SEEN.as_bytes(), Content::File(&list, false)));
        }
        list
    });
    let lines = list.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| objects.join(OsStr::from_bytes(line))).collect()
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
        assert_eq!(alternates(&own, &common), [PathBuf::from("/shared/objects")]);
        fs::write(&list, "/home/me/private/.git/objects\n").unwrap();
        assert_eq!(alternates(&own, &common), [PathBuf::from("/shared/objects")]);
    }

    #[test]
    fn none_at_first_is_none_later() {
        let folder = tempfile::tempdir().unwrap();
        let (own, common) = (folder.path().join("own"), folder.path().join("common"));
        fs::create_dir_all(&own).unwrap();
        fs::create_dir_all(common.join("objects/info")).unwrap();
        assert!(alternates(&own, &common).is_empty());
        fs::write(common.join("objects/info/alternates"), "/private/objects\n").unwrap();
        assert!(alternates(&own, &common).is_empty());
    }
}
