//! Walks the tokens of a file and collects its facts. Macro bodies are walked like other code.

use std::str::FromStr as _;

use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

use super::{
    attributes::{self, Attribute},
    facts::{Declared, Facts, How, Item, Mention, Word},
    shapes::{implemented, is_built, is_macro, is_one_string, is_type_position, item_end},
    uses,
};

/// Keywords that are followed by the name of what they define.
pub(super) const DEFINING: [&str; 8] =
    ["struct", "enum", "union", "trait", "type", "const", "static", "fn"];

/// The facts of a text.
pub(super) fn read(text: &str) -> Result<Facts, LexError> {
    let stream = TokenStream::from_str(text)?;
    let mut walk = Walk { facts: Facts::default(), scope: Vec::new(), own: None, in_test: false };
    walk.all(stream);
    Ok(walk.facts)
}

/// Where the walk is, and what it saw.
struct Walk {
    facts: Facts,
    scope: Vec<String>,
    /// What `Self` means here.
    own: Option<Vec<String>>,
    in_test: bool,
}

impl Walk {
    fn all(&mut self, stream: TokenStream) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut pending = Pending::default();
        let mut at = 0;
        while at < tokens.len() {
            if let Some((attribute, next)) = attributes::at(&tokens, at) {
                self.attribute(attribute, &mut pending);
                at = next;
                continue;
            }
            if pending.test_only && !self.in_test {
                let end = item_end(&tokens, at);
                let start = pending.start.unwrap_or(at);
                self.in_test = true;
                self.some(&tokens[at..end], &mut pending);
                self.in_test = false;
                self.facts.test_lines += lines_of(&tokens, start, end);
                at = end;
            } else {
                at = self.one(&tokens, at, &mut pending);
                continue;
            }
            pending = Pending::default();
        }
    }

    fn some(&mut self, tokens: &[TokenTree], pending: &mut Pending) {
        let mut at = 0;
        while at < tokens.len() {
            at = self.one(tokens, at, pending);
        }
    }

    /// Takes what starts at `at`; gives where the next thing starts.
    fn one(&mut self, tokens: &[TokenTree], at: usize, pending: &mut Pending) -> usize {
        match &tokens[at] {
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace {
                    *pending = Pending::default();
                }
                self.all(group.stream());
                at + 1
            }
            TokenTree::Literal(literal) => {
                if let Some(text) = uses::string(&literal.to_string()) {
                    let line = literal.span().start().line;
                    self.facts.strings.push(Word { text, line, in_test: self.in_test });
                }
                at + 1
            }
            TokenTree::Punct(punct) => {
                if matches!(punct.as_char(), ';' | ',') {
                    *pending = Pending::default();
                }
                if punct.as_char() == '.' {
                    return self.method(tokens, at);
                }
                if is_double_colon(tokens, at) && ident(tokens, at + 2).is_some() {
                    return self.path(tokens, at);
                }
                at + 1
            }
            TokenTree::Ident(_) => self.word(tokens, at, pending),
        }
    }

    fn word(&mut self, tokens: &[TokenTree], at: usize, pending: &mut Pending) -> usize {
        let word = ident(tokens, at).unwrap_or_default();
        match word.as_str() {
            "use" => {
                let public = is_public(tokens, at);
                if let Some((found, end)) = uses::tree(tokens, at + 1, public) {
                    let line = line(&tokens[at]);
                    for (path, how) in found {
                        self.mention(path, how, line);
                    }
                    return end;
                }
            }
            "mod" => {
                if let Some(name) = ident(tokens, at + 1) {
                    return self.module(tokens, at, name, pending);
                }
            }
            "impl" if !is_type_position(tokens, at) => {
                if let Some((own, body)) = implemented(tokens, at) {
                    self.some(&tokens[at + 1..body], pending);
                    let before = self.own.replace(own);
                    *pending = Pending::default();
                    if let TokenTree::Group(group) = &tokens[body] {
                        self.all(group.stream());
                    }
                    self.own = before;
                    return body + 1;
                }
            }
            "macro_rules" => {
                if let Some(name) = ident(tokens, at + 2) {
                    self.item(name);
                    return at + 3;
                }
            }
            word if DEFINING.contains(&word) => {
                if let Some(name) = ident(tokens, at + 1) {
                    if word == "fn" && std::mem::take(&mut pending.is_test) {
                        let scope = self.scope.clone();
                        let in_test = self.in_test;
                        self.facts.tests.push(Item { scope, name: name.clone(), in_test });
                    }
                    if name != "fn" {
                        self.item(name);
                        return at + 2;
                    }
                }
            }
            _ => {}
        }
        self.path(tokens, at)
    }

    fn module(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        name: String,
        pending: &mut Pending,
    ) -> usize {
        let body = match tokens.get(at + 2) {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => Some(group),
            _ => None,
        };
        self.facts.modules.push(Declared {
            scope: self.scope.clone(),
            name: name.clone(),
            path: pending.path.take(),
            is_inline: body.is_some(),
            in_test: self.in_test,
        });
        *pending = Pending::default();
        if let Some(group) = body {
            self.scope.push(name);
            self.all(group.stream());
            self.scope.pop();
        }
        at + 3
    }

    /// A path from `at` on, and what is done with it.
    fn path(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let mut path = Vec::new();
        let mut end = at;
        if is_double_colon(tokens, at) {
            path.push(String::new());
            end += 2;
        }
        while let Some(segment) = ident(tokens, end) {
            path.push(segment);
            end += 1;
            if is_double_colon(tokens, end) && ident(tokens, end + 2).is_some() {
                end += 2;
            } else {
                break;
            }
        }
        let line = line(&tokens[at]);
        if is_macro(tokens, end) {
            self.mention(path, How::Macro, line);
        } else if is_built(tokens, at, end, &path) {
            let path = match (&self.own, path.as_slice()) {
                (Some(own), [only]) if only == "Self" => own.clone(),
                _ => path,
            };
            self.mention(path, How::Built, line);
        } else if path.len() > 1 {
            self.mention(path, How::Plain, line);
        }
        end
    }

    fn method(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let Some(name) = ident(tokens, at + 1) else { return at + 1 };
        let is_call = matches!(tokens.get(at + 2), Some(TokenTree::Group(group))
            if group.delimiter() == Delimiter::Parenthesis)
            || is_double_colon(tokens, at + 2);
        let is_part = name == "join" && is_one_string(tokens.get(at + 2));
        if is_call {
            let line = line(&tokens[at + 1]);
            self.facts.calls.push(Word { text: name, line, in_test: self.in_test });
        }
        if is_part { at + 3 } else { at + 2 }
    }

    fn attribute(&mut self, attribute: Attribute, pending: &mut Pending) {
        pending.start.get_or_insert(attribute.at);
        if attribute.is_inner && attribute.test_only {
            self.facts.is_test |= self.scope.is_empty();
            self.in_test = true;
        } else {
            pending.test_only |= attribute.test_only;
        }
        pending.is_test |= attribute.is_test;
        pending.path = pending.path.take().or(attribute.path);
        self.facts.levels.extend(attribute.levels);
        for (path, line) in attribute.paths {
            self.mention(path, How::Plain, line);
        }
    }

    fn mention(&mut self, path: Vec<String>, how: How, line: usize) {
        let (scope, in_test) = (self.scope.clone(), self.in_test);
        self.facts.mentions.push(Mention { scope, path, how, line, in_test });
    }

    fn item(&mut self, name: String) {
        let (scope, in_test) = (self.scope.clone(), self.in_test);
        self.facts.items.push(Item { scope, name, in_test });
    }
}

