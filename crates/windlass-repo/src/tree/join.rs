//! Brings two lines of commits together without a work tree: all that happens, happens among
//! objects, so that nothing of the user's is touched before the result is known.

use serde::{Deserialize, Serialize};

use super::{Tree, TreeError, dirty::paths, repository::object_id, shown};
use crate::git::{Call, GitError};

/// How one line of commits is brought to the end of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// By a commit that has both as its parents.
    Merge,
    /// By making the commits anew, one after the other.
    Rebase,
}

/// What bringing two lines of commits together comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Joined {
    /// All of the one is in the other already.
    Nothing,
    /// They fit: this commit has both.
    Fits {
        /// The commit.
        commit: String,
        /// Whether it is the end of the one line itself, which began where the other ends.
        forward: bool,
    },
    /// They do not fit.
    Conflict(Conflict),
}

/// Where two lines of commits do not fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The files, each once.
    pub paths: Vec<String>,
    /// What git says of them, a line each.
    pub told: Vec<String>,
    /// The tree with marks where they do not fit.
    pub tree: String,
    /// The commit that does not fit, where the commits are made anew one by one.
    pub commit: Option<String>,
}

/// Two lines of commits that are to become one.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// The commit at the end of the line that is added to.
    pub onto: &'a str,
    /// The commit at the end of the line that is brought there.
    pub from: &'a str,
    /// How.
    pub way: Way,
    /// What a commit says that has both as its parents.
    pub message: &'a str,
}

/// Where new objects go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Into {
    /// Into windlass's own git directory: it is only a try.
    Own,
    /// Into the user's repository.
    Repository,
}

impl Tree {
    /// Brings two lines of commits together. No ref, no index and no file is touched; objects are
    /// left in the user's repository only if the lines fit, or `keep` asks for the marked tree.
    pub async fn join(&self, lines: Lines<'_>, keep: bool) -> Result<Joined, TreeError> {
        if self.is_ancestor(lines.from, lines.onto).await? {
            return Ok(Joined::Nothing);
        }
        if self.is_ancestor(lines.onto, lines.from).await? {
            return Ok(Joined::Fits { commit: lines.from.to_owned(), forward: true });
        }
        let tried = self.join_into(lines, Into::Own).await?;
        match tried {
            Joined::Conflict(_) if !keep => Ok(tried),
            Joined::Nothing => Ok(tried),
            Joined::Conflict(_) | Joined::Fits { .. } => {
                self.join_into(lines, Into::Repository).await
            }
        }
    }

    /// Whether all of `old` is in `new`.
    pub(crate) async fn is_ancestor(&self, old: &str, new: &str) -> Result<bool, TreeError> {
        let call = self.on_objects(Into::Own).args(["merge-base", "--is-ancestor", old, new]);
        Ok(self.git.run(call.accepting(&[0, 1])).await?.code == Some(0))
    }

    async fn join_into(&self, lines: Lines<'_>, into: Into) -> Result<Joined, TreeError> {
        match lines.way {
            Way::Merge => self.merge(lines, into).await,
            Way::Rebase => self.rebase(lines, into).await,
        }
    }

    async fn merge(&self, lines: Lines<'_>, into: Into) -> Result<Joined, TreeError> {
        let Lines { onto, from, message, .. } = lines;
        let tree = match self.merge_trees(None, onto, from, into).await? {
            Ok(tree) => tree,
            Err(conflict) => return Ok(Joined::Conflict(conflict)),
        };
        let call = self.on_objects(into).args(["commit-tree", &tree, "-F", "-"]);
        let call = self.signed(call).args(["-p", onto, "-p", from]);
        let call = call.stdin(format!("{}\n", message.trim_end()).into_bytes());
        Ok(Joined::Fits { commit: self.id_of(call).await?, forward: false })
    }

    async fn rebase(&self, lines: Lines<'_>, into: Into) -> Result<Joined, TreeError> {
        let Lines { onto, from, .. } = lines;
        let range = format!("{onto}...{from}");
        let list = ["rev-list", "--reverse", "--topo-order", "--parents"];
        let call = self.on_objects(Into::Own).args(list).args(["--right-only", "--cherry-pick"]);
        let listed = self.git.run(call.arg(&range)).await?.stdout;
        let mut end = onto.to_owned();
        for line in String::from_utf8_lossy(&listed).lines() {
            let ids: Vec<&str> = line.split(' ').collect();
            let [commit, parent] = ids[..] else {
                return Err(TreeError::NotALine { commit: short(ids.first().copied()) });
            };
            match self.merge_trees(Some(parent), &end, commit, into).await? {
                Ok(tree) => end = self.commit_anew(commit, &tree, &end, into).await?,
                Err(conflict) => {
                    let commit = Some(commit.to_owned());
                    return Ok(Joined::Conflict(Conflict { commit, ..conflict }));
                }
            }
        }
        let is_new = end != onto;
        Ok(if is_new { Joined::Fits { commit: end, forward: false } } else { Joined::Nothing })
    }

