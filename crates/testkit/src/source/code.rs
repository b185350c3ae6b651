//! Takes comments and the insides of strings out of Rust text.

/// The code alone. Comments and what strings hold become nothing; line breaks stay.
pub(super) fn strip(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (skipped, kept) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), "")
        } else if rest.starts_with("/*") {
            (block_comment(rest), "")
        } else if let Some(length) = raw_string(rest, out.chars().last()) {
            (length, "\"\"")
        } else if first == '"' {
            (string(rest), "\"\"")
        } else if let Some(length) = character(rest) {
            (length, "' '")
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.push_str(kept);
        out.extend(rest[..skipped].chars().filter(|c| *c == '\n'));
        rest = &rest[skipped..];
    }
    out
}

/// The length of the block comment that `text` starts with; they nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the string that `text` starts with.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the raw string that `text` starts with, unless the `r` ends a name.
fn raw_string(text: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let open = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = open.len() - open.trim_start_matches('#').len();
    let body = open[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let close = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(text.len() - body.len() + close)
}

/// The length of the character literal that `text` starts with; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let mut chars = inner.chars();
    let first = chars.next()?;
    if first == '\\' {
        return Some(1 + 2 + inner[2..].find('\'')? + 1);
    }
    (chars.next() == Some('\'')).then(|| 1 + first.len_utf8() + 1)
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[track_caller]
    fn check(text: &str, code: &str) {
        assert_eq!(strip(text), code);
    }

    #[test]
    fn comments_go_and_lines_stay() {
        check("a // b \"c\n/* d\n/* e */ f */ g", "a \n\n g");
    }

    #[test]
    fn strings_lose_what_they_hold() {
        check(r#"f("a\"b", 'c', '\'', '\n')"#, "f(\"\", ' ', ' ', ' ')");
        check("f(r#\"a\"b\"#, br\"c\", b\"d\")", "f(\"\", \"\", b\"\")");
        check("\"two\nlines\"", "\"\"\n");
    }

    #[test]
    fn lifetimes_and_names_are_not_literals() {
        check("fn a<'a>(bar: &'a str) -> &'static str", "fn a<'a>(bar: &'a str) -> &'static str");
        check("var\"x\"", "var\"\"");
    }
}
