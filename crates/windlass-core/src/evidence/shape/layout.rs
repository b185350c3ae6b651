//! The shape of a text: what it is made of when names, numbers, comments and the way it is laid out do not
//! count.

use std::collections::HashMap;

use super::{
    Reading, keywords,
    scan::{Piece, Scan},
    token::Token,
};

/// A bracket that is open.
#[derive(Clone, Copy, Debug)]
struct Open {
    mark: char,
    /// Which token it is.
    at: usize,
    /// Whether it stands where a value begins, so that nothing is called with what is in it.
    is_value: bool,
    /// Whether a line ends after it.
    is_wrapped: bool,
    commas: usize,
}

/// Makes the shape of a text.
pub(super) struct Layout<'a> {
    reading: Reading,
    tokens: Vec<Token>,
    /// What each word of code is, and whether a value follows it.
    words: HashMap<&'a str, (Token, bool)>,
    names: u32,
    open: Vec<Open>,
    /// How many of each kind are open, so that one that closes nothing costs nothing.
    kinds: [usize; 3],
    indents: Vec<usize>,
    /// Whether a statement ended since the last token.
    is_over: bool,
    /// Whether a line began since the last token.
    is_line_start: bool,
    /// Whether a value is to follow the last token, if that is a word.
    opens_value: bool,
}

impl<'a> Layout<'a> {
    /// The shape of a text.
    pub(super) fn of(text: &'a str, reading: Reading) -> Vec<Token> {
        let mut layout = Self {
            reading,
            tokens: Vec::new(),
            words: HashMap::new(),
            names: 0,
            open: Vec::new(),
            kinds: [0; 3],
            indents: Vec::new(),
            is_over: false,
            is_line_start: true,
            opens_value: true,
        };
        for piece in Scan::new(text, reading) {
            layout.add(piece);
        }
        layout.tokens
    }

    fn add(&mut self, piece: Piece<'a>) {
        match piece {
            Piece::Line { indent, rest } => self.line(indent, rest),
            Piece::Word(word) => {
                let (token, opens_value) = self.word(word);
                self.put(token);
                self.opens_value = opens_value;
            }
            Piece::Kind(word) => self.put(Token::keyword(word)),
            Piece::Number => self.put(Token::Number),
            Piece::Quote => self.put(Token::Quote),
            Piece::Inside(mark) => self.put(Token::Mark(mark)),
            Piece::Mark(mark, _) if self.reading == Reading::Prose => self.put(Token::Mark(mark)),
            Piece::Mark(mark @ ('(' | '[' | '{'), _) => self.opens(mark),
            Piece::Mark(mark @ (')' | ']' | '}'), rest) => self.closes(mark, rest),
            Piece::Mark(';', _) => self.semicolon(),
            Piece::Mark(mark, _) => self.mark(mark),
        }
    }

    fn word(&mut self, word: &'a str) -> (Token, bool) {
        if self.reading != Reading::Code {
            return (Token::word(word), false);
        }
        *self.words.entry(word).or_insert_with(|| {
            if keywords::is_keyword(word) {
                return (Token::keyword(word), keywords::opens_value(word));
            }
            self.names += 1;
            (Token::Name(self.names), false)
        })
    }

    fn put(&mut self, token: Token) {
        let is_over = std::mem::take(&mut self.is_over) && self.open.is_empty();
        let last = self.tokens.last();
        // After a block nothing tells that it is over but its bracket, wherever the next line begins.
        let is_told = matches!(last, None | Some(Token::In | Token::Out | Token::Mark('}')));
        if is_over && !is_told {
            self.tokens.push(Token::Break);
        }
        self.is_line_start = false;
        self.opens_value = true;
        self.tokens.push(token);
    }

    fn line(&mut self, indent: usize, rest: &str) {
        self.is_line_start = true;
        if self.reading == Reading::Prose {
            return;
        }
        let last = self.tokens.len().checked_sub(1);
        if let Some(open) = self.open.last_mut() {
            open.is_wrapped |= Some(open.at) == last;
            return;
        }
        let joins = self.tokens.ends_with(&[Token::Mark('=')])
            || [['&', '&'], ['|', '|'], ['=', '>']]
                .iter()
                .any(|marks| self.tokens.ends_with(&marks.map(Token::Mark)));
        if joins || rest.starts_with('{') || goes_on(rest) {
            return;
        }
        self.is_over = true;
        self.indent(indent);
    }

