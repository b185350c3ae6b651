//! `heal` from outside: what is reviewed, how the tests are found, findings of other tools, and what
//! is refused.

use testkit::Env;

use crate::{
    heal::{heal, heal_branch, review},
    prompts_of, user_config, world,
};

fn clean() -> String {
    format!("as reviewer\n{}\n", review(&[]))
}

/// A branch `work` of `main` with a commit, a change and a new file, beside a branch `other`.
fn branch(env: &Env) {
    env.git(["branch", "other"]);
    env.git(["switch", "--quiet", "--create", "work"]);
    env.write("committed.txt", "committed\n");
    env.git(["add", "committed.txt"]);
    env.git(["commit", "--quiet", "--message=work"]);
    env.write("README.md", "# Changed\n");
    env.write("new/file.txt", "new\n");
}

#[test]
fn the_branch_and_what_is_not_committed_are_reviewed() {
    let env = world();
    branch(&env);
    heal_branch(&env, &clean(), &[]).run().success();
    let prompt = &prompts_of(&env)[0];
    assert!(prompt.contains("all that differs from `main`"), "{prompt}");
    for line in ["+committed\n", "+# Changed\n", "+new\n", " b/new/file.txt\n"] {
        assert!(prompt.contains(line), "{line} is not in\n{prompt}");
    }
    assert!(!prompt.contains(".review-output.md"), "{prompt}");
}

#[test]
fn another_base_everything_or_some_paths_can_be_reviewed() {
    let env = world();
    branch(&env);
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=more"]);
    env.git(["branch", "later"]);
    env.write("last.txt", "last\n");
    let asked = |args: &[&str]| {
        heal_branch(&env, &clean(), args).run().success();
        prompts_of(&env)[0].clone()
    };
    let prompt = asked(&["--base", "later"]);
    assert!(prompt.contains("differs from `later`") && prompt.contains("+last\n"), "{prompt}");
    assert!(!prompt.contains("+committed\n"), "{prompt}");
    let prompt = asked(&["--all"]);
    assert!(prompt.contains("The whole code base in this directory"), "{prompt}");
    assert!(!prompt.contains("+last\n"), "{prompt}");
    let prompt = asked(&["new", "committed.txt"]);
    assert!(prompt.contains("```text\nnew\ncommitted.txt\n```"), "{prompt}");
    let ran = heal_branch(&env, &clean(), &["--base", "nope"]).run().code(2);
    assert!(ran.stdout.contains("there is no commit `nope` in this repository"), "{ran}");
}

#[test]
fn without_a_repository_everything_is_reviewed() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let ran = heal_branch(&env, &clean(), &[]).run().success();
    assert!(ran.stderr.contains("there is no commit to compare with"), "{ran}");
    let prompt = &prompts_of(&env)[0];
    assert!(prompt.contains("The whole code base in this directory"), "{prompt}");
    let ran = heal_branch(&env, &clean(), &["--base", "main"]).run().code(2);
    assert!(ran.stdout.contains("there is no"), "{ran}");
}

#[test]
fn what_the_loop_commits_is_reviewed_too() {
    let env = world();
    env.write("new.txt", "new\n");
    let script = format!(
        "as reviewer\n{}\nas fixer\nwrite a.txt fixed\\n\nnext\n{}",
        review(&["one"]),
        clean()
    );
    heal_branch(&env, &script, &["--loop", "--auto-commit", "--test", "true"]).run().success();
    let prompt = &prompts_of(&env)[2];
    assert!(prompt.contains("+new\n") && prompt.contains("+fixed\n"), "{prompt}");
}

