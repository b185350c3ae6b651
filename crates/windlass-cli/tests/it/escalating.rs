//! Agents that keep failing, and tasks that are not approved in time: which of the two ended a loop,
//! and how it goes on.

use std::fs;

use serde_json::json;
use testkit::Env;

use crate::{
    develop::{develop, phases},
    develop_tasks::over,
    prompts_of, world,
};

/// Has the scripted agent play something else from now on.
fn play(env: &Env, script: &str) {
    fs::write(env.root().join("tmp").join("script-0"), script).expect("the script can be written");
}

#[test]
fn a_developer_that_always_fails_is_no_escalation_and_the_loop_can_be_resumed() {
    let env = world();
    let limits = ["--max-iterations", "2", "--failure-threshold", "2", "--name", "mine"];
    let ran = develop(&env, "as developer\nwarn no key at all\nexit 1\n", &limits).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 5
    --- stdout
    Loop mine: develop with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 2 ━━━
    task: greet the world
    developing
    developer: exited with code 1 after [time]: no key at all
    failed: exited with code 1: no key at all
    iteration 1: [time], no files changed, failed
    Waiting [time], until 00:00: a pause after a failed session
    ━━━ Iteration 2 of at most 2 ━━━
    developing
    developer: exited with code 1 after [time]: no key at all
    failed: exited with code 1: no key at all
    iteration 2: [time], no files changed, failed
    ✗ stopped after 2 iterations: the agent failed twice in a row, last: exited with code 1: no key at all
      2 sessions, no checks, no files modified, [time]
    --- stderr
      task         greet the world
      agent        scripted (developer, reviewer)
      sandbox      none
      budget       none, at most 2 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    warning: the agent failed: exited with code 1: no key at all; one more stops the loop (rule agent-failing)
    next: windlass log mine
    next: windlass resume mine
    ");
    let failed = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(failed["ending"]["type"], "agent_failed");
    assert_eq!(failed["error"], failed["ending"]["reason"]);
    // It has all its iterations once more.
    play(
        &env,
        "next\nnext\nas developer\nwrite a.txt x\nas reviewer\nsay FEEDBACK: more\nnext\n\
         as developer\nwrite b.txt x\nas reviewer\nsay APPROVED\n",
    );
    let result = env.windlass(["resume", "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "approved");
    assert_eq!(result["iterations"], 4);
}

#[test]
fn an_agent_that_also_fails_in_the_last_allowed_iteration_keeps_failing() {
    let env = world();
    let script = env.script("exit 3\n");
    let call = ["iterate", "-p", "mend it", "--agent", "scripted", "--max-iterations", "2"];
    let ran = env.command(call).args(["--failure-threshold", "2", "--json", "--script"]);
    let ending = ran.arg(script).run().code(5).json()["ending"].clone();
    assert_eq!(ending["type"], "agent_failed", "{ending}");
    // One more try; then all allowed iterations are used up.
    play(&env, "next\nnext\nwrite a.txt x\n");
    let ending = env.windlass(["resume", "--json"]).code(1).json()["ending"].clone();
    assert_eq!(ending["type"], "max_iterations", "{ending}");
}

#[test]
fn a_fixer_that_always_fails_in_heal_is_no_review_that_never_ends() {
    for args in [&["--loop"][..], &[]] {
        let env = world();
        env.write("a.txt", "a\n");
        let finding = r#"say ```json\n{"findings": [{"severity": "LOW", "file": "a.txt", "title": "odd"}]}\n```"#;
        let script = format!("as reviewer\n{finding}\nas fixer\nexit 7\n");
        let call = env.command(["heal", "--agent", "scripted", "--json", "--script"]);
        let ran = call.arg(env.script(&script)).args(args).run().code(5);
        let ending = ran.json()["ending"].clone();
        assert_eq!(ending["type"], "agent_failed", "{ending}");
        assert!(ending["reason"].as_str().unwrap().contains("code 7"), "{ending}");
    }
}

#[test]
fn tests_that_nobody_could_mend_since_the_agent_fails_are_its_failure() {
    let env = world();
    let call =
        env.command(["heal", "--start-at", "test", "--test", "false", "--agent", "scripted"]);
    let call = call.args(["--json", "--script"]).arg(env.script("as fixer\nexit 7\n"));
    let ending = call.run().code(5).json()["ending"].clone();
    assert_eq!(ending["type"], "agent_failed", "{ending}");
    assert!(ending["reason"].as_str().unwrap().contains("code 7"), "{ending}");
}

/// The first of three tasks is never approved.
const FIRST_IS_NOT: &str = "\
as developer\nappend a.txt x\nas reviewer\nsay FEEDBACK: not like this\nnext
as developer\nappend b.txt x\nas reviewer\nsay APPROVED\nnext
as developer\nappend c.txt x\nas reviewer\nsay FEEDBACK: nor this\nnext
as developer\nappend a.txt x\nas reviewer\nsay APPROVED\nnext
as developer\nappend c.txt x\nas reviewer\nsay APPROVED\n";

#[test]
fn an_escalated_task_does_not_keep_the_others_from_their_turn() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n- [ ] write c\n");
    let args = ["--max-iterations", "1", "--name", "mine"];
    let ran = over(&env, "TASKS.md", FIRST_IS_NOT, &args).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: develop with scripted in /tmp/windlass-XXXXXX/work
    0 of 3 tasks done
    ━━━ Iteration 1 ━━━
    task: write a
    developing, try 1 of 1
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK: not like this
    iteration 1: [time], 1 file changed
    escalated: no approval in time
    ━━━ Iteration 2 ━━━
    task: write b
    developing, try 1 of 1
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    accepted: unverified, no check was given
    task done: write b
    1 of 3 tasks done
    approved
    iteration 2: [time], 2 files changed
    ━━━ Iteration 3 ━━━
    task: write c
    developing, try 1 of 1
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK: nor this
    iteration 3: [time], 1 file changed
    escalated: no approval in time
    ✗ escalated after 3 iterations: 2 tasks were not approved in time
      6 sessions, no checks, 4 files modified, 1 of 3 tasks done, [time]
      what is open:
      │ write a:
      │ FEEDBACK: not like this
      │ 
      │ write c:
      │ FEEDBACK: nor this
      done: write b
      escalated: write a
      escalated: write c
    --- stderr
      task         TASKS.md
      agent        scripted (developer, reviewer)
      sandbox      none
      budget       none
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass log mine
    next: windlass diff mine
    next: windlass resume mine --max-iterations 2
    ");
    let shown = env.windlass(["show", "mine", "--json"]).success().json();
    assert_eq!(shown["result"]["ending"]["tasks"], json!(["write a", "write c"]));
    assert_eq!(env.read("TASKS.md"), "- [ ] write a\n- [x] write b\n- [ ] write c\n");
    insta::assert_snapshot!(env.windlass(["resume", "mine"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop mine cannot be resumed: the iteration limit for a task (1) is reached; raise it with `--max-iterations`

    hint: `windlass show mine` tells what it did
    ");
    let result = env.windlass(["resume", "mine", "--max-iterations", "2", "--json"]).success();
    assert_eq!(result.json()["ending"]["type"], "approved", "{result}");
    assert_eq!(
        env.sql("SELECT task, status, attempts FROM tasks ORDER BY task"),
        "write a|approved|2\nwrite b|approved|1\nwrite c|approved|2\n"
    );
    let prompts = prompts_of(&env);
    let again = &prompts[6];
    assert!(again.starts_with("write a\n") && again.contains("not like this"), "{again}");
    assert!(prompts[7].contains("Other tasks were worked on since"), "{}", prompts[7]);
}

#[test]
fn escalated_tasks_are_tried_again_however_often_the_loop_is_resumed() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
    let never = "as developer\nappend a.txt x\nas reviewer\nsay FEEDBACK: no\n";
    let never = [never; 9].join("next\n");
    over(&env, "TASKS.md", &never, &["--max-iterations", "1", "--json"]).run().code(1);
    for (limit, attempts) in [("2", "2\n2\n"), ("4", "4\n4\n")] {
        let ran = env.windlass(["resume", "--max-iterations", limit, "--json"]).code(1);
        let ending = ran.json()["ending"].clone();
        assert_eq!(ending["tasks"], json!(["write a", "write b"]), "{ran}");
        assert_eq!(env.sql("SELECT attempts FROM tasks ORDER BY task"), attempts);
    }
    assert_eq!(
        env.sql("SELECT group_concat(substr(task, 7), '') FROM sessions WHERE role = 'reviewer'"),
        "ababaabb\n"
    );
}

#[test]
fn each_task_has_its_own_diff_without_the_tick_of_the_one_before() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
    let script = "as developer\nwrite a.txt first work\\n\nas reviewer\nsay APPROVED\nnext\n\
                  as developer\nwrite b.txt second work\\n\nas reviewer\nsay FEEDBACK: more\nnext\n\
                  as developer\nwrite b.txt second work\\nand more\\n\nas reviewer\nsay APPROVED\n";
    let ran = over(&env, "TASKS.md", script, &["--jsonl"]).run().success();
    assert_eq!(phases(&ran.json_lines()).iter().filter(|phase| **phase == "approved").count(), 2);
    let prompts = prompts_of(&env);
    assert!(prompts[1].contains("+first work"), "{}", prompts[1]);
    for prompt in [&prompts[3], &prompts[5]] {
        assert!(prompt.contains("+second work"), "{prompt}");
        assert!(!prompt.contains("first work") && !prompt.contains("[x]"), "{prompt}");
    }
    assert!(prompts[5].contains("+and more"), "{}", prompts[5]);
}
