//! Why a loop could not be started or taken up again. Nothing has been changed then.

mod untrusted;
mod words;

use std::path::PathBuf;

use windlass_agents::{ChooseError, HooksError};
use windlass_core::{
    ending::{CancelledBy, Ending},
    event::ConfigEntry,
    prompts::PromptError,
};
use windlass_proof::BadGlob;
use windlass_repo::tree::{TreeError, listed};
use windlass_store::store::{FindError, StoreError};
use windlass_system::{ownership::Owner, process::StartError, sandbox::SandboxError};

use self::words::{are, by, whose};
use crate::kind::pr::auditors::AuditorError;

/// Why a loop could not be started, taken up again, or brought to an ending that is stored.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    /// Nothing to ask the agent.
    #[error("the prompt is empty")]
    EmptyPrompt,
    /// The prompt does not fit the way in which the agent takes it.
    #[error("the prompt has {size} bytes, and the agent takes {limit} at the most this way")]
    PromptTooLong {
        /// Its size.
        size: usize,
        /// What fits.
        limit: usize,
    },
    /// A prompt or promise that no program can be given.
    #[error("{what} {why}")]
    BadText {
        /// What it is.
        what: &'static str,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A setting for the environment that is not `NAME=VALUE`.
    #[error("`{setting}` is not of the form NAME=VALUE")]
    BadVariable {
        /// The setting.
        setting: String,
    },
    /// A glob that cannot be read.
    #[error(transparent)]
    BadGlob(#[from] BadGlob),
    /// The directory is not there.
    #[error("there is no directory `{}`", directory.display())]
    NoDirectory {
        /// The directory.
        directory: PathBuf,
    },
    /// A name that cannot be used.
    #[error("the name `{name}` {why}")]
    BadName {
        /// The name.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// No agent could be chosen.
    #[error(transparent)]
    Agent(#[from] ChooseError),
    /// Another agent is to go on at a limit, and none is named.
    #[error("`--on-limit fallback` needs another agent")]
    NoFallback,
    /// A script that cannot be played.
    #[error("the script `{}` cannot be played: {why}", path.display())]
    BadScript {
        /// The script.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file of hooks that cannot be read.
    #[error("the hooks file `{}` cannot be read: {why}", path.display())]
    NoHooksFile {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A file of hooks that cannot be used.
    #[error("the hooks file `{}` cannot be used", path.display())]
    BadHooksFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: HooksError,
    },
    /// Settings that hooks cannot be added to.
    #[error(transparent)]
    BadSettings(#[from] HooksError),
    /// Hooks for an agent that has none.
    #[error("the agent `{agent}` has no hooks, so `--hooks-file` is not for it")]
    HasNoHooks {
        /// The agent.
        agent: String,
    },
    /// A task file that cannot be used.
    #[error("the task file `{}` cannot be used: {why}", path.display())]
    BadTaskFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A prompt of the user's that cannot be used.
    #[error(transparent)]
    BadPrompt(#[from] PromptError),
    /// Auditors that cannot be used.
    #[error(transparent)]
    BadAuditors(#[from] AuditorError),
    /// Options that do not go together.
    #[error("{why}")]
    Contradiction {
        /// Which, and why.
        why: &'static str,
    },
    /// A claim that no agent can make.
    #[error("{why}")]
    NoClaim {
        /// Why not.
        why: String,
    },
    /// There is no review to begin with.
    #[error("there is no review in `.review-output.md` to begin with: {why}")]
    NoReview {
        /// What is wrong with it.
        why: String,
    },
    /// A plan that cannot be used.
    #[error("the plan `{}` cannot be used: {why}", path.display())]
    BadPlan {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The agent's program is not there.
    #[error("the agent `{agent}` cannot be started")]
    AgentMissing {
        /// The agent.
        agent: String,
        /// How its program is installed, where that is known.
        install: Option<&'static str>,
        /// Why.
        source: StartError,
    },
    /// The agent's program is named by a path that the loop's worktree does not have.
    #[error("the agent `{agent}` cannot be started: the worktree has no `{program}`")]
    NotInWorktree {
        /// The agent.
        agent: String,
        /// Its program.
        program: String,
    },
    /// A check that begins with a word that the shell does not know.
    #[error(
        "the check `{check}` cannot run: `sh` knows no command `{word}`{}",
        if *is_confined { " in the sandbox" } else { "" }
    )]
    UnknownProgram {
        /// The check.
        check: String,
        /// The word.
        word: String,
        /// Whether it was looked for in a sandbox.
        is_confined: bool,
    },
    /// The shell that runs checks could not be asked.
    #[error("could not find out which checks can run: {why}")]
    NoAnswerOfShell {
        /// What it said.
        why: String,
    },
    /// Something of git was asked for outside a repository.
    #[error("`{flag}` needs a git repository, and `{}` is not in one", directory.display())]
    NeedsGit {
        /// The flag.
        flag: &'static str,
        /// The directory.
        directory: PathBuf,
    },
    /// Windlass's home is no place for a store while loops run here.
    #[error(
        "windlass's home `{}` lies in the work tree `{}`: it would count as work, and an agent's \
         `git clean` would delete it",
        home.display(),
        top.display()
    )]
    HomeInTree {
        /// The home.
        home: PathBuf,
        /// The top of the work tree.
        top: PathBuf,
    },
    /// Files of the work tree have agents run or obey what nobody has trusted.
    #[error("{}", untrusted::listed(entries))]
    Untrusted {
        /// What it is.
        entries: Vec<ConfigEntry>,
        /// Where the loop was to run.
        directory: PathBuf,
    },
    /// Another loop works in the same tree.
    #[error("`{}` is in use by {}", directory.display(), whose(holder.as_deref()))]
    TreeInUse {
        /// The work tree.
        directory: PathBuf,
        /// The loop's name, where it is known.
        holder: Option<String>,
    },
    /// The loop is run by another process.
    #[error("the loop {name} is run by {}", by(owner.as_ref()))]
    LoopInUse {
        /// The loop.
        name: String,
        /// By whom.
        owner: Option<Owner>,
    },
    /// No such loop.
    #[error(transparent)]
    Find(#[from] FindError),
    /// A loop that has come to its end for good.
    #[error("the loop {name} cannot be resumed: {why}")]
    NotResumable {
        /// The loop.
        name: String,
        /// Why.
        why: String,
    },
    /// A loop whose work cannot be merged as it stands.
    #[error("the work of {name} cannot be merged: {why}")]
    NotMergeable {
        /// The loop.
        name: String,
        /// Why.
        why: String,
        /// What to do next.
        hint: String,
    },
    /// A loop in which there is nothing that its user could accept.
    #[error("the work of {name} cannot be accepted: {why}")]
    NotAcceptable {
        /// The loop.
        name: String,
        /// Why.
        why: String,
        /// What to do next, a line each.
        hints: Vec<String>,
    },
    /// The loop has left work that is in no commit.
    #[error("{name} has left work that is not committed: {}", listed(paths))]
    Uncommitted {
        /// The loop.
        name: String,
        /// The files.
        paths: Vec<String>,
    },
    /// The two lines of commits do not fit.
    #[error("`{branch}` does not fit `{into}`: {} in conflict; nothing was changed", are(files))]
    Conflict {
        /// The loop.
        name: String,
        /// Its branch.
        branch: String,
        /// The branch that it was to be brought to.
        into: String,
        /// The files that do not fit.
        files: Vec<String>,
    },
    /// Another merge into the same branch is under way.
    #[error("another merge into `{branch}` is under way, by {}", whose(holder.as_deref()))]
    MergeUnderWay {
        /// The branch.
        branch: String,
        /// The loop's name, where it is known.
        holder: Option<String>,
    },
    /// No tree of that iteration.
    #[error("{why} (loop {name})")]
    NoTree {
        /// The loop.
        name: String,
        /// Why.
        why: String,
    },
    /// A rule tripped, and nobody has closed the circuit again.
    #[error("the circuit of the loop {name} is open: {reason}")]
    CircuitOpen {
        /// The loop.
        name: String,
        /// What the rule saw.
        reason: String,
    },
    /// It was called off before it began.
    #[error("the loop was cancelled before it began")]
    CalledOff {
        /// By whom.
        by: CancelledBy,
    },
    /// There is no such sandbox.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A process could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The work tree could not be used.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of windlass's home failed.
    #[error("could not {what}")]
    Home {
        /// What was tried.
        what: &'static str,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
}

impl LoopError {
    /// The exit code of a process that could not run a loop for this reason.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::EmptyPrompt
            | Self::PromptTooLong { .. }
            | Self::BadText { .. }
            | Self::BadVariable { .. }
            | Self::BadGlob(_)
            | Self::NoDirectory { .. }
            | Self::BadName { .. }
            | Self::BadScript { .. }
            | Self::NoHooksFile { .. }
            | Self::BadHooksFile { .. }
            | Self::BadSettings(_)
            | Self::HasNoHooks { .. }
            | Self::BadTaskFile { .. }
            | Self::BadPlan { .. }
            | Self::BadAuditors(_)
            | Self::BadPrompt(_)
            | Self::Contradiction { .. }
            | Self::NoClaim { .. }
            | Self::NoReview { .. }
            | Self::NoFallback
            | Self::UnknownProgram { .. }
            | Self::NeedsGit { .. }
            | Self::HomeInTree { .. }
            | Self::NoTree { .. }
            | Self::NotMergeable { .. }
            | Self::NotAcceptable { .. }
            | Self::Uncommitted { .. }
            | Self::NotResumable { .. } => 2,
            Self::Agent(ChooseError::None { .. }) => 4,
            Self::Agent(_) => 2,
            Self::Store(StoreError::Stale { .. }) => 4,
            Self::Find(FindError::Store(_)) | Self::Store(_) | Self::Home { .. } => 6,
            Self::Find(_) => 2,
            Self::Sandbox(error) => error.exit_code(),
            Self::Conflict { .. } => 1,
            Self::CircuitOpen { .. } => 3,
            Self::Tree(error) if error.is_bad_input() => 2,
            Self::CalledOff { by } => Ending::Cancelled { by: *by }.exit_code(),
            Self::AgentMissing { .. }
            | Self::NotInWorktree { .. }
            | Self::NoAnswerOfShell { .. }
            | Self::Untrusted { .. }
            | Self::TreeInUse { .. }
            | Self::LoopInUse { .. }
            | Self::MergeUnderWay { .. }
            | Self::Start(_)
            | Self::Tree(_) => 4,
        }
    }
}

/// The ending of a loop that could not go on.
pub(super) fn error_ending(message: String, code: u8) -> Ending {
    Ending::Error { message, code }
}
