//! Work trees with the real git, in temporary directories, independent of the host's git config.

mod branches;
mod commits;
mod evidence;
mod faults;
mod numbers;
mod oddities;
mod origin;
mod restoring;
mod reviewing;
mod scratch;
mod snapshots;
mod vectors;

use std::{
    collections::BTreeSet,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tempfile::TempDir;
use windlass_core::{process::ProcessSpec, tree::Snapshot};
use windlass_repo::{
    git::{Git, Runner, Running},
    tree::{Opened, Tree, UserFiles, evidence_directory},
};
use windlass_system::process::{Output, StartError};

/// Starts processes with nothing but the standard library, and counts them.
#[derive(Default)]
pub(crate) struct PlainRunner {
    pub(crate) calls: AtomicUsize,
}

/// Where a program is.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").expect("a PATH");
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

impl Runner for PlainRunner {
    fn run(&self, spec: ProcessSpec, limit: Duration, _: usize) -> Running<'_> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            tokio::task::spawn_blocking(move || run(spec, limit)).await.expect("no panic")
        })
    }
}

fn run(spec: ProcessSpec, limit: Duration) -> Result<Output, StartError> {
    if !Path::new(&spec.program).is_file() {
        return Err(StartError::NotFound { program: "git".to_owned() });
    }
    let mut child = Command::new(&spec.program)
        .args(&spec.args)
        .env_clear()
        .envs(spec.env)
        .current_dir(spec.directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| StartError::Other { program: "git".to_owned(), why: error.to_string() })?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let bytes = spec.stdin;
    std::thread::spawn(move || std::io::Write::write_all(&mut stdin, &bytes));
    let reader = |mut pipe: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).expect("read");
            bytes
        })
    };
    let stdout = reader(Box::new(child.stdout.take().expect("a pipe")));
    let stderr = reader(Box::new(child.stderr.take().expect("a pipe")));
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            let (stdout, stderr) = (stdout.join().expect("read"), stderr.join().expect("read"));
            return Ok(Output { code: status.code(), stdout, stderr, ..Output::default() });
        }
        if start.elapsed() > limit {
            child.kill().expect("killed");
            child.wait().expect("waited");
            return Ok(Output { timed_out: true, ..Output::default() });
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// A repository with a home for windlass beside it.
pub(crate) struct Place {
    pub(crate) dir: TempDir,
    pub(crate) runner: Arc<PlainRunner>,
}

impl Place {
    /// An empty repository.
    pub(crate) fn empty() -> Self {
        let place = Self { dir: TempDir::new().expect("a directory"), runner: Arc::default() };
        fs::create_dir(place.top()).expect("a directory");
        place.git(&["init", "-q", "-b", "main"]);
        place
    }

    /// A repository with `a.txt` and `src/b.txt` committed.
    pub(crate) fn new() -> Self {
        let place = Self::empty();
        place.write("a.txt", "one\ntwo\n");
        place.write("src/b.txt", "b\n");
        place.git(&["add", "-A"]);
        place.git(&["commit", "-qm", "start"]);
        place
    }

    pub(crate) fn top(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// Where the objects of its snapshots are.
    pub(crate) fn evidence(&self) -> PathBuf {
        let common = self.top().join(".git").canonicalize().expect("there");
        evidence_directory(&self.home(), &common)
    }

    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.top().join(path)
    }

    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(path, content).expect("written");
    }

    pub(crate) fn read(&self, path: impl AsRef<Path>) -> String {
        let bytes = fs::read(self.at(path)).expect("readable");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn remove(&self, path: impl AsRef<Path>) {
        fs::remove_file(self.at(path)).expect("removed");
    }

    /// Runs the user's own git and gives its output.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        user_git(&self.top(), args)
    }

    pub(crate) fn try_git(&self, args: &[&str]) -> std::process::Output {
        try_user_git(&self.top(), args)
    }

    pub(crate) fn runner_git(&self) -> Git {
        Git::new(self.runner.clone(), program("git").expect("git is installed"))
    }

    pub(crate) async fn tree(&self) -> Tree {
        self.tree_with(&UserFiles::default()).await
    }

    pub(crate) async fn tree_with(&self, files: &UserFiles) -> Tree {
        open(self.runner_git(), &self.top(), &self.home(), files).await
    }

    /// What the user sees of the repository, to the byte.
    pub(crate) fn users_view(&self) -> Vec<Vec<u8>> {
        vec![
            self.git(&["status", "--porcelain", "--ignored"]).into_bytes(),
            self.git(&["stash", "list"]).into_bytes(),
            self.git(&["branch", "-a", "-v"]).into_bytes(),
            fs::read(self.at(".git/index")).unwrap_or_default(),
        ]
    }

    pub(crate) fn calls(&self) -> usize {
        self.runner.calls.swap(0, Ordering::Relaxed)
    }
}

pub(crate) async fn open(git: Git, directory: &Path, home: &Path, files: &UserFiles) -> Tree {
    match Tree::open(git, directory, home, files).await.expect("opens") {
        Opened::Tree(tree) => *tree,
        Opened::NoRepository | Opened::NoGit => panic!("there is a repository"),
    }
}

#[track_caller]
pub(crate) fn user_git(directory: &Path, args: &[&str]) -> String {
    let output = try_user_git(directory, args);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn try_user_git(directory: &Path, args: &[&str]) -> std::process::Output {
    Command::new("git")
        .args(args)
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").expect("a PATH"))
        .env("HOME", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "ada@example.com")])
        .envs([("GIT_COMMITTER_NAME", "Ada"), ("GIT_COMMITTER_EMAIL", "ada@example.com")])
        .output()
        .expect("git runs")
}

/// Changes as lines: `modified a.txt +1 -0`.
pub(crate) async fn changed(tree: &Tree, from: &Snapshot, to: &Snapshot) -> String {
    let changes = tree.changes(from, to).await.expect("changes");
    let line = |change: &windlass_repo::tree::Change| {
        let binary = if change.binary { " binary" } else { "" };
        let (added, removed) = (change.added_lines, change.removed_lines);
        format!("{:?} {} +{added} -{removed}{binary}", change.kind, change.path)
    };
    changes.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub(crate) fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// All files of a work tree with what they hold, but for its `.git`.
pub(crate) fn contents(top: &Path) -> Vec<(String, Vec<u8>)> {
    let files = walkdir::WalkDir::new(top).sort_by_file_name().into_iter();
    files
        .filter_entry(|entry| entry.file_name() != ".git")
        .flatten()
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| {
            let path = entry.path();
            let content = match fs::read_link(path) {
                Ok(target) => target.as_os_str().as_bytes().to_vec(),
                Err(_) => fs::read(path).unwrap_or_default(),
            };
            (path.strip_prefix(top).expect("beneath").display().to_string(), content)
        })
        .collect()
}
