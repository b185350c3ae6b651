//! Where agents can write, as far as that is known from where people work.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// The places that an agent can write which works in one of these directories, canonical: each
/// directory, and the work trees that it is in.
///
/// All of them and not only the nearest: an agent can make a directory of its tree look like a work
/// tree, and then the rest would seem to be the user's. A home that is a repository, as those of
/// people who keep their settings in git are, counts only for who works right in it.
pub(super) fn agent_places(directories: &[&Path], home: Option<&OsStr>) -> Vec<PathBuf> {
    let home = home.and_then(|home| Path::new(home).canonicalize().ok());
    let holds_home = |place: &Path| home.as_ref().is_some_and(|home| home.starts_with(place));
    let mut places: Vec<PathBuf> = Vec::new();
    for directory in directories {
        let directory = directory.canonicalize().unwrap_or_else(|_| (*directory).to_owned());
        let trees = directory.ancestors().filter(|place| is_tree(place));
        for (at, tree) in trees.enumerate() {
            if at == 0 || !holds_home(tree) {
                places.push(tree.to_owned());
            }
        }
        places.push(directory);
    }
    // Nobody works in the whole system, and it would leave no program at all.
    places.retain(|place| place != Path::new("/"));
    places.sort_unstable();
    places.dedup();
    places
}

fn is_tree(place: &Path) -> bool {
    [".git", ".jj"].iter().any(|name| place.join(name).symlink_metadata().is_ok())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_tree_in_a_tree_is_not_the_end_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for path in ["home/.git", "home/code/.git", "home/code/sub/.git", "home/code/sub/src"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        let home = root.join("home");
        let of = |directory: &str| {
            let places = agent_places(&[&root.join(directory)], Some(home.as_os_str()));
            let below = places.iter().map(|place| place.strip_prefix(&root).unwrap().to_owned());
            below.map(|place| place.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of("home/code/sub/src"), ["home/code", "home/code/sub", "home/code/sub/src"]);
        assert_eq!(of("home/code"), ["home/code"]);
        assert_eq!(of("home"), ["home"]);
        assert!(agent_places(&[Path::new("/")], None).is_empty());
    }
}
