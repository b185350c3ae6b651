//! What a run of tokens is: an `impl`, a macro call, a value that is built, where an item ends.

use proc_macro2::{Delimiter, Group, Spacing, TokenTree};

use super::tokens::{DEFINING, punct};

/// `impl Trait` in a type, as opposed to an `impl` block.
pub(super) fn is_type_position(tokens: &[TokenTree], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    match &tokens[before] {
        TokenTree::Punct(punct) => !matches!(punct.as_char(), ';' | '}'),
        TokenTree::Ident(word) => word != "unsafe" && word != "default",
        _ => false,
    }
}

/// The type that an `impl` is for, and where its body is.
pub(super) fn implemented(tokens: &[TokenTree], at: usize) -> Option<(Vec<String>, usize)> {
    let mut own: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    let mut is_over = false;
    for (place, token) in tokens.iter().enumerate().skip(at + 1) {
        match token {
            TokenTree::Group(Group { .. }) if is_brace(token) => return Some((own, place)),
            TokenTree::Punct(punct) => match punct.as_char() {
                '<' => depth += 1,
                '>' if !is_arrow(tokens, place) => depth = depth.saturating_sub(1),
                ';' => return None,
                _ => {}
            },
            TokenTree::Ident(word) if depth == 0 && !is_over => match word.to_string().as_str() {
                "for" => own.clear(),
                "where" => is_over = true,
                word => own.push(word.to_owned()),
            },
            _ => {}
        }
    }
    None
}

fn is_arrow(tokens: &[TokenTree], at: usize) -> bool {
    at > 0
        && matches!(&tokens[at - 1], TokenTree::Punct(before)
        if matches!(before.as_char(), '-' | '=') && before.spacing() == Spacing::Joint)
}

fn is_brace(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

pub(super) fn is_macro(tokens: &[TokenTree], end: usize) -> bool {
    punct(tokens, end) == Some('!')
        && matches!(tokens.get(end + 1), Some(TokenTree::Group(_) | TokenTree::Ident(_)))
}

/// Whether the path from `start` to `end` builds a value: `Path { … }`, and no pattern or item.
pub(super) fn is_built(tokens: &[TokenTree], start: usize, end: usize, path: &[String]) -> bool {
    let is_type = path.last().is_some_and(|name| name.starts_with(char::is_uppercase));
    let Some(TokenTree::Group(group)) = tokens.get(end) else { return false };
    if !is_type || group.delimiter() != Delimiter::Brace {
        return false;
    }
    let mut before = start;
    loop {
        let is_lifetime = before > 1 && punct(tokens, before - 2) == Some('\'');
        let is_reference = before > 0
            && (punct(tokens, before - 1) == Some('&') || is_word(tokens, before - 1, "mut"));
        before -= match (is_lifetime, is_reference) {
            (true, _) => 2,
            (_, true) => 1,
            _ => break,
        };
    }
    if let Some(before) = before.checked_sub(1) {
        const HEADS: [&str; 9] =
            ["struct", "enum", "union", "trait", "impl", "for", "let", "mod", "dyn"];
        if HEADS.iter().any(|head| is_word(tokens, before, head)) {
            return false;
        }
        if punct(tokens, before) == Some('>') {
            let is_arm = before > 0 && punct(tokens, before - 1) == Some('=');
            if !is_arm {
                return false;
            }
        }
    }
    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
    let is_open = inner.len() > 1
        && punct(&inner, inner.len() - 1) == Some('.')
        && punct(&inner, inner.len() - 2) == Some('.');
    let is_matched = match punct(tokens, end + 1) {
        Some('=') => punct(tokens, end + 2) != Some('='),
        Some(':' | '|') => true,
        _ => is_word(tokens, end + 1, "if"),
    };
    !is_open && !is_matched
}

fn is_word(tokens: &[TokenTree], at: usize, word: &str) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Ident(ident)) if ident == word)
}

/// Where the item, statement, field or arm ends that starts at `at`.
pub(super) fn item_end(tokens: &[TokenTree], at: usize) -> usize {
    let words = tokens[at..].iter().take(6).filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    let keyword = words.into_iter().find(|word| {
        DEFINING.contains(&word.as_str())
            || ["mod", "use", "impl", "let", "macro_rules", "extern"].contains(&word.as_str())
    });
    let (semicolon_only, comma) = match keyword.as_deref() {
        Some("use" | "let" | "type" | "static") => (true, false),
        Some("const") => {
            let is_function = tokens[at..]
                .iter()
                .take(6)
                .any(|token| matches!(token, TokenTree::Ident(word) if word == "fn"));
            (!is_function, false)
        }
        Some(_) => (false, false),
        None => (false, true),
    };
    for (place, token) in tokens.iter().enumerate().skip(at) {
        let ends = match token {
            TokenTree::Punct(punct) => punct.as_char() == ';' || comma && punct.as_char() == ',',
            TokenTree::Group(_) => !semicolon_only && is_brace(token),
            _ => false,
        };
        if ends {
            return place + 1;
        }
    }
    tokens.len()
}

/// `("text")`.
pub(super) fn is_one_string(token: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = token else { return false };
    let mut inner = group.stream().into_iter();
    matches!((inner.next(), inner.next()), (Some(TokenTree::Literal(_)), None))
}
