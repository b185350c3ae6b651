//! A text that is not ours, set apart in a prompt so that no line of it can end its fence.

/// The text in a code fence that is longer than any run of backticks inside. `info` is what stands
/// after the opening fence.
pub fn fenced(info: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let text = text.strip_suffix('\n').unwrap_or(text);
    format!("{fence}{info}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fence_is_longer_than_any_inside() {
        assert_eq!(fenced("diff", "a\nb\n"), "```diff\na\nb\n```");
        assert_eq!(fenced("", ""), "```\n\n```");
        assert_eq!(fenced("text", "x\n`````\ny ``"), "``````text\nx\n`````\ny ``\n``````");
    }
}
