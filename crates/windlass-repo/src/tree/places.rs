//! What the look at other places takes from the work tree: which other repositories its scan found,
//! which trees commits have, and refs that only git reads.

use std::time::Duration;

use super::{Tree, listing::RawPath, repository::object_id};
use crate::git::Call;

/// How long git may take to tell the trees of commits: nothing depends on it.
const LIMIT: Duration = Duration::from_secs(20);

/// So many directories that git ignores are named.
const MOST_IGNORED: usize = 1000;

/// Other repositories in the work tree, as the last look at it found them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inside {
    /// Those that the user's index names.
    pub(crate) submodules: Vec<RawPath>,
    /// Other directories with something called `.git`.
    pub(crate) others: Vec<RawPath>,
    /// Directories that git ignores, which the scan does not look into: any of them may be one.
    pub(crate) ignored: Vec<RawPath>,
}

impl Tree {
    /// The other repositories in the work tree.
    pub(crate) async fn inside(&self) -> Inside {
        let memory = self.memory.lock().await;
        let listing = &memory.scan.listing;
        let links = memory.scan.tracked.links();
        let is_foreign = |(path, dir): (&RawPath, &super::listing::Dir)| {
            (dir.foreign && !path.is_empty()).then(|| path.clone())
        };
        let mut ignored = listing.ignored_directories();
        ignored.sort_unstable();
        ignored.truncate(MOST_IGNORED);
        Inside {
            submodules: links.into_iter().map(|(path, _)| path).collect(),
            others: listing.dirs.iter().filter_map(is_foreign).collect(),
            ignored,
        }
    }

    /// The ids of trees of the user's repository that have these names, such as `ID^{tree}`, in one
    /// call; each is `None` where there is no such tree, and all where git cannot be asked. Only the
    /// objects are the user's: nothing of the config there acts.
    pub(crate) async fn tree_ids(&self, names: &[String]) -> Option<Vec<Option<String>>> {
        let call = Call::new(self.own.path(), self.own.path())
            .config("core.commitGraph", "false")
            .args(["cat-file", "--batch-check=%(objecttype) %(objectname)"])
            .stdin((names.join("\n") + "\n").into_bytes());
        let output = self.git.clone().with_limit(LIMIT).run(call).await.ok()?;
        let lines = output.stdout.split(|byte| *byte == b'\n').take(names.len());
        let ids: Vec<Option<String>> =
            lines.map(|line| object_id(line.strip_prefix(b"tree ")?)).collect();
        (ids.len() == names.len()).then_some(ids)
    }

    /// HEAD, the local branches and the stash, a line each: its name, its id, and the ref that it
    /// refers to, which most do not. `None` where git cannot be asked.
    pub(crate) async fn refs(&self) -> Option<String> {
        let call = self.in_repository().args(["for-each-ref", "--include-root-refs"]);
        let call = call.arg("--format=%(refname) %(objectname) %(symref)");
        let call = call.args(["HEAD", "refs/heads", "refs/stash"]);
        let output = self.git.clone().with_limit(LIMIT).run(call).await.ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
