//! The trees of `use`, taken apart, and what string literals hold.

use proc_macro2::TokenTree;

use super::{
    facts::How,
    tokens::{ident, is_double_colon, punct},
};

/// A path of an import, and how it is imported.
type Leaf = (Vec<String>, How);

/// The leaves of the tree that starts at `at`, and where the next item starts. Nothing if this is
/// no import: `impl Trait + use<'a>`.
pub(super) fn tree(tokens: &[TokenTree], at: usize, public: bool) -> Option<(Vec<Leaf>, usize)> {
    let end = (at..tokens.len()).find(|place| punct(tokens, *place) == Some(';'))?;
    if punct(tokens, at) == Some('<') {
        return None;
    }
    let mut found = Vec::new();
    leaves(&[], &tokens[at..end], public, &mut found);
    Some((found, end + 1))
}

fn leaves(prefix: &[String], tokens: &[TokenTree], public: bool, found: &mut Vec<Leaf>) {
    let mut path = prefix.to_vec();
    let mut at = 0;
    if is_double_colon(tokens, 0) {
        path.push(String::new());
        at = 2;
    }
    loop {
        if let Some(segment) = ident(tokens, at) {
            path.push(segment);
            at += 1;
        } else if punct(tokens, at) == Some('*') {
            found.push((path, How::Glob { public }));
            return;
        } else if let Some(TokenTree::Group(group)) = tokens.get(at) {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let parts = inner
                .split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
            for part in parts.filter(|part| !part.is_empty()) {
                leaves(&path, part, public, found);
            }
            return;
        } else {
            return;
        }
        if is_double_colon(tokens, at) {
            at += 2;
        } else {
            break;
        }
    }
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let renamed = (ident(tokens, at).as_deref() == Some("as")).then(|| ident(tokens, at + 1));
    let Some(name) = renamed.flatten().or_else(|| path.last().cloned()) else { return };
    found.push((path, How::Import { name, public }));
}

/// What a string literal holds, as it is written; nothing for numbers and characters.
pub(super) fn string(literal: &str) -> Option<String> {
    let open = literal.find('"')?;
    let prefix = &literal[..open];
    if !prefix.chars().all(|c| matches!(c, 'b' | 'c' | 'r' | '#')) {
        return None;
    }
    let close = literal.rfind('"')?;
    (close > open).then(|| literal[open + 1..close].to_owned())
}
