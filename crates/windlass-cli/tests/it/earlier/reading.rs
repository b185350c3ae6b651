//! What is told about loops of an earlier windlass is what that one told.

use sha2::{Digest, Sha256};
use testkit::Env;

use super::{assert_as_before, each_edition};
use crate::oracle::assert_sound;

/// What is asked about each loop, with its name at the end.
const ASKED: [&[&str]; 12] = [
    &["status"],
    &["status", "--json"],
    &["show"],
    &["show", "--json"],
    &["log"],
    &["log", "--json"],
    &["why"],
    &["why", "--json"],
    &["findings"],
    &["diff"],
    &["replay"],
    &["replay", "--set", "stagnation=1", "--set", "same-error=1", "--json"],
];

/// So much of a text in JSON is shown.
const MOST_OF_A_TEXT: usize = 100;

/// What every event has, when it is masked.
const SAME_OF_EVENTS: &str = "\"at\":\"0000-00-00T00:00:00.000Z\",\"loop\":\"[id............]\",";

/// Asks about loops of a world, and about all of it.
fn told(world: &str, loops: &[&str]) {
    each_edition(world, |env, edition| {
        let mut of_store = [asked(env, &["list"]), asked(env, &["gc", "--dry-run"])].concat();
        // The width of a column changes with how long ago it was.
        while of_store.contains("   ") {
            of_store = of_store.replace("   ", "  ");
        }
        assert_as_before(edition, &format!("listed__{world}"), &of_store);
        for name in loops {
            let answers = ASKED.map(|words| asked(env, &[words, &[name]].concat()));
            assert_as_before(edition, &format!("told__{name}"), &answers.concat());
        }
        assert_sound(env);
    });
}

/// One answer, below what was asked.
fn asked(env: &Env, words: &[&str]) -> String {
    let answer = env.windlass(words).snapshot();
    // Every event says when it was and of which loop it is: masked, that is the same all over.
    let answer = answer.replace(SAME_OF_EVENTS, "");
    let lines = answer.lines().map(|line| shortened(line) + "\n").collect::<String>();
    format!("$ windlass {}\n{lines}\n", words.join(" "))
}

/// A line of JSON without the bulk of its prompts, which would make snapshots that nobody reads: of
/// what is left out of a text, a hash remains.
fn shortened(line: &str) -> String {
    if !line.starts_with('{') {
        return line.to_owned();
    }
    let (mut is_text, mut is_escaped) = (false, false);
    let pieces = line.split_inclusive(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    let shorten = |piece: &str| {
        let was_text = is_text;
        is_text = !is_text;
        let cut = piece.char_indices().nth(MOST_OF_A_TEXT).map(|(at, _)| piece.split_at(at));
        match cut {
            Some((shown, cut)) if was_text => {
                let hash = Sha256::digest(cut.as_bytes());
                format!("{shown}… {:02x}{:02x}{:02x}{:02x}\"", hash[0], hash[1], hash[2], hash[3])
            }
            _ => piece.to_owned(),
        }
    };
    pieces.map(shorten).collect()
}

#[test]
fn loops_of_iterate_are_told_as_before() {
    let loops = ["iterate-to-done", "iterate-to-stopped", "iterate-to-max", "iterate-to-failed"];
    told("iterate", &[&loops[..], &["iterate-to-limited", "iterate-to-cancelled"]].concat());
}

#[test]
fn loops_of_tasks_are_told_as_before() {
    told("tasks", &["tasks-to-done", "tasks-to-max"]);
}

#[test]
fn loops_of_develop_are_told_as_before() {
    let loops = [
        "develop-to-approved",
        "develop-to-escalated",
        "develop-tasks-to-approved",
        "develop-to-error",
    ];
    told("develop", &loops);
}

#[test]
fn loops_of_heal_are_told_as_before() {
    told(
        "heal",
        &[
            "heal-to-done",
            "heal-to-left",
            "heal-to-failing-tests",
            "heal-loop-to-clean",
            "heal-loop-to-max",
        ],
    );
}

#[test]
fn loops_of_pr_are_told_as_before() {
    told("pr", &["pr-to-findings", "pr-to-approved", "pr-loop-to-approved"]);
}

#[test]
fn loops_of_merge_and_those_in_worktrees_are_told_as_before() {
    told("merge", &["work-of-one", "merge-of-one", "work-of-two", "merge-of-two"]);
}

#[test]
fn loops_that_were_killed_in_a_session_are_told_as_before() {
    told("iterate-in-session", &["iterate-in-session"]);
    told("tasks-in-session", &["tasks-in-session"]);
    told("develop-in-session", &["develop-in-session"]);
    told("heal-in-session", &["heal-in-session"]);
}

#[test]
fn loops_that_were_killed_between_steps_are_told_as_before() {
    told("iterate-in-between", &["iterate-in-between"]);
    told("tasks-in-between", &["tasks-in-between"]);
    told("develop-in-between", &["develop-in-between"]);
    told("heal-in-between", &["heal-in-between"]);
    told("waiting", &["waiting"]);
}
