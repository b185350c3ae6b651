//! How far a loop came: a bar of what is done where that can be counted, and the same in words. The
//! iterations used are only told in words.

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
    shown(record, tasks)
}

/// The bar and the words of a loop whose events are known.
pub(super) fn progress(record: &LoopRecord, view: &LoopView) -> Markup {
    shown(record, progress::of(view))
}

fn shown(record: &LoopRecord, done: Option<(Done, String)>) -> Markup {
    html! {
        div.progress {
            @if let Some((bar, words)) = done {
                @let words = format!("{words} · {} %", bar.percent());
                progress value=(bar.done) max=(bar.of) aria-label=(words) {}
                span { (words) }
            }
            span { (words(record.iteration, record.max_iterations)) }
        }
    }
}

/// Which iteration it is in.
fn words(iteration: u32, max: u32) -> String {
    match (iteration, max) {
        (0, 0) => "before the first iteration".to_owned(),
        (n, 0) => format!("Iteration {n}, no limit"),
        (n, max) => format!("Iteration {n} of at most {max}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_told_without_a_percentage() {
        assert_eq!(words(3, 10), "Iteration 3 of at most 10");
        assert_eq!(words(0, 20), "Iteration 0 of at most 20");
        assert_eq!(words(4, 0), "Iteration 4, no limit");
    }
}
