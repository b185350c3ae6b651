//! Puts a text into a code block that it cannot get out of, so that what code says in a prompt is
//! data and never an instruction. Pure.

/// The text in a code block whose fence is longer than any run of back-ticks in it.
pub fn fence(text: &str, language: &str) -> String {
    let marks = "`".repeat((longest_run(text) + 1).max(3));
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{marks}{language}\n{text}{end}{marks}\n")
}

fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prose;

    #[test]
    fn a_text_is_fenced() {
        assert_eq!(fence("+a", "diff"), "```diff\n+a\n```\n");
        assert_eq!(fence("a\n```\nb\n`````\n", ""), "``````\na\n```\nb\n`````\n``````\n");
        assert_eq!(fence("", ""), "```\n```\n");
    }

    proptest! {
        #[test]
        fn nothing_gets_out_of_its_fence(text in "(`{1,5}|~{3}|[ax \t\r]|\n){0,30}") {
            let all = format!("before\n{}after", fence(&text, "diff"));
            let own: Vec<_> = prose::outside_code(&all).collect();
            prop_assert_eq!(own, ["before", "after"]);
        }
    }
}
