//! What of a repository an agent must leave as it is: what makes git run a command when its user
//! calls it later. It may commit, and so it may write nearly everything else.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// How deep modules of modules are followed.
const DEEPEST: u32 = 4;

/// What of a repository stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seals {
    /// What can be read only.
    pub(super) sealed: Vec<PathBuf>,
    /// Directories that cannot be moved, for with them what is sealed could be put aside.
    pub(super) pinned: Vec<PathBuf>,
    /// What must not be there after a session, and cannot be kept from being made.
    pub(super) absent: Vec<PathBuf>,
}

impl Seals {
    /// Those of a work tree, its git directory, and what it shares with other work trees. Makes the
    /// directory of hooks where it is missing: what is not there cannot be sealed.
    pub(super) fn of(top: &Path, git_dir: &Path, common_dir: &Path) -> io::Result<Self> {
        let mut seals = Self::default();
        seals.directory(common_dir)?;
        let worktrees = common_dir.join("worktrees");
        if worktrees.is_dir() {
            seals.sealed.push(worktrees);
        }
        if git_dir != common_dir {
            // Its own directory may be written though its neighbours' may not.
            seals.pinned.push(git_dir.to_owned());
            seals.sealed.extend(present(git_dir, &["commondir", "gitdir"]));
        }
        seals.config_of_worktree(git_dir, common_dir)?;
        let link = top.join(".git");
        if link.is_file() {
            seals.sealed.push(link);
        }
        seals.modules(&common_dir.join("modules"), DEEPEST)?;
        seals.sealed.extend(present(top, &[".jj/repo/config.toml", ".jj/repo/store/type"]));
        seals.pinned.extend(present(top, &[".jj", ".jj/repo", ".jj/repo/store"]));
        Ok(seals)
    }

    /// A git directory that is complete by itself.
    fn directory(&mut self, directory: &Path) -> io::Result<()> {
        let hooks = directory.join("hooks");
        fs::create_dir_all(&hooks)?;
        self.pinned.push(directory.to_owned());
        self.sealed.push(hooks);
        self.sealed.extend(present(directory, &["config"]));
        // With this file another directory would be asked for the config.
        let common = directory.join("commondir");
        if !common.exists() {
            self.absent.push(common);
        }
        Ok(())
    }

    /// A second config, which git reads only where the first one says so.
    fn config_of_worktree(&mut self, git_dir: &Path, common_dir: &Path) -> io::Result<()> {
        let path = git_dir.join("config.worktree");
        let config = fs::read_to_string(common_dir.join("config")).unwrap_or_default();
        if path.is_file() {
            self.sealed.push(path);
        } else if config.to_ascii_lowercase().contains("worktreeconfig") {
            fs::write(&path, "")?;
            self.sealed.push(path);
        }
        Ok(())
    }

    fn modules(&mut self, directory: &Path, deep: u32) -> io::Result<()> {
        if deep == 0 || !directory.is_dir() || directory.is_symlink() {
            return Ok(());
        }
        self.pinned.push(directory.to_owned());
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_symlink() || !path.is_dir() {
                continue;
            }
            if path.join("HEAD").is_file() {
                self.directory(&path)?;
                self.modules(&path.join("modules"), deep - 1)?;
            } else {
                // A module of a name with a slash in it.
                self.modules(&path, deep - 1)?;
            }
        }
        Ok(())
    }

    /// Takes away what must not be there; gives what was.
    pub(super) fn sweep(absent: &[PathBuf]) -> Vec<&Path> {
        let planted = absent.iter().filter(|path| path.symlink_metadata().is_ok());
        let removed = planted.filter(|path| {
            let is_directory = path.symlink_metadata().is_ok_and(|found| found.is_dir());
            let gone = if is_directory { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            gone.is_ok()
        });
        removed.map(PathBuf::as_path).collect()
    }
}

fn present(directory: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| directory.join(name)).filter(|path| path.exists()).collect()
}
