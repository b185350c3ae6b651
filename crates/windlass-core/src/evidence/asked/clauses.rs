//! Takes a task apart: clauses, and the words and paths in them.

use super::super::prose::Named;
use crate::text::prose::after_list_mark;

/// A part of a sentence with one matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) tokens: Vec<Token>,
    /// Whether a point of a list begins with it, or the whole text is no more.
    pub(super) is_point: bool,
}

/// A word, or what stands like one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word in lower case.
    Word(String),
    /// A path, as it stands there.
    Path(String),
    /// A comma.
    Comma,
    /// Code, a flag, a number: nothing that is read here.
    Other,
}

impl Token {
    /// The word that it is, if it is one.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The clauses of a text.
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.line(line.trim());
    }
    reader.end();
    if let [only] = reader.clauses.as_mut_slice() {
        only.is_point |= only.tokens.len() <= 6;
    }
    reader.clauses
}

#[derive(Debug, Default)]
struct Reader {
    clauses: Vec<Clause>,
    clause: Clause,
    /// Whether more than one word stands in backticks here.
    is_code: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let unmarked = unmarked(line);
        let is_point = unmarked.len() < line.len();
        // A line in lower case goes on with the sentence of the line before.
        if is_point || !line.starts_with(char::is_lowercase) {
            self.end();
        }
        if line.is_empty() || is_point {
            self.is_code = false;
        }
        self.clause.is_point |= is_point;
        for word in unmarked.split_whitespace() {
            if self.clause.tokens.len() >= LONGEST {
                self.end();
            }
            self.word(word);
        }
    }

    fn end(&mut self) {
        let clause = std::mem::take(&mut self.clause);
        if !clause.tokens.is_empty() {
            self.clauses.push(clause);
        }
    }

    fn word(&mut self, word: &str) {
        if word.chars().all(|c| matches!(c, '-' | '–' | '—')) {
            return self.end();
        }
        let marks = word.matches('`').count();
        let was_code = self.is_code;
        self.is_code ^= marks % 2 == 1;
        let (core, after) = unwrapped(word);
        if !core.is_empty() {
            let is_long_code = was_code || self.is_code;
            self.tokens_of(core, is_long_code || marks > 0, is_long_code);
        }
        if after.contains(ENDING) && !(was_code && self.is_code) {
            self.end();
        } else if after.contains(',') {
            self.clause.tokens.push(Token::Comma);
        }
    }

    fn tokens_of(&mut self, core: &str, is_code: bool, is_long_code: bool) {
        let tokens = &mut self.clause.tokens;
        let plain = core.replace('’', "'");
        let (base, possessive) = match plain.strip_suffix("'s").filter(|base| *base != "let") {
            Some(base) => (base, true),
            None => (plain.as_str(), false),
        };
        let is_word = base.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '&'))
            && !base.starts_with('-');
        if is_long_code {
            tokens.push(Token::Other);
        } else if let Some(path) = path_of(base) {
            tokens.push(Token::Path(path));
        } else if is_word && !is_code {
            tokens.push(Token::Word(base.to_lowercase()));
        } else {
            tokens.push(Token::Other);
        }
        if possessive {
            tokens.push(Token::Other);
        }
    }
}

/// A clause of more words is none: somebody left out the punctuation.
const LONGEST: usize = 200;

const OPENING: [char; 11] = ['"', '\'', '`', '(', '[', '{', '*', '_', '<', '“', '‘'];
const CLOSING: [char; 11] = ['"', '\'', '`', ')', ']', '}', '*', '_', '>', '”', '’'];
const ENDING: [char; 5] = ['.', ';', ':', '!', '?'];

/// A word without the marks around it, and those that come after it.
fn unwrapped(word: &str) -> (&str, &str) {
    let mut inner = word.trim_start_matches(OPENING);
    if inner.starts_with('.')
        && word.ends_with(inner)
        && word[..word.len() - inner.len()].ends_with('*')
    {
        // `*.md`
        inner = &word[word.len() - inner.len() - 1..];
    }
    let is_after = |c: char| CLOSING.contains(&c) || ENDING.contains(&c) || c == ',';
    let core = inner.trim_end_matches(is_after);
    (core, &inner[core.len()..])
}

/// A line without the marks of a list, a task or a heading.
fn unmarked(line: &str) -> &str {
    let text = line.trim_start_matches(['#', '>']).trim_start();
    let mut text = after_list_mark(text).unwrap_or(text);
    // `[ ] T012 [P] [US1] …`
    while let Some((first, rest)) = text.split_once(']').filter(|_| text.starts_with('[')) {
        if first.len() > 6 || !rest.starts_with(' ') {
            break;
        }
        text = rest.trim_start();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let digits = word.strip_prefix('T').unwrap_or_default();
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            text = rest.trim_start();
        }
    }
    text
}

/// The path that a word is, if it is one of prose, or may be.
fn path_of(word: &str) -> Option<String> {
    let path = word.trim_start_matches('@');
    if path.contains("://") || path.starts_with('-') {
        return None;
    }
    // `guide.md:12:3`, `guide.md#part`
    let path = path.split(['#', ':']).next().unwrap_or(path);
    let path = path.trim_start_matches("./");
    if let Some(folder) = path.strip_suffix('/') {
        return (Named::of(&format!("{folder}/x")) == Named::Prose).then(|| path.to_owned());
    }
    let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let has_ending = !ending.is_empty() && ending.chars().all(char::is_alphanumeric);
    let is_shouted = path.len() >= 3 && !path.contains(|c: char| !c.is_uppercase() && c != '_');
    let may_be = match Named::of(path) {
        Named::Prose => has_ending || is_shouted || path.contains('/'),
        Named::Unsure => ending == "txt",
        Named::Code | Named::Data | Named::Markup => has_ending,
    };
    may_be.then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let token = |token: &Token| match token {
            Token::Word(word) => word.clone(),
            Token::Path(path) => format!("<{path}>"),
            Token::Comma => ",".to_owned(),
            Token::Other => "?".to_owned(),
        };
        let clause = |clause: &Clause| {
            let words: Vec<String> = clause.tokens.iter().map(token).collect();
            format!("{}{}", if clause.is_point { "- " } else { "" }, words.join(" "))
        };
        clauses(text).iter().map(clause).collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn a_task_is_clauses_of_words_and_paths() {
        assert_eq!(
            told("Fix `src/a.rs:12`, then update the\ndocs (see README.md). Don't stop!\n"),
            "fix <src/a.rs> , then update the docs see <README.md> / don't stop"
        );
        assert_eq!(
            told("# Tasks\n- [ ] Docs: add --jobs\n- [x] the guide's end\n1. `cargo doc` works"),
            "- tasks / - docs / add ? / - the guide ? end / - ? ? works"
        );
        assert_eq!(
            told("Edit docs/ and docs/*.md, not src/ — e.g. README"),
            "edit <docs/> and <docs/*.md> , not ? / ? / <README>"
        );
        assert_eq!(told("Documentation"), "- documentation");
        assert_eq!(told("- [ ] T012 [P] [US1] all *.md, **bold**"), "- all <*.md> , bold");
    }
}
