//! Rust source as tokens, as far as it takes to find items in it: comments and white space are gone, and
//! a brace in a string is none.

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) line: u32,
}

/// All tokens of a file. Text that is no Rust gives some tokens all the same.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut reader = Reader { text, at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(token) = reader.next() {
        tokens.push(token);
    }
    tokens
}

/// For each opening bracket the place of the one that closes it; the end where there is none.
pub(super) fn closing(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut closing = vec![tokens.len(); tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => open.push(number),
            ")" | "]" | "}" => {
                if let Some(opened) = open.pop() {
                    closing[opened] = number;
                }
            }
            _ => (),
        }
    }
    closing
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            if first.is_whitespace() {
                self.skip(first.len_utf8());
            } else if rest.starts_with("//") {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                self.skip(comment(rest));
            } else {
                let length = length(rest, first);
                let token = Token { text: &rest[..length], line: self.line };
                self.skip(length);
                return Some(token);
            }
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip(&mut self, length: usize) {
        let passed = &self.rest().as_bytes()[..length];
        let lines = passed.iter().filter(|byte| **byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.at += length;
    }
}

/// How long a token is that begins so.
fn length(rest: &str, first: char) -> usize {
    match first {
        '"' => string(rest, 0),
        '\'' => quoted(rest),
        _ if is_word(first) => {
            let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            match (&rest[..word], rest[word..].chars().next()) {
                ("b" | "c", Some('"')) => string(rest, word),
                ("b", Some('\'')) => word + quoted(&rest[word..]),
                ("r" | "br" | "cr", Some('"' | '#')) => raw(rest, word).unwrap_or(word),
                _ => word,
            }
        }
        other => other.len_utf8(),
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of a comment, with those in it.
fn comment(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => {
                (depth, at) = (depth.saturating_sub(1), at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a string whose quotation mark is at `open`.
fn string(rest: &str, open: usize) -> usize {
    let bytes = rest.as_bytes();
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a raw string whose marks begin at `open`; `None` where it is a raw name.
fn raw(rest: &str, open: usize) -> Option<usize> {
    let marks = rest[open..].bytes().take_while(|byte| *byte == b'#').count();
    let inner = rest[open + marks..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(marks));
    let start = open + marks + 1;
    Some(inner.find(&end).map_or(rest.len(), |at| start + at + end.len()))
}

/// The length of a character, or of a lifetime.
fn quoted(rest: &str) -> usize {
    let mut inner = rest.char_indices().skip(1);
    match (inner.next(), inner.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let after = at + escaped.len_utf8();
            rest[after..].find('\'').map_or(rest.len(), |end| after + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1),
    }
}
