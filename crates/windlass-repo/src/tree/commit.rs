//! Commits what differs from the last commit into the user's repository, without its hooks, filters
//! and signing, and leaves alone what is the user's.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::Path,
};

use serde::{Deserialize, Serialize};

use super::{
    CONFIG_FILE, Intended, Tree, TreeError, listing::RawPath, repository::object_id, shown,
    tracked::Tracked, users_index::index_changes,
};
use crate::git::{Call, GitError};

/// What became of a commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Committed {
    /// The commit; `None` when there was nothing to commit.
    pub id: Option<String>,
    /// The paths that are in it.
    pub paths: Vec<String>,
    /// The paths that differ and are not in it.
    pub left_out: Vec<LeftOut>,
}

/// A path that is not in a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The path.
    pub path: String,
    /// Why.
    pub why: Cow<'static, str>,
}

/// What goes into the commit.
#[derive(Default)]
struct Choice {
    add: Vec<RawPath>,
    remove: Vec<RawPath>,
    left_out: Vec<LeftOut>,
}

impl Tree {
    /// Commits every path that differs from HEAD and is not in `spare`.
    pub async fn commit(
        &self,
        message: &str,
        spare: &BTreeSet<String>,
    ) -> Result<Committed, TreeError> {
        if let Some(what) = self.repository.under_way() {
            return Err(TreeError::UnderWay { what: what.into() });
        }
        let snapshot = self.snapshot().await?;
        let dirty = self.dirty(&snapshot).await?;
        let choice = self.choose(dirty, spare).await?;
        let left_out = choice.left_out.clone();
        if choice.add.is_empty() && choice.remove.is_empty() {
            return Ok(Committed { left_out, ..Committed::default() });
        }
        let head = snapshot.head.as_deref();
        let index = self.own.path().join(format!("index-commit-{:08x}", fastrand::u32(..)));
        let written = self.write_commit(&index, &choice, message, head).await;
        let made = match written {
            Ok(Some(id)) => self.place_commit(id, &index, &choice, message, head).await.map(Some),
            written => written,
        };
        drop(fs::remove_file(&index));
        let Some(id) = made? else { return Ok(Committed { left_out, ..Committed::default() }) };
        let paths = choice.add.iter().chain(&choice.remove).map(|path| shown(path)).collect();
        Ok(Committed { id: Some(id), paths, left_out })
    }

    /// Brings the user's index to a commit, and then HEAD: an index that is behind HEAD would have
    /// the user's next commit take this one back.
    async fn place_commit(
        &self,
        id: String,
        index: &Path,
        choice: &Choice,
        message: &str,
        head: Option<&str>,
    ) -> Result<String, TreeError> {
        let (before, after) = (self.users_entries().await?, self.entries_of(index).await?);
        let entries = index_changes(choice.add.iter().chain(&choice.remove), &before, &after);
        let (mark, branch) = (format!("windlass commit {id}\n"), self.head().await?.0);
        let change = Intended::Commit {
            mark: mark.clone(),
            branch,
            id: id.clone(),
            entries: entries.clone(),
        };
        let intent = self.intend(change)?;
        let wanted: Vec<_> = entries
            .iter()
            .filter(|entry| entry.before != entry.after)
            .map(|entry| (entry.path.as_path(), entry.after.as_ref()))
            .collect();
        let placed = async {
            // Also where it has all of it: whoever holds it is about to commit, too.
            self.set_entries(&mark, &wanted).await?;
            self.move_head(&id, head, message).await
        };
        if let Err(error) = placed.await {
            // The first error is the one to tell; what cannot be undone now is undone later.
            if self.settle_index(&mark, &entries).await.is_ok() {
                self.done(&intent);
            }
            return Err(error);
        }
        self.done(&intent);
        Ok(id)
    }

    /// Makes a commit of all that is in the work tree, after these parents. HEAD, the index and
    /// every branch stay as they are.
    pub async fn conclude(
        &self,
        message: &str,
        parents: &[String],
    ) -> Result<Committed, TreeError> {
        let snapshot = self.snapshot().await?;
        let dirty = self.dirty(&snapshot).await?;
        let choice = self.choose(dirty, &BTreeSet::new()).await?;
        let index = self.own.path().join(format!("index-commit-{:08x}", fastrand::u32(..)));
        let made = async {
            let start = self.writing_objects(&index).arg("read-tree");
            self.git.run(start.arg(snapshot.head.as_deref().unwrap_or("--empty"))).await?;
            self.update_index(&index, &choice).await?;
            let tree = self.id_of(self.writing_objects(&index).arg("write-tree")).await?;
            self.commit_tree(&index, &tree, parents.iter().map(String::as_str), message).await
        };
        let id = made.await;
        drop(fs::remove_file(&index));
        let left_out = choice.left_out;
        Ok(Committed { id: Some(id?), left_out, ..Committed::default() })
    }

