//! Sessions of those who only read: reviewers, auditors and parsers. What they change is put back, and
//! an answer that came with a change of what was there does not count.

use windlass_core::{
    ending::Ending, event::EventKind, ids::Place, step::HeadMoved, step::RestoreReport,
    step::SessionReport,
};

use super::Course;
use crate::halt::Halt;

/// How many paths a note names.
const NAMED: usize = 5;

/// How many digits of a tree's id people are shown.
const SHOWN: usize = 12;

/// The tree as it was before somebody reads.
#[derive(Debug)]
pub(crate) struct Untouched {
    place: Place,
    /// `None` where there is nothing to compare with.
    tree: Option<String>,
    /// The commit that HEAD was at.
    head: Option<String>,
}

impl Course<'_> {
    /// Calls one who only reads, once more where it changes what was there; then the loop ends.
    pub(crate) async fn ask(
        &mut self,
        place: Place,
        role: &'static str,
        task: Option<&str>,
        prompt: String,
    ) -> Result<SessionReport, Halt> {
        for place in [place.clone(), place.inner("repeated")] {
            let untouched = self.before_reading(place.clone()).await?;
            let session = self.call(place, role, task, prompt.clone()).await?;
            if self.has_only_read(untouched, role).await? {
                return Ok(session);
            }
        }
        Err(has_changed_files(role))
    }

    /// Records the tree before somebody reads at `place`.
    pub(crate) async fn before_reading(&self, place: Place) -> Result<Untouched, Halt> {
        let before = place.inner("before");
        // A session that an earlier version has called was not watched.
        let is_over = self.run.is_done(&place) || self.run.is_past(place.iteration());
        if is_over && !self.run.is_done(&before) {
            return Ok(Untouched { place, tree: None, head: None });
        }
        let seen = self.look(before).await?;
        Ok(Untouched { place, tree: seen.tree(), head: seen.head() })
    }

    /// Puts back what was changed since; says whether what was said counts.
    pub(crate) async fn has_only_read(&self, before: Untouched, who: &str) -> Result<bool, Halt> {
        let Untouched { place, tree: Some(tree), head } = before else { return Ok(true) };
        let after = self.look(place.inner("after")).await?;
        if after.tree().as_ref() == Some(&tree) && after.head() == head {
            return Ok(true);
        }
        let restored = self.run.restore(place.inner("restored"), tree, head).await?;
        if let Some(text) = told(&restored, who) {
            self.run.note(place.iteration(), EventKind::Noted { text });
        }
        let moved = restored.head.is_some();
        Ok(!moved && restored.changed.is_empty() && restored.left.is_empty())
    }
}

/// The ending of a loop whose reader will not keep to reading.
pub(crate) fn has_changed_files(who: &str) -> Halt {
    let reason = format!("the {who} changed files twice, and it is there to read");
    Halt::Ended(Ending::agent_failed(reason))
}

/// What people are told of files that were put back.
fn told(restored: &RestoreReport, who: &str) -> Option<String> {
    let RestoreReport { changed, added, left, kept, head } = restored;
    let kept = kept.get(..SHOWN).unwrap_or(kept);
    let mut told = Vec::new();
    if !changed.is_empty() {
        told.push(format!("{} as before again, and its answer does not count", are(changed)));
    }
    if !added.is_empty() {
        told.push(format!("{} removed", are(added)));
    }
    if !left.is_empty() {
        told.push(format!("could not be put back: {}", left.join(", ")));
    }
    if let Some(HeadMoved { from, to, is_back }) = head {
        let [from, to] = [from, to].map(|id| id.get(..SHOWN).unwrap_or(id));
        told.push(match is_back {
            true => format!("its commit {to} is taken back, and HEAD is at {from} again"),
            false => format!(
                "it moved HEAD from {from} to {to}, which stays so: `git reset --soft {from}` would \
                 undo it"
            ),
        });
    }
    (!told.is_empty()).then(|| {
        let told = told.join("; ");
        let kept = match kept {
            "" => String::new(),
            kept => format!("; what was there is kept as tree {kept}"),
        };
        format!("the {who} changed files, and it is there to read: {told}{kept}")
    })
}

fn are(paths: &[String]) -> String {
    let named = paths.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match paths.len() {
        1 => format!("{named} is"),
        n if n > NAMED => format!("{named} and {} more are", n - NAMED),
        _ => format!("{named} are"),
    }
}
