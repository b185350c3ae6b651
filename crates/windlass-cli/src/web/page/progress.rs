//! How far a loop came: a bar of what is done where that can be counted, and the same in words.

use maud::{Markup, html};
use windlass_core::view::LoopView;
use windlass_store::store::LoopRecord;

use crate::report::{
    progress::{self, Done},
    summary,
};

/// The bar and the words of a loop in a list, of which only its row is known.
pub(super) fn of_record(record: &LoopRecord) -> Markup {
    let tasks = record.tasks.and_then(|tasks| {
        let of = u64::from(tasks.open) + u64::from(tasks.done);
        let bar = (of > 0).then_some(Done { done: tasks.done.into(), of })?;
        Some((bar, summary::tasks(tasks.open, tasks.done)))
    });
    shown(tasks)
}

/// The bar and the words of a loop whose events are known.
pub(super) fn progress(view: &LoopView) -> Markup {
    shown(progress::of(view))
}

fn shown(done: Option<(Done, String)>) -> Markup {
    html! {
        @if let Some((bar, words)) = done {
            @let words = format!("{words} · {} %", bar.percent());
            div.progress {
                progress value=(bar.done) max=(bar.of) aria-label=(words) {}
                span { (words) }
            }
        }
    }
}
