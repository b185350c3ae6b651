//! The git directories that agents have of their own: what the helper reaches for them, what a sandbox
//! puts up, and the submodules that have one.

use std::path::Path;

use windlass_repo::tree::{
    Brought, PrivatePlace, Repository, TreeError, Who, intent_folder, own_directory,
};
use windlass_system::{sandbox::GitMount, worker::Rights};

use super::{
    Tree,
    alternates::Alternates,
    call::PrivateCall,
    open::{Opening, failed, make_private, real},
};

impl Opening {
    /// What the helper reaches so that agents have git directories of their own.
    pub(super) fn reach_private(
        &self,
        place: &PrivatePlace,
        repository: &Repository,
        rights: &mut Rights,
    ) -> Result<(), TreeError> {
        make_private(&place.root)?;
        place.prepare().map_err(|source| failed("prepare", &place.root, source))?;
        rights.write.push(real(&place.root));
        let own = own_directory(&self.home, &repository.top);
        for submodule in &place.submodules {
            let intents = intent_folder(&self.home, submodule.git_dir());
            make_private(&intents)?;
            rights.write.push(real(&intents));
            rights.read.extend(Alternates::of_submodule(&own, submodule).directories());
        }
        Ok(())
    }
}

impl Tree {
    /// What a sandbox puts up so that agents have a git directory of their own; nothing where they
    /// cannot.
    pub(crate) fn private_mounts(&self) -> Vec<GitMount> {
        let Some(place) = &self.private else { return Vec::new() };
        let own = own_directory(&self.opening.home, self.top());
        let mut borrowed = Alternates::seen_first(&own, &self.repository.common_dir).directories();
        let submodules = place.submodules.iter();
        let of_submodule = |inner| Alternates::of_submodule(&own, inner).directories();
        borrowed.extend(submodules.flat_map(of_submodule));
        place.mounts(&self.repository, &borrowed)
    }

    /// The work trees of its submodules in which agents commit, with the git directory of each.
    pub(crate) fn submodules(&self) -> impl Iterator<Item = (&Path, &Path)> {
        let submodules = self.private.iter().flat_map(|place| &place.submodules);
        submodules.filter_map(|inner| Some((inner.top()?, inner.git_dir())))
    }

    /// The work tree of a submodule.
    pub(crate) async fn submodule(&self, top: &Path) -> Result<Option<Self>, TreeError> {
        let found = Box::pin(self.opening.tree(top)).await?;
        Ok(found.filter(|found| found.top() == top))
    }

    /// Puts a git directory in place for who is to run in a sandbox.
    pub(crate) async fn enter_private(&self, who: Who) -> Result<(), TreeError> {
        self.line.ask(PrivateCall::Enter(who)).await
    }

    /// Takes it away again; what an agent committed is brought over.
    pub(crate) async fn leave_private(&self, who: Who) -> Result<Brought, TreeError> {
        self.line.ask(PrivateCall::Leave(who)).await
    }
}
