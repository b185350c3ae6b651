//! The helper's side: what windlass does in a work tree, done with the helper's rights.

use std::{
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
};

mod guard;
mod jj_orders;
mod state;

use serde::{Deserialize, Serialize};
use windlass_core::{task_file::LARGEST, text::causes::with_causes};
use windlass_repo::{
    detect,
    differ::Differ,
    git::{Git, Local},
    jj::Jj,
    path_programs::PathPrograms,
    state::{Place, Watch},
    tree::{
        Lines, Move, Opened, PrivatePlace, Repository, Tree, TreeError, UserFiles, own_directory,
    },
};
use windlass_system::{
    below::{self, Root, TextError},
    process::Part,
    worker::{Frame, Service, serve},
};

pub(super) use self::jj_orders::JjOrders;

use super::{
    alternates::Alternates,
    call::{
        BranchCall, Call, FileCall, IntentCall, Moved, PrivateCall, RawPath, Recorded, TreeCall,
    },
    fingerprints::{existing, fingerprint, scripts},
    guard::Sentry,
    unmatched::unmatched,
};

/// The first argument that makes a process the helper.
pub(super) const ROLE: &str = "__windlass-workplace";

/// The roles of this module, by the first argument that asks for them.
pub(crate) const ROLES: &[(&str, Part)] = &[(ROLE, |_| serve::<Desk>())];

/// What the helper is told once.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Orders {
    #[serde(with = "windlass_repo::wire::path")]
    pub(super) directory: PathBuf,
    #[serde(with = "windlass_repo::wire::path")]
    pub(super) root: PathBuf,
    pub(super) repository: Option<Repository>,
    #[serde(with = "windlass_repo::wire::path")]
    pub(super) home: PathBuf,
    pub(super) files: UserFiles,
    pub(super) alternates: Option<Alternates>,
    #[serde(with = "windlass_repo::wire::maybe_path")]
    pub(super) git: Option<PathBuf>,
    pub(super) jj: Option<JjOrders>,
    /// Where agents have a git directory of their own.
    pub(super) private: Option<PrivatePlace>,
    /// Where the originals of a loop are kept that no snapshot has.
    #[serde(with = "windlass_repo::wire::maybe_path")]
    pub(super) guard: Option<PathBuf>,
    /// Whether what does not need git is answered where git cannot be asked.
    pub(super) is_lenient: bool,
}

/// The answer to the orders.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Ready {
    pub(super) committer: (Option<String>, Option<String>),
    pub(super) has_tree: bool,
    /// What commits pass over that the user has set up.
    pub(super) unheeded: Option<String>,
}

/// The helper's side: answers calls.
struct Desk {
    directory: PathBuf,
    root: PathBuf,
    tree: Option<Tree>,
    jj: Option<Jj>,
    programs: PathPrograms,
    alternates: Option<Alternates>,
    private: Option<PrivatePlace>,
    watch: Watch,
    sentry: Sentry,
}

impl Service for Desk {
    type Orders = Orders;

