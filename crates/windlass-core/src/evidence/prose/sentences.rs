//! Whether a text is prose or code, where the name of its file does not tell.

/// So much of a text is looked at.
const MOST: usize = 64 << 10;

/// Fewer words are no prose.
const FEWEST_WORDS: usize = 10;

/// Marks that code is full of, and prose is not.
const OF_CODE: &str = "{}[]()<>=;|\\_$#@*&^%~+/\"`";

/// Whether a text mostly is sentences of a natural language, or a log that tells in sentences what was done.
pub(super) fn are_most_of(text: &str) -> bool {
    let seen = Seen::of(beginning(text));
    let is_sentences = seen.ends * 30 >= seen.words && seen.letters * 10 >= seen.marks * 8;
    let is_log = seen.lines >= 3 && seen.stamped * 2 > seen.lines && seen.letters * 2 > seen.marks;
    seen.words >= FEWEST_WORDS
        && seen.code * 25 <= seen.marks
        && ((is_sentences && seen.words >= 5 * seen.lines)
            || (is_log && seen.words >= 3 * seen.lines))
}

/// Whether most of its lines look like code.
pub(super) fn is_code(text: &str) -> bool {
    let text = beginning(text);
    let (mut lines, mut alike) = (0, 0);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        lines += 1;
        let ends = line.ends_with(['{', '}', ';', ':', '(', ')', ',']);
        let is_call = line.contains('(') && line.contains(')');
        alike += usize::from(
            (ends && line.contains(['(', '{', '=', '}'])) || is_call || line.contains(" = "),
        );
    }
    text.starts_with("#!") || (lines > 0 && alike * 2 >= lines)
}

/// What was counted in a text.
#[derive(Debug, Default)]
struct Seen {
    /// Lines that are not blank.
    lines: usize,
    /// Those that begin with a time or a date.
    stamped: usize,
    words: usize,
    /// Ends of sentences.
    ends: usize,
    /// Characters that are no white space.
    marks: usize,
    letters: usize,
    code: usize,
}

impl Seen {
    fn of(text: &str) -> Self {
        let mut seen = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            seen.lines += 1;
            let is_stamped = is_stamped(line);
            seen.stamped += usize::from(is_stamped);
            let told = if is_stamped { line.find(char::is_alphabetic) } else { Some(0) };
            for word in told.map_or("", |at| &line[at..]).split_whitespace() {
                seen.add(word);
            }
        }
        seen
    }

    fn add(&mut self, word: &str) {
        let mut ideographs = 0;
        let mut letters = 0;
        for c in word.chars() {
            self.marks += 1;
            letters += usize::from(c.is_alphabetic());
            // Words that are written without blanks between them.
            ideographs += usize::from(c >= '\u{2e80}' && c.is_alphabetic());
            self.ends += usize::from(matches!(c, '。' | '！' | '？'));
            self.code += usize::from(OF_CODE.contains(c));
        }
        self.letters += letters;
        self.words += usize::from(letters > 0).max(ideographs / 2);
        self.ends += usize::from(
            letters > 1 && word.trim_end_matches(['"', ')', '*', '”']).ends_with(['.', '!', '?']),
        );
    }
}

/// Whether a line begins with a date or a time: `[2026-11-15 23:01] …`, `23:01:02 …`.
fn is_stamped(line: &str) -> bool {
    let line = line.trim_start_matches(['[', '(', '-', '*', ' ']);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = digits(line);
    let rest = &line[first..];
    matches!(first, 2 | 4)
        && rest.strip_prefix(['-', ':', '/']).is_some_and(|rest| digits(rest) == 2)
}

/// The beginning of a text.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_sentences() {
        for text in [
            "In this iteration I looked at the parser. I think that it is nearly right.\n",
            "# Thoughts\n\nThe tests still fail, because the cache is never emptied. I will\n\
             look at that tomorrow (see src/cache.rs), and then go on with the rest.\n",
            "Ich habe heute den Parser gelesen. Er ist fast fertig, aber noch nicht ganz.\n",
            "我今天读了解析器。它几乎完成了，但是还有一些测试失败。明天我会继续修复缓存的问题。\n",
            "[2026-11-15 23:01] looked at the parser\n[2026-11-15 23:04] wrote three tests\n\
             [2026-11-15 23:09] all of them pass\n[2026-11-15 23:10] went on\n",
        ] {
            assert!(are_most_of(text), "{text}");
            assert!(!is_code(text), "{text}");
        }
    }

    #[test]
    fn data_and_code_are_not() {
        for text in [
            "",
            "ok\n",
            "Hello, World!\n",
            "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n",
            "apple pie\nlemon cake\nplum jam\nrye bread\nhot soup\ncold milk\n",
            "name = value\nother = thing\nx = y\nlong = list of words that go on and on and on\n",
            "def f(x):\n    return x + 1\n\n\nprint(f(1), f(2), f(3))\n",
            "2026-11-15 5 3\n2026-11-16 6 4\n2026-11-17 7 5\n",
            "GET /users returns the users\nPOST /users adds a user\nGET /a_b returns {a, b}\n",
            "node_modules/\n*.log\n.env\n/target\n",
        ] {
            assert!(!are_most_of(text), "{text}");
        }
        assert!(is_code("def f(x):\n    return x + 1\n\n\nprint(f(1))\n"));
        assert!(!is_code("apple pie\nlemon cake\n") && !is_code("") && !is_code("ok\n"));
    }
}
