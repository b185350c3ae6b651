//! Makes a repository of a directory.

use std::path::Path;

use super::{Call, Git, GitError};

/// Makes a repository of a directory, with all that is in it as the first commit.
pub async fn found(git: &Git, directory: &Path, message: &str) -> Result<(), GitError> {
    let git_dir = directory.join(".git");
    let call = || {
        Call::new(&git_dir, directory)
            .env("GIT_WORK_TREE", directory)
            .config("init.defaultBranch", "main")
            .config("user.name", "windlass")
            .config("user.email", "windlass@localhost")
    };
    git.run(call().args(["init", "--quiet", "--template="])).await?;
    git.run(call().args(["add", "--all"])).await?;
    git.run(call().args(["commit", "--quiet", "--message", message])).await?;
    Ok(())
}
