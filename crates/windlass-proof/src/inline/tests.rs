//! Inline tests that change, in every way that should be told, and in those that should not.

use super::*;

/// What is said of a Rust file.
fn rust(before: &str, now: &str) -> Option<(Option<u32>, String)> {
    said("src/lib.rs", before, now)
}

fn python(before: &str, now: &str) -> Option<(Option<u32>, String)> {
    said("pkg/sums.py", before, now)
}

fn said(path: &str, before: &str, now: &str) -> Option<(Option<u32>, String)> {
    let change = changed(path, before.as_bytes(), Some(now.as_bytes()))?;
    let reason = change.reason.strip_prefix("has other inline tests than before: ");
    Some((change.line, reason.expect("it begins so").to_owned()))
}

const SUMS: &str = r#"
/// Adds.
///
/// ```
/// assert_eq!(sums::add(2, 2), 4);
/// ```
pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::add;

    const TWO: i32 = 2;

    fn doubled(n: i32) -> i32 { n * TWO }

    #[test]
    fn adds() {
        assert_eq!(add(2, 2), doubled(2), "a brace in a string: }");
    }

    #[tokio::test]
    async fn adds_none() {
        let quote = '"';
        assert_eq!(add(0, 0), 0, "{quote}");
    }
}
"#;

#[test]
fn the_same_tests_and_another_layout_are_no_change() {
    assert_eq!(rust(SUMS, SUMS), None);
    let laid_out = SUMS
        .replace("a + b", "a.wrapping_add(b)")
        .replace("    #[test]\n", "    // Two and two.\n    #[test]\n")
        .replace("#[test]", "#[expect(clippy::eq_op)]\n    #[test]")
        .replace(
            r#"assert_eq!(add(2, 2), doubled(2), "a brace in a string: }");"#,
            "assert_eq!(\n    add(2, 2),\n    doubled(2),\n    \"a brace in a string: }\",\n);",
        );
    assert_eq!(rust(SUMS, &laid_out), None);
}

#[test]
fn tests_that_are_added_are_no_change() {
    let more = SUMS
        .replace("use super::add;", "use super::{add, subtract};\n    use std::fmt;")
        .replace(
            "    #[test]",
            "    #[test]\n    fn subtracts() { assert_eq!(subtract(2, 2), 0); }\n\n    #[test]",
        )
        .replace("/// Adds.\n", "/// Adds.\n///\n/// ```\n/// sums::add(1, 1);\n/// ```\n")
        + "#[cfg(test)]\nmod more { #[test] fn works() {} }\n/// ```\n/// let x = 1;\n/// ```\nfn x() {}\n";
    assert_eq!(rust(SUMS, &more), None);
    let none_before = "pub fn add() {}\n";
    assert_eq!(rust(none_before, SUMS), None);
}

#[test]
fn a_test_that_says_something_else_is_named_with_its_line() {
    let other = SUMS.replace("add(2, 2), doubled(2)", "add(2, 2), add(2, 2)");
    assert_eq!(rust(SUMS, &other), Some((Some(17), "`adds` was changed".to_owned())));
    let helper = SUMS.replace("n * TWO", "add(n, n)");
    assert_eq!(rust(SUMS, &helper), Some((Some(15), "`doubled` was changed".to_owned())));
    let ignored = SUMS.replace("#[tokio::test]", "#[ignore]\n    #[tokio::test]");
    assert_eq!(rust(SUMS, &ignored), Some((Some(22), "`adds_none` was changed".to_owned())));
}

#[test]
fn what_is_gone_is_told_and_of_many_only_the_first() {
    let without =
        SUMS.replace("#[tokio::test]", "").replace("async fn adds_none", "async fn other");
    assert_eq!(rust(SUMS, &without), Some((None, "`adds_none` was removed".to_owned())));
    let bare = SUMS.split("#[cfg(test)]").next().expect("there is a beginning");
    let told = "`TWO` was removed, `doubled` was removed, `adds` was removed, and 1 more";
    assert_eq!(rust(SUMS, bare), Some((None, told.to_owned())));
    let gone = changed("src/lib.rs", SUMS.as_bytes(), None).expect("all are gone");
    assert_eq!(
        gone.reason,
        "has other inline tests than before: a doctest was removed, `TWO` was removed, `doubled` was \
         removed, and 2 more"
    );
}

#[test]
fn tests_that_are_compiled_on_another_condition_are_changed() {
    let never = SUMS.replace("#[cfg(test)]", "#[cfg(all(test, feature = \"never\"))]");
    let told = "`TWO` was changed, `doubled` was changed, `adds` was changed, and 1 more";
    assert_eq!(rust(SUMS, &never), Some((Some(13), told.to_owned())));
    let hidden = SUMS.replace("#[cfg(test)]", "#[cfg(any())] mod hidden {\n#[cfg(test)]") + "}\n";
    assert_eq!(rust(SUMS, &hidden), Some((Some(14), told.to_owned())));
    let declared = "#[cfg(test)]\nmod tests;\npub fn f() {}\n";
    let without = "pub fn f() {}\n";
    assert_eq!(rust(declared, without), Some((None, "`tests` was removed".to_owned())));
}

