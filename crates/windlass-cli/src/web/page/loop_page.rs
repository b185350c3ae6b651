//! The page of one loop: the head that moves, the output, and what is asked for once it is wanted.

use maud::{Markup, html};
use windlass_core::text::sanitise;
use windlass_store::store::IterationRecord;

use super::{
    findings::findings,
    head::{Head, copyable, head},
    timeline::timeline,
};
use crate::report::command::command;

/// How much of a prompt is shown before it is opened.
const PREVIEW: usize = 200;
/// How much of it is sent.
const LONGEST_PROMPT: usize = 16 << 10;

/// The whole page of a loop, with its newest iterations and the prompt that it began with.
pub(super) fn loop_page(now: &Head<'_>, iterations: &[IterationRecord], prompt: &str) -> Markup {
    let record = now.record;
    html! {
        article.page.loop data-page="loop" data-id=(record.id) {
            (head(now))
            div #diff-place {}
            (output())
            (findings(&now.view.ledger))
            (timeline(record, iterations, now.trail.points()))
            (how(record, prompt))
        }
    }
}

fn output() -> Markup {
    html! {
        section #output-panel.panel aria-labelledby="output-title" {
            div.title-row {
                h2 #output-title { "Output" }
                div.buttons {
                    label.switch { input #follow type="checkbox" checked; " Follow" }
                    button #copy-output.quiet type="button" { "Copy" }
                }
            }
            button #earlier.quiet type="button" hidden { "Load earlier lines" }
            div #output.output role="log" aria-live="off" aria-label="Output of the loop" tabindex="0" {}
            p #output-none.faint { "No output yet." }
        }
    }
}

/// What it was started with.
fn how(record: &windlass_store::store::LoopRecord, prompt: &str) -> Markup {
    let command = command(&record.options);
    let prompt = sanitise::text(prompt.trim());
    let shown: String = prompt.chars().take(LONGEST_PROMPT).collect();
    let cut = shown.len() < prompt.len();
    let first: String = shown.chars().take(PREVIEW).collect();
    html! {
        section #how.panel aria-labelledby="how-title" {
            h2 #how-title { "How it was started" }
            @if let Some(command) = command {
                h3 { "Start another like it" }
                (copyable(&command))
            }
            h3 { "Prompt" }
            @if shown.is_empty() {
                p.faint { "This loop has no prompt: windlass writes what its agents are asked." }
            } @else if shown.chars().count() <= PREVIEW {
                pre.prompt { (shown) }
            } @else {
                details #prompt {
                    summary { (first.replace('\n', " ")) "…" }
                    pre.prompt tabindex="0" aria-label="The whole prompt" { (shown) }
                    @if cut { p.faint { "More of it: " code { "windlass show --json" } } }
                }
            }
        }
    }
}
