//! Attributes: which lints they set, and whether what follows is a test.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{
    facts::Level,
    tokens::{ident, is_double_colon, line, punct},
    uses,
};

const LEVELS: [&str; 5] = ["allow", "expect", "warn", "deny", "forbid"];

/// What one attribute says.
#[derive(Default)]
pub(super) struct Attribute {
    /// Where it starts.
    pub(super) at: usize,
    pub(super) is_inner: bool,
    /// `#[cfg(test)]`.
    pub(super) test_only: bool,
    /// `#[test]`, `#[tokio::test]`.
    pub(super) is_test: bool,
    /// `#[path = "…"]`.
    pub(super) path: Option<String>,
    pub(super) levels: Vec<Level>,
    /// Paths that it names, also those in strings, as serde has them.
    pub(super) paths: Vec<(Vec<String>, usize)>,
}

/// The attribute that starts at `at`, and where the next token is.
pub(super) fn at(tokens: &[TokenTree], at: usize) -> Option<(Attribute, usize)> {
    if punct(tokens, at) != Some('#') {
        return None;
    }
    let is_inner = punct(tokens, at + 1) == Some('!');
    let place = at + 1 + usize::from(is_inner);
    let Some(TokenTree::Group(group)) = tokens.get(place) else { return None };
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let mut attribute = Attribute { at, is_inner, ..Attribute::default() };
    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
    match ident(&inner, 0).as_deref() {
        Some("doc") => {}
        Some("cfg") => attribute.test_only = is_test_only(&group_at(&inner, 1)),
        Some("path") => attribute.path = inner.get(2).and_then(|it| uses::string(&it.to_string())),
        _ => {
            attribute.is_test = is_test(&inner);
            attribute.read(&inner);
        }
    }
    Some((attribute, place + 1))
}

impl Attribute {
    /// Levels and paths, also inside of `cfg_attr`.
    fn read(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            if let Some(word) = ident(tokens, at)
                && LEVELS.contains(&word.as_str())
                && matches!(tokens.get(at + 1), Some(TokenTree::Group(_)))
            {
                self.level(&word, &group_at(tokens, at + 1), line(&tokens[at]));
                at += 2;
                continue;
            }
            match &tokens[at] {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.read(&inner);
                }
                TokenTree::Literal(literal) => {
                    let text = uses::string(&literal.to_string()).unwrap_or_default();
                    if text.contains("::") && text.chars().all(is_of_path) {
                        let path = text.split("::").map(ToOwned::to_owned).collect();
                        self.paths.push((path, line(&tokens[at])));
                    }
                }
                TokenTree::Ident(_) => {
                    let (path, end) = path_at(tokens, at);
                    if path.len() > 1 {
                        self.paths.push((path, line(&tokens[at])));
                    }
                    at = end;
                    continue;
                }
                TokenTree::Punct(_) => {}
            }
            at += 1;
        }
    }

    fn level(&mut self, level: &str, tokens: &[TokenTree], line: usize) {
        let parts = tokens
            .split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
        let (reasons, lints): (Vec<_>, Vec<_>) = parts
            .filter(|part| !part.is_empty())
            .partition(|part| ident(part, 0).is_some_and(|word| word == "reason"));
        for lint in lints {
            self.levels.push(Level {
                level: level.to_owned(),
                lint: path_at(lint, 0).0.join("::"),
                has_reason: !reasons.is_empty(),
                is_inner: self.is_inner,
                line,
            });
        }
    }
}

fn is_of_path(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':')
}

fn group_at(tokens: &[TokenTree], at: usize) -> Vec<TokenTree> {
    match tokens.get(at) {
        Some(TokenTree::Group(group)) => group.stream().into_iter().collect(),
        _ => TokenStream::new().into_iter().collect(),
    }
}

fn path_at(tokens: &[TokenTree], at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    let mut end = at;
    while let Some(segment) = ident(tokens, end) {
        path.push(segment);
        end += 1;
        if is_double_colon(tokens, end) && ident(tokens, end + 2).is_some() {
            end += 2;
        } else {
            break;
        }
    }
    (path, end.max(at + 1))
}

/// `cfg(test)` and `cfg(all(test, …))`; `any(test, …)` is also there without tests.
fn is_test_only(condition: &[TokenTree]) -> bool {
    match ident(condition, 0).as_deref() {
        Some("test") => condition.len() == 1,
        Some("all") => group_at(condition, 1)
            .split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','))
            .any(is_test_only),
        _ => false,
    }
}

fn is_test(tokens: &[TokenTree]) -> bool {
    path_at(tokens, 0).0.last().is_some_and(|last| last == "test")
}
