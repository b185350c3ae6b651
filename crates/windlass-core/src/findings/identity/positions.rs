//! A text without its positions, in lower case and with single spaces.

/// Words after which a number is a position.
const BEFORE: &[&str] =
    &["line", "lines", "line:", "lines:", "ln", "column", "columns", "col", "col."];

/// Words that go on from one position to the next.
const BETWEEN: &[&str] = &["and", "to", "through", "or", "-", "–", "—", "&"];

/// Marks around a number that are not part of it.
const AROUND: &[char] =
    &['(', ')', '[', ']', '`', '"', '\'', ',', ';', '.', '!', '?', '*', '_', '~', '#'];

/// Takes positions out of a text: `line 12`, `lines 3-4 and 7`, `a.rs:12:5`, `:12:`, `#L12`, `L12`.
/// `L1` to `L9` may be a cache or a norm, and stay unless they are part of a range or a link.
pub(super) fn without(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let word = words[at];
        at += 1;
        let lower = word.to_lowercase();
        let is_before = BEFORE.contains(&lower.trim_matches(['(', '[', '`', '*', '_', '"', '\'']));
        out.push(if is_before { lower } else { without_inner(word).to_lowercase() });
        if is_before {
            at = skip_numbers(&words, at, &mut out);
        }
    }
    out.retain(|word| !word.is_empty());
    out.join(" ")
}

/// Passes over the numbers that follow "lines", and keeps the marks that end the last of them.
fn skip_numbers(words: &[&str], mut at: usize, out: &mut [String]) -> usize {
    let is_number =
        |at: usize| words.get(at).is_some_and(|word| is_range(word.trim_matches(AROUND)));
    let mut last = None;
    while is_number(at) {
        last = Some(words[at]);
        at += 1;
        let goes_on =
            words.get(at).is_some_and(|word| BETWEEN.contains(&word.to_lowercase().as_str()));
        if goes_on && is_number(at + 1) {
            at += 1;
        } else if !words[at - 1].ends_with(',') {
            break;
        }
    }
    let marks = last.map(|word| &word[word.trim_end_matches(AROUND).len()..]);
    if let (Some(marks), Some(before)) = (marks, out.last_mut()) {
        before.push_str(marks);
    }
    at
}

/// `12`, `3-4`, `3–4`, `12:5`, `L3-L4`, `12,14`.
fn is_range(text: &str) -> bool {
    let mut parts = text.split(['-', '–', '—', ':', ',', '/']);
    parts.all(|part| {
        let digits = part.strip_prefix(['L', 'l']).unwrap_or(part);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// A word without a position that is part of it.
fn without_inner(word: &str) -> String {
    let core = word.trim_matches(AROUND);
    if core.starts_with('L') && is_range(core) {
        let is_link = word.contains("#L");
        let digits = core.bytes().filter(u8::is_ascii_digit).count();
        return if is_link || digits > 1 { word.replacen(core, "", 1) } else { word.to_owned() };
    }
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find([':', '#']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let length = position(&out, after);
        if length == 0 {
            out.push_str(&after[..1]);
        }
        rest = &after[length.max(1)..];
    }
    out.push_str(rest);
    out
}

/// How long the position is with which a text begins: `:12`, `:12:5`, `:12-14`, `#L12-L14`.
fn position(before: &str, text: &str) -> usize {
    if let Some(link) = text.strip_prefix("#L") {
        let length = link.find(|c: char| !(c.is_ascii_digit() || c == '-' || c == 'L'));
        let length = length.unwrap_or(link.len());
        return if link.starts_with(|c: char| c.is_ascii_digit()) { length + 2 } else { 0 };
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = text.strip_prefix(':').map_or(0, digits);
    if first == 0 {
        return 0;
    }
    let mut length = 1 + first;
    while text[length..].starts_with([':', '-']) && digits(&text[length + 1..]) > 0 {
        length += 1 + digits(&text[length + 1..]);
    }
    let is_open = before.is_empty() || before.ends_with(|c: char| !c.is_alphanumeric() && c != ':');
    let is_after_digit = before.ends_with(|c: char| c.is_ascii_digit());
    let is_enclosed = text[length..].starts_with(':') && !is_after_digit;
    if is_open || is_enclosed || is_file(before) { length } else { 0 }
}

/// Whether what stands before a colon is the name of a file: it has an ending that is no number.
fn is_file(before: &str) -> bool {
    let name = before.rsplit(|c: char| c.is_whitespace() || "(`\"'[<".contains(c)).next();
    let name = name.unwrap_or_default();
    let ending = name.rsplit('/').next().unwrap_or_default().rsplit_once('.');
    ending.is_some_and(|(_, ending)| ending.starts_with(|c: char| c.is_alphabetic()))
        || (name.contains('/') && !name.contains("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_case_and_white_space_go() {
        for (text, expected) in [
            ("On line 12, x", "on line, x"),
            ("lines 3-4 and 7 are", "lines are"),
            ("lines 3, 4, and 5.", "lines."),
            ("(line 12)", "(line)"),
            ("See `src/a.rs:12:5`.", "see `src/a.rs`."),
            ("src/a.rs:12-14: bad", "src/a.rs: bad"),
            ("main:12: bad", "main: bad"),
            ("at :12 and (:13)", "at and ()"),
            ("a.rs#L12-L20 x", "a.rs x"),
            ("L12 x", " x"),
            ("in the L1 cache", "in the l1 cache"),
            ("localhost:8080", "localhost:8080"),
            ("http://h:80/x", "http://h:80/x"),
            ("127.0.0.1:9", "127.0.0.1:9"),
            ("at 10:12:30", "at 10:12:30"),
            ("a ratio of 3:1", "a ratio of 3:1"),
            ("retries 3 TIMES\n\tin 5 s", "retries 3 times in 5 s"),
            ("the line is 80 wide", "the line is 80 wide"),
            ("std::fs::12", "std::fs::12"),
            ("ISSUE-12 #12", "issue-12 #12"),
        ] {
            assert_eq!(without(text).trim(), expected.trim(), "{text}");
        }
    }
}
