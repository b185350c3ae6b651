//! Finds where a secret may begin, many bytes at a time.

use std::collections::BTreeSet;

use aho_corasick::{
    Span,
    packed::{Config, Searcher},
};

/// Secrets are told apart by so many bytes first.
const HEAD: usize = 4;

/// So many beginnings are looked for together: more would be too many for the fast way.
const TOGETHER: usize = 64;

/// So much is looked through for one group of beginnings before the next one's turn.
const WINDOW: usize = 4096;

/// The beginnings of what is looked for, in groups.
pub(super) struct Heads(Vec<Searcher>);

impl Heads {
    /// Those of these texts, none of which is empty.
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Self {
        let heads: BTreeSet<&[u8]> = texts.map(|text| &text[..text.len().min(HEAD)]).collect();
        let heads: Vec<&[u8]> = heads.into_iter().collect();
        Self(heads.chunks(TOGETHER).filter_map(searcher).collect())
    }

    /// The first place from `from` on where one begins.
    pub(super) fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        if let [all] = self.0.as_slice() {
            return all.find_in(text, Span::from(from..text.len())).map(|found| found.start());
        }
        let mut from = from;
        while from < text.len() {
            let end = text.len().min(from + WINDOW);
            let seen = Span::from(from..text.len().min(end + HEAD - 1));
            let starts = self.0.iter().filter_map(|group| group.find_in(text, seen));
            if let Some(first) = starts.map(|found| found.start()).min().filter(|at| *at < end) {
                return Some(first);
            }
            from = end;
        }
        None
    }
}

fn searcher(heads: &[&[u8]]) -> Option<Searcher> {
    let fast = Config::new().builder().extend(heads).build();
    // Where the processor has no such way there is one that every processor has.
    fast.or_else(|| Config::new().only_rabin_karp(true).builder().extend(heads).build())
}
