//! What comes out is harmless, and still says the same.

use proptest::prelude::*;

use super::*;

/// Zero-width spaces, shown.
fn shown(text: &str) -> String {
    text.replace(APART, "·")
}

#[test]
fn nobody_is_called_and_nothing_is_pointed_at() {
    for (before, after) in [
        ("ask @octocat or @org/team", "ask @·octocat or @·org/team"),
        ("fixes #12, closes ada/engine#7", "fixes #·12, closes ada/engine#·7"),
        ("GH-12 and gh-7, but not high-5", "GH-·12 and gh-·7, but not high-5"),
        ("ada@0123abc at ada@example.org", "ada@·0123abc at ada@·example.org"),
        ("an @ alone, a # alone", "an @ alone, a # alone"),
        // What is spelt out as an entity would be read before names are looked for.
        ("&#64;octocat &commat;octocat", "&amp;#·64;octocat &amp;commat;octocat"),
        ("\\@octocat", "&#92;@·octocat"),
    ] {
        assert_eq!(shown(&line(before)), after);
    }
}

#[test]
fn nothing_is_loaded_and_nothing_is_a_link() {
    for (before, after) in [
        ("![x](https://evil.example/p.png)", "!&#91;x&#93;(`https://evil.example/p.png`)"),
        ("[x](//evil.example)", "[x&#93;(//evil.example)"),
        ("[x][y]", "[x&#93;[y]"),
        ("[x]: /evil", "[x&#93;: /evil"),
        ("see [^1]", "see &#91;^1]"),
        ("- [x] done", "- &#91;x] done"),
        ("list[0] stays", "list[0] stays"),
        ("at https://a.example/b?c=d#e.", "at `https://a.example/b?c=d#e`."),
        ("WWW.evil.example", "`WWW.evil.example`"),
        ("ssh://x", "ssh:·//x"),
        ("<img src=x onerror=y>", "&lt;img src=x onerror=y>"),
        ("<!-- windlass:begin -->", "&lt;!-- windlass:begin -->"),
        ("<https://evil.example>", "&lt;`https://evil.example`>"),
    ] {
        assert_eq!(shown(&line(before)), after);
    }
}

#[test]
fn code_stays_code() {
    for (before, after) in [
        ("`@Override` on `Vec<T>`", "`@Override` on `Vec<T>`"),
        ("``a ` b`` c", "``a ` b`` c"),
        // A bar could cut the span apart, where a table is.
        ("`@x | y`", "&#96;@·x &#124; y&#96;"),
        // One alone could pair up with one of the next line.
        ("a ` b", "a &#96; b"),
        ("\\`@x\\`", "&#92;`@x\\`"),
        ("``", "&#96;&#96;"),
        // Side by side they would have other marks.
        ("``:``http://a`b`", "``:``·`http://a`·`b`"),
    ] {
        assert_eq!(shown(&line(before)), after);
    }
}

#[test]
fn blocks_are_fenced_anew_and_do_nothing() {
    insta::assert_snapshot!(shown(&block(
        "Do this:\n\n   ```suggestion\nrm -rf / # @me\n```\nor\n~~~ Rust <b>\n```\nlet a = 1;\n~~~~\n\
         # Big\n\tdeep @x\n1. one\n   - two\n```\nnever closed <b>"
    )), @"
    Do this:

    ```
    rm -rf / # @me
    ```
    or
    ````Rust
    ```
    let a = 1;
    ````
    &#35; Big
       deep @·x
    1. one
       - two
    ```
    never closed <b>
    ```
    ");
}

#[test]
fn what_a_terminal_is_not_shown_is_not_posted_either() {
    assert_eq!(block("a\u{202e}b\x1b[31mc\u{200b}@\u{2060}x"), format!("abc@{APART}x"));
    assert_eq!(line(" a\n\n b "), "a b");
}

#[test]
fn a_span_of_code_is_as_long_as_it_must_be() {
    assert_eq!(code("src/a.rs:12"), "`src/a.rs:12`");
    assert_eq!(code("a`b\nc"), "`` a`b c ``");
    assert_eq!(code("\n"), "");
}

/// The text without what GitHub would read as spans of code, as far as one line can tell.
fn outside_of_spans(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('`') {
        out.push_str(&rest[..at]);
        out.push('_');
        let run = rest[at..].len() - rest[at..].trim_start_matches('`').len();
        let inner = span(&rest[at + run..], run).expect("every run of backticks is paired");
        rest = &rest[at + run + inner.len() + run..];
    }
    out + rest
}

proptest! {
    #[test]
    fn whatever_comes_in_nothing_acts(text in "([@#`<>&\\\\|\\[\\]()!:^~/ a1-]|http://|GH-|``){0,40}") {
        let line = line(&text);
        let mut text = outside_of_spans(&line);
        for ours in ["&#124;", "&#96;", "&#92;", "&#91;", "&#93;", "&#35;", "&lt;", "&amp;"] {
            text = text.replace(ours, "_");
        }
        let chars: Vec<char> = text.chars().collect();
        for pair in chars.windows(2) {
            let acts = match pair[0] {
                '@' | '#' => pair[1].is_alphanumeric(),
                ']' => "([:".contains(pair[1]),
                '!' => pair[1] == '[',
                _ => false,
            };
            prop_assert!(!acts, "{line:?}");
        }
        prop_assert!(!text.contains(['<', '&', '\\', '|']), "{line:?}");
        // Only a word of its own refers to anything: `aGH-1` does not.
        let mut refers = text.match_indices("GH-1").map(|(at, _)| &text[..at]);
        prop_assert!(!refers.any(|before| !before.ends_with(char::is_alphanumeric)), "{line:?}");
        prop_assert!(!text.contains("://"), "{line:?}");
    }

    #[test]
    fn a_block_ends_what_it_begins(text in "(`{1,5}|~{3,4}|[ax @]|\n){0,30}") {
        let all = format!("before\n{}\n\nafter @", block(&text));
        let last = crate::text::prose::lines(&all).last().unwrap();
        prop_assert!(!last.is_code, "{all:?}");
    }
}