/// What the attributes before an item say of it.
#[derive(Default)]
struct Pending {
    start: Option<usize>,
    test_only: bool,
    is_test: bool,
    path: Option<String>,
}

pub(super) fn ident(tokens: &[TokenTree], at: usize) -> Option<String> {
    let TokenTree::Ident(ident) = tokens.get(at)? else { return None };
    let text = ident.to_string();
    Some(text.strip_prefix("r#").map(ToOwned::to_owned).unwrap_or(text))
}

pub(super) fn punct(tokens: &[TokenTree], at: usize) -> Option<char> {
    match tokens.get(at)? {
        TokenTree::Punct(punct) => Some(punct.as_char()),
        _ => None,
    }
}

pub(super) fn is_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    punct(tokens, at) == Some(':') && punct(tokens, at + 1) == Some(':')
}

pub(super) fn line(token: &TokenTree) -> usize {
    token.span().start().line
}

fn lines_of(tokens: &[TokenTree], start: usize, end: usize) -> usize {
    let last = end.checked_sub(1).and_then(|last| tokens.get(last));
    last.map_or(0, |last| last.span().end().line + 1 - line(&tokens[start]))
}

fn is_public(tokens: &[TokenTree], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    match &tokens[before] {
        TokenTree::Ident(word) => word == "pub",
        TokenTree::Group(_) => before > 0 && ident(tokens, before - 1).is_some_and(|w| w == "pub"),
        _ => false,
    }
}
