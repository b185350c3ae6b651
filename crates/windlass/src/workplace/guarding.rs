//! Guarded files, asked of the helper.

use windlass_core::step::{
    RestoreReport,
    guarded::{GuardChanges, GuardReport, LaterOriginals},
};
use windlass_repo::tree::{Intent, PutBack, TreeError};

use super::{Asked, Files, call::GuardCall, files::Trouble};

impl Files {
    /// Records what is guarded, and keeps the originals that no snapshot has.
    pub(crate) async fn record_guarded(&self, asked: Asked) -> Result<GuardReport, String> {
        self.guarded(GuardCall::Record { asked }).await
    }

    /// What became of guarded files in the tree of now.
    pub(crate) async fn compare_guarded(
        &self,
        asked: Asked,
        tree: Option<&str>,
        later: &[LaterOriginals],
    ) -> Result<GuardChanges, String> {
        let (tree, later) = (tree.map(str::to_owned), later.to_vec());
        self.guarded(GuardCall::Compare { asked, tree, later }).await
    }

    /// Puts the originals in place; gives whether there are new tests that can be set aside, too.
    pub(crate) async fn put_originals_in(
        &self,
        asked: Asked,
        later: &[LaterOriginals],
    ) -> Result<bool, String> {
        self.guarded(GuardCall::PutIn { asked, later: later.to_vec() }).await
    }

    /// Sets new tests aside.
    pub(crate) async fn set_new_tests_aside(&self) -> Result<(), String> {
        self.guarded(GuardCall::SetAside).await
    }

    /// Puts the agent's files back.
    pub(crate) async fn put_agents_files_back(&self) -> Result<PutBack, String> {
        self.guarded(GuardCall::PutBack).await
    }

    /// Keeps the files as they are when the loop begins, where no snapshot has them. Doing so twice is
    /// doing so once.
    pub(crate) async fn keep_start(&self) -> Result<(), String> {
        self.guarded(GuardCall::KeepStart).await
    }

    /// Puts files back that were kept so and differ; what was added since stays.
    pub(crate) async fn put_start_back(&self) -> Result<RestoreReport, String> {
        self.guarded(GuardCall::PutStartBack).await
    }

    /// Puts back what a killed process left aside.
    pub(crate) async fn settle_originals(&self, intent: &Intent) -> Result<PutBack, TreeError> {
        self.line.ask(GuardCall::Settle { intent: intent.clone() }).await
    }

    /// The directory that file names are resolved below.
    pub(crate) fn root(&self) -> &std::path::Path {
        &self.known.root
    }

    async fn guarded<T: serde::de::DeserializeOwned>(&self, call: GuardCall) -> Result<T, String> {
        let answer: Result<T, Trouble<String>> = self.line.ask(call).await;
        answer.map_err(|trouble| trouble.to_string())
    }
}
