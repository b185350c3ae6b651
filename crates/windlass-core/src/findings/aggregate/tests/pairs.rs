//! Pairs of findings at the same place that are one, and pairs that are two. They are what the
//! thresholds of `alike` are chosen by: each of the second kind is a defect that would be lost.

use super::*;

/// Titles and descriptions of two findings.
type Pair = ((&'static str, &'static str), (&'static str, &'static str));

/// One defect in other words.
const SAME: &[Pair] = &[
    // The same title, whatever stands below it.
    (("Deadlock", ""), ("deadlock", "Two locks are taken in another order.")),
    (("Unchecked index in line 12", ""), ("Unchecked  index in line 14", "")),
    // Other forms of the same words.
    (("SQL injection in user lookup", ""), ("User lookup injects SQL", "")),
    (("Missing null check for user", ""), ("No null checks for the user", "")),
    (("Panics on empty input", ""), ("Crash on empty input", "")),
    (("`fetchUser` leaks connections", ""), ("Connection leak in fetch_user", "")),
    // One is more exact.
    (("Race on cache refresh", ""), ("Race condition on cache refresh and eviction", "")),
    (("Integer overflow in sum of prices", ""), ("Overflow in sum of prices", "")),
    // Only the descriptions tell.
    (
        (
            "SQL injection in query",
            "The user's input is concatenated into the SQL query without escaping, so an attacker can run any statement.",
        ),
        (
            "User input concatenated into SQL",
            "`name` comes from the request and is concatenated into the query: SQL injection. Use parameters.",
        ),
    ),
    (
        (
            "Path traversal in download",
            "`name` from the request is joined to the directory, so `../` climbs out and any file can be read.",
        ),
        (
            "Download reads any file",
            "The name in the request may be `../../etc/passwd`: path traversal out of the directory.",
        ),
    ),
];

/// Two defects, however much they sound alike.
const DIFFERENT: &[Pair] = &[
    // The same subject, another defect.
    (("SQL injection in query", ""), ("SQL query is slow", "")),
    (("SQL injection in query", ""), ("Query result is never closed", "")),
    (("Timeout is too short", ""), ("Timeout is ignored", "")),
    (("Missing validation of email", ""), ("Email is logged", "")),
    (("Lock held across await", ""), ("Await without timeout", "")),
    // The same defect, another subject.
    (("Missing null check for user", ""), ("Missing null check for order", "")),
    (
        ("Missing null check for user in checkout handler", ""),
        ("Missing null check for order in checkout handler", ""),
    ),
    (("Missing null check", "`user` may be null."), ("Missing null check", "`order` may be null.")),
    (("Unwrap of `config`", ""), ("Unwrap of `header`", "")),
    (("parse_header panics", ""), ("parse_body panics", "")),
    // Numbers count.
    (("Retries 3 times", ""), ("Retries 5 times", "")),
    (("Returns status 200 on error", ""), ("Returns status 204 on error", "")),
    // Words that say nothing are not enough.
    (
        ("Potential issue", "The lock is never released."),
        ("Possible problem", "Secrets are logged."),
    ),
    (("Bug", ""), ("Bug", "")),
    (("Missing check", "The index is not checked."), ("Missing tests", "Nobody checks the index.")),
    // Much in common around it, and another point.
    (
        (
            "SQL injection in query",
            "The name from the request is concatenated into the SQL query in the loop over all orders.",
        ),
        (
            "Query runs in a loop",
            "The SQL query runs once for each order; the name from the request is the same. Fetch all orders at once.",
        ),
    ),
    (
        (
            "Token compared with ==",
            "The comparison of the token stops at the first byte that differs, so it can be guessed by time.",
        ),
        (
            "Token is written to the log",
            "The token of the request is written to the log before it is compared, where others can read it.",
        ),
    ),
    (
        (
            "Error is swallowed",
            "The error of the write is dropped, and the caller thinks that it is saved.",
        ),
        (
            "Write is not atomic",
            "The write of the file is cut off by a crash, and the caller finds half of it saved.",
        ),
    ),
];

fn count(pair: &Pair, lines: (Option<u32>, Option<u32>)) -> usize {
    let one = |(title, description), line| Finding {
        line,
        ..finding(Severity::Medium, 1, title, description)
    };
    let (first, second) = (one(pair.0, lines.0), one(pair.1, lines.1));
    aggregate(&reports(&[("a", &[first]), ("b", &[second])]), None).len()
}

#[test]
fn one_defect_in_other_words_is_one() {
    let wrong: Vec<_> = SAME.iter().filter(|pair| count(pair, (Some(12), Some(13))) != 1).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn two_defects_at_one_place_stay_two() {
    let wrong: Vec<_> =
        DIFFERENT.iter().filter(|pair| count(pair, (Some(12), Some(12))) != 2).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn places_are_near_far_or_not_known() {
    let long = (("Overflow in sum", ""), ("Overflow in sum", ""));
    let other_words = (("Overflow in sum of prices", ""), ("Sum of prices overflows badly", ""));
    let short = (("Deadlock", ""), ("Deadlock", ""));
    for (pair, lines, expected) in [
        (&long, (Some(12), Some(15)), 1),
        (&long, (Some(12), Some(16)), 2),
        (&long, (Some(12), None), 1),
        (&long, (None, None), 1),
        // Without a place only words are left, and they must be some and the same.
        (&other_words, (Some(12), Some(12)), 1),
        (&other_words, (Some(12), None), 2),
        (&short, (Some(12), Some(12)), 1),
        (&short, (Some(12), None), 2),
    ] {
        assert_eq!(count(pair, lines), expected, "{pair:?} {lines:?}");
    }
}

#[test]
fn other_files_are_other_findings() {
    let at = |file: Option<&str>| Finding {
        file: file.map(str::to_owned),
        ..finding(Severity::Low, 3, "Overflow in sum", "")
    };
    let found = |one, other| aggregate(&reports(&[("a", &[at(one)]), ("b", &[at(other)])]), None);
    assert_eq!(found(Some("src/a.rs"), Some("b/src/a.rs")).len(), 1);
    assert_eq!(found(Some("src/a.rs"), Some("src/b.rs")).len(), 2);
    assert_eq!(found(Some("src/a.rs"), None).len(), 2);
    assert_eq!(found(None, None).len(), 1);
}
