//! Where the links on the way to a file lead.

use std::{
    ffi::OsString,
    fs,
    path::{Component, Path, PathBuf},
};

/// So many links are followed; the system follows no more either.
const MOST: usize = 40;

/// Whether the way to a file comes through a place, be it by a link: whoever can write there then
/// says where the way ends.
pub(crate) fn leads_through(path: &Path, place: &Path) -> bool {
    leads_through_any(path, &[place])
}

/// The same, for one of several places.
pub(crate) fn leads_through_any(path: &Path, places: &[impl AsRef<Path>]) -> bool {
    let mut ahead = steps(path);
    let (mut at, mut links) = (PathBuf::from("/"), 0);
    while let Some(step) = ahead.pop() {
        if step == ".." {
            at.pop();
            continue;
        }
        at.push(step);
        if places.iter().any(|place| at.starts_with(place)) {
            return true;
        }
        if let Ok(target) = fs::read_link(&at) {
            links += 1;
            if links > MOST {
                return true;
            }
            at.pop();
            if target.is_absolute() {
                at = PathBuf::from("/");
            }
            ahead.extend(steps(&target));
        }
    }
    false
}

/// The steps of a path, the first of them last.
fn steps(path: &Path) -> Vec<OsString> {
    let named = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    named.rev().map(|part| part.as_os_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_way_is_followed_link_by_link() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let place = root.join("tree");
        for path in ["tree/inner", "home/keys", "home/bin"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        let link = |target: &str, at: &str| symlink(target, root.join(at)).unwrap();
        link("../home/keys", "tree/out");
        link("../tree", "home/alias");
        link("../tree/out", "home/tools");
        link("bin", "home/programs");
        link("round", "home/round");
        let leads = |path: &str| leads_through(&root.join(path), &place);
        for through in
            ["tree", "tree/inner", "tree/none", "tree/out", "home/alias/out", "home/tools/key"]
        {
            assert!(leads(through), "{through}");
        }
        assert!(leads("home/alias/../home/keys"), "by way of the tree");
        assert!(leads("home/round"), "nobody knows where it leads");
        for past in ["home/keys", "home/programs/x", "home/../home/bin", "treehouse", "none/at/all"]
        {
            assert!(!leads(past), "{past}");
        }
    }
}
