//! `heal --loop` from outside, and the ledger that it keeps: what is new, open, back and fixed.

use serde_json::{Value, json};
use testkit::Env;

use crate::{
    heal::{heal, review},
    prompts_of, world,
};

/// A part of a script for each review, with a fixer that always changes something.
pub(crate) fn rounds(reviews: &[&[&str]]) -> String {
    let parts: Vec<String> = reviews
        .iter()
        .map(|titles| format!("as reviewer\n{}\nas fixer\nappend a.txt x\\n\n", review(titles)))
        .collect();
    parts.join("next\n")
}

/// A loop `mine` in which one finding is fixed, comes back, and is fixed again.
fn back_and_forth(env: &Env) {
    let script = rounds(&[&["one", "two"], &["one"], &["two"], &[]]);
    heal(env, &script, &["--loop", "--test", "true", "--name", "mine"]).run().success();
}

#[test]
fn a_loop_goes_on_until_a_review_is_clean() {
    let env = world();
    let script = rounds(&[&["one", "two"], &["two"], &[]]);
    let ran = heal(&env, &script, &["--loop", "--test", "test -e a.txt", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop mine: heal with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 5 ━━━
    BREATHE (review)
    reviewer: finished in [time]
    REFLECT (read findings)
    2 findings
      HIGH a.txt:1: one
      HIGH a.txt:1: two
    HEAL (fix): 2 findings
    fixer 1: finished in [time]
    fix 1: changed (HIGH a.txt:1: one)
    fixer 2: finished in [time]
    fix 2: changed (HIGH a.txt:1: two)
    AWAKEN (test)
    check `test -e a.txt`: passed ([time])
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 5 ━━━
    BREATHE (review)
    reviewer: finished in [time]
    REFLECT (read findings)
    1 finding (1 still open, 1 fixed since)
      HIGH a.txt:1: two
    HEAL (fix): 1 finding
    fixer 1: finished in [time]
    fix 2: changed (HIGH a.txt:1: two)
    AWAKEN (test)
    check `test -e a.txt`: passed ([time])
    iteration 2: [time], 1 file changed
    ━━━ Iteration 3 of at most 5 ━━━
    BREATHE (review)
    reviewer: finished in [time]
    REFLECT (read findings)
    no findings (1 fixed since)
    accepted: 1 check passed on tree f415fd6
    iteration 3: [time], no files changed
    ✓ Clean review on iteration 3
      6 sessions, 2 checks, 1 file modified, 2 findings, 2 fixed, 0 left, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
      findings: 2 → 1 → 0, 3 fixes applied in loop mode
    --- stderr
      agent        scripted (reviewer, fixer)
      sandbox      none
      budget       none, at most 5 iterations
      checks       `test -e a.txt`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m mine -- a.txt
    next: windlass findings mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"], json!({"type": "clean", "iteration": 3}));
    assert_eq!(result["findings"], json!({"total": 2, "open": 0, "fixed": 2, "skipped": 0}));
    assert_eq!((&result["fixes"], &result["verified"]), (&3.into(), &true.into()));
    let second = &prompts_of(&env)[3];
    assert!(second.contains("## What was found before"), "{second}");
    assert!(second.contains("  title: one\n"), "{second}");
}

#[test]
fn used_up_iterations_tell_what_remains() {
    let env = world();
    let script = rounds(&[&["one", "two"]]);
    let args = ["--loop", "--max-iterations", "2", "--test", "true"];
    let ran = heal(&env, &script, &args).run().code(1);
    assert!(ran.stdout.contains("━━━ Iteration 2 of at most 2 ━━━"), "{ran}");
    assert!(ran.stdout.contains("Reached max iterations, 2 issues remain"), "{ran}");
    assert!(ran.stdout.contains("findings: 2 → 2"), "{ran}");
    let ending = env.windlass(["status", "--json"]).success().json()["ending"].clone();
    assert_eq!(ending, json!({"type": "max_iterations", "limit": 2, "left": 2}));
}

#[test]
fn without_a_word_there_are_five_iterations() {
    let env = world();
    let result = heal(&env, &rounds(&[&["one"]]), &["--loop", "--json"]).run().code(1).json();
    assert_eq!(result["ending"], json!({"type": "max_iterations", "limit": 5, "left": 1}));
    assert_eq!((&result["iterations"], &result["fixes"]), (&5.into(), &5.into()));
}

#[test]
fn tests_that_fail_later_end_the_loop_in_that_iteration() {
    let env = world();
    let args = ["--loop", "--heal-attempts", "0", "--test", "test $(wc -l < a.txt) -lt 2"];
    let ran = heal(&env, &rounds(&[&["one"]]), &args).run().code(1);
    assert!(ran.stdout.contains("✗ Tests failed on iteration 2: "), "{ran}");
}

#[test]
fn a_finding_is_new_open_back_and_fixed() {
    let env = world();
    back_and_forth(&env);
    let seen = env.sql(
        "SELECT json_extract(body, '$.iteration'), json_extract(n.value, '$.number'),
                json_extract(n.value, '$.standing'), json_extract(body, '$.gone')
         FROM events, json_each(body, '$.noticed') n WHERE events.type = 'findings_seen' ORDER BY seq",
    );
    assert_eq!(seen, "1|1|new|[]\n1|2|new|[]\n2|1|open|[2]\n3|2|back|[1]\n");
    assert_eq!(
        env.sql(
            "SELECT number, title, status, standing, first_iteration, last_iteration
                 FROM findings ORDER BY number"
        ),
        "1|one|fixed|open|1|2\n2|two|fixed|back|1|3\n"
    );
    assert_eq!(env.sql("SELECT fixes, trajectory FROM loops"), "4|[2,1,1,0]\n");
}

#[test]
fn the_ledger_is_shown_in_every_form() {
    let env = world();
    back_and_forth(&env);
    insta::assert_snapshot!(env.windlass(["findings", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  heal with scripted in /tmp/windlass-XXXXXX/work
    2 findings: 0 open, 2 fixed, 0 skipped
    by review: 2 → 1 → 1 → 0

       1  fixed    HIGH a.txt:1: one
       2  fixed    HIGH a.txt:1: two
    --- stderr
    ");
    let form = |form: &str| env.windlass(["findings", "--format", form]).success();
    let findings: Value = form("json").json();
    assert_eq!(findings["findings"].as_array().map(Vec::len), Some(2));
    insta::assert_snapshot!(form("md").stdout, @"
    # Findings

    0 open, 2 fixed, 0 skipped

    - [x] **HIGH** a.txt:1: one
      It is so: one.
    - [x] **HIGH** a.txt:1: two
      It is so: two.
    ");
    let sarif = form("sarif").json();
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"][0]["baselineState"], "absent");
    let rdjson = form("rdjson").json();
    assert_eq!(rdjson["diagnostics"].as_array().map(Vec::len), Some(2));
    let ran = env.windlass(["findings", "mine", "--format", "xml"]).code(2);
    assert!(ran.stderr.contains("table, json, md, sarif, rdjson"), "{ran}");
}

#[test]
fn what_is_open_can_be_shown_alone_and_worked_off() {
    let env = world();
    let script = rounds(&[&["one", "two"], &["two", "three"]]);
    heal(&env, &script, &["--loop", "--max-iterations", "2"]).run().code(1);
    let open = env.windlass(["findings", "--open", "--format", "md"]).success().stdout;
    assert!(!open.contains("one") && open.contains("two") && open.contains("three"), "{open}");
    let table = env.windlass(["findings", "--open"]).success().stdout;
    assert!(
        table.contains("3 findings: 2 open, 1 fixed, 0 skipped\nby review: 2 → 2\n"),
        "{table}"
    );
    assert!(table.contains("   2  open     HIGH a.txt:1: two\n"), "{table}");
    assert!(table.contains("   3  new      HIGH a.txt:1: three\n"), "{table}");
    let sarif = env.windlass(["findings", "--open", "--format", "sarif"]).success().json();
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    env.write("TASKS.md", open);
    let tasks = ["tasks", "--tasks", "TASKS.md", "--agent", "scripted", "--script"];
    let script = env.script("replace TASKS.md [ ] => [x]\nwrite b.txt x");
    env.command(tasks).arg(script).run().success();
}

#[test]
fn a_loop_without_a_review_has_no_findings() {
    let env = world();
    crate::scripted(&env, &format!("say {}", crate::COMPLETE), &["--name", "mine"]).run().success();
    let ran = env.windlass(["findings", "mine"]).success();
    assert!(ran.stdout.contains("This loop has no reviews."), "{ran}");
    let json = env.windlass(["findings", "--format", "json"]).success().json();
    assert_eq!(json["findings"], json!([]));
}

#[test]
fn a_ledger_that_was_exported_is_where_another_loop_can_start() {
    let env = world();
    let script = rounds(&[&["one", "two"], &["two"]]);
    heal(&env, &script, &["--loop", "--max-iterations", "2", "--name", "mine"]).run().code(1);
    for form in ["sarif", "rdjson"] {
        let ledger = env.windlass(["findings", "mine", "--open", "--format", form]).success();
        env.write("found.json", ledger.stdout);
        let script = "as reviewer\nexit 1\nas fixer\nappend a.txt x\\n\n";
        let args = ["--findings", "found.json", "--test", "true", "--json"];
        let result = heal(&env, script, &args).run().success().json();
        assert_eq!(result["findings"]["fixed"], 1, "{form}");
        assert!(prompts_of(&env)[0].contains("title: two\n"), "{form}: {}", prompts_of(&env)[0]);
    }
}
