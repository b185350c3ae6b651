//! What an agent and its checks can reach: one value, made when the loop starts, which each sandbox
//! turns into what it has.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
};

use windlass_core::{
    agent_files::AgentFiles,
    options::{NetworkMode, SandboxOptions},
};

use super::{
    SandboxError,
    guarded::Guarded,
    leads::leads_through,
    proxy::Hosts,
    request::{GitMount, Repository},
    seals::Seals,
    visible::{Finder, SECRETS, SETTINGS, SYSTEM},
};

/// A home for users who have none: nothing is in it.
const NO_HOME: &str = "/nonexistent";

/// What an agent and its checks can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Policy {
    /// The user's home, which is empty but for what is named here.
    pub(super) home: PathBuf,
    /// What can be read.
    pub(super) readable: Vec<PathBuf>,
    /// What can be written too.
    pub(super) writable: Vec<PathBuf>,
    /// What stays as it is inside of what can be written.
    pub(super) seals: Seals,
    /// What stands in the place of the user's git directory; where it is empty, that one does.
    pub(super) git: Vec<GitMount>,
    /// What is not there at all, even inside of what can be read.
    pub(super) hidden: Vec<PathBuf>,
    /// What of the user's files is the agent's own.
    pub(super) own: AgentFiles,
    /// Where each of its credentials files stands inside, and the copy that it is.
    pub(super) credentials: Vec<(PathBuf, PathBuf)>,
    /// What git is told of the user: who commits.
    pub(super) git_config: Option<String>,
    /// How much of the network.
    pub(super) network: NetworkMode,
    /// Which hosts, where it is not all or nothing.
    pub(super) hosts: Hosts,
}

/// What a policy is made of.
pub(super) struct Surroundings<'a> {
    pub(super) windlass_home: &'a Path,
    /// Where the agent works.
    pub(super) directory: &'a Path,
    pub(super) repository: Option<&'a Repository>,
    pub(super) env: &'a BTreeMap<OsString, OsString>,
    /// The user's own environment.
    pub(super) host: &'a BTreeMap<OsString, OsString>,
    pub(super) options: &'a SandboxOptions,
    /// Whether a part of what can be written can be read-only, and a part of what is shown hidden.
    pub(super) can_seal: bool,
    /// Whether something else can stand where the user's files do.
    pub(super) can_mount: bool,
    /// Whether the programs are those of an image, and not those of this machine.
    pub(super) of_image: bool,
}

/// The user's home, by the environment that agents get.
pub fn user_home(env: &BTreeMap<OsString, OsString>) -> PathBuf {
    let named = env.get(OsStr::new("HOME")).map(PathBuf::from);
    let named = named.filter(|home| home.is_absolute() && home.parent().is_some());
    let home = named.unwrap_or_else(|| PathBuf::from(NO_HOME));
    home.canonicalize().unwrap_or(home)
}

impl Surroundings<'_> {
    /// The policy for an agent whose own files are known, and its program.
    pub(super) fn policy(
        &self,
        mut own: AgentFiles,
        program: Option<&Path>,
        hosts: Hosts,
    ) -> Result<Policy, SandboxError> {
        let home = user_home(self.env);
        let kept_out = [home.as_path(), self.windlass_home];
        let top = self.repository.map_or(self.directory, |repository| &repository.top);
        let agents = self.written_by_agents(top, &home);
        let finder = Finder { home: &home, kept_out: &kept_out, agents: &agents, env: self.env };
        let guarded = Guarded::of(&home, self.host);
        for paths in [&mut own.shown, &mut own.kept, &mut own.copied, &mut own.state] {
            paths.retain(|path| finder.is_the_users(path) && !guarded.holds(path));
        }
        let mut readable = Vec::new();
        if !self.of_image {
            readable.extend(finder.toolchains());
            readable.extend(program.into_iter().flat_map(|program| finder.program(program)));
        }
        let mut hidden = vec![self.windlass_home.to_owned()];
        let mut readable_given = self.given(&self.options.sandbox_read, &finder, top)?;
        for path in &readable_given {
            guarded.hide(path, self.can_seal, &mut hidden)?;
        }
        let mut writable = self.given(&self.options.sandbox_write, &finder, top)?;
        for path in readable_given.iter().chain(&writable) {
            guarded.refuse_sockets(path)?;
        }
        readable.append(&mut readable_given);
        if !finder.may_be_shown(top) {
            let why = "the work tree holds your home or windlass's own, so it would all be shown; \
                       start the loop in a repository below it";
            return Err(SandboxError::BadPath { path: top.to_owned(), why });
        }
        writable.push(top.to_owned());
        let (git, mut seals) = match self.repository {
            None => (Vec::new(), Seals::default()),
            Some(found) if self.can_mount && !found.private.is_empty() => {
                (found.private.clone(), Seals::beside_private(top))
            }
            Some(Repository { git_dir, common_dir, .. }) => {
                writable.extend([git_dir.to_owned(), common_dir.to_owned()]);
                (Vec::new(), Seals::of(top, git_dir, common_dir)?)
            }
        };
        for place in &writable {
            guarded.keep(place, self.can_seal, &mut seals)?;
        }
        Ok(Policy {
            readable,
            writable,
            seals,
            git,
            hidden,
            own,
            credentials: Vec::new(),
            git_config: self.repository.and_then(git_config),
            network: self.options.network.unwrap_or_default(),
            hosts,
            home,
        })
    }

    /// Every place that an agent of this loop writes, each where it really is.
    fn written_by_agents(&self, top: &Path, home: &Path) -> Vec<PathBuf> {
        let given = self.options.sandbox_write.iter();
        let given = given.filter_map(|path| self.named(path, home).canonicalize().ok());
        let repository = self.repository.into_iter();
        let git = repository.flat_map(|found| [found.git_dir.clone(), found.common_dir.clone()]);
        given.chain(git).chain([top.to_owned()]).collect()
    }

    /// A path that the user gave.
    fn named(&self, path: &str, home: &Path) -> PathBuf {
        match path.strip_prefix("~/") {
            Some(inner) => home.join(inner),
            None if path == "~" => home.to_owned(),
            None => self.directory.join(path),
        }
    }

    /// The paths that the user gave, which must be there.
    fn given(
        &self,
        paths: &[String],
        finder: &Finder<'_>,
        top: &Path,
    ) -> Result<Vec<PathBuf>, SandboxError> {
        let given = paths.iter().map(|path| {
            let path = self.named(path, finder.home);
            let Ok(real) = path.canonicalize() else {
                return Err(SandboxError::BadPath { path, why: "it is not there" });
            };
            let leads_out =
                |place: &PathBuf| !real.starts_with(place) && leads_through(&path, place);
            if finder.agents.iter().any(leads_out) {
                let why = "a link in what agents write leads out of it, and an agent may have put \
                           it there; name where it leads";
                return Err(SandboxError::BadPath { path, why });
            }
            let is_windlass = real.starts_with(self.windlass_home) && !real.starts_with(top);
            if !finder.may_be_shown(&real) || is_windlass {
                let why = "it holds your home or windlass's own; name what is needed of it";
                return Err(SandboxError::BadPath { path, why });
            }
            Ok(real)
        });
        given.collect()
    }
}

