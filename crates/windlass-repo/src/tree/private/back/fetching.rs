//! Fetches the agent's commits into refs of the loop.

use std::{fs, io, os::unix::ffi::OsStrExt};

use super::{
    super::{
        super::{
            Tree, TreeError,
            own::{quote, write_private},
        },
        counterpart::Counterpart,
    },
    Wanted,
};
use crate::git::GitError;

/// At most this many are fetched one by one, what the user has checked out first: what fails is tried
/// again with each session, which must not wait for long.
const MOST_ALONE: usize = 20;

impl Counterpart {
    /// The ref of the loop that keeps what one of the agent's is at.
    pub(super) fn name_of(&self, name: &str) -> String {
        format!("refs/windlass/{}/{}", self.loop_id, name.strip_prefix("refs/").unwrap_or(name))
    }
}

/// What could not be fetched.
#[derive(Default)]
pub(super) struct Missing {
    /// The refs, or `HEAD`, with their ids.
    pub(super) refs: Vec<(String, String)>,
    /// What git said of it.
    said: String,
}

impl Missing {
    /// Whether a ref is among them.
    pub(super) fn has(&self, name: &str) -> bool {
        self.refs.iter().any(|(missing, _)| missing == name)
    }

    /// What people are told of it, and what they can do.
    pub(super) fn told(&self, place: &Counterpart) -> Option<String> {
        let (first, more) = self.refs.split_first()?;
        let more = match more.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let name = first.0.strip_prefix("refs/heads/").unwrap_or(&first.0);
        let Self { said, .. } = self;
        let id = &place.loop_id;
        Some(format!(
            "the agent's commits on `{name}`{more} could not be brought over, and stay in its own git \
             directory: {said}; each session tries again: once the cause is gone, `windlass resume \
             {id}`, and if git finds fault with a commit, have the agent make it anew"
        ))
    }
}

impl Tree {
    /// Fetches what changed, all at once, and one by one where that fails; keeps what came, and gives
    /// what did not.
    pub(super) async fn fetch(
        &self,
        place: &Counterpart,
        wanted: &mut Wanted,
    ) -> Result<Missing, TreeError> {
        let mut missing = Missing::default();
        let Some(said) = self.try_fetch(place, &wanted.changed).await? else { return Ok(missing) };
        missing.said = said;
        let is_one = wanted.changed.len() == 1;
        for (at, one) in std::mem::take(&mut wanted.changed).into_iter().enumerate() {
            let came = !is_one
                && at < MOST_ALONE
                && self.try_fetch(place, std::slice::from_ref(&one)).await?.is_none();
            if came { &mut wanted.changed } else { &mut missing.refs }.push(one);
        }
        Ok(missing)
    }

    /// Fetches refs, all or none. Every object is checked, and so is that none is missing. Gives what
    /// git said where it failed.
    async fn try_fetch(
        &self,
        place: &Counterpart,
        refs: &[(String, String)],
    ) -> Result<Option<String>, TreeError> {
        if refs.is_empty() {
            return Ok(None);
        }
        let staging = place.staging();
        let made = self.stage_commits(place, refs);
        made.map_err(TreeError::io("make a git directory at", &staging))?;
        let mut specs = String::new();
        for (name, _) in refs {
            specs += &format!("+{}:{}\n", staged(name), place.name_of(name));
        }
        let call = self.in_repository().env("GIT_ALLOW_PROTOCOL", "file");
        let call = call.config("transfer.fsckObjects", "true").args(["fetch", "--quiet"]);
        let call = call.args(["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"]);
        let call = call.args(["--no-recurse-submodules", "--atomic", "--stdin", "--"]);
        let call = call.arg(&staging).stdin(specs.into_bytes());
        match self.git.run(call).await {
            Ok(_) => Ok(None),
            Err(GitError::Failed { said, .. }) => Ok(Some(said)),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the loop's refs for those that the agent removed.
    pub(super) async fn forget(
        &self,
        place: &Counterpart,
        removed: &[String],
    ) -> Result<(), TreeError> {
        if removed.is_empty() {
            return Ok(());
        }
        let lines: String =
            removed.iter().map(|name| format!("delete {}\n", place.name_of(name))).collect();
        let call = self.in_repository().args(["update-ref", "--stdin"]).stdin(lines.into_bytes());
        Ok(self.git.run(call).await.map(|_| ())?)
    }

    /// A git directory with the refs that changed. The user's objects come first: what both have is
    /// the user's.
    fn stage_commits(&self, place: &Counterpart, refs: &[(String, String)]) -> io::Result<()> {
        let staging = place.staging();
        match fs::remove_dir_all(&staging) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        for directory in ["objects/info", "refs"] {
            fs::create_dir_all(staging.join(directory))?;
        }
        let mut alternates = Vec::new();
        for objects in [self.repository.objects(), place.stage().join("objects")] {
            quote(&mut alternates, objects.as_os_str().as_bytes());
            alternates.push(b'\n');
        }
        let mut packed = b"# pack-refs with: sorted \n".to_vec();
        let mut lines: Vec<String> =
            refs.iter().map(|(name, id)| format!("{id} {}\n", staged(name))).collect();
        lines.sort_by(|one, other| one.split(' ').nth(1).cmp(&other.split(' ').nth(1)));
        packed.extend(lines.concat().bytes());
        write_private(&staging.join("objects/info/alternates"), &alternates)?;
        write_private(&staging.join("packed-refs"), &packed)?;
        write_private(&staging.join("config"), self.own.bare_config().as_bytes())?;
        if let Ok(shallow) = fs::read(self.repository.common_dir.join("shallow")) {
            write_private(&staging.join("shallow"), &shallow)?;
        }
        write_private(&staging.join("HEAD"), b"ref: refs/heads/none\n")
    }
}

/// The name of a ref in the directory that is fetched from.
fn staged(name: &str) -> &str {
    if name == "HEAD" { "refs/detached" } else { name }
}
