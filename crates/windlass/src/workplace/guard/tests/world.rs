//! A work tree with a sentry, as the helper has it.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use windlass_core::step::guarded::{GuardChanges, GuardReport, GuardStep, LaterOriginals};
use windlass_repo::{
    git::{Git, Local},
    tree::{Opened, PutBack, Tree, UserFiles, own_directory},
};

use super::super::{Asked, Sentry};

pub(super) struct World {
    folder: tempfile::TempDir,
    pub(super) tree: Option<Tree>,
    pub(super) sentry: Sentry,
    pub(super) step: GuardStep,
    /// Directories of `PATH` in the tree.
    pub(super) path: Vec<PathBuf>,
}

impl World {
    /// A directory outside of git.
    pub(super) fn outside() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (root, home) = (folder.path().join("work"), folder.path().join("home"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(own_directory(&home, &root)).unwrap();
        fs::create_dir_all(home.join("guard/1")).unwrap();
        let sentry = Sentry::new(&root, &root, &home, None, Some(home.join("guard/1")));
        let checks = vec!["pytest".to_owned()];
        let step = GuardStep { checks, ..GuardStep::default() };
        Self { folder, tree: None, sentry, step, path: Vec::new() }
    }

    /// A git repository without a commit.
    pub(super) async fn in_git() -> Self {
        let mut world = Self::outside();
        let root = world.root();
        let git_dir = root.join(".git");
        for folder in ["objects", "refs/heads", "info"] {
            fs::create_dir_all(git_dir.join(folder)).unwrap();
        }
        fs::write(git_dir.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(git_dir.join("config"), "[core]\n\trepositoryformatversion = 0\n").unwrap();
        let program = ["/usr/bin/git", "/bin/git", "/usr/local/bin/git"];
        let program = program.into_iter().map(PathBuf::from).find(|path| path.exists()).unwrap();
        let git = Git::new(Arc::new(Local { objects: None }), program);
        let files = UserFiles { configs: Vec::new(), excludes: None, home: None };
        world.tree = match Tree::open(git, &root, &world.home(), &files).await.unwrap() {
            Opened::Tree(tree) => Some(*tree),
            Opened::NoRepository | Opened::NoGit => panic!("it is a repository"),
        };
        world.sentry.common_dir = git_dir;
        world
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    pub(super) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(super) fn remove(&self, path: &str) {
        fs::remove_file(self.at(path)).unwrap();
    }

    pub(super) fn asked(&self) -> Asked {
        Asked::new(self.step.clone(), &self.path, vec!["pytest".to_owned(), "python3".to_owned()])
    }

    pub(super) async fn record(&mut self) -> GuardReport {
        let asked = self.asked();
        self.sentry.record(self.tree.as_ref(), &asked).await.unwrap()
    }

    pub(super) async fn snapshot(&self) -> Option<String> {
        match &self.tree {
            Some(tree) => Some(tree.snapshot().await.unwrap().tree),
            None => None,
        }
    }

    pub(super) async fn compare(&mut self, later: &[LaterOriginals]) -> GuardChanges {
        let (asked, now) = (self.asked(), self.snapshot().await);
        self.sentry.compare(self.tree.as_ref(), &asked, now, later).await.unwrap()
    }

    /// What differs, in short.
    pub(super) async fn changed(&mut self) -> Vec<String> {
        let changes = self.compare(&[]).await.changes;
        changes.iter().map(|one| format!("{} {}", one.path, one.how.word())).collect()
    }

    pub(super) async fn put_in(&mut self) -> Result<bool, String> {
        let asked = self.asked();
        self.sentry.put_in(self.tree.as_ref(), &asked, &[]).await
    }

    pub(super) fn put_back(&mut self) -> PutBack {
        self.sentry.put_back().unwrap()
    }

    /// Forgets what was read, as a new process would have.
    pub(super) fn resume(&mut self) {
        self.sentry.manifest = None;
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.home().join("guard/1")
    }
}

/// Makes a file that can be executed.
pub(super) fn executable(path: &Path, is_one: bool) {
    use std::os::unix::fs::PermissionsExt;
    let mode = if is_one { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
