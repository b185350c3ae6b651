//! `windlass accept`: the user takes work that windlass did not accept.

use std::fs;

use serde_json::{Value, json};
use testkit::{Background, Env};

use crate::{
    COMPLETE,
    develop::develop,
    heal::{heal, one_finding},
    merging::{assert_tidy, in_worktree},
    oracle::{LIMIT, aside, wait_for_lines},
    pr_loop::{found, pr, pulled},
    scripted,
    serve::{end, serve},
    shell,
    tasks::tasks,
    world,
};

/// A loop `mine` whose claim was rejected, with a file that it wrote.
pub(crate) fn rejected() -> Env {
    let env = world();
    let script = format!("write a.txt x\nsay {COMPLETE}\n");
    let args = ["--check", "false", "--max-iterations", "1", "--name", "mine"];
    scripted(&env, &script, &args).run().code(1);
    env
}

/// A loop `mine` that runs: its first claim was rejected, and its second session does not end.
fn at_work_after_a_rejected_claim(env: &Env) -> Background {
    let ran = aside(env, "ran");
    let body = format!(
        "if [ -e first ]; then echo x >> {ran}; sleep 600; fi; echo x > first; echo '{COMPLETE}'",
        ran = ran.display()
    );
    let running = shell(env, &body, &["--check", "false", "--name", "mine"]).limit(LIMIT).spawn();
    wait_for_lines(&ran, 1);
    running
}

fn result(env: &Env) -> Value {
    env.windlass(["show", "mine", "--json"]).success().json()["result"].clone()
}

/// That the loop is done, because its user says so.
#[track_caller]
pub(crate) fn assert_accepted(env: &Env) {
    let result = result(env);
    assert_eq!(result["ending"], json!({"type": "done", "by": "user", "unverified": true}));
    assert_eq!(
        (&result["success"], &result["verified"], &result["exit_code"]),
        (&json!(true), &json!(false), &json!(0))
    );
    assert_eq!(result["proof"]["waived"], true, "{result}");
    if result["kind"] != "pr" {
        let refused = env.windlass(["resume", "mine"]).code(2);
        assert!(refused.stderr.contains("you accepted its work"), "{refused}");
    }
    let since = "SELECT type FROM events WHERE seq >
                 (SELECT max(seq) FROM events WHERE type = 'loop_resumed') ORDER BY seq";
    let facts = env.sql(since);
    assert_eq!(facts, "proof\nclaim_accepted\nloop_finished\n", "an ending of its own run");
}

