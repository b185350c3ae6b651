//! The words of a line that a program printed, without what is drawn around and between them: leaders, rules,
//! frames, bars and spinners, whose widths differ from run to run. Pure.

/// The words of a line.
#[derive(Clone, Debug)]
pub(crate) struct OutputWords<'a> {
    rest: &'a str,
}

impl<'a> OutputWords<'a> {
    /// The words of this line.
    pub(crate) fn of(line: &'a str) -> Self {
        // A rule around a title gets as short as the title is long.
        Self { rest: line.trim_matches(|c: char| c == '=' || c.is_whitespace()) }
    }
}

impl<'a> Iterator for OutputWords<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let gap = gap(self.rest);
            let after_dots = self.rest[..gap].ends_with("..");
            self.rest = &self.rest[gap..];
            if self.rest.is_empty() {
                return None;
            }
            let end = word(self.rest);
            let found = &self.rest[..end];
            self.rest = &self.rest[end..];
            let near_dots = after_dots || self.rest.starts_with("..");
            if !(is_drawn(found) || near_dots && is_test_letters(found)) {
                return Some(found);
            }
        }
    }
}

/// How many bytes of what is no word a text begins with.
fn gap(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += match bytes[at] {
            b' ' => 1,
            byte if byte.is_ascii_alphanumeric() => return at,
            byte if byte.is_ascii() && !is_space(char::from(byte)) => match run(bytes, at) {
                0 => return at,
                length => length,
            },
            _ => match text[at..].chars().next().filter(|c| is_space(*c)) {
                Some(c) => c.len_utf8(),
                None => return at,
            },
        };
    }
    at
}

/// Where the word ends that a text begins with. It has one character at least.
fn word(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = text.chars().next().map_or(0, char::len_utf8);
    while at < bytes.len() {
        at += match bytes[at] {
            byte if byte.is_ascii_alphanumeric() => 1,
            byte if byte.is_ascii() => {
                if is_space(char::from(byte)) || run(bytes, at) > 0 {
                    return at;
                }
                1
            }
            _ => match text[at..].chars().next().filter(|c| !is_space(*c)) {
                Some(c) => c.len_utf8(),
                None => return at,
            },
        };
    }
    at
}

/// How long a leader or a rule is that begins there.
fn run(bytes: &[u8], at: usize) -> usize {
    let mark = bytes[at];
    let least = match mark {
        b'.' => 2,
        b'-' | b'=' | b'_' | b'*' | b'~' | b'+' | b'#' | b'^' | b':' => 3,
        _ => return 0,
    };
    if bytes.get(at + 1) != Some(&mark) {
        return 0;
    }
    let length = bytes[at..].iter().take_while(|&&byte| byte == mark).count();
    let (before, after) = (bytes[..at].last(), bytes.get(at + length));
    // Two dots lead up in a path, or from one number to another.
    let is_step = [before, after].contains(&Some(&b'/'));
    let is_range = [before, after].iter().all(|byte| byte.is_some_and(u8::is_ascii_digit));
    let means = mark == b'.' && (length <= 3 && is_step || length == 2 && is_range);
    if length < least || means { 0 } else { length }
}

/// Blanks, the frames of tables, bars and spinners.
fn is_space(c: char) -> bool {
    match c {
        '|' => true,
        c if c.is_ascii() => c.is_ascii_whitespace(),
        '…' | '․' | '·' => true,
        // Frames, blocks, and patterns that spin.
        '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}' => true,
        c => c.is_whitespace(),
    }
}

/// Whether a word is a piece of a bar, such as `[###` and `]`, a frame's corner, or what points at code.
fn is_drawn(word: &str) -> bool {
    // A bracket that stands alone may belong to a number next to it.
    if word.starts_with(|c: char| c.is_ascii_alphanumeric())
        || matches!(word, "(" | ")" | "[" | "]")
    {
        return false;
    }
    let has_bracket = word.contains(['[', ']', '(', ')']);
    let in_bar = |c: char| "[]()<>#=.*_~-+: ".contains(c);
    match word.chars().next() {
        Some(first) if !has_bracket => {
            "#*_~^.:,;<>".contains(first) && word.chars().all(|c| c == first)
        }
        _ => word.chars().all(in_bar),
    }
}

/// Whether a word next to a row of dots is a row of test results too, such as the `F.s` of `..F.s...`.
fn is_test_letters(word: &str) -> bool {
    word.chars().all(|c| ".FEsSxXUI*!".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(line: &str) -> Vec<&str> {
        OutputWords::of(line).collect()
    }

    #[test]
    fn leaders_rules_and_bars_are_no_words() {
        for (line, expected) in [
            ("  parse ........ 12ms", &["parse", "12ms"][..]),
            ("parse......ok", &["parse", "ok"]),
            ("===== 3 failed in 0.1s =====", &["3", "failed", "in", "0.1s"]),
            ("_____ test_adds _____", &["test_adds"]),
            ("---------", &[]),
            ("[####    ]  45%", &["[", "]", "45%"]),
            ("[=====>    ]  45%", &["[", "]", "45%"]),
            ("[##--------] 20%", &["]", "20%"]),
            ("[          ] 0%", &["[", "]", "0%"]),
            (" 45%|████▌     | 45/100 [00:12<00:15]", &["45%", "45/100", "[00:12<00:15]"]),
            ("⠙ building", &["building"]),
            ("| All files |   81.5 |", &["All", "files", "81.5"]),
            ("tests/test_a.py ..F.s..  [ 45%]", &["tests/test_a.py", "[", "45%]"]),
            ("cd ../x ./../y", &["cd", "../x", "./../y"]),
            ("1..4", &["1..4"]),
            ("a == b != c -> d", &["a", "==", "b", "!=", "c", "->", "d"]),
            ("    ^^^^^^^", &[]),
            ("- item: it's \"x\"", &["-", "item:", "it's", "\"x\""]),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn words_come_in_order_and_lose_no_letter(line in r"([a-z0-9]|[ .|=#\[\]-]|\PC){0,40}") {
            let mut at = 0;
            for word in words(&line) {
                prop_assert!(!word.is_empty());
                at += line[at..].find(word).unwrap() + word.len();
            }
            let letters = |text: &str| text.chars().filter(|c| c.is_ascii_lowercase()).collect::<String>();
            let kept: String = words(&line).concat();
            if !line.contains("..") {
                prop_assert_eq!(letters(&kept), letters(&line));
            }
        }
    }
}
