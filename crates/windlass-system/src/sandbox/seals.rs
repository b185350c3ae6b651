//! What of a repository an agent must leave as it is: what makes git run a command when its user
//! calls it later. It may commit, and so it may write nearly everything else.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::SandboxError;

/// How deep modules of modules are followed.
const DEEPEST: u32 = 4;

/// So many places of submodules are sealed one by one.
const MOST_OF_MODULES: usize = 600;

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
    pub(super) fn of(top: &Path, git_dir: &Path, common_dir: &Path) -> Result<Self, SandboxError> {
        let failed = |source| SandboxError::Io { what: "seal the repository", source };
        let seals = Self::found(top, git_dir, common_dir).map_err(failed)?;
        // What is sealed is mounted, and a link would have what it leads to mounted. An agent can have
        // put it there, if not here then in a module that it made.
        let is_inside =
            |real: &Path| [top, git_dir, common_dir].iter().any(|place| real.starts_with(place));
        for path in seals.sealed.iter().chain(&seals.pinned) {
            if !path.canonicalize().is_ok_and(|real| is_inside(&real)) {
                let why = "a link leads out of the repository there, and an agent may have put it \
                           there; remove it";
                return Err(SandboxError::BadPath { path: path.clone(), why });
            }
        }
        Ok(seals)
    }

    /// Those of a work tree whose git directory cannot be reached: what names it, and the store of
    /// Jujutsu.
    pub(super) fn beside_private(top: &Path) -> Self {
        let is_kept =
            |path: &PathBuf| path.symlink_metadata().is_ok_and(|found| !found.is_symlink());
        let link = Some(top.join(".git")).filter(|path| is_kept(path) && path.is_file());
        let store = Some(top.join(".jj")).filter(|path| is_kept(path) && path.is_dir());
        Self { sealed: link.into_iter().chain(store).collect(), ..Self::default() }
    }

    fn found(top: &Path, git_dir: &Path, common_dir: &Path) -> io::Result<Self> {
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
        seals.all_modules(&common_dir.join("modules"))?;
        seals.sealed.extend(present(top, &[".jj/repo/config.toml", ".jj/repo/store/type"]));
        seals.pinned.extend(present(top, &[".jj", ".jj/repo", ".jj/repo/store"]));
        Ok(seals)
    }

    /// A git directory that is complete by itself.
    fn directory(&mut self, directory: &Path) -> io::Result<()> {
        let hooks = directory.join("hooks");
        made(fs::create_dir(&hooks))?;
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
        if config.to_ascii_lowercase().contains("worktreeconfig") {
            // Never through a link.
            made(fs::File::create_new(&path).map(drop))?;
        }
        if path.symlink_metadata().is_ok() {
            self.sealed.push(path);
        }
        Ok(())
    }

    /// The directories of submodules: one by one, or all of them as one where there are too many to
    /// make a sandbox. Then nothing can be committed in submodules.
    fn all_modules(&mut self, directory: &Path) -> io::Result<()> {
        let mut modules = Self::default();
        modules.modules(directory, DEEPEST)?;
        if modules.sealed.len() + modules.pinned.len() > MOST_OF_MODULES {
            self.sealed.push(directory.to_owned());
            return Ok(());
        }
        self.sealed.append(&mut modules.sealed);
        self.pinned.append(&mut modules.pinned);
        self.absent.append(&mut modules.absent);
        Ok(())
    }

    fn modules(&mut self, directory: &Path, deep: u32) -> io::Result<()> {
        if deep == 0 || !directory.is_dir() || directory.is_symlink() {
            return Ok(());
        }
        self.pinned.push(directory.to_owned());
        for entry in fs::read_dir(directory)? {
            if self.sealed.len() + self.pinned.len() > MOST_OF_MODULES {
                return Ok(());
            }
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

    /// Makes a file or a directory read-only that lies in a place that can be written, and keeps
    /// the directories on the way to it where they are.
    pub(super) fn keep(&mut self, path: &Path, place: &Path) {
        let above = path.ancestors().skip(1).take_while(|above| *above != place);
        self.pinned.extend(above.map(Path::to_owned));
        self.sealed.push(path.to_owned());
    }

    /// Takes away what must not be there; gives what was. What another directory has by that name
    /// stays, be there a link to it in place of the one that was meant.
    pub(super) fn sweep(absent: &[PathBuf]) -> Vec<&Path> {
        let is_there = |path: &Path| path.parent().and_then(|above| above.canonicalize().ok());
        let planted = absent.iter().filter(|path| path.symlink_metadata().is_ok());
        let planted = planted.filter(|path| is_there(path).as_deref() == path.parent());
        let removed = planted.filter(|path| {
            let is_directory = path.symlink_metadata().is_ok_and(|found| found.is_dir());
            let gone = if is_directory { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            gone.is_ok()
        });
        removed.map(PathBuf::as_path).collect()
    }
}

/// Whether something is there now, be it from before.
fn made(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => result,
    }
}

fn present(directory: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| directory.join(name)).filter(|path| path.exists()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_that_leads_out_is_neither_sealed_nor_swept_nor_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (top, git) = (root.join("work"), root.join("work/.git"));
        let module = git.join("modules/evil");
        fs::create_dir_all(&module).unwrap();
        fs::create_dir_all(root.join("keys")).unwrap();
        fs::write(module.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        let sealed = Seals::of(&top, &git, &git).unwrap();
        assert!(sealed.sealed.contains(&module.join("hooks")), "the test tests something");

        fs::remove_dir(module.join("hooks")).unwrap();
        for target in ["../../../../keys", "../../../../none"] {
            symlink(target, module.join("hooks")).unwrap();
            let error = Seals::of(&top, &git, &git).unwrap_err();
            assert!(error.to_string().contains("leads out of the repository"), "{error}");
            fs::remove_file(module.join("hooks")).unwrap();
        }
        fs::write(git.join("config"), "[extensions]\n\tworktreeConfig = true\n").unwrap();
        symlink("../../keys/new", git.join("config.worktree")).unwrap();
        Seals::of(&top, &git, &git).unwrap_err();
        assert!(!root.join("keys/new").exists(), "it was written through a link");

        fs::write(root.join("keys/commondir"), "x").unwrap();
        let (moved, absent) = (git.join("moved"), [module.join("commondir")]);
        fs::rename(&module, moved).unwrap();
        symlink("../../../keys", &module).unwrap();
        assert_eq!(Seals::sweep(&absent), [] as [&Path; 0]);
        assert!(root.join("keys/commondir").exists());
    }

    #[test]
    fn what_is_kept_cannot_be_put_aside_with_its_directory() {
        let mut seals = Seals::default();
        seals.keep(Path::new("/dots/shell/rc/bashrc"), Path::new("/dots"));
        assert_eq!(seals.sealed, [Path::new("/dots/shell/rc/bashrc")]);
        assert_eq!(seals.pinned, [Path::new("/dots/shell/rc"), Path::new("/dots/shell")]);
    }
}