#[test]
fn a_rejected_claim_is_accepted_and_nothing_but_the_record_changes() {
    let env = rejected();
    let before = (env.git(["log", "--format=%H"]), env.git(["status", "--porcelain"]));
    insta::assert_snapshot!(env.windlass(["accept", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine is done: you accepted its work, which is not verified
      waived: the check `false` failed with exit code 1
    --- stderr
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m 'mend it' -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    assert_eq!((env.git(["log", "--format=%H"]), env.git(["status", "--porcelain"])), before);
    assert_accepted(&env);
    let shown = result(&env);
    assert_eq!(shown["proof"]["checks"][0]["command"], "false");
    assert_eq!(shown["proof"]["checks"][0]["passed"], false);
    let why = env.windlass(["why", "mine"]).success().stdout;
    assert!(
        why.contains("last claim rejected: the check `false` failed with exit code 1"),
        "{why}"
    );
    assert!(why.contains("You accepted the work; the checks did not prove it."), "{why}");
    let told = env.windlass(["show", "mine"]).success().stdout;
    assert!(told.contains("✓ done after 1 iteration: accepted by you, not verified"), "{told}");
    let twice = env.windlass(["accept", "mine"]).code(2);
    assert!(twice.stderr.contains("it is already accepted"), "{twice}");
}

#[test]
fn files_that_changed_since_the_claim_are_accepted_only_with_this_tree() {
    let env = rejected();
    env.write("b.txt", "mine\n");
    insta::assert_snapshot!(env.windlass(["accept", "mine"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the work of mine cannot be accepted: files changed since the claim that was rejected

    hint: `windlass accept mine --this-tree` accepts the files as they are now
    hint: `windlass rollback mine 1` restores the files that the loop left
    ");
    assert_eq!(result(&env)["ending"]["type"], "max_iterations", "nothing was written");
    env.windlass(["accept", "mine", "--this-tree"]).success();
    assert_accepted(&env);
    assert_eq!(env.read("b.txt"), "mine\n");
}

#[test]
fn a_loop_in_which_there_is_nothing_to_accept_is_refused() {
    let env = world();
    let script = "write a.txt x\n";
    scripted(&env, script, &["--max-iterations", "1", "--name", "mine"]).run().code(1);
    let refused = env.windlass(["accept", "mine"]).code(2);
    assert!(refused.stderr.contains("no claim of it was rejected"), "{refused}");
    let script = format!("say {COMPLETE}\n");
    scripted(&env, &script, &["--name", "other"]).run().success();
    let refused = env.windlass(["accept", "other"]).code(2);
    assert!(refused.stderr.contains("it is already done"), "{refused}");
    let unknown = env.windlass(["accept", "nobody"]).code(2);
    assert!(unknown.stderr.contains("nobody"), "{unknown}");
}

#[test]
fn a_running_loop_is_refused_and_one_that_was_killed_after_its_claim_is_not() {
    let env = world();
    let running = at_work_after_a_rejected_claim(&env);
    let refused = env.windlass(["accept", "mine"]).code(2);
    assert!(refused.stderr.contains("it is running"), "{refused}");
    drop(running.kill9());
    env.windlass(["accept", "mine"]).success();
    assert_accepted(&env);
}

#[test]
fn a_loop_that_was_cancelled_after_a_rejected_claim_can_be_accepted() {
    let env = world();
    let running = at_work_after_a_rejected_claim(&env);
    env.windlass(["cancel", "mine"]).success();
    running.wait().code(143);
    env.windlass(["accept", "mine"]).success();
    assert_accepted(&env);
}

#[test]
fn a_loop_outside_a_repository_can_be_accepted() {
    let env = world();
    fs::remove_dir_all(env.work().join(".git")).expect("it is there");
    let script = format!("write a.txt x\nsay {COMPLETE}\n");
    let args = ["--check", "false", "--max-iterations", "1", "--name", "mine"];
    scripted(&env, &script, &args).run().code(1);
    env.windlass(["accept"]).success();
    assert_accepted(&env);
}

#[test]
fn a_blocked_loop_is_accepted() {
    let env = world();
    let script = "write a.txt x\nsay <blocked>no key</blocked>\n";
    scripted(&env, script, &["--name", "mine"]).run().code(3);
    let accepted = env.windlass(["accept", "mine"]).success();
    assert!(accepted.stdout.contains("waived: the agent says that it is blocked: no key"));
    assert_accepted(&env);
}

#[test]
fn tasks_are_accepted_as_they_are_and_not_ticked() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] deploy\n");
    let script = "\
write a.txt x\nreplace TASKS.md [ ] write a => [x] write a\nnext\nsay <blocked>deploy: no key</blocked>\n";
    tasks(&env, "TASKS.md", script, &["--name", "mine"]).run().code(3);
    env.windlass(["accept", "mine"]).success();
    assert_accepted(&env);
    assert_eq!(env.read("TASKS.md"), "- [x] write a\n- [ ] deploy\n");
}

#[test]
fn an_approval_that_was_not_proven_is_accepted_and_feedback_is_not() {
    for (verdict, code) in [("APPROVED", 0), ("FEEDBACK: no", 2)] {
        let env = world();
        let script = format!("as developer\nwrite a.txt x\nas reviewer\nsay {verdict}\n");
        let args = ["--check", "false", "--max-iterations", "1", "--name", "mine"];
        develop(&env, &script, &args).run().code(1);
        env.windlass(["accept", "mine"]).code(code);
        if code == 0 {
            assert_accepted(&env);
        }
    }
}

#[test]
fn heal_and_pr_are_accepted_where_the_tests_failed_last() {
    let env = world();
    env.write("a.txt", "a\n");
    let args = ["--test", "false", "--heal-attempts", "0", "--name", "mine"];
    let ran = heal(&env, &one_finding("append a.txt x\\n"), &args).run().code(1);
    assert!(ran.stderr.contains("next: windlass accept mine"), "{ran}");
    env.windlass(["accept", "mine"]).success();
    assert_accepted(&env);

    let (env, github) = pulled();
    let script = format!(
        "as auditor\n{}\nas fixer\nappend src/pump.rs // x\\n\nnext\nas auditor\n{}\n",
        found(&["one"]),
        found(&[])
    );
    let args = ["--loop", "--check", "false", "--max-iterations", "2", "--name", "mine"];
    pr(&env, &github, &script, &args).run().code(1);
    env.windlass(["accept", "mine"]).success();
    assert_accepted(&env);

    let env = world();
    env.write("a.txt", "a\n");
    let args = ["--test", "true", "--name", "mine"];
    heal(&env, &one_finding("say SKIPPED: it is right"), &args).run().code(1);
    let refused = env.windlass(["accept", "mine"]).code(2);
    assert!(refused.stderr.contains("its tests did not fail"), "{refused}");
}

#[test]
fn an_accepted_loop_is_merged_without_the_checks_that_were_waived() {
    let env = world();
    let args = ["--auto-commit", "--check", "false", "--check", "true", "--max-iterations", "1"];
    in_worktree(&env, "mine", "echo x > a.txt", &args).run().code(1);
    let early = env.windlass(["merge", "mine"]).code(2);
    assert!(early.stderr.contains("it did not end well"), "{early}");
    let accepted = env.windlass(["accept", "mine"]).success();
    assert!(accepted.stderr.contains("windlass merge mine"), "{accepted}");
    let merged = env.windlass(["merge", "mine"]).success();
    let told = "`false` is not repeated: you accepted the work of mine without it";
    assert!(merged.stdout.contains(told) || merged.stderr.contains(told), "{merged}");
    assert!(merged.stdout.contains("check `true`: passed"), "{merged}");
    assert_eq!(env.read("a.txt"), "x\n");
    assert_tidy(&env);
}

#[test]
fn a_check_that_is_asked_for_runs_in_the_merge_of_an_accepted_loop() {
    let env = world();
    let args = ["--auto-commit", "--check", "false", "--max-iterations", "1"];
    in_worktree(&env, "mine", "echo x > a.txt", &args).run().code(1);
    env.windlass(["accept", "mine"]).success();
    env.windlass(["merge", "mine", "--check", "test -e none"]).code(1);
    env.windlass(["merge", "mine", "--check", "test -e a.txt"]).success();
}

#[test]
fn the_api_accepts() {
    let env = rejected();
    let (server, web) = serve(&env);
    env.write("b.txt", "mine\n");
    let path = "/api/v1/loops/mine/accept";
    let refused = web.post(path, &json!({})).expect(409).json();
    assert!(refused.to_string().contains("--this-tree"), "{refused}");
    web.post(path, &json!({"this_tree": "yes"})).expect(422);
    web.post(path, &json!({"that_tree": true})).expect(422);
    let brief = web.post(path, &json!({"this_tree": true})).expect(200).json();
    assert_eq!(brief["ending"]["by"], "user");
    web.post(path, &json!({})).expect(409);
    web.post("/api/v1/loops/nobody/accept", &json!({})).expect(404);
    end(server);
    assert_accepted(&env);
}