    async fn begin(orders: Orders) -> (Option<Self>, Frame) {
        let Orders {
            directory,
            root,
            repository,
            home,
            files,
            alternates,
            git,
            jj,
            private,
            guard,
            is_lenient,
        } = orders;
        let common_dir = repository.as_ref().map(|repository| repository.common_dir.clone());
        let sentry = Sentry::new(&root, &directory, &home, common_dir.as_deref(), guard);
        let objects = repository.as_ref().map(|repository| repository.common_dir.join("objects"));
        let local = Arc::new(Local { objects });
        let git = git.map(|program| Git::new(local.clone(), program));
        let watched = Place {
            root: root.clone(),
            directory: directory.clone(),
            repository: repository.clone(),
            home: home.canonicalize().unwrap_or_else(|_| home.clone()),
        };
        let watch = Watch::new(watched, &own_directory(&home, &root));
        let opened = match repository.zip(git) {
            Some((repository, git)) => Tree::open_at(git, repository, &home, &files).await,
            None => Ok(Opened::NoRepository),
        };
        let tree = match opened {
            Ok(Opened::Tree(tree)) => Some(*tree),
            Ok(Opened::NoRepository | Opened::NoGit) => None,
            Err(_) if is_lenient => None,
            Err(error) => return (None, told::<Ready, _>(Err(error))),
        };
        let committer = tree.as_ref().map(|tree| {
            let (name, email) = tree.committer();
            (name.map(str::to_owned), email.map(str::to_owned))
        });
        let ready = Ready {
            committer: committer.unwrap_or_default(),
            has_tree: tree.is_some(),
            unheeded: tree.as_ref().and_then(Tree::unheeded_by_commits),
        };
        let jj = jj.map(|jj| {
            let program = jj.program.clone().map(|RawPath(path)| path);
            Jj::new(local, program, &jj.top, &jj.env())
        });
        let programs = PathPrograms::below(&root);
        (
            Some(Self { directory, root, tree, jj, programs, alternates, private, watch, sentry }),
            told::<_, TreeError>(Ok(ready)),
        )
    }

    async fn answer(&mut self, request: Frame) -> Frame {
        let call = match serde_json::from_slice(&request.text) {
            Ok(call) => call,
            Err(error) => {
                return told::<(), _>(Err(TreeError::NoAnswer { why: error.to_string() }));
            }
        };
        let nowhere = || told::<(), _>(Err(TreeError::Gone { path: self.root.clone() }));
        match (call, &self.tree) {
            (Call::File(call), _) => self.about_files(call).await,
            (Call::Record { directories }, _) => told(self.record(directories).await),
            (Call::State(call), tree) => state::answer(&mut self.watch, tree.as_ref(), call).await,
            (Call::Guard(call), tree) => guard::answer(&mut self.sentry, tree.as_ref(), call).await,
            (Call::Tree(call), Some(tree)) => about_tree(tree, call).await,
            (Call::Branch(call), Some(tree)) => about_branches(tree, call).await,
            (Call::Private(call), Some(tree)) => match (call, &self.private) {
                (PrivateCall::Enter(who), Some(place)) => {
                    told(tree.enter_private(place, who).await)
                }
                (PrivateCall::Leave(who), Some(place)) => {
                    told(tree.leave_private(place, who).await)
                }
                (PrivateCall::Release { loop_id }, _) => told(tree.release_refs(&loop_id).await),
                (PrivateCall::Enter(_) | PrivateCall::Leave(_), None) => nowhere(),
            },
            (Call::Intent(IntentCall::Settle { intent }), Some(tree)) => {
                told(tree.settle(&intent).await)
            }
            (Call::Tree(_) | Call::Branch(_) | Call::Private(_) | Call::Intent(_), None) => {
                nowhere()
            }
        }
    }

    fn broken() -> Frame {
        let why = "the helper of the work tree failed, which is a bug of windlass".to_owned();
        told::<(), _>(Err(TreeError::NoAnswer { why }))
    }
}

impl Desk {
    /// Takes a snapshot, with the programs in these directories.
    async fn record(&mut self, directories: Vec<RawPath>) -> Result<Recorded, TreeError> {
        let gone = || TreeError::Gone { path: self.root.clone() };
        let tree = self.tree.as_ref().ok_or_else(gone)?;
        let snapshot = tree.snapshot().await?;
        let mut notes = tree.take_notes().await;
        notes.extend(self.alternates.as_mut().and_then(Alternates::note));
        let programs = self.programs.look(&paths(directories));
        Ok(Recorded { snapshot, notes, programs })
    }