    /// The commit once more, with another tree after another parent; the parent itself where that
    /// has the tree already.
    async fn commit_anew(
        &self,
        commit: &str,
        tree: &str,
        parent: &str,
        into: Into,
    ) -> Result<String, TreeError> {
        let before = format!("{parent}^{{tree}}");
        let before = self.on_objects(into).args(["rev-parse", "--verify", &before]);
        if self.id_of(before).await? == tree {
            return Ok(parent.to_owned());
        }
        let format = "--format=%an%x00%ae%x00%ad%x00%B";
        let call = self.on_objects(into).args(["log", "-1", "--date=raw", format, commit, "--"]);
        let told = self.git.run(call).await?.stdout;
        let mut fields = told.splitn(4, |byte| *byte == 0);
        let mut field = || String::from_utf8_lossy(fields.next().unwrap_or_default()).into_owned();
        let (name, email, date) = (field(), field(), field());
        let message = fields.next().unwrap_or_default().trim_ascii_end();
        let call = self.on_objects(into).args(["commit-tree", tree, "-p", parent, "-F", "-"]);
        let call = self
            .signed(call)
            .env("GIT_AUTHOR_NAME", name)
            .env("GIT_AUTHOR_EMAIL", email)
            .env("GIT_AUTHOR_DATE", date)
            .stdin([message, b"\n"].concat());
        self.id_of(call).await
    }

    /// The tree that has what `onto` and `from` have changed since their base, or where they do not
    /// fit.
    async fn merge_trees(
        &self,
        base: Option<&str>,
        onto: &str,
        from: &str,
        into: Into,
    ) -> Result<Result<String, Conflict>, TreeError> {
        self.mirror_attributes()?;
        let mut call = self.on_objects(into).args(["merge-tree", "--write-tree", "-z"]);
        call = call.arg("--name-only").args(base.map(|base| format!("--merge-base={base}")));
        let call = call.args([onto, from]).accepting(&[0, 1]);
        let output = match self.git.run(call).await {
            // Before 2.40 git could not do this.
            Err(GitError::Failed { code: Some(129), .. }) => return Err(TreeError::OldGit),
            output => output?,
        };
        let (tree, rest) = split(&output.stdout);
        let tree = object_id(tree).ok_or(TreeError::NoTree)?;
        if output.code == Some(0) {
            return Ok(Ok(tree));
        }
        let (files, messages) = section(rest);
        let mut paths: Vec<String> = files.iter().map(|path| shown(path)).collect();
        paths.dedup();
        let told = told(messages);
        Ok(Err(Conflict { paths, told, tree, commit: None }))
    }

    /// A call that works on objects, by the attributes of the work tree and no config but ours.
    fn on_objects(&self, into: Into) -> Call {
        let call = Call::new(self.own.path(), self.top()).env("GIT_WORK_TREE", self.top());
        match into {
            Into::Own => call,
            Into::Repository => call.env("GIT_OBJECT_DIRECTORY", self.repository.objects()),
        }
    }
}

/// The first field of a list whose fields are ended by NUL, and the rest.
fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}

/// The fields up to an empty one, and what comes after that.
fn section(mut rest: &[u8]) -> (Vec<Vec<u8>>, &[u8]) {
    let mut fields = Vec::new();
    loop {
        let (field, after) = split(rest);
        if field.is_empty() {
            return (fields, after);
        }
        fields.push(field.to_vec());
        rest = after;
    }
}

/// The sentences on conflicts: each stands after the number of its paths, those, and its type.
fn told(messages: &[u8]) -> Vec<String> {
    let fields: Vec<Vec<u8>> = paths(messages).collect();
    let (mut told, mut at) = (Vec::new(), 0);
    while let Some(count) = fields.get(at).and_then(|count| shown(count).parse::<usize>().ok()) {
        let (Some(what), Some(sentence)) = (fields.get(at + count + 1), fields.get(at + count + 2))
        else {
            break;
        };
        if what.starts_with(b"CONFLICT") {
            told.push(shown(sentence).trim_end().to_owned());
        }
        at += count + 3;
    }
    told
}

fn short(id: Option<&str>) -> String {
    id.unwrap_or_default().chars().take(12).collect()
}
