//! The figures in an output: numbers that may tell how far the work is, such as the 7 of `7 tests left`.

use std::collections::HashMap;

use super::{
    Figure, labels,
    tokens::{self, Kind, Token},
};
use crate::text::{
    output_line::{self, Paths},
    stamps::is_calendar,
};

/// So many figures are kept, those nearest to the end.
const MOST: usize = 20;

/// So many characters are kept of the line.
const LONGEST_KEY: usize = 60;

/// Figures stand in lines that people read.
const LONGEST_LINE: usize = 500;

/// No number of calls, rows or bytes that says something is as large; seconds since 1970 are.
const LARGEST: f64 = 1e9;

/// Collects figures line by line, the last one first.
#[derive(Debug, Default)]
pub(super) struct Figures {
    found: Vec<Figure>,
    /// Where each is, and whether there are two of the same name.
    places: HashMap<String, Option<usize>>,
}

impl Figures {
    /// Takes a line that is safe to show.
    pub(super) fn line(&mut self, line: &str) {
        if line.len() > LONGEST_LINE || !line.bytes().any(|byte| byte.is_ascii_digit()) {
            return;
        }
        let values = values(line);
        if values.is_empty() {
            return;
        }
        let mut shape = String::new();
        output_line::push(line, Paths::Kept, &mut shape);
        let shape: String = shape.chars().take(LONGEST_KEY).collect();
        for (nth, value) in values.into_iter().enumerate().rev() {
            let of = if nth == 0 { shape.clone() } else { format!("{shape} ({})", nth + 1) };
            self.add(Figure { of, value });
        }
    }

    /// Those nearest to the end of those whose name is theirs alone, in the order of the output.
    pub(super) fn finish(self) -> Vec<Figure> {
        let Self { found, places } = self;
        let mut single: Vec<usize> = places.into_values().flatten().collect();
        single.sort_unstable();
        single.truncate(MOST);
        single.iter().rev().map(|&at| found[at].clone()).collect()
    }

    fn add(&mut self, figure: Figure) {
        match self.places.get_mut(&figure.of) {
            Some(place) => *place = None,
            None => {
                self.places.insert(figure.of.clone(), Some(self.found.len()));
                self.found.push(figure);
            }
        }
    }
}

/// The figures of a line, in order.
fn values(line: &str) -> Vec<f64> {
    if quotes_source(line) || has_bar(line) {
        return Vec::new();
    }
    let tokens = tokens::of(line);
    let has_date = tokens.iter().any(|token| match token.kind {
        Kind::Word(word) => is_calendar(word),
        _ => false,
    });
    let figures = tokens.iter().enumerate().filter_map(|(at, token)| match token.kind {
        Kind::Number { value, is_whole } if value.abs() < LARGEST => {
            let is_date = is_whole && is_date(value, has_date);
            (!is_date && !Around { tokens: &tokens, at }.speaks_against()).then_some(value)
        }
        _ => None,
    });
    figures.collect()
}

/// Whether a line shows code, with its number or a mark before it: `12 | let x = 5;`, `>   assert f(3) == 7`.
fn quotes_source(line: &str) -> bool {
    let text = line.trim_start().trim_start_matches('>').trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < text.len() && rest.trim_start().starts_with(['|', '│']);
    is_numbered || line.starts_with(">   ")
}

/// Whether a line has a bar that grows while something runs, which tells how far that is and not the work.
fn has_bar(line: &str) -> bool {
    let is_bar = |text: &str| {
        let inside = text.split_once(']').map_or("", |(inside, _)| inside);
        inside.len() >= 4 && inside.chars().all(|c| "#=->*. ".contains(c))
    };
    line.contains(|c| matches!(c, '\u{2588}'..='\u{258f}')) || line.split('[').skip(1).any(is_bar)
}

/// A day such as 20261115, or a year next to a month or a day of the week.
fn is_date(value: f64, has_date: bool) -> bool {
    let (month, day) = ((value / 100.0).floor() % 100.0, value % 100.0);
    let is_day = (19_000_101.0..=21_001_231.0).contains(&value)
        && (1.0..=12.0).contains(&month)
        && (1.0..=31.0).contains(&day);
    is_day || has_date && (1970.0..=2100.0).contains(&value)
}

/// A number, and what stands around it.
struct Around<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

impl<'a> Around<'a> {
    /// Whether what stands next to the number says that it is no figure.
    fn speaks_against(&self) -> bool {
        let label = self.label();
        let is_named = label.is_some_and(|(_, after)| !after.is_empty());
        let is_counter = label.is_some_and(|(word, after)| {
            let is_apart = after.contains(':') || self.token().before.contains(['(', '[', '{']);
            labels::counts_before(word) && !(is_apart && self.noun().is_some())
        });
        is_counter
            || self.noun().is_some_and(labels::counts_after)
            || self.numbers_a_line()
            || !is_named && self.is_next_to_a_time()
    }

    /// The word that leads to the number, with the mark between.
    fn label(&self) -> Option<(&'a str, &'a str)> {
        let mut at = self.at;
        let mut mark = "";
        loop {
            let before = self.tokens[..at].last()?;
            at -= 1;
            mark = if mark.is_empty() { before.after } else { mark };
            match before.kind {
                Kind::Word(word) if labels::leads(word) || is_quoted(before) => (),
                _ if before.after.contains([',', ';', '.', '!', '?', ')', ']']) => return None,
                Kind::Word(word) => return Some((word, mark)),
                // The whole of `attempt 3 of 10` is named as its part, and a row of numbers as the first.
                Kind::Of | Kind::Number { .. } => (),
                Kind::Time | Kind::Other => return None,
            }
        }
    }

    /// The word that says what the number counts.
    fn noun(&self) -> Option<&'a str> {
        let mut at = self.at;
        while !ends(&self.tokens[at]) {
            at += 1;
            match self.tokens.get(at)?.kind {
                Kind::Word("more" | "other" | "out" | "total") => (),
                Kind::Of | Kind::Number { .. } => (),
                Kind::Word(word) => return Some(word),
                Kind::Time | Kind::Other => return None,
            }
        }
        None
    }

    fn token(&self) -> &'a Token<'a> {
        &self.tokens[self.at]
    }

    /// Whether it is the number of the line, as in `3) adds`, or a time since the start, as in `[ 3.12] adds`.
    fn numbers_a_line(&self) -> bool {
        let token = self.token();
        self.at == 0 && self.tokens.len() > 1 && token.after.starts_with([')', ']', '.', ':'])
    }

    /// Whether it is a column next to one of times, which holds how often something ran.
    fn is_next_to_a_time(&self) -> bool {
        let token = self.token();
        let next = self.tokens.get(self.at + 1);
        let before = self.tokens[..self.at].last();
        next.is_some_and(|next| {
            next.kind == Kind::Time && token.after.is_empty() && next.before.is_empty()
        }) || before.is_some_and(|before| {
            before.kind == Kind::Time
                && before.after.is_empty()
                && token.before.is_empty()
                && next.is_none()
        })
    }
}

/// Whether it is a name that something has, and no label: the `adds` of `thread 'adds' (12)`.
fn is_quoted(token: &Token<'_>) -> bool {
    token.before.ends_with(['\'', '"', '`']) && !token.after.contains([':', '='])
}

/// Whether a clause ends after a token.
fn ends(token: &Token<'_>) -> bool {
    token.after.contains([',', ';', '.', '!', '?', ')', ']'])
}
