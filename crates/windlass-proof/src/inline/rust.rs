//! The tests of a Rust file: functions that a test runner finds, and all that is only compiled for tests.

use super::{
    rust_tokens::{Token, closing, tokens},
    unit::{Chains, Kind, Unit},
};

/// Modules are looked into so deep.
const DEEPEST: usize = 32;

/// What an item is told to the compiler's lints, and to people.
const NO_MATTER: [&str; 8] =
    ["allow", "expect", "warn", "deny", "forbid", "doc", "must_use", "rustfmt"];

/// The tests of a file, and the code that they alone use.
pub(super) fn tests(text: &str, chains: &mut Chains) -> Vec<Unit> {
    let tokens = tokens(text);
    let closing = closing(&tokens);
    let mut reader = Reader { tokens: &tokens, closing: &closing, chains, found: Vec::new() };
    reader.items(0..tokens.len(), Around { chain: 0, in_tests: false, depth: 0 });
    reader.found
}

struct Reader<'r, 't> {
    tokens: &'r [Token<'t>],
    closing: &'r [usize],
    chains: &'r mut Chains,
    found: Vec<Unit>,
}

/// What is around an item.
#[derive(Clone, Copy)]
struct Around {
    /// The conditions that it is compiled on.
    chain: usize,
    /// Whether it is only compiled for tests.
    in_tests: bool,
    depth: usize,
}

/// One item, by the numbers of its tokens.
struct Item {
    attributes: Vec<std::ops::Range<usize>>,
    /// After its attributes.
    start: usize,
    /// What is in its braces.
    body: Option<std::ops::Range<usize>>,
    end: usize,
}

impl Reader<'_, '_> {
    fn items(&mut self, range: std::ops::Range<usize>, mut around: Around) {
        let mut at = range.start;
        while at < range.end {
            if self.is(at, "#") && self.is(at + 1, "!") && self.is(at + 2, "[") {
                let end = (self.closing[at + 2] + 1).min(range.end);
                self.inner_attribute(at..end, &mut around);
                at = end;
                continue;
            }
            let item = self.item(at, range.end);
            at = item.end;
            self.take(&item, around);
        }
    }

    /// One that is about all that is around it.
    fn inner_attribute(&mut self, range: std::ops::Range<usize>, around: &mut Around) {
        let inside = range.start + 3..range.end.saturating_sub(1);
        if self.is(inside.start, "cfg") {
            around.in_tests |= self.is_for_tests(inside.clone());
            around.chain = self.chains.and(around.chain, self.text(inside));
        } else if around.in_tests && !self.is_no_matter(inside.start) {
            self.keep(Kind::Code, None, range, around.chain);
        }
    }

    fn item(&self, start: usize, limit: usize) -> Item {
        let mut at = start;
        let mut attributes = Vec::new();
        while at + 1 < limit && self.is(at, "#") && self.is(at + 1, "[") {
            let end = self.closing[at + 1].min(limit);
            attributes.push(at + 2..end);
            at = (end + 1).min(limit);
        }
        let (start, mut body) = (at, None);
        while at < limit {
            match self.tokens[at].text {
                "(" | "[" => at = self.closing[at],
                "{" => {
                    let end = self.closing[at].min(limit);
                    body = Some(at + 1..end);
                    at = end + 1;
                    break;
                }
                ";" | "}" | ")" | "]" => {
                    at += 1;
                    break;
                }
                _ => (),
            }
            at += 1;
        }
        Item { attributes, start, body, end: at.min(limit).max(start) }
    }

