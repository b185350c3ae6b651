//! A repository of windlass's own for a look at one commit: it has the user's refs and settings as
//! data, and borrows the user's objects. The user's repository does not learn of it.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{Tree, TreeError, write_private};

/// HEAD before something is checked out.
const UNBORN: &str = "ref: refs/heads/windlass-apart\n";

/// What the user's objects borrow from in turn.
const BORROWED: &str = "info/alternates";

impl Tree {
    /// Makes such a repository at `path`, which is empty. Nothing is checked out yet.
    pub async fn make_apart(&self, path: &Path) -> Result<(), TreeError> {
        // The whole commit is looked at.
        let config = self.data_config(|key| !key.starts_with("core.sparsecheckout")).await?;
        let (packed, symbolic) = self.users_refs().await?;
        let git_dir = path.join(".git");
        let made = || -> io::Result<()> {
            for directory in ["objects/info", "objects/pack", "refs/heads", "info"] {
                fs::create_dir_all(git_dir.join(directory))?;
            }
            let put = |name: &str, bytes: &[u8]| write_private(&git_dir.join(name), bytes);
            put("objects/info/alternates", &self.lenders())?;
            put("config", &config)?;
            put("packed-refs", &packed)?;
            for (name, target) in &symbolic {
                let file = git_dir.join(name);
                fs::create_dir_all(file.parent().unwrap_or(&file))?;
                write_private(&file, format!("ref: {target}\n").as_bytes())?;
            }
            for name in ["shallow", "info/attributes"] {
                if let Ok(bytes) = fs::read(self.repository.common_dir.join(name)) {
                    put(name, &bytes)?;
                }
            }
            put("HEAD", UNBORN.as_bytes())
        };
        made().map_err(TreeError::io("make a repository at", path))
    }

    /// Where the user's objects are, and those that they borrow, a line each.
    fn lenders(&self) -> Vec<u8> {
        let objects = self.repository.objects();
        let borrowed = fs::read(objects.join(BORROWED)).unwrap_or_default();
        let lines = borrowed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let others: Vec<PathBuf> =
            lines.map(|line| objects.join(OsStr::from_bytes(line))).collect();
        let all = [objects].into_iter().chain(others);
        all.flat_map(|path| [path.as_os_str().as_bytes(), b"\n"].concat()).collect()
    }

    /// Checks a commit out that is there, in a work tree in which nobody has worked yet. HEAD leaves
    /// its branch where `detach` says so; else the branch moves along.
    pub async fn start_at(&self, commit: &str, detach: bool) -> Result<(), TreeError> {
        let commit = self.commit_id(commit).await?;
        self.check_out(self.top(), &commit).await?;
        let call = self.in_repository().args(["update-ref", "-m", "windlass: begin here"]);
        let call = call.args(detach.then_some("--no-deref"));
        self.git.run(call.args(["HEAD", &commit])).await?;
        Ok(())
    }

    /// Has the base of a pull request be at a commit that is there, in a repository of windlass's own.
    pub async fn set_base(&self, branch: &str, commit: &str) -> Result<(), TreeError> {
        self.checked_name(branch).await?;
        let commit = self.commit_id(commit).await?;
        let name = format!("refs/remotes/origin/{branch}");
        self.git.run(self.in_repository().args(["update-ref", &name, &commit])).await?;
        Ok(())
    }

    /// Whether a commit is another one, or comes before it.
    pub async fn is_before(&self, one: &str, other: &str) -> Result<bool, TreeError> {
        let call = self.in_repository().args(["merge-base", "--is-ancestor", one, other]);
        Ok(self.git.run(call.accepting(&[0, 1])).await?.code == Some(0))
    }
}
