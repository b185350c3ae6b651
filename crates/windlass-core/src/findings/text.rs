//! Small readings of Markdown lines that several readers of findings need.

/// What follows `- `, `* `, `+ `, `1. ` or `1) `.
pub(super) fn after_bullet(line: &str) -> Option<&str> {
    let after = match line.strip_prefix(['-', '*', '+', '•']) {
        Some(after) => after,
        None => {
            let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_numbered = digits.len() < line.len();
            is_numbered.then(|| digits.strip_prefix(['.', ')']))??
        }
    };
    after.starts_with([' ', '\t']).then(|| after.trim_start())
}
