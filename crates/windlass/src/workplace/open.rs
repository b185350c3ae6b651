//! Opens a place: decides, before an agent acts in it, what belongs to it and what the helper may
//! reach, and starts the helper.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use windlass_core::ids::LoopId;
use windlass_repo::{
    git::{self, Git, GitError},
    jj,
    state::Place,
    tree::{
        PrivatePlace, Repository, TreeError, evidence_directory, intent_folder, own_directory,
        turn_file,
    },
};
use windlass_system::{
    home,
    process::{Guardian, GuardianProgram, Programs, StartError},
    worker::{Rights, Worker, WorkerStart},
};

use super::{
    Files, Known, LIMIT, Line, SHORTEST, Tree, Watched, Workplace,
    alternates::Alternates,
    itself::still_meant,
    serve::{JjOrders, Orders, ROLE, Ready},
};

/// What is needed to open places.
#[derive(Clone)]
pub(crate) struct Opening {
    /// The parent of helpers. One that also runs agents would take an orphan of the one for one of
    /// the other.
    pub(crate) guardian: Guardian,
    /// The program that plays the helper.
    pub(crate) program: GuardianProgram,
    /// windlass's home.
    pub(crate) home: PathBuf,
    /// The user's environment, for programs and settings.
    pub(crate) env: Arc<BTreeMap<OsString, OsString>>,
    /// The programs that no agent could have put there.
    pub(crate) programs: Arc<Programs>,
    /// Directories of windlass's own that are made or removed from there.
    worktrees: Vec<PathBuf>,
    /// How long one answer may take.
    limit: Duration,
    /// Where the agents of a loop have a git directory of their own.
    private: Option<PrivatePlace>,
    /// Where the originals of a loop are kept that no snapshot has.
    guard: Option<PathBuf>,
}

impl Opening {
    /// Starts a guardian for helpers.
    pub(crate) fn start(
        program: &GuardianProgram,
        home: &Path,
        env: &BTreeMap<OsString, OsString>,
        programs: &Programs,
    ) -> Result<Self, StartError> {
        let guardian = Guardian::start(program, None, Vec::new())?;
        Ok(Self::by(guardian, program, home, env, programs))
    }

    /// Starts a guardian for the helpers of a loop, which is found by the loop's id.
    pub(crate) fn of_loop(
        program: &GuardianProgram,
        home: &Path,
        env: &BTreeMap<OsString, OsString>,
        programs: &Programs,
        id: &LoopId,
    ) -> Result<Self, StartError> {
        let guardian = Guardian::start_in(home, program, Some(id), Vec::new())?;
        let private = PrivatePlace::new(home::private(home, id), id.as_str().to_owned());
        let guard = Some(home::guard(home, id));
        let by = Self::by(guardian, program, home, env, programs);
        Ok(Self { private: Some(private), guard, ..by })
    }

    fn by(
        guardian: Guardian,
        program: &GuardianProgram,
        home: &Path,
        env: &BTreeMap<OsString, OsString>,
        programs: &Programs,
    ) -> Self {
        Self {
            guardian,
            program: program.clone(),
            home: home.to_owned(),
            env: Arc::new(env.clone()),
            programs: Arc::new(programs.clone()),
            worktrees: Vec::new(),
            limit: LIMIT,
            private: None,
            guard: None,
        }
    }

    /// The same for a loop that may take so long: nothing that is asked takes longer than all of it.
    #[must_use]
    pub(crate) fn within(self, whole: Option<Duration>) -> Self {
        let limit = whole.map_or(LIMIT, |whole| whole.clamp(SHORTEST, LIMIT));
        Self { limit, ..self }
    }

    /// The same for a loop that makes the agent's branches and tags the user's.
    #[must_use]
    pub(crate) fn taking_refs(mut self, takes_refs: bool) -> Self {
        if let Some(private) = &mut self.private {
            private.takes_refs = takes_refs;
        }
        self
    }

    /// Ends every helper.
    pub(crate) async fn close(self) {
        self.guardian.close().await;
    }

    /// The same for places from which directories of windlass's own are made or removed: worktrees
    /// of the repository.
    #[must_use]
    pub(crate) fn reaching(self, worktrees: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { worktrees: worktrees.into_iter().collect(), ..self }
    }

    /// The work tree that a directory is in; `None` where there is none, or no git to ask.
    pub(crate) async fn tree(&self, directory: &Path) -> Result<Option<Tree>, TreeError> {
        Ok(self.open(directory).await?.tree)
    }