    async fn about_files(&mut self, call: FileCall) -> Frame {
        match call {
            FileCall::Mark => told(self.differ().mark().await),
            FileCall::Diff { since, revision, limit } => {
                told(self.differ().diff(since.as_deref(), revision.as_deref(), limit).await)
            }
            FileCall::ReadText { path } => told(self.read_text(&path.0)),
            FileCall::Replace { path, text } => told(self.replace(&path.0, &text)),
            FileCall::Exclude { pattern } => told(match &self.tree {
                Some(tree) => tree.exclude(&pattern).await.map_err(|error| with_causes(&error)),
                None => Ok(()),
            }),
            FileCall::Existing { files, programs } => {
                let mut found = existing(&self.root, &self.directory, files);
                found.extend(scripts(&self.root, &self.directory, programs));
                told::<_, String>(Ok(found))
            }
            FileCall::Fingerprint { globs, files } => {
                told::<_, String>(Ok(fingerprint(&self.root, &self.directory, &globs, &files)))
            }
            FileCall::PathPrograms { directories } => {
                told::<_, String>(Ok(self.programs.look(&paths(directories))))
            }
            FileCall::DetectTests => {
                told::<_, String>(Ok(detect::tests(&self.root, &self.directory)))
            }
            FileCall::DetectChecks => {
                told::<_, String>(Ok(detect::checks(&self.root, &self.directory)))
            }
            FileCall::Unmatched { globs } => {
                told::<_, String>(Ok(unmatched(&self.root, &self.directory, globs)))
            }
        }
    }

    fn differ(&self) -> Differ<'_> {
        Differ { tree: self.tree.as_ref(), jj: self.jj.clone() }
    }

    fn read_text(&self, path: &Path) -> Result<(String, Option<String>), TextError> {
        let root = Root::open(&self.root).map_err(|_| TextError::Missing)?;
        let text = below::read_text(root, path.as_os_str().as_bytes(), LARGEST)?;
        let real = self.root.join(path).canonicalize().ok();
        let top = self.tree.as_ref().map(Tree::top);
        let in_tree = top.zip(real).and_then(|(top, real)| {
            real.strip_prefix(top).ok().map(|path| path.to_string_lossy().into_owned())
        });
        Ok((text, in_tree))
    }

    fn replace(&self, path: &Path, text: &str) -> Result<(), String> {
        let root = Root::open(&self.root).map_err(|errno| errno.to_string())?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let tree = self.tree.as_ref().filter(|tree| tree.top() == self.root);
        let intent = tree.map(|tree| tree.intend_writing(vec![folder])).transpose();
        let intent = intent.map_err(|error| with_causes(&error))?;
        let path = path.as_os_str().as_bytes();
        let replaced = below::replace(root, path, text.as_bytes());
        if let Some((tree, intent)) = tree.zip(intent) {
            tree.done(&intent);
        }
        replaced.map_err(|error| match error.kind() {
            std::io::ErrorKind::CrossesDevices => {
                "a symbolic link leads out of the work tree".to_owned()
            }
            _ => error.to_string(),
        })
    }
}

fn raw(paths: Vec<PathBuf>) -> Vec<RawPath> {
    paths.into_iter().map(RawPath).collect()
}

fn paths(raw: Vec<RawPath>) -> Vec<PathBuf> {
    raw.into_iter().map(|RawPath(path)| path).collect()
}

