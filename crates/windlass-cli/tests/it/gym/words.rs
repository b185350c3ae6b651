//! The words that scripts of the gym are made of: the names of parts, ways to do a thing, sentences
//! of a report, and the actions that say them.

use crate::COMPLETE;

/// As many sessions are written out for agents that do something else each time.
pub(super) const SESSIONS: u32 = 21;

/// The parts of a project, in order. None of them is in quotes in what another one's source says.
pub(super) const NAMES: [&str; SESSIONS as usize] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi",
];

/// Ways in which a function that does not work can be written.
pub(super) const WAYS: [&str; SESSIONS as usize] = [
    "lower", "upper", "title", "split", "join", "encode", "format", "index", "count", "find",
    "strip", "reverse", "sort", "merge", "chain", "fold", "zip", "scan", "group", "chunk", "walk",
];

/// What an agent may find while it reads: each sentence tells something new.
const REPORTS: [&str; SESSIONS as usize] = [
    "The parser keeps a stack of open brackets and forgets to clear it after an error.",
    "Dates travel as plain strings until the exporter guesses their zone.",
    "Three callers of the cache ignore its eviction callback.",
    "The scheduler wakes every worker although one would do.",
    "Currency rounding happens twice, first in billing and again on the invoice.",
    "Uploads bypass the virus scanner when their extension is upper case.",
    "A retry inside the mailer hides timeouts from its queue.",
    "Permissions are loaded lazily, so the first request of a tenant is slow.",
    "Sorting relies on a locale that containers do not ship.",
    "The migration tool skips views whose owner differs.",
    "Sessions outlive logout because their index uses another key.",
    "Thumbnails are produced before orientation metadata has been read.",
    "Search drops umlauts while the importer preserves them.",
    "Webhooks sign the body before compression and verify it afterwards.",
    "Feature flags are evaluated once per process instead of per visitor.",
    "Deadlocks come from two tables being locked in opposite order.",
    "The lexer treats a byte order mark as an identifier.",
    "Backups include temporary spool directories of the printer.",
    "Pagination counts deleted rows, which leaves short pages.",
    "Audit entries lose their author when a job impersonates somebody.",
    "Rate limiting shares one bucket between all regions.",
];

/// The letter of a part of the work, counted from 1.
pub(super) fn letter(part: u32) -> char {
    char::from_u32(u32::from('a') + part - 1).expect("there are fewer parts than letters")
}

/// The name of a part of the work, counted from 1.
pub(super) fn name(part: u32) -> &'static str {
    NAMES[part as usize - 1]
}

/// A way of this session, counted from 1.
pub(super) fn way(session: u32) -> &'static str {
    WAYS[session as usize - 1]
}

/// What is found in this session, counted from 1; after the last, the first again.
pub(super) fn report(session: u32) -> &'static str {
    REPORTS[(session as usize - 1) % REPORTS.len()]
}

/// A status block as an action of a script.
pub(super) fn block(lines: &str) -> String {
    format!("say ---LOOP_STATUS---\\n{lines}\\n---END_LOOP_STATUS---")
}

/// A claim in the last session, and a word in the others.
pub(super) fn claims(session: u32, last: u32) -> &'static str {
    if session == last { "claim" } else { "say on it" }
}

/// Text as the actions of scripts and `printf %b` take it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t")
}

/// A script of these parts. The line `claim` stands for the words that claim.
pub(super) fn script(parts: impl Iterator<Item = String>) -> String {
    let claim = format!("say {COMPLETE}");
    let part = |part: String| {
        let lines = part.lines().map(|line| if line == "claim" { &claim } else { line });
        lines.collect::<Vec<_>>().join("\n")
    };
    parts.map(part).collect::<Vec<_>>().join("\nnext\n")
}

/// A shell program that knows the number of its session, which it keeps outside the tree, the name of
/// that part, a way of it, and how to write a file and the right source of a part.
pub(super) fn counting(body: &str) -> String {
    let (names, ways) = (NAMES.join(" "), WAYS.join(" "));
    let right = r#"def $2(text):\n    return text.strip(\"$2\")\n"#;
    format!(
        "echo x >> ../tmp/sessions\nn=$(wc -l < ../tmp/sessions)\n\
         name=$(echo {names} | cut -d' ' -f$n)\nway=$(echo {ways} | cut -d' ' -f$n)\n\
         put() {{ mkdir -p \"$(dirname \"$1\")\"; printf '%b' \"$2\" > \"$1\"; }}\n\
         right() {{ put \"$1\" \"{right}\"; }}\n{}",
        body.replace("CLAIM", COMPLETE)
    )
}
