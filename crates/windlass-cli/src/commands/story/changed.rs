//! What a loop changed, in words: files, branch, commits, and whether a remote has them.

use windlass::{CommitLine, Work};
use windlass_store::store::LoopRecord;

use crate::{report::words::short_id, text};

/// How many files and commits are named.
const FILES: usize = 5;
const COMMITS: usize = 5;

/// The lines.
pub(super) fn lines(record: &LoopRecord, work: Option<&Work>) -> Vec<String> {
    let Some(work) = work else {
        return vec![format!("{} modified", text::count(record.files_modified, "file"))];
    };
    let worked = &work.worked;
    let mut lines = vec![files(&worked.changed)];
    if work.is_cut_off {
        lines[0].push_str(" up to the last snapshot; the session after it may have changed more");
    }
    let branch = match &worked.branch {
        Some(branch) => format!("on branch {branch}"),
        None => "on no branch".to_owned(),
    };
    let commits = &worked.commits;
    if commits.is_empty() {
        lines.push(format!("{branch}; nothing committed, nothing pushed"));
    } else {
        let (own, agents): (Vec<_>, Vec<_>) =
            commits.iter().partition(|commit| work.by_windlass.contains(&commit.id));
        lines.push(format!("{branch}; {}", pushed(work)));
        lines.extend(by("the agent", &agents));
        lines.extend(by("windlass", &own));
    }
    if !worked.changed_before.is_empty() {
        let names = listed(&worked.changed_before);
        lines.push(format!("not committed: {names}, which differed before the loop, too"));
    }
    lines
}

fn files(paths: &[String]) -> String {
    let count = text::count(paths.len(), "file");
    if paths.is_empty() { count } else { format!("{count}: {}", listed(paths)) }
}

/// The first of these names, and how many there are besides.
fn listed(paths: &[String]) -> String {
    let names = paths.iter().take(FILES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(FILES) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// Whether a remote has the commits, as far as local refs tell.
fn pushed(work: &Work) -> String {
    let commits = &work.worked.commits;
    let is_pushed = |commit: &&CommitLine| commit.pushed || work.pushed.contains(&commit.id);
    let count = commits.iter().filter(is_pushed).count();
    match (count, work.worked.on_remotes.as_slice()) {
        (0, _) => "nothing pushed".to_owned(),
        (n, []) if n == commits.len() => "pushed".to_owned(),
        (n, on) if n == commits.len() => format!("pushed to {}", text::list(on)),
        (n, _) => format!("{n} of {} pushed", text::count(commits.len(), "commit")),
    }
}

fn by(whom: &str, commits: &[&CommitLine]) -> Option<String> {
    if commits.is_empty() {
        return None;
    }
    let count = text::count(commits.len(), "commit");
    Some(format!("{count} by {whom}: {}", named(commits)))
}

/// The commits, by the beginning of their ids and their first lines.
pub(super) fn named(commits: &[&CommitLine]) -> String {
    let name = |commit: &&CommitLine| {
        format!("{} {}", short_id(&commit.id), text::truncate(&commit.subject, 50))
    };
    let mut names: Vec<String> = commits.iter().take(COMMITS).map(name).collect();
    let more = commits.len().saturating_sub(COMMITS);
    names.extend((more > 0).then(|| format!("and {more} more")));
    names.join(", ")
}
