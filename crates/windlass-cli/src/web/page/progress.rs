//! How far a loop came: a bar, and the same in words beside it.

use maud::{Markup, html};
use windlass_store::store::LoopRecord;

/// The bar and `Iteration 3 of 10 · 30 %`; only the words where there is no limit.
pub(super) fn progress(record: &LoopRecord) -> Markup {
    let words = words(record.iteration, record.max_iterations);
    html! {
        div.progress {
            @if record.max_iterations > 0 {
                progress value=(record.iteration.min(record.max_iterations)) max=(record.max_iterations) aria-label=(words) {}
            }
            span { (words) }
        }
    }
}

/// The same in words.
pub(super) fn words(iteration: u32, max: u32) -> String {
    match (iteration, max) {
        (0, 0) => "before the first iteration".to_owned(),
        (n, 0) => format!("Iteration {n}, no limit"),
        (n, max) => {
            let percent = u64::from(n.min(max)) * 100 / u64::from(max);
            format!("Iteration {n} of {max} · {percent} %")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_words() {
        assert_eq!(words(3, 10), "Iteration 3 of 10 · 30 %");
        assert_eq!(words(0, 20), "Iteration 0 of 20 · 0 %");
        assert_eq!(words(7, 5), "Iteration 7 of 5 · 100 %");
        assert_eq!(words(4, 0), "Iteration 4, no limit");
    }
}
