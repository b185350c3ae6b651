//! A world of its own for one test: folders, an empty environment, a repository with one commit.
//! When it goes away it looks for processes that outlived the test, and fails it.

use std::{
    ffi::OsStr,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{
    Invocation, Ran, Terminal,
    processes::{self, Process},
    sql,
    waiting::holds_within,
};

/// Where programs of the system are looked for.
const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// How long descendants may outlive a loop's end.
const LEFTOVER_LIMIT: Duration = Duration::from_secs(5);

/// A world of its own for one test.
#[derive(Debug)]
pub struct Env {
    root: PathBuf,
    program: PathBuf,
    folder: tempfile::TempDir,
    /// Whether checks run before the first session.
    has_baselines: bool,
}

impl Env {
    /// A world with a git repository of one commit. `program` is the binary under test:
    /// `env!("CARGO_BIN_EXE_windlass")`, which only the program's own tests know.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let env = Self::outside_git(program);
        env.write("README.md", "# A project\n");
        env.git(["init", "--quiet", "--initial-branch=main"]);
        env.git(["add", "README.md"]);
        env.git(["commit", "--quiet", "--message=start"]);
        env
    }

    /// A world whose work tree is no repository.
    pub fn outside_git(program: impl Into<PathBuf>) -> Self {
        // Always below `/tmp`: a path of the same length everywhere keeps columns where they are.
        let folder = tempfile::Builder::new().prefix("windlass-").tempdir_in("/tmp");
        let folder = folder.expect("there is room below /tmp");
        let root = folder.path().canonicalize().expect("it was just made");
        let env = Self { root, program: program.into(), folder, has_baselines: false };
        for inner in ["bin", "home", "runs", "tmp", "work"] {
            fs::create_dir(env.root.join(inner)).expect("the folder is ours");
        }
        let config = "[user]\n\tname = Tester\n\temail = tester@example.com\n";
        fs::write(env.home().join(".gitconfig"), config).expect("the folder is ours");
        env
    }

    /// The same, where checks run before the first session, as they do for users. Most tests are about
    /// something else, and count what runs after a claim.
    #[must_use]
    pub fn with_baselines(mut self) -> Self {
        self.has_baselines = true;
        self
    }

    /// The folder that holds all of it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The work tree, where commands run.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The user's home.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// `$WINDLASS_HOME`; it is not there before windlass makes it.
    pub fn windlass_home(&self) -> PathBuf {
        self.root.join("state")
    }

    /// The binary under test.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The whole environment that commands get.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let at = |inner: &str| self.root.join(inner).to_string_lossy().into_owned();
        vec![
            ("PATH", format!("{}:{SYSTEM_PATH}", at("bin"))),
            ("HOME", at("home")),
            ("TMPDIR", at("tmp")),
            ("XDG_CACHE_HOME", at("home/.cache")),
            ("XDG_CONFIG_HOME", at("home/.config")),
            ("XDG_DATA_HOME", at("home/.local/share")),
            ("XDG_STATE_HOME", at("home/.local/state")),
            ("WINDLASS_HOME", at("state")),
            ("TESTKIT_ENV", at("")),
            ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
            ("WINDLASS_NO_BASELINE", (!self.has_baselines).to_string()),
            // Tests that are about it set this themselves.
            ("WINDLASS_INHIBIT_SLEEP", "false".to_owned()),
            ("WINDLASS_POWER_SUPPLY", at("no-batteries")),
            ("NO_COLOR", "1".to_owned()),
            ("COLUMNS", "100".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("TZ", "UTC".to_owned()),
            ("USER", "tester".to_owned()),
        ]
    }

    /// Runs windlass to its end.
    #[must_use = "say how it should have ended: `success()` or `code(n)`"]
    #[track_caller]
    pub fn windlass<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        self.command(args).run()
    }

    /// A call of windlass that can still be changed, and be run or spawned.
    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Invocation<'_> {
        Invocation::new(self, self.program.as_os_str(), args)
    }

    /// A call of any program in this world.
    pub fn other<S: AsRef<OsStr>>(
        &self,
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = S>,
    ) -> Invocation<'_> {
        Invocation::new(self, program.as_ref(), args)
    }

    /// windlass at a terminal of 100 by 30.
    #[track_caller]
    pub fn terminal<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Terminal<'_> {
        Terminal::new(self, args)
    }

    /// What git prints in the work tree. It must succeed.
    #[track_caller]
    pub fn git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        let mut git = Command::new("git");
        git.current_dir(self.work()).env_clear().envs(self.variables()).args(args);
        // The same commit ids in every test and on every machine.
        git.env("GIT_AUTHOR_DATE", "1763237000 +0000")
            .env("GIT_COMMITTER_DATE", "1763237000 +0000");
        let output = git.output().expect("git is installed");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{git:?} failed: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Writes a file of the work tree, with the folders that it needs.
    pub fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work().join(path);
        let parent = path.parent().expect("it is below the work tree");
        fs::create_dir_all(parent).expect("the folder is ours");
        fs::write(&path, text).expect("the folder is ours");
        path
    }

    /// The text of a file of the work tree.
    #[track_caller]
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.work().join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Writes a script for the scripted agent, outside the work tree; gives its path.
    pub fn script(&self, text: &str) -> PathBuf {
        let number = fs::read_dir(self.root.join("tmp")).map_or(0, Iterator::count);
        let path = self.root.join("tmp").join(format!("script-{number}"));
        fs::write(&path, text).expect("the folder is ours");
        path
    }

    /// Writes a shell program for `-c`, outside the work tree; gives its path.
    pub fn agent_sh(&self, body: &str) -> PathBuf {
        let number = fs::read_dir(self.root.join("bin")).map_or(0, Iterator::count);
        self.install(&format!("agent-{number}"), body)
    }

    /// Puts a shell program of that name on the `PATH`; gives its path.
    pub fn install(&self, name: &str, body: &str) -> PathBuf {
        let path = self.root.join("bin").join(name);
        let draft = path.with_extension("draft");
        fs::write(&draft, format!("#!/bin/sh\n{body}\n")).expect("the folder is ours");
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).expect("the file is ours");
        // A file that a sibling thread's child still has open for writing cannot be executed.
        fs::rename(&draft, &path).expect("the folder is ours");
        path
    }

    /// What plain SQL reads from the store: a line a row, `|` between columns.
    #[track_caller]
    pub fn sql(&self, query: &str) -> String {
        sql::query(&self.windlass_home(), query).unwrap_or_else(|error| panic!("{query}: {error}"))
    }

    /// Live processes of this world: those that stand in it, or whose environment names it.
    pub fn processes(&self) -> Vec<Process> {
        processes::of_world(&self.root)
    }

    /// Live processes of this world that carry the marker of a loop.
    pub fn marked_processes(&self, loop_id: &str) -> Vec<Process> {
        let mut found = self.processes();
        found.retain(|process| process.variable("WINDLASS_LOOP").as_deref() == Some(loop_id));
        found
    }
}

impl Drop for Env {
    fn drop(&mut self) {
        let none_left = || self.processes().is_empty();
        if holds_within(LEFTOVER_LIMIT, none_left) {
            return;
        }
        let left = self.processes();
        for process in &left {
            if let Some(pid) = Pid::from_raw(process.pid) {
                // It may have gone in the meantime.
                kill_process(pid, Signal::KILL).ok();
            }
        }
        if !thread::panicking() {
            let list: Vec<_> = left.iter().map(ToString::to_string).collect();
            panic!(
                "processes outlived the test in {}:\n  {}",
                self.folder.path().display(),
                list.join("\n  ")
            );
        }
    }
}