impl Policy {
    /// What can be written of what stands in the place of the user's git directory.
    pub(super) fn writable_git(&self) -> impl Iterator<Item = PathBuf> {
        self.git.iter().filter(|mount| mount.writable).map(|mount| mount.at.clone())
    }

    /// The settings of the system that are shown, without what in them is for the system alone.
    pub(super) fn settings(&self) -> impl Iterator<Item = PathBuf> {
        let etc = Path::new("/etc");
        let secrets = SECRETS.map(|name| etc.join(name));
        let found = SETTINGS.iter().map(|name| etc.join(name)).filter(|path| path.exists());
        found.flat_map(move |path| without(path, &secrets))
    }

    /// Where the programs of the system are.
    pub(super) fn system() -> impl Iterator<Item = &'static Path> {
        SYSTEM.iter().map(Path::new).filter(|path| path.exists())
    }
}

/// A directory; if it contains one of the others, everything else in it instead.
fn without(path: PathBuf, others: &[PathBuf]) -> Vec<PathBuf> {
    if others.contains(&path) {
        return Vec::new();
    }
    if !others.iter().any(|other| other.starts_with(&path)) {
        return vec![path];
    }
    let entries = fs::read_dir(&path).into_iter().flatten().flatten();
    entries.flat_map(|entry| without(entry.path(), others)).collect()
}

/// What git inside is told: who commits, and nothing else of the user's config, which may have
/// tokens in it and commands to run.
fn git_config(repository: &Repository) -> Option<String> {
    let quoted = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let line = |key: &str, value: Option<&str>| {
        value.map(|value| format!("\t{key} = \"{}\"\n", quoted(value)))
    };
    let Repository { name, email, .. } = repository;
    let lines = [line("name", name.as_deref()), line("email", email.as_deref())];
    let lines: String = lines.into_iter().flatten().collect();
    (!lines.is_empty()).then(|| format!("[user]\n{lines}"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_directory_is_taken_apart_where_something_in_it_stays_out() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        for directory in ["ssl/certs", "ssl/private", "pki/tls/private", "pki/tls/certs", "fonts"] {
            fs::create_dir_all(root.join(directory)).unwrap();
        }
        let others = [root.join("ssl/private"), root.join("pki/tls/private")];
        let mut shown = without(root.clone(), &others);
        shown.sort();
        let expected = ["fonts", "pki/tls/certs", "ssl/certs"].map(|inner| root.join(inner));
        assert_eq!(shown, expected);
    }

    #[test]
    fn files_of_an_agent_that_it_could_have_moved_itself_are_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let path = |inner: &str| root.join(inner);
        for directory in ["home/.ssh", "home/.claude", "work/dotfiles", "store"] {
            fs::create_dir_all(path(directory)).unwrap();
        }
        fs::write(path("home/.ssh/key"), "secret").unwrap();
        fs::write(path("home/.claude/CLAUDE.md"), "be kind").unwrap();
        symlink(path("home/.ssh/key"), path("work/dotfiles/settings.json")).unwrap();
        symlink(path("work/dotfiles/settings.json"), path("home/.claude/settings.json")).unwrap();
        let files = vec![path("home/.claude/settings.json"), path("home/.claude/CLAUDE.md")];
        let own = AgentFiles {
            state: files.clone(),
            kept: files.clone(),
            credentials: None,
            shown: files.clone(),
            copied: files,
            hosts: Vec::new(),
        };
        let surroundings = Surroundings {
            windlass_home: &path("store"),
            directory: &path("work"),
            repository: None,
            env: &BTreeMap::from([("HOME".into(), path("home").into())]),
            host: &BTreeMap::new(),
            can_seal: true,
            can_mount: true,
            options: &SandboxOptions::default(),
            of_image: false,
        };
        let own = surroundings.policy(own, None, Hosts::default()).unwrap().own;
        for files in [own.state, own.kept, own.shown, own.copied] {
            assert_eq!(files, [path("home/.claude/CLAUDE.md")]);
        }
    }
}
