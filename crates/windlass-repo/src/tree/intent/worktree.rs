//! Worktrees that were being made or removed by a process that was killed.

use std::{
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use windlass_system::below::{self, Links, Root};

use crate::{
    git::{Call, GitError},
    tree::{Tree, TreeError},
};

/// Git's file that says where a worktree is.
const MOST_PATH: u64 = 8192;

impl Tree {
    /// Undoes the making of a worktree whose loop did not come to be, so that it can be made again.
    pub(super) async fn undo_adding(
        &self,
        path: &Path,
        branch: Option<(&str, &str)>,
        known: &[String],
    ) -> Result<(), TreeError> {
        self.finish_removing(path, Some(known)).await?;
        if let Some((name, commit)) = branch {
            self.unlock_refs(&[Some(&name.to_owned())], commit).await?;
            self.drop_branch(name, commit).await?;
        }
        Ok(())
    }

    /// Removes a worktree of windlass's with all that is left of it, and git's entry of it. Where the
    /// entries from before are given, one that git has only just begun counts as well.
    pub(super) async fn finish_removing(
        &self,
        path: &Path,
        known: Option<&[String]>,
    ) -> Result<(), TreeError> {
        let _turn = self.turn().await;
        // Git writes the real path, and windlass's home may be reached by a link.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let common = &self.repository.common_dir;
        // Twice, for git locks a worktree while it makes it.
        let call = Call::in_repository(common, common).args(["worktree", "remove"]);
        let call = call.args(["--force", "--force", "--"]).arg(path);
        match self.git.run(call).await {
            // It does not know it, or not yet, or not any more.
            Ok(_) | Err(GitError::Failed { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        for entry in self.entries_for(path, known) {
            fs::remove_dir_all(&entry).map_err(TreeError::io("remove", &entry))?;
        }
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(TreeError::io("remove", path)(error))
            }
            _ => Ok(()),
        }
    }

    /// The names in git's list of worktrees.
    pub(in crate::tree) fn worktree_names(&self) -> Vec<String> {
        let folder = self.repository.common_dir.join("worktrees");
        let is_link = folder.symlink_metadata().is_ok_and(|found| !found.is_dir());
        if is_link {
            return Vec::new();
        }
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    /// Git's entries of a worktree.
    fn entries_for(&self, path: &Path, known: Option<&[String]>) -> Vec<PathBuf> {
        let folder = self.repository.common_dir.join("worktrees");
        let wanted = path.join(".git");
        let base = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_of_it = |name: &String| {
            let Ok(root) = Root::open(&folder) else { return false };
            let file = format!("{name}/gitdir");
            match below::read(root, file.as_bytes(), Links::Refused, MOST_PATH) {
                Ok(bytes) => bytes.trim_ascii() == wanted.as_os_str().as_bytes(),
                // Git begins with a directory of that name, or with a number after it.
                Err(error) => {
                    let rest = name.strip_prefix(&base);
                    let is_next = rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
                    let is_new = known.is_some_and(|known| !known.contains(name));
                    error.kind() == io::ErrorKind::NotFound && is_next && is_new
                }
            }
        };
        self.worktree_names().into_iter().filter(is_of_it).map(|name| folder.join(name)).collect()
    }
}