    /// Opens the place that `directory` is, by a path that has no links in it.
    pub(crate) async fn open(&self, directory: &Path) -> Result<Workplace, TreeError> {
        let directory = still_meant(&self.home, directory)?;
        let repository = Repository::discover(&directory)?;
        self.open_in(directory, repository).await
    }

    /// Opens what is left of a worktree of windlass's own, whose repository is known.
    pub(crate) async fn remains(&self, top: &Path, common_dir: &Path) -> Result<Tree, TreeError> {
        make_private(top)?;
        let [top, common_dir] = [real(top), common_dir.to_owned()];
        let git_dir = common_dir.clone();
        let repository = Repository { top: top.clone(), git_dir, common_dir };
        let place = self.open_in(top.clone(), Some(repository)).await?;
        place.tree.ok_or(TreeError::Gone { path: top })
    }

    async fn open_in(
        &self,
        directory: PathBuf,
        repository: Option<Repository>,
    ) -> Result<Workplace, TreeError> {
        let git = git::program(&self.programs)?;
        let repository = repository.filter(|_| git.is_some());
        let jj = self.jj(&directory);
        let top = repository.as_ref().map(|repository| repository.top.clone());
        let root = top.or_else(|| jj.as_ref().map(|jj| jj.top.clone()));
        let root = root.unwrap_or_else(|| directory.clone());
        self.start_helper(Known { directory, root, repository }, git, jj, false).await
    }

    /// Opens a directory as it is, whatever became of the repository that it may be in.
    pub(crate) async fn bare(&self, root: &Path) -> Result<Files, TreeError> {
        let root = still_meant(&self.home, root)?;
        let known = Known { directory: root.clone(), root, repository: None };
        Ok(self.start_helper(known, None, None, true).await?.files)
    }

    /// Opens a place that was found before an agent acted, to see what was left behind there. It opens
    /// also where git cannot be asked any more.
    pub(crate) async fn open_left(&self, place: Place) -> Result<Watched, TreeError> {
        let Place { root, directory, repository, .. } = place;
        let git = git::program(&self.programs)?;
        let known = Known { directory, root, repository: repository.filter(|_| git.is_some()) };
        Ok(self.start_helper(known, git, None, true).await?.watched)
    }

    async fn start_helper(
        &self,
        known: Known,
        git: Option<PathBuf>,
        jj: Option<JjOrders>,
        is_lenient: bool,
    ) -> Result<Workplace, TreeError> {
        let alternates = match &known.repository {
            Some(repository) => Some(self.alternates(repository)?),
            None => None,
        };
        let mut rights = self.rights(&known, git.as_deref(), jj.as_ref(), alternates.as_ref())?;
        let private = self.private.clone().zip(known.repository.as_ref());
        // Where nothing can stand in for the user's git directory, what is dangerous in it is sealed.
        let private = private.and_then(|(place, found)| place.for_repository(found).ok());
        if let Some((place, repository)) = private.as_ref().zip(known.repository.as_ref()) {
            self.reach_private(place, repository, &mut rights)?;
        }
        let orders = Orders {
            directory: known.directory.clone(),
            root: known.root.clone(),
            repository: known.repository.clone(),
            home: self.home.clone(),
            files: self.user_files(),
            alternates,
            git,
            jj,
            private: private.clone(),
            guard: self.guard.as_deref().map(real),
            is_lenient,
        };
        let unreadable = |error: serde_json::Error| TreeError::NoAnswer { why: error.to_string() };
        let start = WorkerStart {
            program: self.program.clone(),
            role: ROLE,
            orders: serde_json::to_vec(&orders).map_err(unreadable)?,
            rights,
        };
        let (worker, told) = Worker::start(self.guardian.clone(), start, self.limit).await?;
        let told: Result<Ready, TreeError> =
            serde_json::from_slice(&told.text).map_err(unreadable)?;
        let Ready { committer, has_tree, unheeded } = told?;
        let line = Line { worker: Arc::new(worker), limit: self.limit };
        let repository = known.repository.clone().filter(|_| has_tree);
        let tree = repository.map(|repository| Tree {
            line: line.clone(),
            repository,
            committer,
            unheeded,
            private: private.clone(),
            opening: Self { private: None, guard: None, ..self.clone().reaching([]) },
        });
        let watched = Watched(line.clone());
        Ok(Workplace { files: Files { line, known }, tree, watched })
    }