#[test]
fn what_is_only_compiled_without_tests_is_no_test() {
    let real = "#[cfg(not(test))]\nfn now() -> u64 { 1 }\nfn contest() {}\n";
    assert_eq!(rust(real, "fn now() -> u64 { 2 }\n"), None);
}

#[test]
fn tests_in_macros_and_whole_files_of_tests_are_found() {
    let given = "#[cfg(test)]\nmod tests {\n proptest! {\n  #![proptest_config(cases(9))]\n  #[test]\n  \
                 fn holds(n in 0..9) { check(n); }\n }\n}\n";
    let more = given.replace("  #[test]", "  #[test] fn more(n in 0..1) {}\n  #[test]");
    assert_eq!(rust(given, &more), None);
    let fewer = given.replace("cases(9)", "cases(0)");
    assert_eq!(rust(given, &fewer), Some((Some(4), "code that tests use was changed".to_owned())));
    let whole = "#![cfg(test)]\nfn helps() -> u8 { 1 }\n";
    let other = whole.replace('1', "2");
    assert_eq!(rust(whole, &other), Some((Some(2), "`helps` was changed".to_owned())));
}

#[test]
fn doctests_of_rust_are_compared_by_what_is_run() {
    let other = SUMS.replace("sums::add(2, 2), 4", "sums::add(2, 2), 5");
    assert_eq!(rust(SUMS, &other), Some((Some(4), "a doctest was changed".to_owned())));
    let ignored = SUMS.replace("/// ```\n/// assert", "/// ```ignore\n/// assert");
    assert_eq!(rust(SUMS, &ignored), Some((None, "a doctest was removed".to_owned())));
    let picture = "//! ```text\n//! a -> b\n//! ```\n";
    assert_eq!(rust(picture, "//! ```text\n//! b\n//! ```\n"), None);
    let plain = "//// ```\n//// assert!(true);\n//// ```\n// ```\n// assert!(true);\n// ```\n";
    assert_eq!(rust(plain, ""), None);
}

const DOCTESTS: &str = r#"
def add(a, b):
    """Adds.

    >>> add(2, 2)
    4
    >>> for n in range(2):
    ...     print(add(n, n))
    0
    2
    >>> add(1, 1)
    2"""
    return a + b
"#;

#[test]
fn doctests_of_python_are_compared_with_what_they_print() {
    assert_eq!(python(DOCTESTS, DOCTESTS), None);
    let indented = DOCTESTS.replace("\n    ", "\n        ").replace("a + b", "b + a");
    assert_eq!(python(DOCTESTS, &indented), None);
    let more = DOCTESTS.replace("    >>> add(1, 1)", "    >>> add(3, 3)\n    6\n    >>> add(1, 1)");
    assert_eq!(python(DOCTESTS, &more), None);
    let told = Some((Some(5), "a doctest was changed".to_owned()));
    assert_eq!(python(DOCTESTS, &DOCTESTS.replace("    4\n", "    5\n")), told);
    let skipped = DOCTESTS.replace("add(2, 2)", "add(2, 2)  # doctest: +SKIP");
    assert_eq!(python(DOCTESTS, &skipped), Some((None, "a doctest was removed".to_owned())));
    let last = DOCTESTS.replace("    2\"\"\"", "    3\"\"\"");
    assert_eq!(python(DOCTESTS, &last), Some((Some(11), "a doctest was changed".to_owned())));
}

#[test]
fn other_files_and_what_is_too_large_are_not_compared() {
    assert!(!can_have("src/lib.go") && can_have("a/b.rs") && can_have("x.py"));
    assert_eq!(said("notes.txt", DOCTESTS, ""), None);
    let large = format!("{SUMS}{}", " ".repeat(1 << 20));
    assert_eq!(rust(&large, ""), None);
    let grown = changed("src/lib.rs", SUMS.as_bytes(), Some(large.as_bytes()));
    assert!(grown.is_some(), "tests that cannot be seen any more are gone");
}

#[test]
fn whatever_the_text_is_it_is_read() {
    for text in [
        "'",
        "'\\",
        "\"",
        "\"\\",
        "r#",
        "r##\"x\"#",
        "/*",
        "b'",
        "#[",
        "#![",
        "#[cfg(test)] mod",
        "}",
        "é'é",
        "///",
        "/// ```",
        "#[test]",
    ] {
        for around in ["", "#[cfg(test)] mod tests { fn f() {} ", "#![cfg(test)] fn f() {} "] {
            let before = format!("{around}{text}");
            assert_eq!(rust(&before, &before), None, "{before}");
            drop(changed("a.rs", SUMS.as_bytes(), Some(before.as_bytes())));
            drop(changed("a.py", DOCTESTS.as_bytes(), Some(before.as_bytes())));
        }
    }
    let deep = "#[cfg(test)] mod a { ".repeat(20_000);
    assert_eq!(rust(&deep, &deep), None);
}
