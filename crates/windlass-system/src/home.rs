//! windlass's home directory: what is in it, and that only its user may look.
//!
//! It lies outside every work tree, so that no agent, `git clean` or commit touches it.

use std::{
    fs::{self, DirBuilder, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
};

use windlass_core::ids::LoopId;

/// The home of this process's user, for embedders who do not say where it is: `$WINDLASS_HOME`, or
/// `windlass` in the user's state directory.
#[expect(clippy::disallowed_methods, reason = "embedders may leave the choice to windlass")]
pub fn of_user() -> io::Result<PathBuf> {
    let set =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    set("WINDLASS_HOME")
        .or_else(|| set("XDG_STATE_HOME").map(|state| state.join("windlass")))
        .or_else(|| set("HOME").map(|home| home.join(".local/state/windlass")))
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "HOME is not set"))
}

/// The database.
pub fn database(home: &Path) -> PathBuf {
    home.join("windlass.db")
}

/// Where the lock files are.
pub(crate) fn locks(home: &Path) -> PathBuf {
    home.join("locks")
}

/// Where the raw output of all loops is.
pub fn outputs(home: &Path) -> PathBuf {
    home.join("output")
}

/// Where the raw output of a loop is.
pub fn output(home: &Path, id: &LoopId) -> PathBuf {
    outputs(home).join(id.as_str())
}

/// Where the snapshots of work trees are.
pub fn trees(home: &Path) -> PathBuf {
    home.join("trees")
}

/// Where the objects are that snapshots consist of, a directory for each repository.
pub fn evidence(home: &Path) -> PathBuf {
    home.join("evidence")
}

/// Where it stands what windlass was about to change in repositories, until it is done.
pub fn intents(home: &Path) -> PathBuf {
    home.join("intents")
}

/// Where the worktrees of loops are that have one of their own.
pub fn worktrees(home: &Path) -> PathBuf {
    home.join("worktrees")
}

/// Where the worktrees are that merges are tried in, while they are.
pub fn merging(home: &Path) -> PathBuf {
    home.join("merging")
}

/// Where the repositories are that heads of pull requests are audited in, while they are.
pub fn heads(home: &Path) -> PathBuf {
    home.join("heads")
}

/// Where the agents of a loop have a git directory of their own.
pub fn private(home: &Path, id: &LoopId) -> PathBuf {
    privates(home).join(id.as_str())
}

/// Where the agents of all loops have one.
pub fn privates(home: &Path) -> PathBuf {
    home.join("git")
}

/// Where the originals of guarded files of a loop are that no snapshot has.
pub fn guard(home: &Path, id: &LoopId) -> PathBuf {
    guards(home).join(id.as_str())
}

/// Where those of all loops are.
pub fn guards(home: &Path) -> PathBuf {
    home.join("guard")
}

/// Where the doorbells of running loops are.
pub fn run(home: &Path) -> PathBuf {
    home.join("run")
}

/// Creates a directory that only its user may enter, with those above it that are missing.
///
/// One that is there and has something in it keeps its mode, for it may be shared by the user's
/// own wish; an empty one is taken for made on purpose, and closed.
pub fn create_private(directory: &Path) -> io::Result<()> {
    if directory.is_dir() {
        let open = fs::metadata(directory)?.permissions().mode() & 0o077 != 0;
        if open && fs::read_dir(directory)?.next().is_none() {
            fs::set_permissions(directory, Permissions::from_mode(0o700))?;
        }
        return Ok(());
    }
    if let Some(parent) = directory.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(directory) {
        // The mask of the process may have taken away the user's own rights.
        Ok(()) => fs::set_permissions(directory, Permissions::from_mode(0o700)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}
