//! The ledger of findings: what reviews found, where, and what became of each.

use maud::{Markup, html};
use windlass_core::{
    findings::{Entry, Ledger, Severity, Status},
    text::sanitise,
};

use crate::{report::summary, text};

/// How many findings are shown.
const MOST: usize = 300;

/// The ledger of a loop; nothing where no review was read.
pub(super) fn findings(ledger: &Ledger) -> Markup {
    let reports = ledger.trajectory();
    let counts = ledger.counts();
    let entries = ledger.entries();
    html! {
        section #findings.panel data-region hidden[reports.is_empty()] aria-labelledby="findings-title" {
            div.title-row {
                h2 #findings-title { "Findings" }
                p.faint {
                    (text::count(counts.total, "finding")) ": " (counts.open) " open, " (counts.fixed) " fixed, "
                    (counts.skipped) " skipped · by review: " (summary::trajectory(&reports))
                }
            }
            @if !entries.is_empty() {
                div.scroll {
                    table.findings {
                        caption.unseen { "What reviews found, and what became of it" }
                        thead { tr {
                            th scope="col" { "No." }
                            th scope="col" { "Status" }
                            th scope="col" { "Severity" }
                            th scope="col" { "Where" }
                            th scope="col" { "What" }
                        } }
                        tbody { @for entry in entries.iter().take(MOST) { (row(entry)) } }
                    }
                }
                @if entries.len() > MOST {
                    p.faint { "and " (entries.len() - MOST) " more: " code { "windlass findings" } " has them all." }
                }
            }
        }
    }
}

fn row(entry: &Entry) -> Markup {
    let finding = &entry.finding;
    let (tone, sign, word) = match entry.status {
        Status::Fixed => ("good", "✓", "fixed"),
        Status::Skipped => ("warn", "–", "skipped"),
        Status::Open if entry.standing.word() == "back" => ("bad", "↺", "back"),
        Status::Open if entry.standing.word() == "new" => ("bad", "＋", "new"),
        Status::Open => ("bad", "○", "open"),
    };
    let (severity, dots) = match finding.severity {
        Severity::High => ("high", "●●●"),
        Severity::Medium => ("medium", "●●○"),
        Severity::Low => ("low", "●○○"),
    };
    let place = finding.place().unwrap_or_else(|| "no file named".to_owned());
    let description = finding.description.trim();
    let has_more = !description.is_empty() || finding.suggestion.is_some();
    html! {
        tr {
            td { (entry.number) }
            td data-label="Status" { span class={ "tag " (tone) } { span aria-hidden="true" { (sign) } " " (word) } }
            td data-label="Severity" { span class={ "severity " (severity) } { span aria-hidden="true" { (dots) } " " (severity) } }
            td.where data-label="Where" { (sanitise::line(&place)) }
            td data-label="What" {
                @if has_more {
                    details id={ "finding-" (entry.number) } {
                        summary { (sanitise::line(&finding.title)) }
                        @if !description.is_empty() { p.prose { (sanitise::text(description)) } }
                        @if let Some(suggestion) = &finding.suggestion {
                            p.prose { strong { "Suggested: " } (sanitise::text(suggestion)) }
                        }
                    }
                } @else { (sanitise::line(&finding.title)) }
                @if let Some(reason) = &entry.reason { p.faint { (sanitise::line(reason)) } }
                @if entry.times_back > 0 { p.faint { "came back " (text::count(entry.times_back, "time")) } }
            }
        }
    }
}
