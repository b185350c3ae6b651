//! Has the right git directories in the sandbox before something runs there.

use std::{io, os::fd::OwnedFd};

use serde::{Deserialize, Serialize};

use super::{
    super::{Tree, TreeError},
    back::Brought,
    counterpart::Counterpart,
    make::put,
    parts::Parts,
    place::PrivatePlace,
    refs::{Head, Refs},
    state::{IndexMark, State},
};

/// Who gets a git directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Who {
    /// An agent: its own, as it left it, with what the user has done since.
    Agent,
    /// A check: a new one, in which no agent has been, and which is thrown away.
    Check,
}

impl Tree {
    /// Puts a git directory in place for who is to run, with those of submodules in it.
    pub async fn enter_private(&self, place: &PrivatePlace, who: Who) -> Result<(), TreeError> {
        let failed = || TreeError::io("prepare", &place.root);
        place.prepare().map_err(failed())?;
        let parts = self.parts(place)?;
        match who {
            Who::Check => {
                place.begin_checks().map_err(failed())?;
                for (tree, part) in parts.outer_first() {
                    tree.make_private(part).await?;
                }
                Ok(())
            }
            Who::Agent => self.enter_agent(place, &parts).await,
        }
    }

    /// Takes it away again; what an agent left is brought over.
    pub async fn leave_private(
        &self,
        place: &PrivatePlace,
        who: Who,
    ) -> Result<Brought, TreeError> {
        match who {
            Who::Check => {
                place.finish_checks().map_err(TreeError::io("prepare", &place.root))?;
                Ok(Brought::default())
            }
            Who::Agent => self.bring_back(place, &self.parts(place)?).await,
        }
    }

    async fn enter_agent(&self, place: &PrivatePlace, parts: &Parts<'_>) -> Result<(), TreeError> {
        if State::read(&parts.whole.1).is_none() {
            return self.begin_private(place, parts).await;
        }
        // A session that was cut off may have left commits.
        let brought = self.bring_back(place, parts).await?;
        if brought.is_new {
            return Ok(());
        }
        for (tree, part) in parts.outer_first() {
            match State::read(part) {
                Some(state) => tree.follow_user(part, state).await?,
                // A submodule that was not there before.
                None => tree.begin_part(part).await?,
            }
        }
        Ok(())
    }

    /// Makes the agent's directories, or makes them again.
    pub(super) async fn begin_private(
        &self,
        place: &PrivatePlace,
        parts: &Parts<'_>,
    ) -> Result<(), TreeError> {
        place.clear().map_err(TreeError::io("prepare", &place.root))?;
        for (tree, part) in parts.outer_first() {
            tree.begin_part(part).await?;
        }
        Ok(())
    }

    async fn begin_part(&self, place: &Counterpart) -> Result<(), TreeError> {
        self.make_private(place).await?;
        let refs = place.refs(&self.inner()).map_err(TreeError::io("read", &place.stage()))?;
        let index = IndexMark::of(&self.repository.index());
        let told = State::read(place).map(|state| state.told).unwrap_or_default();
        let state = State { refs: refs.unwrap_or_default(), index, told, missing: Vec::new() };
        state.write(place).map_err(TreeError::io("write", &place.state()))
    }

    /// Takes over what the user, or windlass itself, has committed since.
    async fn follow_user(&self, place: &Counterpart, mut state: State) -> Result<(), TreeError> {
        let (branch, Some(commit)) = self.head().await? else { return Ok(()) };
        let index = IndexMark::of(&self.repository.index());
        let (theirs, is_here) = match (&branch, &state.refs.head) {
            (Some(branch), head) => {
                (state.refs.ids.get(branch), *head == Head::Branch(branch.clone()))
            }
            (None, Head::Detached(id)) => (Some(id), true),
            // The agent is on a branch of its own.
            (None, Head::Branch(_) | Head::Unknown) => return Ok(()),
        };
        let is_same = theirs == Some(&commit);
        let is_behind = match theirs {
            Some(theirs) => !is_same && self.follows(theirs, &commit).await?,
            None => true,
        };
        let may_copy = is_here && (is_behind || is_same);
        if !is_behind && (index == state.index || !may_copy) {
            return Ok(());
        }
        let stage = place.stage();
        let failed = || TreeError::io("write", &stage);
        // An agent may have removed that of a submodule.
        let Some(root) = place.open().map_err(failed())? else { return Ok(()) };
        if is_behind {
            self.take_over_commit(&root, &mut state.refs, branch, commit).map_err(failed())?;
        }
        if may_copy {
            self.copy_users_index(&root).map_err(failed())?;
        }
        state.index = index;
        state.write(place).map_err(TreeError::io("write", &place.state()))
    }

    /// Brings a private branch, or a HEAD that is on none, to a commit of the user's.
    fn take_over_commit(
        &self,
        root: &OwnedFd,
        refs: &mut Refs,
        branch: Option<String>,
        commit: String,
    ) -> io::Result<()> {
        let name = branch.clone().unwrap_or_else(|| format!("{}HEAD", self.inner()));
        put(root, &name, format!("{commit}\n").as_bytes())?;
        match branch {
            Some(branch) => drop(refs.ids.insert(branch, commit)),
            None => refs.head = Head::Detached(commit),
        }
        Ok(())
    }

    /// Whether a commit has another one in its history. One that is not there has none.
    pub(super) async fn follows(&self, old: &str, new: &str) -> Result<bool, TreeError> {
        let call = self.in_repository().args(["merge-base", "--is-ancestor", old, new]);
        Ok(self.git.run(call.accepting(&[0, 1, 128])).await?.code == Some(0))
    }
}
