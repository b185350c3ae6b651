//! Has the right git directory in the sandbox before something runs there.

use std::io;

use serde::{Deserialize, Serialize};
use windlass_system::below::Root;

use super::{
    super::{Tree, TreeError},
    back::Brought,
    make::put,
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
    /// Puts a git directory in place for who is to run.
    pub async fn enter_private(&self, place: &PrivatePlace, who: Who) -> Result<(), TreeError> {
        let failed = TreeError::io("prepare", &place.root);
        place.prepare().map_err(failed)?;
        match who {
            Who::Check => {
                place.begin_checks().map_err(TreeError::io("prepare", &place.root))?;
                self.make_private(place).await
            }
            Who::Agent => self.enter_agent(place).await,
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
            Who::Agent => self.bring_back(place).await,
        }
    }

    async fn enter_agent(&self, place: &PrivatePlace) -> Result<(), TreeError> {
        let Some(state) = State::read(place) else { return self.begin_private(place).await };
        // A session that was cut off may have left commits.
        let brought = self.bring_back(place).await?;
        if brought.is_new {
            return Ok(());
        }
        let state = State::read(place).unwrap_or(state);
        self.follow_user(place, state).await
    }

    /// Makes the agent's directory, or makes it again.
    pub(super) async fn begin_private(&self, place: &PrivatePlace) -> Result<(), TreeError> {
        let failed = || TreeError::io("prepare", &place.root);
        place.clear().map_err(failed())?;
        self.make_private(place).await?;
        let root = Root::open(&place.stage()).map_err(|errno| failed()(errno.into()))?;
        let refs = Refs::read(&root, &self.inner()).map_err(failed())?;
        let index = IndexMark::of(&self.repository.index());
        let told = State::read(place).map(|state| state.told).unwrap_or_default();
        State { refs, index, told, missing: Vec::new() }.write(place).map_err(failed())
    }

    /// Takes over what the user, or windlass itself, has committed since.
    async fn follow_user(&self, place: &PrivatePlace, mut state: State) -> Result<(), TreeError> {
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
        let failed = || TreeError::io("write", &place.root);
        let root = Root::open(&place.stage()).map_err(|errno| failed()(errno.into()))?;
        if is_behind {
            self.take_over_commit(&root, &mut state.refs, branch, commit).map_err(failed())?;
        }
        if may_copy {
            self.copy_users_index(&root).map_err(failed())?;
        }
        state.index = index;
        state.write(place).map_err(failed())
    }

    /// Brings a private branch, or a HEAD that is on none, to a commit of the user's.
    fn take_over_commit(
        &self,
        root: &Root,
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
