//! What agents may print, and what of it may reach a terminal.

use proptest::prelude::*;

use super::*;

fn sanitised(bytes: &[u8]) -> String {
    let mut out = String::new();
    let mut sanitiser = Sanitiser::default();
    sanitiser.push(bytes, &mut out);
    sanitiser.finish(&mut out);
    out
}

#[track_caller]
fn check(input: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(sanitised(input.as_ref()), expected);
}

#[test]
fn plain_words_stay_and_are_not_copied() {
    for clean in ["", "plain\n\twords", "Grüße, 世界, ✓ 🦀", "e\u{301} private \u{e0b0}"] {
        assert!(matches!(text(clean), Cow::Borrowed(same) if same == clean), "{clean}");
    }
}

#[test]
fn escape_sequences_go_whole() {
    check("a\x1b[31mred\x1b[0m b", "ared b");
    check("\x1b[?1049h\x1b[2J\x1b[38;2;1;2;3mx", "x");
    check("\x1b]0;a title\x07x", "x");
    check("\x1b]52;c;ZXZpbA==\x1b\\x", "x");
    check("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\ x", "link x");
    check("\x1bP1$r0m\x1b\\x", "x");
    check("\x1b_Gf=100;AAAA\x1b\\x\x1b^pm\x1b\\y\x1bXsos\x1b\\z", "xyz");
    check("\x1b(0lqk\x1b(B\x1b#8\x1b=\x1b7\x1bc x", "lqk x");
    check("\u{9b}31mred\u{9d}0;title\u{9c}x\u{90}dcs\u{9c}y", "redxy");
    check(b"\x9b31m raw", "\u{fffd}31m raw");
}

#[test]
fn a_broken_sequence_takes_nothing_else_with_it() {
    check("\x1b[31\x1b[0mx", "x");
    check("\x1b[3é", "é");
    check("\x1b[3\nx", "\nx");
    check("\x1b\nx", "\nx");
    check("\x1b]0;title\x18x", "x");
    check("\x1b]0;title\x1b[31mx", "x");
    check("x\x1b", "x");
    check("x\x1b[31", "x");
}

#[test]
fn a_string_without_an_end_swallows_no_more_than_its_line() {
    let long = "A".repeat(LONGEST_SEQUENCE);
    check(format!("\x1b]52;{long}{long}\nshown"), "\nshown");
    check(format!("\x1b]52;{long}{long}\x07shown"), "shown");
    check(format!("\x1b]52;{long}{long}\x1b\\shown"), "shown");
    check(format!("\x1b[{}\nshown", "1".repeat(2 * LONGEST_SEQUENCE)), "\nshown");
    check("\x1b]52;a\nb\x07shown", "shown");
}

#[test]
fn nothing_is_overwritten() {
    check("rm -rf /\rls      \r\nx\r\r\ny", "rm -rf /\nls      \nx\n\ny");
    check("a\x08\x08\x7fb\x0b\x0cc\0d", "abcd");
    check("a\u{85}b\u{84}c", "abc");
    check("a\u{2028}b\u{2029}c", "a\nb\nc");
}

#[test]
fn nothing_is_reordered_or_hidden() {
    check("a\u{202e}b\u{2066}c\u{2069}\u{200f}d\u{61c}", "abcd");
    check("r\u{200b}m\u{feff} -\u{ad}r\u{2060}f\u{3164}", "rm -rf");
    check("a\u{e0041}\u{e0042}\u{e007f}\u{e0100}\u{fe00}b", "ab");
    check("p\u{200d}ay\u{200c}pal\u{fe0f}", "paypal");
}

#[test]
fn scripts_and_pictures_that_need_joiners_keep_them() {
    for kept in [
        "می\u{200c}خواهم",
        "क्\u{200d}ष",
        "👩\u{200d}👩\u{200d}👧",
        "❤\u{fe0f}\u{200d}🔥",
        "1\u{fe0f}\u{20e3}",
    ] {
        assert_eq!(text(kept), kept);
    }
    check("🦀\u{200d}\u{200d}\u{200d}x", "🦀\u{200d}x");
}

#[test]
fn bytes_that_are_no_text_are_marked() {
    check(b"a\xffb\xc3", "a\u{fffd}b\u{fffd}");
    check(b"\xf0\x9f\xa6x\xed\xa0\x80", "\u{fffd}x\u{fffd}\u{fffd}\u{fffd}");
}

#[test]
fn a_line_is_one_line() {
    assert_eq!(line("a\r\nb\tc\x1b[1m d\n\n"), "a b c d");
    assert_eq!(line("\x1b[0m\n \x1b[0m"), "");
    assert!(matches!(line("a b\n"), Cow::Borrowed("a b")));
}

/// Bytes that hit the interesting states far more often than random ones do.
fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        any::<char>().prop_map(|c| c.to_string().into_bytes()),
        prop::sample::select(vec![
            "\x1b",
            "\x1b[",
            "\x1b]",
            "\x1bP",
            "\x1b\\",
            "\x07",
            "\x18",
            "\r",
            "\n",
            "\r\n",
            "m",
            "0;",
            "\u{9b}",
            "\u{9c}",
            "\u{9d}",
            "\u{85}",
            "\u{200d}",
            "\u{200c}",
            "\u{fe0f}",
            "\u{202e}",
            "\u{2028}",
            "\u{feff}",
            "🦀",
            "क",
            "word",
            " ",
            "\t",
            "\u{e0041}",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        Just(vec![b';'; LONGEST_SEQUENCE / 2]),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn only_allowed_characters_come_out(bytes in nasty()) {
        let out = sanitised(&bytes);
        prop_assert!(out.chars().all(is_shown), "{out:?}");
        prop_assert!(!out.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{out:?}");
    }

    #[test]
    fn it_does_not_matter_where_the_bytes_are_cut(bytes in nasty(), cuts in prop::collection::vec(1usize..9, 1..20)) {
        let mut out = String::new();
        let mut sanitiser = Sanitiser::default();
        let mut rest = &bytes[..];
        for cut in cuts.iter().cycle() {
            if rest.is_empty() { break; }
            let (chunk, tail) = rest.split_at((*cut).min(rest.len()));
            sanitiser.push(chunk, &mut out);
            rest = tail;
        }
        sanitiser.finish(&mut out);
        prop_assert_eq!(out, sanitised(&bytes));
    }

    #[test]
    fn twice_is_as_good_as_once(bytes in nasty()) {
        let once = sanitised(&bytes);
        prop_assert_eq!(&text(&once), &once);
        let as_line = line(&once);
        prop_assert_eq!(&line(&as_line), &as_line);
    }

    #[test]
    fn text_agrees_with_the_stream(bytes in nasty()) {
        let input = String::from_utf8_lossy(&bytes);
        prop_assert_eq!(text(&input), sanitised(input.as_bytes()));
    }

    #[test]
    fn json_keeps_its_value(bytes in nasty()) {
        let value = serde_json::Value::from(String::from_utf8_lossy(&bytes));
        let written = value.to_string();
        let shown = json(&written);
        prop_assert!(shown.chars().all(is_shown), "{shown:?}");
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    #[test]
    fn clean_words_are_never_touched(words in "[a-zA-Z0-9 äöüß世界\n\t]{0,200}") {
        prop_assert!(matches!(text(&words), Cow::Borrowed(_)));
        prop_assert_eq!(&text(&words), &words);
    }
}
