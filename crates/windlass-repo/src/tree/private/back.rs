//! Brings what an agent committed in its private git directory back to the user's repository.
//!
//! Its refs are read as data. The objects come by a fetch that checks each of them, from a git
//! directory of ours that has nothing of the agent's but those objects.

mod fetching;
mod index;
mod others;

use serde::{Deserialize, Serialize};
use windlass_system::below::Root;

use super::{
    super::{IndexChange, Intended, Tree, TreeError},
    place::PrivatePlace,
    refs::{Head, Refs, is_name},
    state::{IndexMark, State},
};
use crate::git::GitError;

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
    /// Brings over what changed since the last time. Doing so twice is doing so once.
    pub(super) async fn bring_back(&self, place: &PrivatePlace) -> Result<Brought, TreeError> {
        let Some(mut state) = State::read(place) else { return Ok(Brought::default()) };
        let found = Root::open(&place.stage()).map_err(std::io::Error::from);
        let refs = match found.and_then(|root| Refs::read(&root, &self.inner())) {
            Ok(refs) => refs,
            Err(error) => return self.begin_again(place, &error.to_string()).await,
        };
        if refs == state.refs && state.missing.is_empty() {
            return Ok(Brought::default());
        }
        let mut wanted = Wanted::of(&state.refs, &refs);
        wanted.try_again(&state.missing, &refs);
        let users = self.head().await?.0;
        let left = wanted.limit(users.as_deref());
        let mut notes = Vec::new();
        let mut brought = Brought::default();
        let intent = self.intend(Intended::Refs { names: wanted.touched(place) })?;
        let missing = self.fetch(place, &mut wanted).await?;
        self.forget(place, &wanted.removed).await?;
        if !missing.has(users.as_deref().unwrap_or("HEAD")) {
            match self.follow(place, &refs).await? {
                Followed::Moved(name, commit) => brought.moved = Some((name, commit)),
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
        state.write(place).map_err(TreeError::io("write", &place.root))?;
        self.memory.lock().await.note(notes);
        Ok(brought)
    }

    async fn begin_again(&self, place: &PrivatePlace, why: &str) -> Result<Brought, TreeError> {
        self.begin_private(place).await?;
        let note =
            format!("the agent's own git directory cannot be read ({why}): it gets a new one");
        self.memory.lock().await.note(vec![note]);
        Ok(Brought { is_new: true, ..Brought::default() })
    }

    /// Moves the user's branch, or a HEAD that is on none, to where the agent has it.
    async fn follow(&self, place: &PrivatePlace, refs: &Refs) -> Result<Followed, TreeError> {
        let (branch, commit) = self.head().await?;
        let new = match (&branch, &refs.head) {
            (Some(branch), _) => refs.ids.get(branch),
            (None, Head::Detached(id)) => Some(id),
            (None, Head::Branch(_) | Head::Unknown) => None,
        };
        let Some(new) = new.filter(|new| Some(*new) != commit.as_ref()) else {
            return Ok(Followed::Nothing);
        };
        let name = branch.as_deref().unwrap_or("HEAD");
        let kept = place.name_of(name);
        let short = name.strip_prefix("refs/heads/").unwrap_or(name);
        let not = |why: &str| {
            Followed::Not(format!(
                "`{short}` stays where it is: {why}; the agent's commits are at `{kept}`"
            ))
        };
        if let Some(commit) = &commit
            && !self.follows(commit, new).await?
        {
            let is_behind = self.follows(new, commit).await?;
            let why = "the agent's commits do not follow the last one of yours";
            return Ok(if is_behind { Followed::Nothing } else { not(why) });
        }
        if let Some(what) = self.repository.under_way() {
            return Ok(not(&format!("a {what} is under way in your repository")));
        }
        let old = commit.as_deref();
        let changes = self.index_changes(old, new).await?;
        if let Some(path) = changes.nested {
            let why =
                format!("they add a repository inside of it, `{path}`, which your git would enter");
            return Ok(not(&why));
        }
        let entries = self.in_users_index(&changes).await?;
        match self.place((name, branch.clone()), old, new, entries).await {
            Ok(()) => Ok(Followed::Moved(short.to_owned(), new.clone())),
            Err(TreeError::Git(GitError::Failed { .. })) => Ok(not("it was moved meanwhile")),
            Err(error) => Err(error),
        }
    }

    /// Brings the user's index to a commit and then the branch, which is written down before.
    async fn place(
        &self,
        (name, branch): (&str, Option<String>),
        old: Option<&str>,
        new: &str,
        entries: Vec<IndexChange>,
    ) -> Result<(), TreeError> {
        let mark = format!("windlass commit {new}\n");
        let change = Intended::Commit {
            mark: mark.clone(),
            branch,
            id: new.to_owned(),
            entries: entries.clone(),
        };
        let intent = self.intend(change)?;
        let wanted: Vec<_> =
            entries.iter().map(|entry| (entry.path.as_path(), entry.after.as_ref())).collect();
        let placed = async {
            self.set_entries(&mark, &wanted).await?;
            Ok(self.move_head_to(name, old, new).await?)
        };
        let placed = placed.await;
        // What cannot be undone now is undone later.
        if placed.is_ok() || self.settle_index(&mark, &entries).await.is_ok() {
            self.done(&intent);
        }
        placed
    }

    async fn move_head_to(&self, name: &str, old: Option<&str>, new: &str) -> Result<(), GitError> {
        let zero = self.own.zero_id();
        let call =
            self.in_repository().args(["update-ref", "-m", "windlass: what the agent committed"]);
        let call = if name == "HEAD" { call.arg("--no-deref") } else { call };
        let call = call.args(["--end-of-options", name, new, old.unwrap_or(&zero)]);
        self.git.run(call).await.map(|_| ())
    }
}

/// What became of the user's branch.
enum Followed {
    /// The branch, and the commit that it is at.
    Moved(String, String),
    /// Why it did not move.
    Not(String),
    /// There was nothing to do.
    Nothing,
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
    fn touched(&self, place: &PrivatePlace) -> Vec<String> {
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
