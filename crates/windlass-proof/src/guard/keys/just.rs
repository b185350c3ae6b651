//! Justfiles: a recipe that nothing guarded leads to is the agent's; settings, variables, aliases, imports
//! and all else are guarded.

use super::{
    Unreadable,
    reach::{Reach, Rule},
    statement::{Pair, Statement},
};
use crate::guard::calls::Builder;

pub(super) fn pair<'a>(
    original: &'a str,
    current: &'a str,
    goals: &[String],
) -> Result<Pair<'a>, Unreadable> {
    let (before, now) = (pieces(original)?, pieces(current)?);
    let reach = reach(&before, goals);
    Ok(Pair {
        original: before.iter().map(|piece| piece.statement(&reach)).collect(),
        current: now.iter().map(|piece| piece.statement(&reach)).collect(),
        keeps_first: goals.iter().any(|goal| goal.is_empty() || goal == "*"),
        is_continued: |_| false,
    })
}

/// The recipes that the goals lead to.
pub(super) fn recipes(text: &str, goals: &[String]) -> Vec<String> {
    let Ok(pieces) = pieces(text) else { return Vec::new() };
    let reach = reach(&pieces, goals);
    let rules = pieces.into_iter().filter_map(|piece| match piece.what {
        What::Recipe(rule) if reach.has(&rule) => Some(rule.recipe),
        _ => None,
    });
    rules.collect()
}

fn reach(pieces: &[Piece<'_>], goals: &[String]) -> Reach {
    // `mod::recipe` is in another file, by way of this one.
    if goals.iter().any(|goal| goal == "*" || goal.contains("::")) {
        return Reach::all();
    }
    let mut reach = Reach::default();
    let mut default = None;
    for piece in pieces {
        match &piece.what {
            What::Recipe(rule) => {
                default = default.or_else(|| rule.targets.first().cloned());
                reach.add(rule, Builder::Just);
            }
            What::Alias(rule) => reach.add(rule, Builder::Just),
            What::Other(_) | What::Nothing => (),
        }
    }
    let goals = goals.iter().filter_map(|goal| match goal.as_str() {
        "" => default.clone(),
        goal => Some(goal.to_owned()),
    });
    reach.follow(goals.collect())
}

struct Piece<'a> {
    text: &'a str,
    what: What,
}

enum What {
    Recipe(Rule),
    Alias(Rule),
    /// Guarded, by this name.
    Other(String),
    /// Empty lines and comments.
    Nothing,
}

impl<'a> Piece<'a> {
    fn statement(&self, reach: &Reach) -> Statement<'a> {
        let (label, is_guarded, is_rule) = match &self.what {
            What::Recipe(rule) => {
                (format!("the recipe {}", rule.targets.join(" ")), reach.has(rule), true)
            }
            What::Alias(rule) => (format!("the alias {}", rule.targets.join(" ")), true, false),
            What::Other(label) => (label.clone(), true, false),
            What::Nothing => (String::new(), false, false),
        };
        Statement { text: self.text, label, is_guarded, is_rule }
    }
}

/// The pieces of a justfile. Attributes belong to the recipe after them.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, Unreadable> {
    let mut pieces = Vec::new();
    let (mut at, mut start) = (0, 0);
    let mut has_attributes = false;
    while at < text.len() {
        let end = line_end(text, at)?;
        let line = &text[at..end];
        let is_attribute = line.starts_with('[');
        let is_nothing = line.trim().is_empty() || line.starts_with('#');
        at = end;
        if is_attribute || (is_nothing && has_attributes) {
            has_attributes |= is_attribute;
            continue;
        }
        let mut what = if is_nothing { What::Nothing } else { read(line) };
        if let What::Recipe(rule) = &mut what {
            let body = body_end(text, at);
            rule.recipe.push_str(&text[at..body]);
            // `[default]` and the like say more than the recipe does.
            rule.is_plain &= !has_attributes;
            at = body;
        }
        pieces.push(Piece { text: &text[start..at], what });
        (start, has_attributes) = (at, false);
    }
    if start < at {
        pieces.push(Piece { text: &text[start..at], what: What::Other("attributes".to_owned()) });
    }
    Ok(pieces)
}

/// Where a line ends that is none of a body: strings and brackets may hold line breaks.
fn line_end(text: &str, start: usize) -> Result<usize, Unreadable> {
    let mut depth = 0_usize;
    let mut at = start;
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' if depth == 0 => return Ok(at + 1),
            b'\\' => at += 1,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' => {
                let rest = text[at..].find('\n').unwrap_or(text.len() - at);
                at += rest;
                continue;
            }
            quote @ (b'\'' | b'"' | b'`') => {
                at = string_end(text, at, *quote)?;
                continue;
            }
            _ => (),
        }
        at += 1;
    }
    match depth {
        0 => Ok(text.len()),
        _ => Err(Unreadable::new("a bracket is not closed")),
    }
}

/// Where a string ends that begins here.
fn string_end(text: &str, start: usize, quote: u8) -> Result<usize, Unreadable> {
    let bytes = text.as_bytes();
    let width = if bytes[start..].starts_with(&[quote; 3]) { 3 } else { 1 };
    let mut at = start + width;
    while at < bytes.len() {
        if quote == b'"' && bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at..].starts_with(&[quote; 3][..width]) {
            return Ok(at + width);
        } else {
            at += 1;
        }
    }
    Err(Unreadable::new("a string is not closed"))
}

/// Where the indented lines end that begin here; empty lines after them do not count.
fn body_end(text: &str, start: usize) -> usize {
    let (mut at, mut end) = (start, start);
    for line in text[start..].split_inclusive('\n') {
        let is_empty = line.trim().is_empty();
        if !is_empty && !line.starts_with([' ', '\t']) {
            break;
        }
        at += line.len();
        if !is_empty {
            end = at;
        }
    }
    end
}

fn read(line: &str) -> What {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["alias", name, ":=", target, ..] => {
            return What::Alias(Rule {
                targets: vec![(*name).to_owned()],
                needs: vec![(*target).to_owned()],
                ..Rule::default()
            });
        }
        ["set", name, ..] => return What::Other(format!("the setting {name}")),
        ["export", name, ":=", ..] | [name, ":=", ..] => {
            return What::Other(format!("the variable {name}"));
        }
        _ => (),
    }
    let first = words.first().copied().unwrap_or_default();
    let is_keyword = matches!(first, "import" | "import?" | "mod" | "mod?" | "unexport" | "export");
    // The first colon outside of a default value.
    let colon = line.find(':').filter(|at| !line[*at..].starts_with(":="));
    let is_indented = line.starts_with([' ', '\t']);
    let Some(colon) = colon.filter(|_| !is_keyword && !is_indented) else {
        return What::Other(line.trim().to_owned());
    };
    let (head, needs) = line.split_at(colon);
    let name = head.split_whitespace().next().unwrap_or_default().trim_start_matches('@');
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_word = |c: char| is_name(c) || c.is_whitespace() || "@+*$".contains(c);
    let needs = needs.split('#').next().unwrap_or_default();
    let needs = needs.split(|c: char| !is_name(c)).filter(|need| !need.is_empty());
    What::Recipe(Rule {
        is_plain: !name.is_empty() && name.chars().all(is_name) && head.chars().all(is_word),
        targets: vec![name.to_owned()],
        needs: needs.map(ToOwned::to_owned).collect(),
        recipe: String::new(),
    })
}
