//! Brings what an agent committed in its private git directories back to the user's repository and
//! its submodules.
//!
//! Its refs are read as data. The objects come by a fetch that checks each of them, from a git
//! directory of ours that has nothing of the agent's but those objects.

mod fetching;
mod follow;
mod index;
mod modules;
mod others;

use serde::{Deserialize, Serialize};

use self::follow::Followed;
use super::{
    super::{Intended, Tree, TreeError},
    counterpart::Counterpart,
    parts::Parts,
    place::PrivatePlace,
    refs::{Head, Refs, is_name},
    state::{IndexMark, State},
};

/// More refs than this are not brought over after one session.
const MOST_REFS: usize = 200;

/// What came of a session's commits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brought {
    /// The branch that moved, or `HEAD`, and the commit that it is at now.
    pub moved: Option<(String, String)>,
    /// Whether the agent gets a new git directory, for its own could not be read.
    pub is_new: bool,
}

/// What of the private refs is to be brought over.
struct Wanted {
    /// The refs, or `HEAD`, with their ids.
    changed: Vec<(String, String)>,
    /// Refs that are gone.
    removed: Vec<String>,
}

impl Tree {
    /// Brings over what changed since the last time, that of submodules before what names their
    /// commits. Doing so twice is doing so once.
    pub(super) async fn bring_back(
        &self,
        place: &PrivatePlace,
        parts: &Parts<'_>,
    ) -> Result<Brought, TreeError> {
        let mut brought = Brought::default();
        let (mut notes, mut unreadable) = (Vec::new(), None);
        for (tree, part) in parts.inner_first() {
            let Some(state) = State::read(part) else { continue };
            match part.refs(&tree.inner()) {
                Ok(Some(refs)) => {
                    let (moved, told) = tree.bring_part(part, state, refs, parts).await?;
                    notes.extend(part.told(told));
                    brought.moved = moved;
                }
                Ok(None) => notes.extend(part.removed(state)?),
                Err(error) => unreadable = Some(error.to_string()),
            }
        }
        notes.extend(parts.added()?);
        if let Some(why) = unreadable {
            self.begin_private(place, parts).await?;
            brought.is_new = true;
            notes.push(format!(
                "the agent's own git directory cannot be read ({why}): it gets a new one"
            ));
        }
        self.memory.lock().await.note(notes);
        Ok(brought)
    }

    /// Brings over what changed in one git directory; gives the branch that moved, and what is to be
    /// told.
    async fn bring_part(
        &self,
        place: &Counterpart,
        mut state: State,
        refs: Refs,
        parts: &Parts<'_>,
    ) -> Result<(Option<(String, String)>, Vec<String>), TreeError> {
        let (mut moved, mut notes) = (None, Vec::new());
        if refs == state.refs && state.missing.is_empty() {
            return Ok((moved, notes));
        }
        let mut wanted = Wanted::of(&state.refs, &refs);
        wanted.try_again(&state.missing, &refs);
        let users = self.head().await?.0;
        let left = wanted.limit(users.as_deref());
        let intent = self.intend(Intended::Refs { names: wanted.touched(place) })?;
        let missing = self.fetch(place, &mut wanted).await?;
        self.forget(place, &wanted.removed).await?;
        if !missing.has(users.as_deref().unwrap_or("HEAD")) {
            match self.follow(place, &refs, parts).await? {
                Followed::Moved(name, commit) => moved = Some((name, commit)),
                Followed::Not(why) => notes.push(why),
                Followed::Nothing => {}
            }
        }
        notes.extend(self.others(place, &wanted, &mut state).await?);
        self.done(&intent);
        if left > 0 {
            notes.push(format!("{left} more refs of the agent's are not brought over"));
        }
        if missing.refs != state.missing {
            notes.extend(missing.told(place));
        }
        state.missing = missing.refs;
        state.refs = refs;
        state.index = IndexMark::of(&self.repository.index());
        state.write(place).map_err(TreeError::io("write", &place.state()))?;
        Ok((moved, notes))
    }
}

impl Wanted {
    /// Keeps what can be brought over in a moment, the user's branch first; gives how many are left.
    fn limit(&mut self, users: Option<&str>) -> usize {
        self.changed.sort_by_key(|(name, _)| name != "HEAD" && Some(name.as_str()) != users);
        let left = self.changed.len().saturating_sub(MOST_REFS);
        self.changed.truncate(MOST_REFS);
        self.removed.truncate(MOST_REFS);
        left
    }

    /// The refs of the user's repository that change with it.
    fn touched(&self, place: &Counterpart) -> Vec<String> {
        let changed = self.changed.iter().map(|(name, _)| name);
        let own = changed.clone().filter(|name| place.takes_refs && *name != "HEAD").cloned();
        changed.chain(&self.removed).map(|name| place.name_of(name)).chain(own).collect()
    }

    /// Adds what could not be brought over before and has not changed since.
    fn try_again(&mut self, missing: &[(String, String)], now: &Refs) {
        let is_same = |(name, id): &&(String, String)| match &now.head {
            Head::Detached(head) if name == "HEAD" => head == id,
            _ => now.ids.get(name) == Some(id),
        };
        let missing = missing.iter().filter(is_same);
        let missing: Vec<_> = missing.filter(|one| !self.changed.contains(one)).cloned().collect();
        self.changed.extend(missing);
    }

    fn of(before: &Refs, now: &Refs) -> Self {
        let is_work = |name: &str| {
            ["refs/heads/", "refs/tags/"].iter().any(|kind| name.starts_with(kind))
                || name == "refs/stash"
        };
        let refs = now.ids.iter().filter(|(name, id)| {
            is_work(name) && is_name(name) && before.ids.get(*name) != Some(*id)
        });
        let mut changed: Vec<(String, String)> =
            refs.map(|(name, id)| (name.clone(), id.clone())).collect();
        if let Head::Detached(id) = &now.head
            && now.head != before.head
        {
            changed.push(("HEAD".to_owned(), id.clone()));
        }
        let removed =
            before.ids.keys().filter(|name| is_work(name) && !now.ids.contains_key(*name));
        Self { changed, removed: removed.cloned().collect() }
    }
}
