//! One call of git, all decided: arguments, environment, input.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use windlass_core::process::ProcessSpec;

/// The most that one call may give out.
const MAX_BYTES: usize = 512 << 20;

/// What every call is given, whatever else it is given. What git itself starts, such as its own
/// commands, it finds where the system has it.
const ENVIRONMENT: [(&str, &str); 12] = [
    ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    // A missing object of a partial clone would be fetched, and fetching starts programs.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_PAGER", "cat"),
    ("HOME", "/dev/null"),
    ("LC_ALL", "C"),
];

/// Overrides for calls in the repository's own directory. They have the last word over every file
/// of config, also `config.worktree` and what `include.path` brings in.
const NEUTRAL: [(&str, &str); 9] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.attributesFile", "/dev/null"),
    ("core.splitIndex", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("submodule.recurse", "false"),
    ("commit.gpgSign", "false"),
    ("core.alternateRefsCommand", "false"),
];

/// One call of git.
#[derive(Clone, Debug)]
pub struct Call {
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    config: Vec<(OsString, OsString)>,
    directory: PathBuf,
    stdin: Vec<u8>,
    accepted: &'static [i32],
    max_bytes: usize,
}

impl Call {
    /// A call in the git directory `git_dir`, which is windlass's own.
    pub(crate) fn new(git_dir: &Path, directory: &Path) -> Self {
        Self {
            args: Vec::new(),
            env: vec![("GIT_DIR".into(), git_dir.into())],
            config: Vec::new(),
            directory: directory.to_owned(),
            stdin: Vec::new(),
            accepted: &[0],
            max_bytes: MAX_BYTES,
        }
    }

    /// A call in a git directory that an agent may have written: only for what must change refs.
    pub(crate) fn in_repository(git_dir: &Path, common_dir: &Path) -> Self {
        let mut call = Self::new(git_dir, git_dir).env("GIT_COMMON_DIR", common_dir);
        for (key, value) in NEUTRAL {
            call = call.config(key, value);
        }
        call
    }

    /// Adds an argument.
    #[must_use]
    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub(crate) fn args<I: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = I>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets a variable.
    #[must_use]
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }

    /// Sets a config value that has the last word.
    #[must_use]
    pub(crate) fn config(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.config.push((key.into(), value.as_ref().to_owned()));
        self
    }

    /// Runs it in another directory.
    #[must_use]
    pub(crate) fn in_directory(mut self, directory: &Path) -> Self {
        directory.clone_into(&mut self.directory);
        self
    }

    /// Gives it something to read.
    #[must_use]
    pub(crate) fn stdin(mut self, stdin: Vec<u8>) -> Self {
        self.stdin = stdin;
        self
    }

    /// Accepts these exit codes and not only 0.
    #[must_use]
    pub(crate) fn accepting(mut self, codes: &'static [i32]) -> Self {
        self.accepted = codes;
        self
    }

    /// Takes no more than so many bytes from it; more is an error.
    #[must_use]
    pub(crate) fn at_most(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    pub(super) fn accepted(&self) -> &'static [i32] {
        self.accepted
    }

    pub(super) fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// The command as it is named in errors: the verb and its first arguments.
    pub(super) fn shown(&self) -> String {
        let mut shown = "git".to_owned();
        for arg in self.args.iter().take(4) {
            shown.push(' ');
            shown.extend(arg.to_string_lossy().chars().take(60).filter(|c| !c.is_control()));
        }
        shown
    }

    pub(super) fn into_spec(self, program: &Path) -> ProcessSpec {
        let mut env: Vec<(OsString, OsString)> =
            ENVIRONMENT.iter().map(|(name, value)| (name.into(), value.into())).collect();
        env.push(("GIT_CONFIG_COUNT".into(), self.config.len().to_string().into()));
        for (number, (key, value)) in self.config.into_iter().enumerate() {
            env.push((format!("GIT_CONFIG_KEY_{number}").into(), key));
            env.push((format!("GIT_CONFIG_VALUE_{number}").into(), value));
        }
        env.extend(self.env);
        ProcessSpec {
            program: program.into(),
            args: self.args,
            env,
            directory: self.directory,
            stdin: self.stdin,
        }
    }
}
