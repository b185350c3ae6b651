//! The programs that windlass itself starts, found where no agent can write.
//!
//! In an activated virtual environment the first directory of `PATH` is in the work tree, and
//! whatever an agent puts there would run outside of its sandbox. So git, the shell of the checks,
//! bwrap, and all else that windlass starts on its own account is looked for in the rest of `PATH`,
//! once, and started by its whole path. Only an agent's own session is looked up as its user would.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use rustix::fs::{Access, access};

use super::{
    StartError, agent_places::agent_places, host_environment::may_be_given, resolve::DEFAULT_PATH,
};
use crate::leads::leads_through_any;

/// The system's own shell, on every system that has one there.
const SHELL: &str = "/bin/sh";

/// The programs of a `PATH` that no agent could have put there.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    /// The directories that programs are looked for in.
    trusted: Vec<PathBuf>,
    /// The directories of `PATH` that an agent can write, in its order.
    writable: Vec<PathBuf>,
    /// Where agents can write.
    places: Vec<PathBuf>,
}

impl Programs {
    /// Those of the `PATH` in `env`, where agents work in the work trees of `directories`, and can
    /// write `also`.
    ///
    /// Relative entries mean the first of the directories, as they do for a program that runs there.
    pub fn new(
        env: &BTreeMap<OsString, OsString>,
        directories: &[&Path],
        also: &[PathBuf],
    ) -> Self {
        let get = |name: &str| env.get(OsStr::new(name)).map(OsString::as_os_str);
        let mut places = agent_places(directories, get("HOME"));
        // The whole system is given to no agent: that is refused, for which programs are needed.
        let also = also.iter().map(|place| canonical(place));
        places.extend(also.filter(|place| place != Path::new("/")));
        let path = get("PATH").unwrap_or(OsStr::new(DEFAULT_PATH));
        let here = directories.first().copied().unwrap_or(Path::new("/"));
        let mut programs = Self { trusted: Vec::new(), writable: Vec::new(), places };
        for entry in std::env::split_paths(path) {
            if entry.is_absolute() && !programs.is_an_agents(&entry) {
                programs.trusted.push(entry);
            } else {
                programs.writable.push(here.join(entry));
            }
        }
        programs
    }

    /// The file of a program, by its name or its whole path.
    pub fn find(&self, program: &OsStr) -> Result<PathBuf, StartError> {
        let name = || program.to_string_lossy().into_owned();
        let of_an_agent = |path: &Path| {
            let directory = path.parent().unwrap_or(Path::new("/")).to_owned();
            StartError::OfAnAgent { program: name(), directory }
        };
        if program.is_empty() {
            return Err(StartError::NotFound { program: name() });
        }
        let (candidates, others) = if program.as_bytes().contains(&b'/') {
            (vec![PathBuf::from(program)], Vec::new())
        } else {
            let at = |directory: &PathBuf| directory.join(program);
            (self.trusted.iter().map(at).collect(), self.writable.iter().map(at).collect())
        };
        let mut forbidden = false;
        let mut planted = None;
        for path in candidates.into_iter().filter(|path| path.is_file()) {
            if !path.is_absolute() || self.is_an_agents(&path) {
                planted.get_or_insert(path);
            } else if access(&path, Access::EXEC_OK).is_ok() {
                return Ok(path);
            } else {
                forbidden = true;
            }
        }
        let planted = planted.or_else(|| others.into_iter().find(|path| is_executable(path)));
        Err(match planted {
            Some(path) => of_an_agent(&path),
            None if forbidden => StartError::NotExecutable { program: name() },
            None => StartError::NotFound { program: name() },
        })
    }

    /// The shell that runs what people write for a shell. It is the system's own, and the same in
    /// every sandbox and image.
    pub fn shell(&self) -> Result<PathBuf, StartError> {
        self.find(OsStr::new(SHELL)).or_else(|_| self.find(OsStr::new("sh")))
    }

    /// Whether the way to a file comes through a place that an agent can write.
    pub fn is_an_agents(&self, path: &Path) -> bool {
        leads_through_any(path, &self.places)
    }

    /// The `PATH` for what windlass starts.
    pub fn path(&self) -> OsString {
        // What has a colon in it came from no `PATH`.
        std::env::join_paths(&self.trusted).unwrap_or_default()
    }

    /// The directories of `PATH` that an agent can write: what checks find there, an agent may have
    /// put there.
    pub fn writable(&self) -> &[PathBuf] {
        &self.writable
    }

    /// The environment for what windlass starts, of another: its `PATH`, and no variable that makes
    /// a program load what an agent wrote.
    pub fn environment(
        &self,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> BTreeMap<OsString, OsString> {
        let is_an_agents = |path: &Path| self.is_an_agents(path);
        let given =
            env.into_iter().filter(|(name, value)| may_be_given(name, value, &is_an_agents));
        let mut given: BTreeMap<OsString, OsString> = given.collect();
        given.insert("PATH".into(), self.path());
        given
    }
}

/// Where a place really is; one that is not there may come to be.
fn canonical(place: &Path) -> PathBuf {
    place.canonicalize().unwrap_or_else(|_| place.to_owned())
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, symlink},
    };

    use super::*;

    fn program(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn what_an_agent_can_write_is_passed_over_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for path in ["tree/.venv/bin/git", "tree/.venv/bin/only", "tree/x", "bin/git"] {
            program(&root.join(path));
        }
        fs::create_dir_all(root.join("tree/.git")).unwrap();
        symlink("../tree/x", root.join("bin/linked")).unwrap();
        symlink("tree/.venv/bin", root.join("alias")).unwrap();
        let at = |path: &str| root.join(path).display().to_string();
        let path = [&at("tree/.venv/bin"), "", ".", "bin", &at("alias"), &at("bin")].join(":");
        let env = BTreeMap::from([("PATH".into(), path.into())]);
        let programs = Programs::new(&env, &[&root.join("tree/.venv")], &[]);
        let find = |name: &str| programs.find(OsStr::new(name));
        assert_eq!(find("git").unwrap(), root.join("bin/git"));
        assert_eq!(find(&at("bin/git")).unwrap(), root.join("bin/git"));
        assert!(matches!(find("none"), Err(StartError::NotFound { .. })));
        for planted in ["only", "linked", &at("tree/x"), &at("alias/git")] {
            assert!(matches!(find(planted), Err(StartError::OfAnAgent { .. })), "{planted}");
        }
        assert_eq!(programs.path(), OsString::from(at("bin")));
        assert_eq!(programs.writable().len(), 5);
        assert!(programs.shell().unwrap().is_absolute());
    }
}
