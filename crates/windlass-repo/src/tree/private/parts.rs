//! All private git directories of a loop: that of the repository and those of its submodules, each
//! with the user's.

use super::{
    super::{Tree, TreeError, own::OwnDir},
    counterpart::Counterpart,
    place::PrivatePlace,
    submodule::Submodule,
};

/// The git directories of a repository and its submodules, each with what stands in for it.
pub(super) struct Parts<'a> {
    /// The repository itself.
    pub(super) whole: (&'a Tree, Counterpart),
    /// Its submodules, each before its own.
    pub(super) submodules: Vec<(Tree, Counterpart)>,
}

impl Parts<'_> {
    /// All of them, each after those that hold it.
    pub(super) fn outer_first(&self) -> Vec<(&Tree, &Counterpart)> {
        let (tree, place) = &self.whole;
        let submodules = self.submodules.iter().map(|(tree, place)| (tree, place));
        [(*tree, place)].into_iter().chain(submodules).collect()
    }

    /// All of them, submodules before what holds them.
    pub(super) fn inner_first(&self) -> Vec<(&Tree, &Counterpart)> {
        let mut parts = self.outer_first();
        parts.reverse();
        parts
    }
}

impl Tree {
    /// The git directories of the repository and its submodules.
    pub(super) fn parts(&self, place: &PrivatePlace) -> Result<Parts<'_>, TreeError> {
        let inner = place.submodules.iter().map(|submodule| {
            let place = place.of_submodule(submodule, &self.repository.top);
            Ok((self.submodule(submodule, &place)?, place))
        });
        let submodules = inner.collect::<Result<_, TreeError>>()?;
        Ok(Parts { whole: (self, place.of_repository()), submodules })
    }

    /// The work tree of a submodule. What git needs there of windlass's own is kept with the loop.
    fn submodule(&self, submodule: &Submodule, place: &Counterpart) -> Result<Self, TreeError> {
        let (mut repository, user) = (submodule.repository.clone(), self.user.clone());
        // A work tree that went, or became a link, is none any more.
        if repository.top.canonicalize().ok().as_ref() != Some(&repository.top) {
            repository.top.clone_from(&repository.git_dir);
        }
        repository.check()?;
        let own = OwnDir::open(&place.kept, &repository, &user)?;
        let (git, home) = (self.git.clone(), self.home.clone());
        Ok(Self { git, repository, own, user, home, memory: tokio::sync::Mutex::default() })
    }

    /// Whether there is a work tree. A submodule that is not checked out has none.
    pub(super) fn is_checked_out(&self) -> bool {
        self.repository.top != self.repository.git_dir
    }
}
