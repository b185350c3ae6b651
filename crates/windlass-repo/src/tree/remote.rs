//! Fetches and pushes. Both go out from windlass's own git directory: the repository's config may be an
//! agent's, and names programs that would run with the user's keys. Of it only the address is taken.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{Repository, TreeError, UserFiles, own_directory};
use crate::git::{Call, Git, GitError};

/// How long a fetch or a push may take.
const LIMIT: Duration = Duration::from_secs(300);

/// The ways that they may go; none of them starts a program that an address names.
const WAYS: &str = "https:ssh:git:http:file";

/// How a repository receives that an agent may have made: its hooks would run here.
const WITHOUT_HOOKS: &str = "--receive-pack=git -c core.hooksPath=/dev/null receive-pack";

/// Which repository reaches a remote, and how.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a> {
    /// windlass's home.
    pub home: &'a Path,
    /// The repository.
    pub repository: &'a Repository,
    /// What a relative address is meant from: the user's work tree.
    pub from: &'a Path,
    /// The user's own git settings, which say how to log in.
    pub files: &'a UserFiles,
    /// Variables of the user's environment that say how to reach a remote.
    pub variables: &'a [(String, OsString)],
}

impl Reach<'_> {
    /// Whether an address is that of a repository on this machine that an agent can write.
    fn is_an_agents(&self, address: &str) -> bool {
        let has_host = address.split('/').next().is_some_and(|first| first.contains(':'));
        let path = match address.strip_prefix("file://") {
            Some(path) => PathBuf::from(path),
            None if has_host => return false,
            None => self.from.join(address),
        };
        let path = path.canonicalize().unwrap_or(path);
        let Repository { top, git_dir, common_dir } = self.repository;
        let places = [top, git_dir, common_dir].map(PathBuf::as_path);
        places.into_iter().chain([self.from]).any(|place| path.starts_with(place))
    }

    /// A call in windlass's own git directory that may go out.
    fn call(&self) -> Call {
        let own = own_directory(self.home, &self.repository.top);
        let mut call = Call::new(&own, self.from)
            .env("GIT_ALLOW_PROTOCOL", WAYS)
            .config("core.hooksPath", "/dev/null");
        for file in self.files.configs.iter().filter(|file| file.is_file()) {
            call = call.config("include.path", file);
        }
        for (name, value) in self.variables {
            call = call.env(name, value);
        }
        call
    }
}

/// What is pushed where.
#[derive(Clone, Copy, Debug)]
pub struct Pushed<'a> {
    /// The address of the repository.
    pub to: &'a str,
    /// The commit.
    pub commit: &'a str,
    /// The ref there, by its full name.
    pub full: &'a str,
    /// The commit that it must be at there; nothing is pushed where it is at another one.
    pub expected: Option<&'a str>,
}

/// Pushes a commit; gives why the other end refused it, where it did.
pub async fn push(
    git: &Git,
    from: Reach<'_>,
    what: Pushed<'_>,
) -> Result<Option<String>, TreeError> {
    let Pushed { to, commit, full, expected } = what;
    let lease = expected.map(|expected| format!("--force-with-lease={full}:{expected}"));
    let call = from
        .call()
        .args(["push", "--no-verify", "--porcelain"])
        .args(lease)
        .args(from.is_an_agents(to).then_some(WITHOUT_HOOKS))
        .arg("--end-of-options")
        .args([to, &format!("{commit}:{full}")])
        .accepting(&[0, 1]);
    let output = match git.clone().with_limit(LIMIT).run(call).await {
        Err(GitError::Failed { said, .. }) if is_no_permission(&said) => {
            return Ok(Some(said.lines().next().unwrap_or_default().replace(to, "origin")));
        }
        output => output?,
    };
    Ok((output.code == Some(1)).then(|| refusal(&output.stdout, &output.stderr)))
}

/// Why the other end refused: `!\t<from>:<to>\t[remote rejected] (hook declined)`, with what the other
/// end says itself.
fn refusal(stdout: &[u8], stderr: &[u8]) -> String {
    let [told, said] = [stdout, stderr].map(String::from_utf8_lossy);
    let told = told.lines().find_map(|line| line.strip_prefix("!\t")?.split('\t').nth(1));
    let said = said.lines().filter_map(|line| line.strip_prefix("remote:"));
    let said: Vec<&str> = said.map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut words = vec![told.unwrap_or("the other end refused it").to_owned()];
    words.extend((!said.is_empty()).then(|| said.join(" ")));
    words.join(": ")
}

/// Whether git gave up because the other end lets this user not write, or not in.
fn is_no_permission(said: &str) -> bool {
    const WORDS: [&str; 6] = [
        "permission denied",
        "denied to",
        "error: 403",
        "authentication failed",
        "could not read username",
        "access denied",
    ];
    let said = said.to_ascii_lowercase();
    WORDS.iter().any(|word| said.contains(word))
}

/// Fetches `what` (a commit's id, or a ref) into the repository's objects; no ref changes. `known` are
/// commits that need not be sent.
pub async fn fetch(
    git: &Git,
    into: Reach<'_>,
    address: &str,
    what: &str,
    known: &[String],
) -> Result<(), TreeError> {
    let mut call = into
        .call()
        .env("GIT_OBJECT_DIRECTORY", into.repository.objects())
        .config("core.alternateRefsCommand", "false")
        .config("gc.auto", "0")
        .config("maintenance.auto", "false")
        .args(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"])
        .arg("--no-recurse-submodules")
        .args(known.iter().map(|commit| format!("--negotiation-tip={commit}")));
    let shallow = into.repository.common_dir.join("shallow");
    if shallow.is_file() {
        call = call.env("GIT_SHALLOW_FILE", shallow);
    }
    let call = call.arg("--end-of-options").args([address, what]);
    git.clone().with_limit(LIMIT).run(call).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_with_what_the_other_end_says() {
        let told =
            b"To /srv/engine.git\n!\tc0ffee:refs/heads/pump\t[remote rejected] (pre-receive \
                     hook declined)\nDone\n";
        let said = b"remote: You may not write here.        \nerror: failed to push some refs\n";
        assert_eq!(
            refusal(told, said),
            "[remote rejected] (pre-receive hook declined): You may not write here."
        );
        assert_eq!(refusal(b"", b""), "the other end refused it");
    }
}
