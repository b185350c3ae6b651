//! Reads a text into words, numbers and marks, in any language. Strings are known, so that what is in one is
//! not taken for brackets and comments.

use memchr::{memchr, memchr3, memmem};

use super::{Reading, comments::Comments};

/// One piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A new line with something on it.
    Line {
        /// How far it is indented.
        indent: usize,
        /// What stands on it, and all that follows.
        rest: &'a str,
    },
    /// A word.
    Word(&'a str),
    /// A word that is no name: the kind of the string that follows, or the unit of the number before.
    Kind(&'a str),
    /// A number.
    Number,
    /// A quote that begins or ends a string, or stands in one.
    Quote,
    /// A mark, and all that follows it.
    Mark(char, &'a str),
    /// A mark in a string or a comment, where it means nothing to what is around.
    Inside(char),
}

/// How many columns a tab takes.
const TAB: usize = 4;

/// Strings that go over many lines, by the mark on both sides.
const LONG: [&str; 3] = ["\"\"\"", "'''", "`"];

/// Reads a text piece by piece.
pub(super) struct Scan<'a> {
    rest: &'a str,
    reading: Reading,
    /// The last character that was read.
    before: char,
    /// How much of the rest is in a string, or in a comment after code.
    quoted: usize,
    is_line_start: bool,
    is_prefixed: bool,
    comments: Comments,
    /// Which of the long strings come no more, so that each text is searched once.
    gone: [bool; LONG.len()],
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, reading: Reading) -> Self {
        Self {
            rest: text,
            reading,
            before: '\n',
            quoted: 0,
            is_line_start: true,
            is_prefixed: false,
            comments: Comments::default(),
            gone: [false; LONG.len()],
        }
    }

    /// Goes on by so many bytes.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.quoted = self.quoted.saturating_sub(bytes);
        self.before = skipped.chars().next_back().unwrap_or(self.before);
        skipped
    }

    /// Whether nothing special is known of what is read now.
    fn is_plain(&self) -> bool {
        self.quoted == 0 && self.reading != Reading::Prose
    }

    /// Skips white space, blank lines and lines that are comments; gives the indentation where a line begins.
    fn skip_blank(&mut self) -> Option<usize> {
        let mut begins = std::mem::take(&mut self.is_line_start).then_some(0);
        while let Some(c) = self.rest.chars().next() {
            let length = match c {
                '\n' => {
                    begins = if self.quoted == 0 { Some(0) } else { begins };
                    1
                }
                c if c.is_whitespace() => {
                    let columns = if c == '\t' { TAB } else { 1 };
                    begins = begins.map(|sum| sum + columns);
                    c.len_utf8()
                }
                '\\' if self.quoted == 0 => match continued(self.rest) {
                    Some(length) => length,
                    None => return begins,
                },
                _ if begins.is_some() && self.is_plain() => match self.comments.length(self.rest) {
                    Some(length) => length,
                    None => return begins,
                },
                _ => return begins,
            };
            self.skip(length);
        }
        begins
    }

    fn word(&mut self) -> Piece<'a> {
        let is_unit = self.before.is_ascii_digit();
        let length = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let word = self.skip(length);
        let is_kind = |word: &str| word.bytes().all(|byte| b"fFrRbBuUlL".contains(&byte));
        self.is_prefixed =
            self.is_plain() && word.len() <= 2 && is_kind(word) && self.rest.starts_with(QUOTES);
        if self.is_prefixed || is_unit { Piece::Kind(word) } else { Piece::Word(word) }
    }

    fn number(&mut self) -> Piece<'a> {
        self.skip(number_length(self.rest.as_bytes()));
        Piece::Number
    }

    /// A backslash and what it stands before.
    fn escape(&mut self) -> Piece<'a> {
        self.skip(1);
        match self.rest.chars().next() {
            // Whether a quote needs one depends on the quotes around.
            Some(quote) if QUOTES.contains(&quote) => {
                self.skip(1);
                Piece::Quote
            }
            Some(c) if !c.is_whitespace() => {
                self.skip(c.len_utf8());
                Piece::Inside(c)
            }
            _ => Piece::Inside('\\'),
        }
    }

    fn quote(&mut self, quote: u8) -> Piece<'a> {
        let is_prefixed = std::mem::take(&mut self.is_prefixed);
        // An apostrophe, or the mark of a lifetime.
        let is_lone = quote == b'\''
            && ((is_word(self.before) && !is_prefixed) || matches!(self.before, '&' | '<'));
        if self.is_plain() && !is_lone {
            // The quote at the end is read as one that stands in the string.
            self.quoted = self.string_length(quote).unwrap_or(0);
        }
        self.skip(1);
        Piece::Quote
    }

    /// How long the string is that begins here.
    fn string_length(&mut self, quote: u8) -> Option<usize> {
        for (mark, is_gone) in LONG.iter().zip(&mut self.gone) {
            let may_begin = !*is_gone && (mark.len() == 3 || self.reading == Reading::Code);
            let Some(inner) = self.rest.strip_prefix(mark).filter(|_| may_begin) else { continue };
            match memmem::find(inner.as_bytes(), mark.as_bytes()) {
                Some(at) => return Some(at + 2 * mark.len()),
                None => *is_gone = true,
            }
        }
        let bytes = self.rest.as_bytes();
        let mut at = 1;
        loop {
            at += memchr3(quote, b'\\', b'\n', bytes.get(at..)?)?;
            match bytes[at] {
                b'\n' => return None,
                b'\\' => at += 2,
                _ => return Some(at + 1),
            }
        }
    }

    fn mark(&mut self, mark: char) -> Piece<'a> {
        let is_comment = mark == '#' && self.before.is_whitespace();
        if is_comment && self.is_plain() && self.rest[1..].starts_with(' ') {
            self.quoted = memchr(b'\n', self.rest.as_bytes()).unwrap_or(self.rest.len());
        }
        let is_inside = self.quoted > 0;
        self.skip(mark.len_utf8());
        if is_inside { Piece::Inside(mark) } else { Piece::Mark(mark, self.rest) }
    }
}

