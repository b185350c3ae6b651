//! What is read from tokens.

use super::{
    facts::{How, Mention},
    *,
};

fn source(text: &str) -> Source {
    Source::new("crates/x/src/a.rs", text)
}

/// The paths that code outside of tests names.
fn named(text: &str) -> Vec<String> {
    let mentions = source(text).facts.mentions;
    mentions.iter().filter(|it| !it.in_test).map(|it| it.path.join("::")).collect()
}

fn built(text: &str) -> Vec<String> {
    let is_built = |it: &&Mention| it.how == How::Built;
    let mentions = source(text).facts.mentions;
    mentions.iter().filter(is_built).map(|it| it.path.join("::")).collect()
}

#[test]
fn what_a_comment_or_a_string_says_is_not_named() {
    let text = "//! std::fs\nfn a() { let s = \"std::net\"; /* std::env */ std::io::stdin(); }";
    assert_eq!(named(text), ["std::io::stdin"]);
}

#[test]
fn a_use_is_taken_apart() {
    let text = "pub use std::{fs::{self, File as Open}, process::*};";
    let mentions = source(text).facts.mentions;
    let import = |name: &str| How::Import { name: name.to_owned(), public: true };
    let found: Vec<_> = mentions.iter().map(|it| (it.path.join("::"), it.how.clone())).collect();
    let expected = [
        ("std::fs".to_owned(), import("fs")),
        ("std::fs::File".to_owned(), import("Open")),
        ("std::process".to_owned(), How::Glob { public: true }),
    ];
    assert_eq!(found, expected);
}

#[test]
fn formatting_hides_nothing() {
    assert_eq!(
        named("fn a() { std ::\n  process\n:: Command :: new(1) }"),
        ["std::process::Command::new"]
    );
    assert_eq!(named("fn a() { vec![::std::fs::read(1)] }"), ["vec", "::std::fs::read"]);
    assert_eq!(named("macro_rules! m { () => { $crate::b::c() } }"), ["crate::b::c"]);
    assert_eq!(named("#[serde(with = \"crate::b::c\")] struct A;"), ["crate::b::c"]);
}

#[test]
fn unit_tests_are_known_wherever_they_stand() {
    let module = "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
    let text = format!("use a::b;\n{module}fn c() {{ d::e() }}\n");
    assert_eq!(named(&text), ["a::b", "d::e"]);
    assert_eq!(source(&text).lines(), 2);
    for item in [
        "#[cfg(test)] use std::fs;",
        "#[cfg(all(test, unix))] pub(crate) fn a<A, B>() -> B { std::fs::read(1) }",
        "#![cfg(test)] use std::fs;",
        "struct A { #[cfg(test)] b: std::fs::File, }",
    ] {
        assert_eq!(named(item), [""; 0], "{item}");
    }
    for item in ["#[cfg(any(test, unix))] use std::fs;", "#[cfg(test)] mod tests; use std::fs;"] {
        assert_eq!(named(item), ["std::fs"], "{item}");
    }
}

#[test]
fn a_built_value_is_told_from_one_that_is_taken_apart() {
    for made in [
        "fn a() { let e = Event { seq, at, kind }; }",
        "fn a() { emit(&Event { seq: 1, kind: K::A(b) }) }",
        "fn a() { match b { c => Event { seq } } }",
        "fn a() { return Event\n{ seq, ..old }; }",
        "fn a() { vec![Event { seq }] }",
        "impl fmt::Display for Event { fn a() -> Self { Self { seq } } }",
        "impl Event { fn a() -> Self { Self { seq } } }",
    ] {
        assert_eq!(built(made), ["Event"], "{made}");
    }
    assert_eq!(built("fn a() { f(crate::event::Event { seq }) }"), ["crate::event::Event"]);
    for not in [
        "pub struct Event { pub seq: u64 }",
        "impl<T> fmt::Display for Event { fn fmt() {} }",
        "fn a() { let Event { seq, kind } = event; }",
        "fn a() { match e { Some(Event { kind, .. }) => 1, Event { seq } if seq => 2 } }",
        "fn f(event: &Event) -> Event { event.clone() }",
        "fn f<'a>(event: &'a Event) -> &'a Event { event }",
    ] {
        assert_eq!(built(not), [""; 0], "{not}");
    }
}

#[test]
fn calls_strings_levels_and_tests_are_seen() {
    let text = "#![expect(clippy::exit, dead_code, reason = \"why\")]\n\
        #[cfg_attr(unix, allow(unused))] #[tokio::test] async fn it_works() {\n\
            a.exists(); b.exists; d.join(\"sh\"); c(\"git\", r#\"jj\"#, 'x', 1);\n}";
    let facts = source(text).facts;
    assert_eq!(
        facts.calls.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(),
        ["exists", "join"]
    );
    assert_eq!(facts.strings.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["git", "jj"]);
    assert_eq!(facts.tests[0].name, "it_works");
    let levels: Vec<_> = facts
        .levels
        .iter()
        .map(|it| (it.level.as_str(), it.lint.as_str(), it.has_reason))
        .collect();
    let expected = [
        ("expect", "clippy::exit", true),
        ("expect", "dead_code", true),
        ("allow", "unused", false),
    ];
    assert_eq!(levels, expected);
}

#[test]
fn places_are_told_apart() {
    let source = Source::new("crates/windlass-store/src/store/mod.rs", "");
    assert!(source.is_in("crates/windlass-store/src/store"));
    assert!(source.is_in("crates/windlass-store"));
    assert!(!source.is_in("crates/wind"));
    assert!(!source.is_in("crates/windlass-store/src/sto"));
    assert!(Source::new("crates/x/src/store.rs", "").is_in("crates/x/src/store"));
}

#[test]
#[should_panic(expected = "cannot be read")]
fn a_file_that_is_missing_is_an_error() {
    text("docs/no-such-page.md");
}

#[test]
#[should_panic(expected = "cannot be listed")]
fn a_folder_that_is_missing_is_an_error() {
    rust_files("crates/no-such-crate");
}
