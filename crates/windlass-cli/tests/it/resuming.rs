//! `resume` and `reset` from outside: what may go on, with which options, and what is refused.

use serde_json::json;
use testkit::{Env, wait_until};

use crate::{COMPLETE, prompts_of, scripted, shell, user_config, world};

/// A loop `mine` that used up its two iterations.
fn used_up(env: &Env) {
    let script = format!("write a.txt 1\nnext\nwrite a.txt 2\nnext\nsay {COMPLETE}");
    scripted(env, &script, &["--name", "mine", "--max-iterations", "2"]).run().code(1);
}

#[test]
fn a_loop_that_used_up_its_iterations_goes_on_with_more() {
    let env = world();
    used_up(&env);
    insta::assert_snapshot!(env.windlass(["resume", "mine"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop mine cannot be resumed: 2 iterations are used; `--max-iterations 3` or more continues

    hint: `windlass show mine` tells what it did
    ");
    insta::assert_snapshot!(env.windlass(["resume", "mine", "--max-iterations", "2"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop mine cannot be resumed: 2 iterations are used; `--max-iterations 3` or more continues

    hint: `windlass show mine` tells what it did
    ");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "2\n");
    insta::assert_snapshot!(env.windlass(["resume", "mine", "--max-iterations", "5"]).snapshot(), @"
    exit: 0
    --- stdout
    Loop mine goes on, up to 5 iterations
    ━━━ Iteration 3 of at most 5 ━━━
    agent: finished in [time]
    claim: COMPLETE
    claim accepted: unverified, no check was given
    iteration 3: [time], no files changed
    ✓ done after 3 iterations, unverified: no check was given
      3 sessions, no checks, 1 file modified, [time]
    --- stderr
      task         mend it
      agent        scripted
      sandbox      none
      budget       none, at most 5 iterations
      checks       none
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m 'mend it' -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    assert!(prompts_of(&env)[2].contains("This is iteration 3 of 5"));
    insta::assert_snapshot!(env.windlass(["resume", "mine", "--max-iterations", "9"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop mine cannot be resumed: it is done

    hint: `windlass show mine` tells what it did
    ");
    let shown = env.windlass(["show", "mine", "--json"]).success().json();
    assert_eq!(shown["result"]["sessions"], 3, "what was done was not done again");
}

#[test]
fn resume_without_a_name_takes_the_newest_of_the_directory() {
    let env = world();
    used_up(&env);
    let ran = env.windlass(["resume", "--max-loops", "3", "-q"]).success();
    assert_eq!(ran.stdout, "done\n");
}

#[test]
fn an_agent_that_kept_failing_gets_another_chance() {
    let env = world();
    let body = format!("test -e mended || exit 3; echo '{COMPLETE}'");
    shell(&env, &body, &["--name", "mine", "--failure-threshold", "1"]).run().code(5);
    env.write("mended", "");
    assert_eq!(env.windlass(["resume", "mine", "-q"]).success().stdout, "done\n");
}

#[test]
fn a_cancelled_loop_goes_on_and_its_options_stay_what_they_were() {
    let env = world();
    let config = user_config(&env, "checks = ['test -e a']\nmax_iterations = 7\n");
    let body =
        format!("test -e up && {{ echo x > a; echo '{COMPLETE}'; exit; }}; touch up; sleep 60");
    let call = shell(&env, &body, &["--name", "mine", "--grace", "1s"]);
    let running = call.env("WINDLASS_PROMISE", "COMPLETE").spawn();
    wait_until("the agent starts", std::time::Duration::from_secs(30), || {
        env.work().join("up").exists()
    });
    env.windlass(["cancel", "mine"]).success();
    running.wait().code(143);
    std::fs::write(config, "checks = ['false']\nmax_iterations = 1\n").unwrap();
    env.write("windlass.toml", "not trusted, and not even TOML");
    let result = env.command(["resume", "mine", "--json"]).env("WINDLASS_PROMISE", "OTHER").run();
    let result = result.success().json();
    assert_eq!(result["ending"], json!({"type": "done", "by": "promise"}));
    assert_eq!(env.sql("SELECT command FROM checks"), "test -e a\n");
    assert_eq!(env.sql("SELECT max_iterations FROM loops"), "7\n");
}

#[test]
fn flags_of_rules_and_pace_count_on_resume() {
    let env = world();
    let body = "test -e up && exec sleep 60; touch up";
    shell(&env, body, &["--name", "mine", "--max-iterations", "1"]).run().code(1);
    let args = ["resume", "mine", "--max-iterations", "9", "--timeout", "1s", "--grace", "1s"];
    let ran = env.command(args).arg("--failure-threshold").arg("1").arg("--json").run();
    let result = ran.code(5).json();
    insta::assert_snapshot!(result["error"], @r#""the agent failed: timed out""#);
    for flag in ["--auto-commit", "--name=x", "--worktree=x"] {
        let ran = env.windlass(["resume", "mine", flag]).code(2);
        assert!(ran.stderr.contains("unexpected argument"), "{ran}");
    }
}

#[test]
fn reset_closes_the_circuit() {
    let env = world();
    used_up(&env);
    insta::assert_snapshot!(env.windlass(["reset", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    the circuit of mine is closed
    --- stderr
    hint: to go on: windlass resume mine --max-iterations 4
    ");
    insta::assert_snapshot!(env.windlass(["resume", "mine", "--reset-circuit"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop mine cannot be resumed: 2 iterations are used; `--max-iterations 3` or more continues

    hint: `windlass show mine` tells what it did
    ");
    let ran = env.windlass(["resume", "mine", "--reset-circuit", "--max-iterations", "3", "-q"]);
    assert_eq!(ran.success().stdout, "done\n");
}

#[test]
fn a_loop_whose_directory_or_program_is_gone_is_refused() {
    let env = world();
    env.write("sub/x", "");
    let agent = env.agent_sh("true");
    let call = ["iterate", "-p", "x", "--name", "mine", "--max-iterations", "1", "-C", "sub", "-c"];
    env.command(call).arg(&agent).run().code(1);
    std::fs::rename(env.work().join("sub"), env.work().join("moved")).unwrap();
    let resume = ["resume", "mine", "--max-iterations", "2"];
    insta::assert_snapshot!(env.windlass(resume).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no directory `/tmp/windlass-XXXXXX/work/sub`
    ");
    std::fs::rename(env.work().join("moved"), env.work().join("sub")).unwrap();
    std::fs::remove_file(agent).unwrap();
    insta::assert_snapshot!(env.windlass(resume).snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: the agent `command` cannot be started
      caused by: no program `/tmp/windlass-XXXXXX/bin/agent-0` was found

    hint: install it, or choose another agent with `--agent` or `--command`
    hint: `windlass agents` lists the agents that were found
    ");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "1\n");
}

#[test]
fn what_a_loop_was_can_be_removed_while_the_work_stays() {
    let env = world();
    used_up(&env);
    insta::assert_snapshot!(env.windlass(["rm", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    removed mine
    --- stderr
    ");
    assert_eq!(env.read("a.txt"), "2");
    env.windlass(["status", "mine"]).code(2);
    for table in ["loops", "events", "iterations", "sessions", "messages", "checks"] {
        assert_eq!(env.sql(&format!("SELECT count(*) FROM {table}")), "0\n", "{table}");
    }
}
