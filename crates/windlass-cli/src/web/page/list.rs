//! All loops in a table, newest first: how each stands, how far it came, and what it took.

use maud::{Markup, html};
use windlass_core::{said::Usage, text::sanitise, time::Timestamp};
use windlass_store::store::LoopRecord;

use super::{
    progress::of_record,
    sign::{badge, sign},
};
use crate::{
    present::chart::sparkline,
    report::{
        ending::{Standing, State},
        summary,
    },
    text,
};

/// So many loops are shown; those that have not ended always are.
pub(super) const MOST: usize = 200;

/// The table of all loops, of which there are `all`.
pub(super) fn list(loops: &[(LoopRecord, Standing)], all: u64, now: Timestamp) -> Markup {
    let running = loops.iter().filter(|(_, one)| one.state == State::Running).count();
    html! {
        section.page data-page="loops" data-title="Loops" {
            div.title-row {
                h1 { "Loops" }
                p.faint {
                    @match running { 0 => "nothing runs", n => (format!("{n} running")) }
                    ", " (all) " in all"
                }
            }
            @if loops.is_empty() {
                (nothing())
            } @else {
                p.filter {
                    label for="filter" { "Filter" }
                    input #filter type="search" placeholder="name, agent, directory, state" autocomplete="off" spellcheck="false";
                }
                (table(loops, now))
                p #filter-none.faint hidden { "No loop matches the filter." }
                @let shown = u64::try_from(loops.len()).unwrap_or(u64::MAX);
                @if shown < all {
                    p.faint { "The newest " (shown) " of " (all) ". " code { "windlass list" } " has them all." }
                }
            }
        }
    }
}

fn nothing() -> Markup {
    html! {
        div.empty {
            p { "There is no loop yet." }
            p { "Start one " a href="/#start" { "from here" } ", or at a terminal:" }
            pre.command { "windlass demo" }
        }
    }
}

fn table(loops: &[(LoopRecord, Standing)], now: Timestamp) -> Markup {
    html! {
        div.scroll {
            table.loops {
                caption.unseen { "All loops, newest first" }
                thead {
                    tr {
                        th scope="col" { "State" }
                        th scope="col" { "Loop" }
                        th scope="col" { "Where" }
                        th scope="col" { "Progress" }
                        th scope="col" { "Spend" }
                        th scope="col" { "Started" }
                        th scope="col" { "How it stands" }
                    }
                }
                tbody #loops {
                    @for (record, standing) in loops { (row(record, standing, now)) }
                }
            }
        }
    }
}

fn row(record: &LoopRecord, standing: &Standing, now: Timestamp) -> Markup {
    let directory = record.worktree.as_ref().unwrap_or(&record.directory).display().to_string();
    let directory = sanitise::line(&directory);
    html! {
        tr class=(sign(standing).tone) {
            td { (badge(standing)) }
            th scope="row" {
                a href={ "/loops/" (record.id) } { (standing.name) }
                span.faint { (sanitise::line(&record.kind)) " · " (sanitise::line(&record.agent)) }
            }
            td.where data-label="Where" { (directory) }
            td data-label="Progress" {
                (of_record(record))
                @if record.trajectory.len() > 1 {
                    (sparkline(&record.trajectory, &format!("findings by review: {}", summary::trajectory(&record.trajectory))))
                }
            }
            td.short data-label="Spend" title=[summary::spend(record.usage)] { (spend(record.usage)) }
            td.short data-label="Started" {
                time datetime=(record.started_at) title=(text::local_time(record.started_at)) {
                    (text::ago(record.started_at, now))
                }
            }
            td.how data-label="How it stands" { (standing.sentence()) }
        }
    }
}

/// The one figure that says most: money, else tokens.
fn spend(usage: Usage) -> String {
    match (usage.cost_usd, usage.input_tokens.saturating_add(usage.output_tokens)) {
        (Some(money), _) => text::money(money),
        (None, 0) => "not told".to_owned(),
        (None, tokens) => format!("{} tokens", text::short(tokens)),
    }
}
