//! The way back: one command, and what it does not restore.

use windlass::{CommitLine, Work};
use windlass_store::store::LoopRecord;

use super::changed::named;
use crate::{
    present::Undo,
    report::{
        ending::{Standing, State},
        words::short_id,
    },
    text,
};

/// How to get the files of before the loop back; `None` while it runs, and where it changed none.
pub(super) fn undo(record: &LoopRecord, standing: &Standing, work: &Work) -> Option<Undo> {
    let changed = work.is_cut_off || !work.worked.changed.is_empty();
    if standing.state == State::Running || !changed {
        return None;
    }
    let command = format!("windlass rollback {} 0", shell_words::quote(&record.name));
    let before = match &work.start {
        Some(start) => format!("the commit before the loop is {}", short_id(start)),
        None => "there was no commit before the loop".to_owned(),
    };
    let commits: Vec<&CommitLine> = work.worked.commits.iter().collect();
    let stays = match commits.len() {
        0 => "no commits were made".to_owned(),
        1 => format!("1 commit stays: {}", named(&commits)),
        n => format!("{} stay: {}", text::count(n, "commit"), named(&commits)),
    };
    let stays =
        format!("restores files, not ignored files, branches or the index; {stays}; {before}");
    Some(Undo { command, stays })
}
