//! A line of output as words and numbers, each with the marks around it.

use crate::text::{
    measure::{self, Measure, SIGNS, measure, unit},
    output_line::{Parts, is_fraction, is_long_clock},
    output_words::OutputWords,
};

/// A word or a number of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub kind: Kind<'a>,
    /// The marks before it.
    pub before: &'a str,
    /// The marks after it.
    pub after: &'a str,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    /// A word without digits.
    Word(&'a str),
    /// A number, a percentage or a size in bytes.
    Number { value: f64, is_whole: bool },
    /// What stands between two numbers of which one is a part of the other.
    Of,
    /// A time, or a rate.
    Time,
    /// Something with digits in it that is no number: a date, a version, a path, a name.
    Other,
}

/// The words and numbers of a line.
pub(super) fn of(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for word in OutputWords::of(line) {
        let parts = Parts::of(word);
        let has_digit = parts.inner.bytes().any(|byte| byte.is_ascii_digit());
        if joins_unit(&mut tokens, &parts) {
            continue;
        }
        let from = tokens.len();
        match parts.inner {
            "" => (),
            "of" | "/" => tokens.push(bare(Kind::Of)),
            inner if !has_digit => tokens.push(bare(Kind::Word(inner))),
            inner => add(inner, &mut tokens),
        }
        // Marks that stand alone belong to what is before them.
        match (tokens.len() > from, tokens.last_mut()) {
            (true, Some(last)) => {
                last.after = parts.after;
                tokens[from].before = parts.before;
            }
            (false, Some(last)) if last.after.is_empty() => last.after = parts.before,
            _ => (),
        }
    }
    tokens
}

/// Whether a word is the unit of the number before it; then it becomes a part of that.
fn joins_unit<'a>(tokens: &mut [Token<'a>], parts: &Parts<'a>) -> bool {
    let Some(last) = tokens.last_mut().filter(|last| last.after.is_empty()) else { return false };
    let Kind::Number { value, .. } = last.kind else { return false };
    let Some(found) = unit(parts.inner).filter(|_| parts.before.is_empty()) else { return false };
    last.kind = with_unit(value, found, parts.inner);
    last.after = parts.after;
    true
}

fn with_unit<'a>(value: f64, unit: Measure, name: &str) -> Kind<'a> {
    match unit {
        Measure::Time => Kind::Time,
        Measure::Number | Measure::Percent | Measure::Size => {
            Kind::Number { value: value * measure::factor(name), is_whole: false }
        }
    }
}

/// Adds what a word with digits in it is.
fn add<'a>(inner: &'a str, tokens: &mut Vec<Token<'a>>) {
    if let Some(kind) = number(inner) {
        return tokens.push(bare(kind));
    }
    if is_long_clock(inner) {
        return tokens.push(bare(Kind::Time));
    }
    if let Some((part, whole)) = inner.split_once('/').filter(|_| is_fraction(inner)) {
        if let (Some(part), Some(whole)) = (number(part), number(whole)) {
            return tokens.extend([bare(part), bare(Kind::Of), bare(whole)]);
        }
        return tokens.push(bare(Kind::Other));
    }
    if !inner.contains(['=', ':']) || inner.contains("//") {
        return tokens.push(bare(Kind::Other));
    }
    for pair in inner.split([',', ';', '{', '}', '&']).filter(|pair| !pair.is_empty()) {
        add_pair(pair, tokens);
    }
}

/// Adds a name and its value, such as `failed=3` or `"failed":3`.
fn add_pair<'a>(pair: &'a str, tokens: &mut Vec<Token<'a>>) {
    let named = pair.rsplit_once(['=', ':']).and_then(|(name, value)| {
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        let is_name = name.contains(char::is_alphabetic) && !name.contains([':', '/', '.']);
        let value = value.trim_matches(['"', '\'']);
        Some((name, number(value)?)).filter(|_| is_name)
    });
    match named {
        Some((name, value)) => {
            tokens.push(Token { kind: Kind::Word(name), before: "", after: "=" });
            tokens.push(Token { kind: value, before: "", after: "," });
        }
        None => tokens.push(bare(Kind::Other)),
    }
}

/// The number that a word is, with its unit.
fn number<'a>(word: &str) -> Option<Kind<'a>> {
    let found = measure(word)?;
    let text = word.trim_start_matches(SIGNS);
    let number = measure::literal(text)?;
    let sign = if word.starts_with(['-', '−']) { -1.0 } else { 1.0 };
    let (value, unit) = (sign * number.value, &text[number.length..]);
    if unit.is_empty() {
        return Some(Kind::Number { value, is_whole: number.is_whole });
    }
    Some(with_unit(value, found, unit))
}

fn bare(kind: Kind<'_>) -> Token<'_> {
    Token { kind, before: "", after: "" }
}
