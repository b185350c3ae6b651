//! The port to where pull requests live. No network: the program implements [`Forge`], and the library
//! knows nothing else of it.

use std::pin::Pin;

pub use windlass_core::forge::{
    FileStatus, ForgeError, InlineComment, MarkerKey, Posted, Pull, PullFile, PullState,
    ReviewEvent, ReviewPost,
};

/// What is under way at a forge.
pub type Asking<'a, T> = Pin<Box<dyn Future<Output = Result<T, ForgeError>> + Send + 'a>>;

/// Where the pull requests of one repository live.
///
/// Every call has time limits of its own. What writes is safe to call again: it reads first, and
/// does nothing where it is done already.
pub trait Forge: Send + Sync {
    /// What people call it: `github.com/ada/engine`.
    fn name(&self) -> String;

    /// The pull request of that number.
    fn pull(&self, number: u64) -> Asking<'_, Pull>;

    /// The number of the newest open pull request whose changes are on that branch.
    fn pull_of_branch<'a>(&'a self, branch: &'a str) -> Asking<'a, Option<u64>>;

    /// The files that it changes, all of them.
    fn files(&self, number: u64) -> Asking<'_, Vec<PullFile>>;

    /// Posts a review, at most once for each marker: where one with this marker is there already,
    /// that one is given. Nothing is posted if the head is no longer the commit that was audited.
    fn post_review<'a>(&'a self, post: &'a ReviewPost) -> Asking<'a, Posted>;

    /// Puts `text` into the description as windlass's own section, in place of the one that may be
    /// there; says whether anything had to change. Nothing of the author's is touched.
    fn update_description<'a>(&'a self, number: u64, text: &'a str) -> Asking<'a, bool>;

    /// Gives the pull request another title; says whether anything had to change.
    fn update_title<'a>(&'a self, number: u64, title: &'a str) -> Asking<'a, bool>;
}
