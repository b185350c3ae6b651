//! The paths that code names: `a::b::c` as it stands, and each leaf of a `use`.

/// All of them; with repeats.
pub(super) fn of(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        let from = &rest[start..];
        let inner = from.strip_prefix("use ").or_else(|| from.strip_prefix("pub use "));
        let length = match inner.and_then(|inner| inner.find(';').map(|end| &inner[..end])) {
            Some(tree) => {
                leaves("", tree, &mut found);
                from.len() - inner.map_or(0, str::len) + tree.len()
            }
            None => {
                let length = path_length(from);
                found.push(from[..length].trim_end_matches(':').to_owned());
                length
            }
        };
        rest = &from[length..];
    }
    found
}

/// How long the path is that `text` starts with.
fn path_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len())
}

/// The leaves of one tree of a `use`, each with all that stands before it.
fn leaves(prefix: &str, tree: &str, found: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((head, group)) = tree.split_once('{') else {
        let leaf = tree.split(" as ").next().unwrap_or(tree).trim();
        let whole = format!("{prefix}{leaf}");
        found.push(whole.trim_end_matches("::self").trim_end_matches("::*").to_owned());
        return;
    };
    let prefix = format!("{prefix}{}", head.trim());
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                leaves(&prefix, &group[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !group[start..].trim().is_empty() {
        leaves(&prefix, &group[start..], found);
    }
}
