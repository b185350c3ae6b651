//! What is audited, set against the head of the pull request: only the head can be approved.

use serde::{Deserialize, Serialize};
use windlass_core::event::EventKind;
use windlass_repo::tree::{CONFIG_FILE, REVIEW_FILE};

use super::{Options, pulled::Pulled};
use crate::{
    course::Course,
    halt::Halt,
    run::{Run, Seen},
};

/// How many paths are named.
const NAMED: usize = 3;

/// The tree that an earlier loop on a head has left, with its fixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierFixes {
    /// The head of the pull request then.
    pub head: String,
    /// The tree.
    pub tree: String,
}

/// What is audited, set against the head of the pull request.
pub(super) struct Basis {
    /// The tree at the loop's start.
    pub(super) tree: Option<String>,
    /// Whether the commits here follow the head of the pull request, so that they may be pushed.
    pub(super) is_on_head: bool,
    /// Whether fixes of an earlier loop are there already.
    pub(super) goes_on: bool,
    /// Why what is audited is not the head, where it is not.
    pub(super) differs: Option<String>,
    /// Paths that stay out of commits.
    pub(super) spare: Vec<String>,
}

impl Basis {
    /// Looks what is here. A loop that fixes needs the head, checked out and clean.
    pub(super) fn of(
        run: &Run<'_>,
        options: &Options,
        pulled: &Pulled,
        course: &Course<'_>,
        here: &Seen,
    ) -> Result<Self, Halt> {
        let is_own = |path: &&String| {
            **path == options.task_list || [REVIEW_FILE, CONFIG_FILE].contains(&path.as_str())
        };
        let (own, dirty): (Vec<&String>, Vec<&String>) = course.dirty().iter().partition(is_own);
        let tree = here.tree();
        let all = course.dirty().to_vec();
        let Some(pull) = &pulled.pull else {
            return Ok(Self { tree, is_on_head: false, goes_on: false, differs: None, spare: all });
        };
        let head = here.head();
        let is_at_head = head.is_some_and(|head| head.eq_ignore_ascii_case(&pull.head_sha));
        let goes_on = !(is_at_head && dirty.is_empty())
            && options.earlier.iter().any(|earlier| {
                earlier.head == pull.head_sha && Some(&earlier.tree) == tree.as_ref()
            });
        if goes_on || (is_at_head && dirty.is_empty()) {
            let spare = own.into_iter().cloned().collect();
            return Ok(Self { tree, is_on_head: true, goes_on, differs: None, spare });
        }
        let differs = match is_at_head {
            true => not_committed(&dirty),
            false => pulled.differs_from(here.head().as_deref()),
        };
        if options.looped && !options.dirty && !run.is_past(0) {
            let message = format!(
                "{differs}: check out the head of the pull request, with nothing uncommitted, or \
                 say `--dirty`, and then nothing is approved"
            );
            return Err(Halt::Failed { message, code: 2 });
        }
        let text = format!("{differs}: what is here is audited");
        run.note(0, EventKind::Noted { text });
        Ok(Self { tree, is_on_head: is_at_head, goes_on, differs: Some(differs), spare: all })
    }
}

fn not_committed(dirty: &[&String]) -> String {
    let named: Vec<&str> = dirty.iter().take(NAMED).map(|path| path.as_str()).collect();
    let more = dirty.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("not all that is here is committed ({}{more})", named.join(", "))
}