/// Answers what is about the work tree.
async fn about_tree(tree: &Tree, call: TreeCall) -> Frame {
    match call {
        TreeCall::Clear => {
            tree.clear();
            told::<_, TreeError>(Ok(()))
        }
        TreeCall::BeginLoop => told(tree.begin_loop().await),
        TreeCall::Compact { keep } => told(tree.compact(&keep).await),
        TreeCall::Snapshot => told(tree.snapshot().await),
        TreeCall::Changed { from, to } => told(tree.changed(&from, &to).await),
        TreeCall::CountChanges { from, to } => told(tree.count_changes(&from, &to).await),
        TreeCall::ExistingChanged { base, from, to } => {
            told(tree.existing_changed(&base, &from, &to).await)
        }
        TreeCall::Patch { from, to } => match tree.diff(&from, &to, false).await {
            Ok(bytes) => Frame { bytes, ..told::<_, TreeError>(Ok(())) },
            Err(error) => told::<(), _>(Err(error)),
        },
        TreeCall::DirtyPaths { snapshot } => told(tree.dirty_paths(&snapshot).await),
        TreeCall::Restore { target, known } => told(tree.restore(&target, &known).await),
        TreeCall::Commit { message, spare } => told(tree.commit(&message, &spare).await),
        TreeCall::Conclude { message, parents } => told(tree.conclude(&message, &parents).await),
        TreeCall::Unresolved { files, marks } => told(tree.unresolved(&files, &marks).await),
        TreeCall::UnmakeWorktree { made } => told(tree.unmake_worktree(&made).await),
        TreeCall::RemoveWorktree { path } => told(tree.remove_worktree(&path.0).await),
        TreeCall::DiscardWorktree { path } => told(tree.discard_worktree(&path.0).await),
        TreeCall::AddWorktree { branch, base, path } => {
            told(tree.add_worktree(&branch, base.as_deref(), &path.0).await)
        }
        TreeCall::MakeApart { path } => told(tree.make_apart(&path.0).await),
        TreeCall::StartAt { commit, detach } => told(tree.start_at(&commit, detach).await),
        TreeCall::SetBase { branch, commit } => told(tree.set_base(&branch, &commit).await),
        TreeCall::IsBefore { one, other } => told(tree.is_before(&one, &other).await),
        TreeCall::AddDetached { commit, tree: files, path } => {
            told(tree.add_detached(&commit, &files, &path.0).await)
        }
    }
}

/// Answers what is about branches and commits.
async fn about_branches(tree: &Tree, call: BranchCall) -> Frame {
    match call {
        BranchCall::Base { wanted } => told(tree.base(&wanted).await),
        BranchCall::Head => told(tree.head_of_work().await),
        BranchCall::MayCommit => told(tree.may_commit().await),
        BranchCall::Origin => told(tree.origin().await),
        BranchCall::CommitId { name } => told(tree.commit_id(&name).await),
        BranchCall::Has { name } => told(tree.has_branch(&name).await),
        BranchCall::CheckName { name } => told(tree.checked_name(&name).await),
        BranchCall::Create { name, of_loop } => told(tree.create_branch(&name, &of_loop).await),
        BranchCall::With { commit } => told(tree.branches_with(&commit).await),
        BranchCall::Worked { from, to } => told(tree.worked(&from, &to).await),
        BranchCall::Worktrees => told(tree.worktrees().await.map(raw)),
        BranchCall::Join { onto, from, way, message, keep } => {
            let lines = Lines { onto: &onto, from: &from, way, message: &message };
            told(tree.join(lines, keep).await)
        }
        BranchCall::CheckedOutAt { name } => {
            told(tree.checked_out(&name).await.map(|at| at.map(RawPath)))
        }
        BranchCall::Move(moved) => told(tree.move_branch(moved.wanted()).await),
        BranchCall::Advance(moved) => told(tree.advance(moved.wanted()).await),
        BranchCall::MayAdvance { branch, new } => told(tree.may_advance(&branch, &new).await),
    }
}

impl Moved {
    fn wanted(&self) -> Move<'_> {
        Move { branch: &self.branch, old: &self.old, new: &self.new, mark: &self.mark }
    }
}

/// An answer as it goes back.
fn told<T: Serialize, E: Serialize>(answer: Result<T, E>) -> Frame {
    let text = serde_json::to_vec(&answer).unwrap_or_else(|error| {
        let why = format!("its answer cannot be written down: {error}");
        serde_json::to_vec(&Err::<(), _>(TreeError::NoAnswer { why })).unwrap_or_default()
    });
    Frame { text, bytes: Vec::new() }
}
