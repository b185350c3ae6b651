//! The way from finished work to a pull request: one line for `sh`, which commits what the loop changed and
//! nothing else.

use std::path::Path;

use shell_words::quote;
use windlass::Work;
use windlass_store::store::LoopRecord;

use crate::{github::Repository, text};

/// The longest first line of a commit.
const LONGEST_SUBJECT: usize = 72;
/// A longer line is too long for a terminal.
const LONGEST_LINE: usize = 8 * 1024;
/// What means something else in a path that git is given.
const MAGIC: [char; 4] = ['*', '?', '[', '\\'];

/// What the line can count on.
#[derive(Clone, Copy)]
pub(super) struct Tools<'a> {
    /// Whether `gh` is installed.
    pub(super) has_gh: bool,
    /// Where the line is typed.
    pub(super) here: &'a Path,
}

/// Whether a loop left something to hand on.
pub(super) fn has_work(work: &Work) -> bool {
    !work.worked.commits.is_empty() || !work.worked.uncommitted.is_empty()
}

/// The line; `None` where there is nothing to do, or no line can say it.
pub(super) fn pull_request(
    record: &LoopRecord,
    work: &Work,
    task: Option<&str>,
    tools: Tools<'_>,
) -> Option<String> {
    let worked = &work.worked;
    if !has_work(work) || worked.is_cut {
        return None;
    }
    // What `pr` fixes belongs to the branch of the pull request, which is there.
    let is_pull = record.kind == "pr";
    let is_own = record.worktree.is_some() || record.options["create_branch"] == true || is_pull;
    let own = worked.branch.as_deref().filter(|_| is_own);
    let branch = own.unwrap_or(&work.free_branch);
    let mut steps = Vec::new();
    if own.is_none() {
        steps.push(format!("git switch -c {}", quote(branch)));
    }
    let paths: Vec<&str> = worked.uncommitted.iter().map(String::as_str).collect();
    if !paths.is_empty() {
        let has_magic = paths.iter().any(|path| path.contains(MAGIC) || path.starts_with(':'));
        let literal = if has_magic { " --literal-pathspecs" } else { "" };
        let subject = text::truncate(task.unwrap_or(&record.name), LONGEST_SUBJECT);
        let (subject, paths) = (quote(&subject), shell_words::join(paths));
        steps.push(format!("git{literal} add -A -- {paths}"));
        steps.push(format!("git{literal} commit -m {subject} -- {paths}"));
    }
    if let Some(origin) = &work.origin {
        steps.push(format!("git push -u origin {}", quote(branch)));
        let on_github = Repository::of_remote(origin);
        let on_github = on_github.is_some_and(|it| it.host.as_deref() == Some("github.com"));
        if on_github && tools.has_gh && !is_pull {
            steps.push("gh pr create --fill".to_owned());
        }
    }
    if steps.is_empty() {
        return None;
    }
    let line = steps.join(" && ");
    let line = match tools.here == work.top {
        true => line,
        false => format!("(cd {} && {line})", quote(work.top.to_str()?)),
    };
    (line.len() <= LONGEST_LINE).then_some(line)
}