    async fn choose(
        &self,
        dirty: BTreeMap<RawPath, bool>,
        spare: &BTreeSet<String>,
    ) -> Result<Choice, TreeError> {
        let filtered = self.filtered(dirty.keys()).await?;
        let memory = self.memory.lock().await;
        let mut choice = Choice::default();
        for (path, is_there) in dirty {
            let at = self.repository.top.join(path_of(&path));
            let why = if shown(&path) == CONFIG_FILE {
                "it says what windlass runs: only people commit it"
            } else if spare.contains(&shown(&path)) {
                "it was changed before the loop began"
            } else if filtered.contains(&path) {
                "a filter is set for it, and windlass runs no filters"
            } else if matches!(
                memory.scan.tracked.get(&path),
                Some(Tracked::File { unmerged: true, .. })
            ) {
                "a merge left it undecided"
            } else if !is_there && at.symlink_metadata().is_ok_and(|meta| !meta.is_dir()) {
                "it cannot be read, or git ignores it"
            } else {
                if is_there {
                    choice.add.push(path);
                } else {
                    choice.remove.push(path);
                }
                continue;
            };
            choice.left_out.push(LeftOut { path: shown(&path), why: why.into() });
        }
        Ok(choice)
    }

    /// The paths for which the attributes name a filter, such as those of large file storage.
    pub(super) async fn filtered(
        &self,
        paths: impl Iterator<Item = &RawPath>,
    ) -> Result<BTreeSet<RawPath>, TreeError> {
        let mut question = Vec::new();
        for path in paths {
            question.extend_from_slice(path);
            question.push(0);
        }
        if question.is_empty() {
            return Ok(BTreeSet::new());
        }
        self.mirror_attributes()?;
        let call = self
            .with_index(&self.repository.index())
            .args(["check-attr", "-z", "--stdin", "filter"])
            .stdin(question);
        let output = self.git.run(call).await?.stdout;
        let fields: Vec<&[u8]> = output.split(|byte| *byte == 0).collect();
        let is_set = |value: &[u8]| !matches!(value, b"unspecified" | b"unset" | b"set");
        let named = fields.chunks_exact(3).filter(|field| is_set(field[2]));
        Ok(named.map(|field| field[0].to_vec()).collect())
    }

    /// Writes the commit into the user's objects; no ref points to it yet.
    async fn write_commit(
        &self,
        index: &Path,
        choice: &Choice,
        message: &str,
        head: Option<&str>,
    ) -> Result<Option<String>, TreeError> {
        let start = self.writing_objects(index).arg("read-tree");
        self.git.run(start.arg(head.unwrap_or("--empty"))).await?;
        self.update_index(index, choice).await?;
        let tree = self.id_of(self.writing_objects(index).arg("write-tree")).await?;
        if let Some(head) = head {
            let before = format!("{head}^{{tree}}");
            let before = self.writing_objects(index).args(["rev-parse", "--verify", &before]);
            if self.id_of(before).await? == tree {
                return Ok(None);
            }
        }
        self.commit_tree(index, &tree, head, message).await.map(Some)
    }

    async fn commit_tree(
        &self,
        index: &Path,
        tree: &str,
        parents: impl IntoIterator<Item = &str>,
        message: &str,
    ) -> Result<String, TreeError> {
        let mut call = self.writing_objects(index).args(["commit-tree", tree, "-F", "-"]);
        for parent in parents {
            call = call.args(["-p", parent]);
        }
        let call = self.signed(call).stdin(format!("{}\n", message.trim_end()).into_bytes());
        self.id_of(call).await
    }

    /// A call that makes a commit in the user's name.
    pub(super) fn signed(&self, call: Call) -> Call {
        let name = self.user.name.as_deref().unwrap_or("windlass");
        let email = self.user.email.as_deref().unwrap_or("windlass@localhost");
        call.env("GIT_AUTHOR_NAME", name)
            .env("GIT_AUTHOR_EMAIL", email)
            .env("GIT_COMMITTER_NAME", name)
            .env("GIT_COMMITTER_EMAIL", email)
    }

    /// A call whose new objects go into the user's repository.
    fn writing_objects(&self, index: &Path) -> Call {
        self.with_index(index).env("GIT_OBJECT_DIRECTORY", self.repository.objects())
    }

    pub(super) async fn id_of(&self, call: Call) -> Result<String, TreeError> {
        let output = self.git.run(call).await?;
        object_id(output.stdout.trim_ascii()).ok_or(TreeError::NoTree)
    }

    /// Takes the chosen paths into an index as they are in the work tree.
    async fn update_index(&self, index: &Path, choice: &Choice) -> Result<(), TreeError> {
        // Removing by force looks at no file: one that is gone may lie beyond a symbolic link now.
        let steps: [(&[&str], &[RawPath]); 2] = [
            (&["update-index", "-z", "--force-remove", "--stdin"], &choice.remove),
            (&["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], &choice.add),
        ];
        for (args, paths) in steps {
            if !paths.is_empty() {
                let mut names = paths.join(&0);
                names.push(0);
                self.git.run(self.writing_objects(index).args(args).stdin(names)).await?;
            }
        }
        Ok(())
    }

    async fn move_head(
        &self,
        id: &str,
        head: Option<&str>,
        message: &str,
    ) -> Result<(), TreeError> {
        let first = message.lines().next().unwrap_or_default();
        let zero = self.own.zero_id();
        let call = self
            .in_repository()
            .args(["update-ref", "-m", &format!("commit: {first}"), "--end-of-options", "HEAD", id])
            .arg(head.unwrap_or(&zero));
        match self.git.run(call).await {
            Err(GitError::Failed { said, .. })
                if said.contains("expected") || said.contains("already exists") =>
            {
                Err(TreeError::HeadMoved)
            }
            result => Ok(result.map(|_| ())?),
        }
    }
}

fn path_of(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}
