//! Programs of the machine, as an environment inside the tree has them: `.venv/bin/python` is a link to
//! the interpreter that made it.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

/// Whether a path in the tree is a link to a program outside of it that has the same name, versions
/// aside, and has not changed since that second: using it instead of the program that it hides changes
/// nothing that the agent could have written.
pub(super) fn is_link_to_the_machines(root: &Path, path: &str, since: i64) -> bool {
    let link = root.join(path);
    if !fs::symlink_metadata(&link).is_ok_and(|known| known.is_symlink()) {
        return false;
    }
    let Ok(target) = link.canonicalize() else { return false };
    let is_inside = root.canonicalize().is_ok_and(|root| target.starts_with(root));
    // The time of the last change is the kernel's: nobody can set it.
    let is_older =
        fs::metadata(&target).is_ok_and(|known| known.is_file() && known.ctime() < since);
    !is_inside && is_older && without_version(&link) == without_version(&target)
}

fn without_version(program: &Path) -> String {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    name.trim_end_matches(|it: char| it.is_ascii_digit() || it == '.' || it == '-').to_owned()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const LATER: i64 = i64::MAX;

    fn tree_with(link: &str, target: &Path) -> tempfile::TempDir {
        let tree = tempfile::tempdir().unwrap();
        let path = tree.path().join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
        tree
    }

    #[test]
    fn a_link_to_an_older_program_of_the_same_name_is_the_machines() {
        let machine = tempfile::tempdir().unwrap();
        let python = machine.path().join("python3.11");
        fs::write(&python, "").unwrap();
        for name in ["python", "python3", "python3.11"] {
            let link = format!(".venv/bin/{name}");
            let tree = tree_with(&link, &python);
            assert!(is_link_to_the_machines(tree.path(), &link, LATER), "{name}");
        }
    }

    #[test]
    fn a_link_to_another_program_or_to_a_new_one_or_a_file_is_not() {
        let machine = tempfile::tempdir().unwrap();
        let python = machine.path().join("python3.11");
        fs::write(&python, "").unwrap();
        let tree = tree_with("bin/pytest", &python);
        assert!(!is_link_to_the_machines(tree.path(), "bin/pytest", LATER), "another name");
        let tree = tree_with("bin/python", &python);
        assert!(!is_link_to_the_machines(tree.path(), "bin/python", 1), "a new program");
        fs::write(tree.path().join("bin/python3"), "").unwrap();
        assert!(!is_link_to_the_machines(tree.path(), "bin/python3", LATER), "a file");
        let inside = tree_with("bin/python", Path::new("../python"));
        fs::write(inside.path().join("python"), "").unwrap();
        assert!(!is_link_to_the_machines(inside.path(), "bin/python", LATER), "inside the tree");
    }
}
