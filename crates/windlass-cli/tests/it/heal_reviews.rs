//! `heal` from outside: which reviews can be read, and that those which cannot are never clean.

use std::fs;

use crate::{
    heal::{heal, review},
    oracle::{aside, assert_sound, number},
    prompts_of, world,
};

#[test]
fn a_review_of_plain_words_is_turned_into_findings_by_an_agent() {
    let env = world();
    let script = format!(
        "as reviewer\nsay In a.txt the greeting is wrong.\nas parser\n{}\nas fixer\nwrite a.txt x\n",
        review(&["wrong greeting"])
    );
    let ran = heal(&env, &script, &["--test", "true"]).run().success();
    assert!(ran.stderr.contains("an agent turns it into them"), "{ran}");
    assert_eq!(
        env.sql("SELECT place FROM sessions ORDER BY id"),
        "1/reviewer\n1/parser\n1/fixer/1\n"
    );
    assert!(prompts_of(&env)[1].contains("In a.txt the greeting is wrong.\n"));
    let kept = env.read(".review-output.md");
    assert!(kept.starts_with("In a.txt the greeting is wrong.\n"), "{kept}");
    // What was read stays with the review, so that nobody has to read it again.
    let args = ["--start-at", "fix", "--test", "true", "--json"];
    let result = heal(&env, "as fixer\nappend a.txt y\n", &args).run().success().json();
    assert_eq!(result["findings"]["fixed"], 1);
}

#[test]
fn plain_words_that_find_nothing_are_clean() {
    let env = world();
    let script =
        format!("as reviewer\nsay I found nothing to change.\nas parser\n{}\n", review(&[]));
    let result = heal(&env, &script, &["--json"]).run().success().json();
    assert_eq!(result["ending"]["type"], "clean");
}

#[test]
fn a_review_that_cannot_be_read_is_never_clean() {
    let clean = review(&[]);
    let modes = [&["--json"][..], &["--json", "--loop"], &["--json", "--review-only"]];
    let cases = [
        ("prose that nobody can read", "say Hm.", "say CANNOT BE READ: it says nothing"),
        ("prose that is read as prose", "say Hm.", "say There is nothing in it."),
        ("cut off in its list", "say ```json\\n{\"findings\": [{\"title\": \"a\",", clean.as_str()),
        (
            "cut off in its words",
            "say ```json\\n{\"findings\": [\\n",
            "say ```json\\n{\"findings\": [",
        ),
        ("refused", "say I'm sorry, but I can't assist with that review.", clean.as_str()),
        ("a refusal with a list", "say I cannot review this. {\"findings\": []}", clean.as_str()),
        ("both", "say - HIGH: it crashes\\n```json\\n{\"findings\": []}\\n```", clean.as_str()),
        ("empty", "say", clean.as_str()),
        ("only blanks", "say \\s\\n\\t\\n", clean.as_str()),
        ("a failed session", "say ```json\\n{\"findings\": []}\\n```\nexit 2", clean.as_str()),
        ("a parser that fails", "say Hm.", "exit 2"),
        ("a parser without words", "say Hm.", "say"),
    ];
    for ((what, reviewer, parser), mode) in cases.iter().zip(modes.iter().cycle()) {
        let env = world();
        let script = format!("as reviewer\n{reviewer}\nas parser\n{parser}\nas fixer\nexit 1\n");
        let ran = heal(&env, &script, mode).run();
        assert_eq!(ran.code, Some(5), "{what} {mode:?}\n{ran}");
        assert_eq!(ran.json()["ending"]["type"], "agent_failed", "{what}\n{ran}");
        assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'findings_seen'"), "0\n");
    }
}

