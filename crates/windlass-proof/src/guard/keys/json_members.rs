//! The outermost object of a JSON file, in pieces that are put together again byte for byte.

use std::{borrow::Cow, fmt};

use serde_json::Value;

use super::Unreadable;

#[derive(Clone, Debug)]
pub(super) struct Object<'a> {
    /// What stands before the members, with the brace.
    opening: &'a str,
    pub members: Vec<Member<'a>>,
    /// What stands between the last member and the brace.
    pub closing: &'a str,
    /// The brace, and what stands after it.
    rest: &'a str,
}

#[derive(Clone, Debug)]
pub(super) struct Member<'a> {
    pub name: String,
    pub value: Value,
    /// The name and the value as they are written.
    pub text: Cow<'a, str>,
    /// Where the value begins in it.
    pub value_at: usize,
    /// What stands before it, from the comma on, and after it, up to the comma.
    pub lead: &'a str,
    pub trail: &'a str,
}

impl<'a> Object<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, Unreadable> {
        let bare = without_comments(text);
        let outermost = bare.trim_start_matches('\u{feff}');
        let whole: Value = serde_json::from_str(outermost)
            .map_err(|error| Unreadable::new(format!("it is no JSON: {error}")))?;
        if !whole.is_object() {
            return Err(Unreadable::new("it is no object"));
        }
        // From here on it is known to be well-formed.
        let mut scan = Scan { text: &bare, at: bare.find('{').unwrap_or_default() + 1 };
        let opening = &text[..scan.at];
        let mut members = Vec::new();
        loop {
            let lead = scan.at;
            scan.space();
            let start = scan.at;
            if scan.peek() == Some(b'}') {
                let closing = &text[lead..start];
                return Ok(Self { opening, members, closing, rest: &text[start..] });
            }
            let name = scan.value();
            scan.space();
            scan.at += 1;
            scan.space();
            let value_at = scan.at - start;
            let value = scan.value();
            let end = scan.at;
            scan.space();
            let is_last = scan.peek() != Some(b',');
            members.push(Member {
                name: serde_json::from_str(name).map_err(|_| Unreadable::new("a name is none"))?,
                value: serde_json::from_str(value)
                    .map_err(|_| Unreadable::new("a value is none"))?,
                text: text[start..end].into(),
                value_at,
                lead: &text[lead..start],
                trail: if is_last { "" } else { &text[end..scan.at] },
            });
            match is_last {
                true => scan.at = end,
                false => scan.at += 1,
            }
        }
    }
}

impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.opening)?;
        for (at, member) in self.members.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{}{}{}", member.lead, member.text, member.trail)?;
        }
        write!(f, "{}{}", self.closing, self.rest)
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Passes over one value of well-formed JSON.
    fn value(&mut self) -> &'a str {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => self.at = string_end(self.text, self.at),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' | b'}' | b']' if depth == 0 => break,
                byte if byte.is_ascii_whitespace() && depth == 0 => break,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            if depth == 0 {
                break;
            }
        }
        &self.text[start..self.at]
    }
}

/// Where a string ends that begins here.
fn string_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The text with spaces for comments, which some readers of such files allow.
fn without_comments(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find(['"', '/']) {
        let start = at + found;
        bare.push_str(&text[at..start]);
        let rest = &text[start..];
        let (end, is_comment) = match rest.as_bytes() {
            [b'"', ..] => (string_end(text, start), false),
            [b'/', b'/', ..] => (start + rest.find('\n').unwrap_or(rest.len()), true),
            [b'/', b'*', ..] => {
                (start + rest[2..].find("*/").map_or(rest.len(), |at| at + 4), true)
            }
            _ => (start + 1, false),
        };
        match is_comment {
            true => bare.extend(std::iter::repeat_n(' ', end - start)),
            false => bare.push_str(&text[start..end]),
        }
        at = end;
    }
    bare.push_str(&text[at..]);
    without_last_commas(bare)
}

/// The text with spaces for commas after the last member, which the same readers allow.
fn without_last_commas(text: String) -> String {
    let (mut at, mut comma, mut found) = (0, None, Vec::new());
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => {
                comma = None;
                at = string_end(&text, at);
                continue;
            }
            b',' => comma = Some(at),
            b'}' | b']' => found.extend(comma.take()),
            byte if byte.is_ascii_whitespace() => (),
            _ => comma = None,
        }
        at += 1;
    }
    let mut text = text;
    for at in found {
        text.replace_range(at..=at, " ");
    }
    text
}