    fn take(&mut self, item: &Item, mut around: Around) {
        let mut is_test = false;
        for attribute in &item.attributes {
            if self.is(attribute.start, "cfg") {
                around.in_tests |= self.is_for_tests(attribute.clone());
                let text = self.text(attribute.clone());
                around.chain = self.chains.and(around.chain, text);
            }
            is_test |= self.is_test(attribute.clone());
        }
        let first = self.first_word(item);
        let is_open = match first {
            "mod" => true,
            "impl" | "trait" => around.in_tests,
            _ => self.is_macro(item),
        };
        if let Some(body) = item.body.clone().filter(|_| is_open && around.depth < DEEPEST) {
            self.items(body, Around { depth: around.depth + 1, ..around });
            return;
        }
        let is_empty = item.end - item.start < 2;
        if !(is_test || around.in_tests) || is_empty || first == "use" {
            return;
        }
        let kind = if is_test { Kind::Test } else { Kind::Code };
        let start = item.attributes.first().map_or(item.start, |attribute| attribute.start - 2);
        self.keep(kind, self.name(item), start..item.end, around.chain);
        let text = self.text_of(item);
        if let Some(unit) = self.found.last_mut() {
            unit.text = text;
        }
    }

    fn keep(
        &mut self,
        kind: Kind,
        name: Option<String>,
        range: std::ops::Range<usize>,
        chain: usize,
    ) {
        let line = self.tokens.get(range.start).map_or(0, |token| token.line);
        let text = self.text(range);
        self.found.push(Unit { kind, name, text, chain, line });
    }

    /// What an item says, with those of its attributes that matter.
    fn text_of(&self, item: &Item) -> String {
        let mut text = String::new();
        for attribute in &item.attributes {
            if !self.is_no_matter(attribute.start) {
                text += &format!("#[{}]\n", self.text(attribute.clone()));
            }
        }
        text + &self.text(item.start..item.end)
    }

    /// Tokens as text. A comma before a closing bracket comes and goes with the layout.
    fn text(&self, range: std::ops::Range<usize>) -> String {
        let mut text = String::new();
        for number in range.start..range.end.min(self.tokens.len()) {
            let is_last = self.is_any(number + 1, &[")", "]", "}"]);
            if !(is_last && self.is(number, ",")) {
                text += self.tokens[number].text;
                text.push(' ');
            }
        }
        text
    }

    /// Whether a condition holds only where tests are compiled.
    fn is_for_tests(&self, range: std::ops::Range<usize>) -> bool {
        range.clone().any(|number| {
            let is_not = number >= range.start + 2 && self.is(number - 2, "not");
            self.is(number, "test") && !is_not
        })
    }

    /// Whether an attribute makes a function a test: `test`, `tokio::test`, `rstest`, `test_case(…)`.
    fn is_test(&self, range: std::ops::Range<usize>) -> bool {
        let mut last = "";
        for number in range {
            match self.tokens[number].text {
                ":" => (),
                "(" | "=" => break,
                word => last = word,
            }
        }
        last.ends_with("test") || last == "test_case" || last == "quickcheck"
    }

    fn is_no_matter(&self, at: usize) -> bool {
        self.is_any(at, &NO_MATTER)
    }

    /// The first word of an item that says what it is.
    fn first_word(&self, item: &Item) -> &str {
        let mut at = item.start;
        while at < item.end {
            match self.tokens[at].text {
                "pub" if self.is(at + 1, "(") => at = self.closing[at + 1],
                "pub" | "unsafe" | "async" | "const" | "default" => (),
                word => return word,
            }
            at += 1;
        }
        ""
    }

    /// Whether an item is what a macro is given in braces.
    fn is_macro(&self, item: &Item) -> bool {
        let Some(body) = &item.body else { return false };
        body.start >= item.start + 3 && self.is(body.start - 2, "!")
    }

    fn name(&self, item: &Item) -> Option<String> {
        let names = ["fn", "mod", "struct", "enum", "const", "static", "type", "trait"];
        let header = item.start..item.body.as_ref().map_or(item.end, |body| body.start);
        let at = header.clone().find(|at| {
            self.is_any(*at, &names) && !(self.is(*at, "const") && self.is(*at + 1, "fn"))
        })?;
        (at + 1 < item.end).then(|| self.tokens[at + 1].text.to_owned())
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.text == text)
    }

    fn is_any(&self, at: usize, texts: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| texts.contains(&token.text))
    }
}