#[test]
fn a_reviewer_that_fails_has_one_more_try() {
    let env = world();
    let said = aside(&env, "said");
    let agent = env.agent_sh(&format!(
        "[ -e {said} ] || {{ touch {said}; exit 1; }}; echo '{{\"findings\": []}}'",
        said = said.display()
    ));
    let call = ["heal", "--all", "--json", "-c"];
    let result = env.command(call).arg(agent).run().success().json();
    assert_eq!((&result["ending"]["type"], &result["sessions"]), (&"clean".into(), &2.into()));
    assert_eq!(
        env.sql("SELECT place, status FROM sessions ORDER BY id"),
        "1/reviewer|failed\n1/reviewer/try/2|finished\n"
    );
}

#[test]
fn a_review_that_is_kept_can_be_taken_up() {
    let env = world();
    let fixes = "as reviewer\nexit 1\nas fixer\nappend a.txt x\\n\n";
    for phase in ["parse", "fix"] {
        let ran = heal(&env, fixes, &["--start-at", phase]).run().code(2);
        assert!(ran.stderr.contains(".review-output.md"), "{ran}");
    }
    env.write(".review-output.md", "```json\n{\"findings\": [{\"title\": \"kept\"}]}\n```\n");
    for phase in ["parse", "fix"] {
        let args = ["--start-at", phase, "--test", "true", "--json"];
        let result = heal(&env, fixes, &args).run().success().json();
        assert_eq!((&result["ending"]["type"], &result["fixes"]), (&"done".into(), &1.into()));
    }
    env.write(".review-output.md", "Words only.\n");
    let script = format!("as parser\n{}\n{fixes}", review(&["read"]));
    let args = ["--start-at", "parse", "--test", "true", "--json"];
    heal(&env, &script, &args).run().success();
    env.write(".review-output.md", "Words only.\n");
    heal(&env, &script, &["--start-at", "fix", "--json"]).run().code(2);
    env.write(
        ".review-output.md",
        "Words.\n\n```json\n{\"findings\": [{\"title\" \"one\"}]}\n```\n",
    );
    let ran = heal(&env, &script, &["--start-at", "fix"]).run().code(2);
    assert!(ran.stdout.contains("`.review-output.md` cannot be read"), "{ran}");
    assert!(ran.stdout.contains("line 4"), "{ran}");
}

#[test]
fn the_tests_alone_can_be_asked_for() {
    let env = world();
    let script = "as reviewer\nexit 1\nas fixer\nappend a.txt x\\n\n";
    let args = ["--start-at", "test", "--test", "test -e a.txt", "--json"];
    let result = heal(&env, script, &args).run().success().json();
    assert_eq!((&result["ending"]["type"], &result["sessions"]), (&"done".into(), &1.into()));
    assert_eq!(env.sql("SELECT place FROM sessions"), "1/fixer/tests/1\n");
}

#[test]
fn a_loop_that_was_given_up_calls_the_agent_again_when_it_is_resumed() {
    let good = format!("as reviewer\n{}\nas fixer\nappend a.txt x\\n\n", review(&["a", "b", "c"]));
    let bad_fixer = good.replace("append a.txt x\\n", "exit 3");
    let args = ["--failure-threshold", "2", "--test", "true", "--json"];
    for (what, bad, before, after) in [
        ("a reviewer that fails", "as reviewer\nexit 3\n", 2, 4),
        ("words that nobody can read", "as reviewer\nsay Hm.\nas parser\nsay Hm.\n", 2, 4),
        ("a parser that fails", "as reviewer\nsay Hm.\nas parser\nexit 3\n", 3, 2),
        ("fixers that fail", &bad_fixer, 3, 3),
    ] {
        let env = world();
        heal(&env, bad, &args).run().code(5);
        assert_eq!(number(&env, "SELECT count(*) FROM sessions"), before, "{what}");
        fs::write(aside(&env, "script-0"), format!("as parser\n{}\n{good}", review(&["z"])))
            .unwrap();
        let result = env.windlass(["resume", "--json"]).success().json();
        assert_eq!(result["ending"]["type"], "done", "{what}");
        let more = number(&env, "SELECT count(*) FROM sessions") - before;
        assert_eq!(more, after, "{what}");
        assert_sound(&env);
    }
}
