//! Refs that an agent made, moved or removed, other than the branch that the user is on: kept, told
//! once, and made the user's where that is wanted.

use super::{
    super::{
        super::{Tree, TreeError},
        counterpart::Counterpart,
        release::containing,
        state::State,
    },
    Wanted,
};

/// So many are told one by one; the rest is counted.
const MOST_TOLD: usize = 20;

impl Tree {
    /// Tells of each once, and makes it the user's where that is wanted.
    pub(super) async fn others(
        &self,
        place: &Counterpart,
        wanted: &Wanted,
        state: &mut State,
    ) -> Result<Vec<String>, TreeError> {
        let users = self.head().await?.0;
        let is_other = |name: &String| Some(name) != users.as_ref() && name != "HEAD";
        let mut told = Vec::new();
        for (name, id) in wanted.changed.iter().filter(|(name, _)| is_other(name)) {
            let is_users = place.takes_refs && self.take_over(name, id).await?;
            if state.told(name) {
                continue;
            }
            state.told.push(name.clone());
            let what = what(name);
            let kept = place.name_of(name);
            told.push(match is_users {
                true => format!("the agent made {what}, which is yours now"),
                false => format!("the agent made {what}, kept as `{kept}`"),
            });
        }
        let loose = wanted.changed.iter().find(|(name, _)| name == "HEAD" && users.is_some());
        if let Some((name, id)) = loose
            && !state.told(name)
            && !self.is_in_users_refs(id).await?
        {
            state.told.push(name.clone());
            let kept = place.name_of(name);
            told.push(format!("the agent committed on no branch, kept as `{kept}`"));
        }
        for name in wanted.removed.iter().filter(|name| is_other(name)) {
            if !state.told(name) {
                let what = what(name);
                told.push(format!(
                    "the agent removed {what} from its own git directory; you have it still"
                ));
            }
        }
        let more = told.len().saturating_sub(MOST_TOLD);
        told.truncate(MOST_TOLD);
        if more > 0 {
            told.push(format!(
                "{more} more of the agent's refs changed: `git for-each-ref refs/windlass`"
            ));
        }
        Ok(told)
    }

    /// Whether a commit is in a branch or a tag of the user's, or in one of a remote.
    async fn is_in_users_refs(&self, id: &str) -> Result<bool, TreeError> {
        Ok(!self.git.run(containing(&self.repository, id)).await?.stdout.is_empty())
    }

    /// Makes a branch or a tag the user's: one that is new, or a branch that moves forward and is
    /// checked out nowhere. Whether it is.
    async fn take_over(&self, name: &str, id: &str) -> Result<bool, TreeError> {
        let is_branch = name.starts_with("refs/heads/");
        if !is_branch && !name.starts_with("refs/tags/") {
            return Ok(false);
        }
        let call = self.in_repository().args(["rev-parse", "--verify", "--quiet", name]);
        let found = self.git.run(call.accepting(&[0, 1])).await?;
        let found = (found.code == Some(0))
            .then(|| String::from_utf8_lossy(&found.stdout).trim().to_owned());
        let old = match found {
            Some(old) if old == id => return Ok(true),
            Some(old) => {
                let may_move = is_branch
                    && self.follows(&old, id).await?
                    && self.checked_out_at(name).await?.is_none();
                if !may_move {
                    return Ok(false);
                }
                old
            }
            None => self.own.zero_id(),
        };
        let call = self.in_repository().args(["update-ref", "-m", "windlass: the agent's"]);
        let call = call.args(["--end-of-options", name, id, &old]).accepting(&[0, 1, 128]);
        Ok(self.git.run(call).await?.code == Some(0))
    }
}

/// A ref as people call it.
fn what(name: &str) -> String {
    let short = name.splitn(3, '/').nth(2).unwrap_or(name);
    match name.split('/').nth(1) {
        Some("heads") => format!("the branch `{short}`"),
        Some("tags") => format!("the tag `{short}`"),
        _ => "a stash".to_owned(),
    }
}
