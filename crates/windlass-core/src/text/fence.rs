//! Puts a text into a code block that it cannot get out of, so that what code says in a prompt is
//! data and never an instruction. Pure.

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
    use proptest::prelude::*;

    use super::*;
    use crate::text::prose;

    #[test]
    fn the_fence_is_longer_than_any_inside() {
        assert_eq!(fenced("diff", "a\nb\n"), "```diff\na\nb\n```");
        assert_eq!(fenced("", ""), "```\n\n```");
        assert_eq!(fenced("text", "x\n`````\ny ``"), "``````text\nx\n`````\ny ``\n``````");
    }

    proptest! {
        #[test]
        fn nothing_gets_out_of_its_fence(text in "(`{1,5}|~{3}|[ax \t\r]|\n){0,30}") {
            let all = format!("before\n{}\nafter", fenced("diff", &text));
            let own: Vec<_> = prose::outside_code(&all).collect();
            prop_assert_eq!(own, ["before", "after"]);
        }
    }
}
