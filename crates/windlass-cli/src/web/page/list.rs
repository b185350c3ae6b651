//! All loops in a table, newest first: what each is for, how it stands, and what it took.

use maud::{Markup, html};
use windlass_core::{said::Usage, text::sanitise, time::Timestamp};
use windlass_store::store::LoopRecord;

use super::{
    head::{moment, task, title},
    progress::of_record,
    sign::{ending, sign},
};
use crate::{
    present::chart::sparkline,
    report::{
        ending::{Standing, State},
        summary,
    },
    text,
};

/// How many loops are shown; those that have not ended always are.
pub(super) const MOST: usize = 200;

/// The table of all loops, of which there are `all`.
pub(super) fn list(loops: &[(LoopRecord, Standing)], all: u64, now: Timestamp) -> Markup {
    let running = loops.iter().filter(|(_, one)| one.state == State::Running).count();
    html! {
        section.page data-page="loops" data-title="Loops" {
            div.title-row {
                h1 { "Loops" }
                p.faint {
                    (text::count(all, "loop")) ", "
                    @match running { 0 => "none running", n => (format!("{n} running")) }
                }
            }
            @if loops.is_empty() {
                (nothing())
            } @else {
                p.filter {
                    label for="filter" { "Filter" }
                    input #filter type="search" placeholder="task, name, agent, status" autocomplete="off" spellcheck="false";
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
            p { "No loops yet." }
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
                        th scope="col" { "Loop" }
                        th scope="col" { "Status" }
                        th scope="col" { "Cost" }
                        th scope="col" { "When" }
                        th scope="col" { "Directory" }
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
    let (when, at) = moment(record, standing);
    let spend = summary::spend_told(record);
    html! {
        tr class=(sign(standing).tone) {
            th scope="row" {
                a href={ "/loops/" (record.id) } { (title(record)) }
                p.faint {
                    @if task(record).is_some() { (standing.name) " · " }
                    (sanitise::line(&record.kind)) " · " (sanitise::line(&record.agent))
                }
            }
            td.how data-label="Status" {
                (ending(record, standing))
                (of_record(record))
                @if record.trajectory.len() > 1 {
                    (sparkline(&record.trajectory, &format!("findings by review: {}", summary::trajectory(&record.trajectory))))
                }
            }
            td.short data-label="Cost" title={ "cost: " (spend) } {
                (cost(record.usage))
            }
            td.short data-label="When" {
                (when) " "
                time datetime=(at) title=(text::local_time(at)) { (text::ago(at, now)) }
            }
            td.where data-label="Directory" { (sanitise::line(&directory)) }
        }
    }
}

/// The one figure that says most: money, else tokens.
fn cost(usage: Usage) -> String {
    match (usage.cost_usd, usage.input_tokens.saturating_add(usage.output_tokens)) {
        (Some(money), _) => text::money(money),
        (None, 0) => "–".to_owned(),
        (None, tokens) => format!("{} tokens", text::short(tokens)),
    }
}