impl<'a> Iterator for Scan<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let begins = self.skip_blank();
        let c = self.rest.chars().next()?;
        Some(match (begins, c) {
            (Some(indent), _) => Piece::Line { indent, rest: self.rest },
            (None, '\\') => self.escape(),
            (None, '"') => self.quote(b'"'),
            (None, '\'') => self.quote(b'\''),
            (None, '`') => self.quote(b'`'),
            (None, c) if c.is_ascii_digit() => self.number(),
            (None, c) if is_word(c) => self.word(),
            (None, c) => self.mark(c),
        })
    }
}

const QUOTES: [char; 3] = ['"', '\'', '`'];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How long a backslash is with the end of the line after it: the line goes on below.
fn continued(text: &str) -> Option<usize> {
    ["\\\n", "\\\r\n"].iter().find(|end| text.starts_with(**end)).map(|end| end.len())
}

/// How long the number is that begins here, without a unit or a type after it.
fn number_length(bytes: &[u8]) -> usize {
    let is = |at: usize, which: fn(&u8) -> bool| bytes.get(at).is_some_and(which);
    let is_digit = |at| is(at, u8::is_ascii_digit);
    let mut at = 1;
    if bytes[0] == b'0' && is(1, |byte| b"xXoObB".contains(byte)) {
        while is(at, |byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            at += 1;
        }
        return at;
    }
    while is_digit(at)
        || is(at, |byte| *byte == b'_')
        || (bytes.get(at) == Some(&b'.') && is_digit(at + 1))
    {
        at += 1;
    }
    if is(at, |byte| matches!(byte, b'e' | b'E')) {
        let sign = usize::from(is(at + 1, |byte| matches!(byte, b'+' | b'-')));
        if is_digit(at + 1 + sign) {
            at += 1 + sign;
            while is_digit(at) {
                at += 1;
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let told = Scan::new(text, Reading::Code).map(|piece| match piece {
            Piece::Line { indent, .. } => format!("|{indent}"),
            Piece::Word(word) => word.to_owned(),
            Piece::Kind(word) => format!("{word}:"),
            Piece::Number => "#".to_owned(),
            Piece::Quote => "\"".to_owned(),
            Piece::Mark(mark, _) => mark.to_string(),
            Piece::Inside(mark) => format!("~{mark}"),
        });
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_text_is_words_numbers_and_marks() {
        assert_eq!(told("x1 = 0xff + 1.5e-3px"), "|0 x1 = # + # px:");
        assert_eq!(told("1..2\n\n  # no\n\tb"), "|0 # . . # |4 b");
        assert_eq!(told("a \\\n  b"), "|0 a b");
    }

    #[test]
    fn brackets_in_strings_and_comments_are_no_brackets() {
        assert_eq!(told("f('(', \"it's\")"), "|0 f ( \" ~( \" , \" it \" s \" )");
        assert_eq!(told("rb'\\'\\n(' (  # a (b"), "|0 rb: \" \" ~n ~( \" ( ~# a ~( b");
        assert_eq!(told("'''a\n( b''' ("), "|0 \" \" \" a ~( b \" \" \" (");
        assert_eq!(told("don't (x) 'a'"), "|0 don \" t ( x ) \" a \"");
        assert_eq!(told("fn f(x: &'a T) -> 'b'"), "|0 fn f ( x : & \" a T ) - > \" b \"");
    }
}
