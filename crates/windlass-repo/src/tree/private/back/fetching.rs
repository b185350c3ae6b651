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

impl Counterpart {
    /// The ref of the loop that keeps what one of the agent's is at.
    pub(super) fn name_of(&self, name: &str) -> String {
        format!("refs/windlass/{}/{}", self.loop_id, name.strip_prefix("refs/").unwrap_or(name))
    }
}

impl Tree {
    /// Fetches what changed. Every object is checked, and so is that none is missing.
    pub(super) async fn fetch(
        &self,
        place: &Counterpart,
        wanted: &Wanted,
    ) -> Result<(), TreeError> {
        if wanted.changed.is_empty() {
            return Ok(());
        }
        let staging = place.staging();
        let made = self.stage_commits(place, wanted);
        made.map_err(TreeError::io("make a git directory at", &staging))?;
        let mut specs = String::new();
        for (name, _) in &wanted.changed {
            specs += &format!("+{}:{}\n", staged(name), place.name_of(name));
        }
        let call = self.in_repository().env("GIT_ALLOW_PROTOCOL", "file");
        let call = call.config("transfer.fsckObjects", "true").args(["fetch", "--quiet"]);
        let call = call.args(["--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"]);
        let call = call.args(["--no-recurse-submodules", "--atomic", "--stdin", "--"]);
        let call = call.arg(&staging).stdin(specs.into_bytes());
        self.git.run(call).await?;
        Ok(())
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
    fn stage_commits(&self, place: &Counterpart, wanted: &Wanted) -> io::Result<()> {
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
            wanted.changed.iter().map(|(name, id)| format!("{id} {}\n", staged(name))).collect();
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
