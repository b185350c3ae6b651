//! Groups of findings that are the same two by two. The surest likeness goes first, so which group
//! a finding ends up in does not hang on the order of the reports.

use std::collections::HashSet;

use super::{Told, alike::Likeness};

/// Two findings that may be the same, by their places in the list.
type Pair = (usize, usize);

/// The groups of the findings of one file: each finding is in exactly one, and no group has two
/// of one auditor, nor two that are not the same.
pub(super) fn of<'t, 'a>(mut told: Vec<&'t Told<'a>>) -> Vec<Vec<&'t Told<'a>>> {
    // Stable, so that those of one line stay in the order of their auditors.
    told.sort_by_key(|one| one.meaning.line());
    let mut pairs = pairs(&told);
    pairs.sort_by_key(|(likeness, pair)| (std::cmp::Reverse(*likeness), *pair));
    let same: HashSet<Pair> = pairs.iter().map(|(_, pair)| *pair).collect();
    let mut groups: Vec<Vec<usize>> = (0..told.len()).map(|at| vec![at]).collect();
    let mut group_of: Vec<usize> = (0..told.len()).collect();
    for (_, (one, other)) in pairs {
        let (into, from) = (group_of[one], group_of[other]);
        let crossing = || groups[into].iter().flat_map(|a| groups[from].iter().map(|b| (*a, *b)));
        if into != from && crossing().all(|(a, b)| same.contains(&(a.min(b), a.max(b)))) {
            let moved = std::mem::take(&mut groups[from]);
            moved.iter().for_each(|at| group_of[*at] = into);
            groups[into].extend(moved);
        }
    }
    groups.retain(|group| !group.is_empty());
    groups.iter().map(|group| group.iter().map(|at| told[*at]).collect()).collect()
}

/// All pairs of findings of different auditors that are the same, in a list that is sorted by line.
fn pairs(told: &[&Told<'_>]) -> Vec<(Likeness, Pair)> {
    let mut pairs = Vec::new();
    for (one, first) in told.iter().enumerate() {
        for (other, second) in told.iter().enumerate().skip(one + 1) {
            if second.meaning.line().is_some_and(|line| first.meaning.is_far_above(line)) {
                break;
            }
            if first.auditor != second.auditor
                && let Some(likeness) = first.meaning.likeness(&second.meaning)
            {
                pairs.push((likeness, (one, other)));
            }
        }
    }
    pairs
}
