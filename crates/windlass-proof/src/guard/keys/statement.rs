//! Files that are a sequence of statements, of which some are guarded: the guarded ones of the original
//! in their order, and all others of the current file where they stand.

use std::collections::{BTreeMap, HashMap};

use super::Difference;

/// A piece of a file. All pieces one after the other are the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    pub text: &'a str,
    /// As people would name it: `the variable CC`.
    pub label: String,
    pub is_guarded: bool,
    /// Whether it could be what is run if nothing is asked for.
    pub is_rule: bool,
}

impl<'a> Statement<'a> {
    /// The text without the line breaks at its end. A tab there may be an empty recipe.
    fn content(&self) -> &'a str {
        self.text.trim_end_matches(['\n', '\r'])
    }
}

/// The statements of a file before and now.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    pub original: Vec<Statement<'a>>,
    pub current: Vec<Statement<'a>>,
    /// Whether the first rule has to stay the first: it is what a check runs.
    pub keeps_first: bool,
    /// Whether a statement that ends like this goes on in the next line.
    pub is_continued: fn(&str) -> bool,
}

impl<'a> Pair<'a> {
    pub(super) fn differences(&self) -> Vec<Difference> {
        let (before, now) = (by_label(&self.original), by_label(&self.current));
        let labels = before.keys().chain(now.keys().filter(|label| !before.contains_key(*label)));
        let mut found: Vec<Difference> = labels
            .filter_map(|label| Difference::between(*label, before.get(label), now.get(label)))
            .collect();
        let order =
            |statements: &[Statement<'a>]| -> Vec<&'a str> { guarded(statements).collect() };
        if found.is_empty() {
            let (before, now) = (order(&self.original), order(&self.current));
            found.extend(Difference::between("the order", Some(&before), Some(&now)));
        }
        if self.keeps_first {
            let first = |statements: &[Statement<'_>]| {
                statements.iter().find(|it| it.is_rule).map(|it| it.label.clone())
            };
            let (before, now) = (first(&self.original), first(&self.current));
            let now = now.as_ref().filter(|_| before.is_some());
            found.extend(Difference::between("what is run first", before.as_ref(), now));
        }
        found
    }

    pub(super) fn restored(&self) -> String {
        let guarded: Vec<&Statement<'a>> =
            self.original.iter().filter(|it| it.is_guarded).collect();
        let (mut same, mut alike) = (Places::default(), Places::default());
        for (at, statement) in guarded.iter().enumerate() {
            same.add(statement.content(), at);
            alike.add(&statement.label, at);
        }
        let first = guarded.iter().position(|it| it.is_rule).filter(|_| self.keeps_first);
        let mut out = Restored { text: String::new(), is_continued: self.is_continued };
        // The originals before this one are written.
        let mut next = 0;
        for statement in &self.current {
            if !statement.is_guarded {
                // Nothing that the agent wrote may come before what is run by default.
                let first = first.filter(|first| statement.is_rule && *first >= next);
                if let Some(first) = first {
                    guarded[next..=first].iter().for_each(|it| out.push(it.text));
                    next = first + 1;
                }
                out.push(statement.text);
            } else if let Some(at) = same.after(statement.content(), next) {
                guarded[next..at].iter().for_each(|it| out.push(it.text));
                out.push(statement.text);
                next = at + 1;
            } else if let Some(at) = alike.after(&statement.label, next) {
                guarded[next..=at].iter().for_each(|it| out.push(it.text));
                next = at + 1;
            }
        }
        guarded[next..].iter().for_each(|it| out.push(it.text));
        out.text
    }
}

/// Where something stands among the guarded statements of the original, in order.
#[derive(Default)]
struct Places<'b>(HashMap<&'b str, Vec<usize>>);

impl<'b> Places<'b> {
    fn add(&mut self, key: &'b str, at: usize) {
        self.0.entry(key).or_default().push(at);
    }

    fn after(&self, key: &str, next: usize) -> Option<usize> {
        let places = self.0.get(key)?;
        places.get(places.partition_point(|place| *place < next)).copied()
    }
}

struct Restored {
    text: String,
    is_continued: fn(&str) -> bool,
}

impl Restored {
    fn push(&mut self, statement: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        if (self.is_continued)(&self.text) {
            self.text.push('\n');
        }
        self.text.push_str(statement);
    }
}

fn guarded<'a>(statements: &[Statement<'a>]) -> impl Iterator<Item = &'a str> {
    statements.iter().filter(|it| it.is_guarded).map(|it| it.content())
}

fn by_label<'b>(statements: &'b [Statement<'_>]) -> BTreeMap<&'b str, Vec<&'b str>> {
    let mut by_label: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for statement in statements.iter().filter(|it| it.is_guarded) {
        by_label.entry(&statement.label).or_default().push(statement.content());
    }
    by_label
}