    /// What the helper may reach: the place, its git directory, and windlass's own store for it.
    fn rights(
        &self,
        known: &Known,
        git: Option<&Path>,
        jj: Option<&JjOrders>,
        alternates: Option<&Alternates>,
    ) -> Result<Rights, TreeError> {
        let mut rights = Rights {
            read: self.settings(),
            write: vec![known.root.clone()],
            directories: [home::worktrees(&self.home), home::merging(&self.home)]
                .iter()
                .map(|path| real(path))
                .collect(),
        };
        rights.read.extend(git.into_iter().flat_map(of_program));
        // What checks find there is looked at, and is an agent's anyway.
        let searched = self.programs.writable().iter().map(|path| real(path));
        // Those in the tree can be read in any case; with more rights than the rest, files could not
        // be moved there.
        let is_looked_at =
            |path: &PathBuf| self.programs.is_an_agents(path) && !path.starts_with(&known.root);
        rights.read.extend(searched.filter(is_looked_at));
        if let Some(guard) = &self.guard {
            make_private(guard)?;
            rights.write.push(real(guard));
        }
        if let Some(jj) = jj {
            rights.read.extend(jj.program().into_iter().flat_map(of_program));
            rights.read.extend(jj.settings());
        }
        let Some(repository) = &known.repository else {
            for own in
                [own_directory(&self.home, &known.root), intent_folder(&self.home, &known.root)]
            {
                make_private(&own)?;
                rights.write.push(real(&own));
            }
            return Ok(rights);
        };
        let Repository { top, git_dir, common_dir } = repository;
        rights.write.extend([git_dir.clone(), common_dir.clone()]);
        let worktrees: Vec<PathBuf> = self.worktrees.iter().map(|path| real(path)).collect();
        rights.write.extend(worktrees.clone());
        for place in [top].into_iter().chain(worktrees.iter().filter(|place| place.is_dir())) {
            let own = own_directory(&self.home, place);
            make_private(&own)?;
            rights.write.push(real(&own));
        }
        rights.read.extend(alternates.into_iter().flat_map(Alternates::directories));
        for own in
            [intent_folder(&self.home, common_dir), evidence_directory(&self.home, common_dir)]
        {
            make_private(&own)?;
            rights.write.push(real(&own));
        }
        let turn = turn_file(&self.home, common_dir);
        let made = fs::OpenOptions::new().append(true).create(true).open(&turn);
        made.map_err(|source| failed("write", &turn, source))?;
        rights.write.push(real(&turn));
        Ok(rights)
    }

    /// Where the repository borrows objects from.
    fn alternates(&self, repository: &Repository) -> Result<Alternates, TreeError> {
        let own = own_directory(&self.home, &repository.top);
        make_private(&own)?;
        Ok(Alternates::seen_first(&own, &repository.common_dir))
    }

    /// git, started by `guardian`.
    pub(super) fn git(&self, guardian: &Guardian) -> Result<Git, TreeError> {
        let program = git::program(&self.programs)?;
        let program = program.ok_or(TreeError::Git(GitError::NotInstalled))?;
        Ok(Git::new(Arc::new(guardian.clone()), program))
    }

    fn jj(&self, directory: &Path) -> Option<JjOrders> {
        let top = jj::find(directory)?;
        let program = jj::program(&self.programs);
        let env = self.programs.environment(self.env.as_ref().clone());
        Some(JjOrders::new(top, program, env))
    }

    pub(super) fn get(&self, name: &str) -> Option<OsString> {
        self.env.get(OsStr::new(name)).cloned()
    }
}

/// A program, with the files next to it that belong to it.
fn of_program(program: &Path) -> Vec<PathBuf> {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let mut found = vec![program.to_owned(), real.clone()];
    if let Some(prefix) = real
        .parent()
        .and_then(Path::parent)
        .filter(|_| real.parent().is_some_and(|parent| parent.ends_with("bin")))
    {
        found.extend(["lib", "libexec", "share/git-core"].map(|inner| prefix.join(inner)));
    }
    found
}

/// A path of windlass's own without links: its home may be reached by one.
pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

pub(super) fn make_private(path: &Path) -> Result<(), TreeError> {
    home::create_private(path).map_err(|source| failed("create", path, source))
}

pub(super) fn failed(what: &'static str, path: &Path, source: std::io::Error) -> TreeError {
    TreeError::Io { what: what.into(), path: path.to_owned(), source }
}
