//! Which findings of a report were known before. Each is matched with at most one known finding,
//! and each known one with at most one of the report: two of the same text are two.

use std::collections::{HashMap, VecDeque};

use super::{super::Finding, Entry, Noticed, Observed, Standing, Status};

/// The known findings that have a key in common, in the order in which they are to be taken.
type Known = HashMap<String, VecDeque<usize>>;

/// Compares a report with what is known: the same text first, then the same file and title; those
/// that are not fixed before those that are; else in order.
pub(super) fn compare(entries: &[Entry], report: Vec<Finding>) -> Observed {
    let mut taken = vec![false; entries.len()];
    let mut matched: Vec<Option<usize>> = vec![None; report.len()];
    match_by(entries, &report, Finding::text_key, &mut taken, &mut matched);
    match_by(entries, &report, Finding::title_key, &mut taken, &mut matched);

    let mut next = entries.iter().map(|entry| entry.number).max().unwrap_or(0);
    let noticed = report.into_iter().zip(matched).map(|(finding, known)| match known {
        Some(at) => {
            let was_fixed = entries[at].status == Status::Fixed;
            let standing = if was_fixed { Standing::Back } else { Standing::Open };
            Noticed { number: entries[at].number, standing, finding }
        }
        None => {
            next += 1;
            Noticed { number: next, standing: Standing::New, finding }
        }
    });
    let noticed = noticed.collect();
    let unmatched = entries.iter().zip(taken).filter(|(_, is_taken)| !is_taken);
    let gone = unmatched.filter(|(entry, _)| entry.status != Status::Fixed);
    Observed { noticed, gone: gone.map(|(entry, _)| entry.number).collect() }
}

fn match_by(
    entries: &[Entry],
    report: &[Finding],
    key: impl Fn(&Finding) -> String,
    taken: &mut [bool],
    matched: &mut [Option<usize>],
) {
    if matched.iter().all(Option::is_some) || taken.iter().all(|is_taken| *is_taken) {
        return;
    }
    let mut known = Known::new();
    for is_fixed in [false, true] {
        for (at, entry) in entries.iter().enumerate() {
            if !taken[at] && (entry.status == Status::Fixed) == is_fixed {
                known.entry(key(&entry.finding)).or_default().push_back(at);
            }
        }
    }
    for (finding, place) in report.iter().zip(matched).filter(|(_, place)| place.is_none()) {
        let found = known.get_mut(&key(finding)).and_then(VecDeque::pop_front);
        if let Some(at) = found {
            taken[at] = true;
            *place = Some(at);
        }
    }
}