    fn indent(&mut self, indent: usize) {
        while self.indents.last().is_some_and(|open| *open > indent) {
            self.indents.pop();
            self.tokens.push(Token::Out);
        }
        if indent > self.indents.last().copied().unwrap_or(0) {
            self.indents.push(indent);
            self.tokens.push(Token::In);
        }
    }

    fn opens(&mut self, mark: char) {
        let is_operand = self.tokens.last().is_some_and(|last| last.is_operand());
        let is_value = !is_operand || self.opens_value;
        self.is_over &= mark != '{';
        self.put(Token::Mark(mark));
        let at = self.tokens.len() - 1;
        self.kinds[kind(mark)] += 1;
        self.open.push(Open { mark, at, is_value, is_wrapped: false, commas: 0 });
    }

    fn closes(&mut self, mark: char, rest: &str) {
        let Some(open) = self.close(mark) else { return self.put(Token::Mark(mark)) };
        let is_parenthesised = mark == ')' && open.is_value;
        let is_tuple = is_parenthesised && open.commas == 1;
        if self.tokens.last() == Some(&Token::Mark(',')) && !is_tuple {
            self.tokens.pop();
        }
        if is_parenthesised && open.is_wrapped && self.is_line_start && ends_statement(rest) {
            self.tokens[open.at] = Token::Gone;
            self.is_line_start = false;
        } else {
            self.put(Token::Mark(mark));
            self.opens_value = false;
        }
    }

    /// Closes a bracket. One that was never opened closes nothing, and one that was never closed ends with
    /// those around it.
    fn close(&mut self, mark: char) -> Option<Open> {
        if self.kinds[kind(mark)] == 0 {
            return None;
        }
        while let Some(open) = self.open.pop() {
            self.kinds[kind(open.mark)] -= 1;
            if kind(open.mark) == kind(mark) {
                return Some(open);
            }
        }
        None
    }

    /// At the end of a line it is style; elsewhere it stands for the end of a line.
    fn semicolon(&mut self) {
        match self.open.last().map(|open| open.mark) {
            None => self.is_over = true,
            Some('{') => (),
            Some(_) => self.put(Token::Mark(';')),
        }
    }

    fn mark(&mut self, mark: char) {
        if let (',', Some(open)) = (mark, self.open.last_mut()) {
            open.commas += 1;
        }
        if mark == '>' {
            self.unwrap_parameter();
        }
        self.put(Token::Mark(mark));
    }

    /// `(x) => …` is `x => …`.
    fn unwrap_parameter(&mut self) {
        let Some(start) = self.tokens.len().checked_sub(4) else { return };
        let is_called = start > 0 && self.tokens[start - 1].is_operand();
        let tail = &self.tokens[start..];
        let is_alone =
            matches!(tail, [Token::Mark('('), Token::Name(_), Token::Mark(')'), Token::Mark('=')]);
        if is_alone && !is_called {
            self.tokens[start] = Token::Gone;
            self.tokens[start + 2] = Token::Gone;
        }
    }
}

/// The kind of a bracket.
fn kind(bracket: char) -> usize {
    match bracket {
        '(' | ')' => 0,
        '[' | ']' => 1,
        _ => 2,
    }
}

/// Whether a line that begins like this goes on with what was said on the line before.
fn goes_on(line: &str) -> bool {
    let is_name = |rest: &str| rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
    line.strip_prefix('.').is_some_and(is_name)
        || ["?.", "&&", "||", "|>"].iter().any(|mark| line.starts_with(mark))
}

/// Whether nothing of a statement follows on the line but a mark that ends it.
fn ends_statement(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\t', '\r']);
    rest.is_empty() || rest.starts_with(['\n', ';', ':', ',', ')'])
}