#[test]
fn what_does_not_go_together_is_told() {
    let env = world();
    env.write("found.sarif", "{}");
    let mut told = String::new();
    for args in [
        &["--loop", "--review-only"][..],
        &["--loop", "--start-at", "fix"],
        &["--loop", "--start-at", "parse"],
        &["--review-only", "--start-at", "test"],
        &["--start-at", "middle"],
        &["--all", "src"],
        &["--all", "--base", "main"],
        &["--base", "main", "src"],
        &["--findings", "found.sarif"],
        &["--findings", "nope.sarif"],
        &["--findings", "found.sarif", "--all"],
        &["--promise", "DONE"],
    ] {
        let ran = heal_branch(&env, &clean(), args).run().code(2);
        told.push_str(ran.stderr.lines().next().unwrap_or_default());
        told.push('\n');
    }
    insta::assert_snapshot!(told.replace(env.root().to_str().unwrap(), "ROOT"), @"
    error: `--loop` and `--review-only` cannot be used together
    error: `--loop` begins with the review, so `--start-at` cannot say otherwise
    error: `--loop` begins with the review, so `--start-at` cannot say otherwise
    error: with `--review-only` there is nothing to fix or to test
    error: invalid value 'middle' for '--start-at <PHASE>'
    error: the argument '--all' cannot be used with '[PATH]...'
    error: the argument '--all' cannot be used with '--base <BRANCH>'
    error: the argument '--base <BRANCH>' cannot be used with '[PATH]...'
    error: the findings in `ROOT/work/found.sarif` cannot be read
    error: there is no file `ROOT/work/nope.sarif`
    error: the argument '--findings <FILE>' cannot be used with '--all'
    error: unexpected argument '--promise' found
    ");
    assert!(!env.windlass_home().exists(), "nothing was started");
}

#[test]
fn a_number_of_iterations_without_a_loop_is_warned_of() {
    let env = world();
    let ran = heal(&env, &clean(), &["--max-iterations", "3"]).run().success();
    let told = "warning: `--max-iterations` has no effect without `--loop`: this is one pass\n";
    assert!(ran.stderr.starts_with(told), "{ran}");
    let ran = heal(&env, &clean(), &["--max-iterations", "3", "--loop"]).run().success();
    assert!(!ran.stderr.contains("warning"), "{ran}");
}

#[test]
fn the_tests_are_found_where_nobody_says_how_to_run_them() {
    let env = world();
    env.write("Makefile", "test:\n\t@echo tests ran; test -e a.txt\n");
    let script = format!("as reviewer\n{}\nas fixer\nwrite a.txt x\n", review(&["one"]));
    let ran = heal_branch(&env, &script, &[]).run().success();
    assert!(ran.stderr.contains("  checks       `make test` (from Makefile)"), "{ran}");
    assert!(ran.stdout.contains("check `make test`: passed"), "{ran}");
    let script = format!("as reviewer\n{}\nas fixer\nappend a.txt x\n", review(&["one"]));
    let ran = heal_branch(&env, &script, &["--test", "true"]).run().success();
    assert!(!ran.to_string().contains("make test"), "{ran}");
    std::fs::remove_file(env.work().join("Makefile")).unwrap();
    let ran = heal_branch(&env, &script, &[]).run().success();
    assert!(ran.stderr.contains("there are no tests that windlass can find"), "{ran}");
}

#[test]
fn the_review_is_kept_out_of_git_and_overwritten() {
    let env = world();
    heal(&env, &clean(), &[]).run().success();
    heal(&env, "as reviewer\nsay Second.\\n{\"findings\": []}\n", &[]).run().success();
    assert_eq!(env.read(".review-output.md"), "Second.\n{\"findings\": []}\n");
    assert_eq!(env.git(["status", "--porcelain"]), "");
    let excluded = env.read(".git/info/exclude");
    assert_eq!(excluded.matches(".review-output.md").count(), 1, "{excluded}");
}

const SARIF: &str = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "results": [
  {"ruleId": "x1", "level": "error", "message": {"text": "first of the linter"}, "locations": [
    {"physicalLocation": {"artifactLocation": {"uri": "src/a.rs"}, "region": {"startLine": 7}}}]},
  {"ruleId": "x2", "level": "note", "message": {"text": "second of the linter"}}]}]}"#;

const RDJSON: &str = r#"{"source": {"name": "lint"}, "diagnostics": [
  {"message": "first of the linter", "severity": "ERROR",
   "location": {"path": "src/a.rs", "range": {"start": {"line": 7}}}},
  {"message": "second of the linter", "severity": "INFO", "location": {"path": "b.rs"}}]}"#;

#[test]
fn findings_of_other_tools_stand_for_the_first_review() {
    for text in [SARIF, RDJSON] {
        let env = world();
        env.write("found.json", text);
        // The second review is a real one, and decides.
        let script = format!("as reviewer\nexit 1\nas fixer\nappend a.txt x\\n\nnext\n{}", clean());
        let args = ["--loop", "--findings", "found.json", "--test", "true", "--name", "mine"];
        heal_branch(&env, &script, &args).run().success();
        assert_eq!(
            env.sql("SELECT place FROM sessions ORDER BY id"),
            "1/fixer/1\n1/fixer/2\n2/reviewer\n"
        );
        let prompt = &prompts_of(&env)[0];
        assert!(prompt.contains("file: src/a.rs\nlines: 7\n"), "{prompt}");
        assert!(prompt.contains("first of the linter"), "{prompt}");
        assert_eq!(env.sql("SELECT trajectory FROM loops"), "[2,0]\n");
        assert_eq!(env.sql("SELECT severity FROM findings ORDER BY number"), "HIGH\nLOW\n");
    }
}

#[test]
fn a_loop_of_the_config_is_one_pass_where_a_flag_asks_for_that() {
    let env = world();
    user_config(&env, "[heal]\nloop = true\n");
    let ran = heal(&env, &clean(), &["--loop", "--review-only"]).run().code(2);
    assert!(ran.stderr.contains("`--loop` and `--review-only` cannot be used together"), "{ran}");
    heal(&env, &clean(), &["--review-only"]).run().success();
    heal(&env, &clean(), &["--no-loop"]).run().success();
    heal(&env, &clean(), &[]).run().success();
    let options = "json_extract(options, '$.loop'), json_extract(options, '$.review_only')";
    let all = env.sql(&format!("SELECT {options} FROM loop_options ORDER BY rowid"));
    insta::assert_snapshot!(all, @"
    0|1
    0|0
    1|0
    ");
}
