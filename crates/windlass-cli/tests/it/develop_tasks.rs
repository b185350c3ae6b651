//! `develop --tasks` from outside: tasks go one after the other through developer and reviewer, and
//! windlass ticks them.

use std::fs;

use serde_json::json;
use testkit::{Env, Invocation};

use crate::{oracle::aside, prompts_of, user_config, world};

/// `develop` over a task file with the scripted agent in all roles.
pub(crate) fn over<'a>(env: &'a Env, file: &str, script: &str, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["develop", "--tasks", file, "--agent", "scripted", "--script"]);
    args.iter().fold(call.arg(env.script(script)), |call, arg| call.arg(arg))
}

/// A developer that works and a reviewer that approves.
const APPROVED: &str = "as developer\nappend a.txt x\\n\nas reviewer\nsay APPROVED\n";

const FILE: &str = "\u{feff}# Plan\r\n\r\n* [ ] write **a**\r\n  + [ ] its tests\r\n\t- [x] old\r\n\
                    ## Later\r\n- [ ] colours\r\n## Now\r\n1. [ ]  write b  \r\nno newline";

#[test]
fn tasks_are_developed_in_order_and_ticked_by_windlass() {
    let env = world();
    env.write("TASKS.md", "# Plan\n- [ ] write a\n- [x] old\n- [ ] write b\n");
    let ran = over(&env, "TASKS.md", APPROVED, &["--name", "mine", "--check", "test -e a.txt"]);
    insta::assert_snapshot!(ran.run().snapshot(), @"
    exit: 0
    --- stdout
    Loop mine: develop with scripted in /tmp/windlass-XXXXXX/work
    1 of 3 tasks done
    ━━━ Iteration 1 ━━━
    task: write a
    developing, try 1 of 5
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    check `test -e a.txt`: passed ([time])
    accepted: 1 check passed on tree 3e982b7
    task done: write a
    2 of 3 tasks done
    approved
    iteration 1: [time], 2 files changed
    ━━━ Iteration 2 ━━━
    task: write b
    developing, try 1 of 5
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    check `test -e a.txt`: passed ([time])
    accepted: 1 check passed on tree 70dde05
    task done: write b
    3 of 3 tasks done
    approved
    iteration 2: [time], 2 files changed
    ✓ approved after 2 iterations, proven by 1 check
      4 sessions, 2 checks, 2 files modified, 3 of 3 tasks done, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
      done: write a
      done: write b
    --- stderr
      task         TASKS.md
      agent        scripted (developer, reviewer)
      sandbox      none
      budget       none
      checks       `test -e a.txt`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m TASKS.md -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    assert_eq!(env.read("TASKS.md"), "# Plan\n- [x] write a\n- [x] old\n- [x] write b\n");
    let prompts = prompts_of(&env);
    assert!(prompts[0].starts_with("write a\n"), "{}", prompts[0]);
    assert!(prompts[2].starts_with("write b\n"), "{}", prompts[2]);
    let shown = env.windlass(["show", "mine", "--json"]).success().json();
    assert_eq!(shown["result"]["tasks_completed"], 2);
    assert_eq!(shown["sessions"][2]["task"], "write b");
}

#[test]
fn nested_tasks_come_before_what_they_are_part_of_and_other_bytes_stay() {
    let env = world();
    env.write("TASKS.md", FILE);
    over(&env, "TASKS.md", APPROVED, &["--json"]).run().success();
    let ticked = FILE
        .replace("[ ] write **a**", "[x] write **a**")
        .replace("[ ] its tests", "[x] its tests")
        .replace("[ ]  write b", "[x]  write b");
    assert_eq!(env.read("TASKS.md"), ticked);
    let tasks = env.sql("SELECT task FROM sessions WHERE role = 'developer' ORDER BY id");
    assert_eq!(
        tasks.lines().map(|task| task.replace('*', "")).collect::<Vec<_>>(),
        ["its tests", "write a", "write b"]
    );
}

#[test]
fn a_prd_and_a_plain_list_are_ticked_in_their_own_way() {
    let env = world();
    let prd = "{\"branchName\":\"x\",\n \"userStories\": [\n  {\"id\": \"US-1\", \"title\": \"In\", \
               \"passes\":false, \"notes\": \"é\"},\n  {\"id\": \"US-2\", \"title\": \"Out\", \
               \"passes\" : true}\n]}";
    env.write("prd.json", prd);
    over(&env, "prd.json", APPROVED, &["--json"]).run().success();
    assert_eq!(env.read("prd.json"), prd.replace("\"passes\":false", "\"passes\":true"));
    env.write("todo.txt", "# Today\nwrite a\n  write b\n");
    let result = over(&env, "todo.txt", APPROVED, &["--json"]).run().success().json();
    assert_eq!(result["tasks_completed"], 2);
    let again = over(&env, "todo.txt", APPROVED, &["--json"]).run().success().json();
    assert_eq!((&again["iterations"], &again["sessions"]), (&0.into(), &0.into()));
    assert!(env.read("todo.txt").starts_with("# Today\n"));
}

/// A reviewer that approves when it was asked so often about a task.
const PATIENT: &str = "as developer\nappend a.txt x\nas reviewer\nsay FEEDBACK: more\nnext\n\
                       as developer\nappend a.txt x\nas reviewer\nsay APPROVED\nnext\n\
                       as developer\nappend a.txt x\nas reviewer\nsay FEEDBACK: more\nnext\n\
                       as developer\nappend a.txt x\nas reviewer\nsay FEEDBACK: still more\n";

#[test]
fn iterations_are_counted_for_each_task_and_those_that_are_not_approved_are_named() {
    let env = world();
    env.write("TASKS.md", "- [ ] z first\n- [ ] a second\n- [ ] third\n");
    let ran = over(&env, "TASKS.md", PATIENT, &["--max-iterations", "2", "--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: develop with scripted in /tmp/windlass-XXXXXX/work
    0 of 3 tasks done
    ━━━ Iteration 1 ━━━
    task: z first
    developing, try 1 of 2
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK: more
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 ━━━
    developing, try 2 of 2
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    accepted: unverified, no check was given
    task done: z first
    1 of 3 tasks done
    approved
    iteration 2: [time], 2 files changed
    ━━━ Iteration 3 ━━━
    task: a second
    developing, try 1 of 2
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK: more
    iteration 3: [time], 1 file changed
    ━━━ Iteration 4 ━━━
    developing, try 2 of 2
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK: still more
    iteration 4: [time], 1 file changed
    escalated: no approval in time
    ━━━ Iteration 5 ━━━
    task: third
    developing, try 1 of 2
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK: still more
    iteration 5: [time], 1 file changed
    ━━━ Iteration 6 ━━━
    developing, try 2 of 2
    developer: finished in [time]
    reviewing
    reviewer: finished in [time]
    feedback:
      │ FEEDBACK: still more
    iteration 6: [time], 1 file changed
    escalated: no approval in time
    ✗ escalated after 6 iterations: 2 tasks were not approved in time
      12 sessions, no checks, 2 files modified, 1 of 3 tasks done, [time]
      what is open:
      │ a second:
      │ FEEDBACK: still more
      │ 
      │ third:
      │ FEEDBACK: still more
      done: z first
      escalated: a second
      escalated: third
    --- stderr
      task         TASKS.md
      agent        scripted (developer, reviewer)
      sandbox      none
      budget       none
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass log mine
    next: windlass diff mine
    next: windlass resume mine --max-iterations 4
    ");
    assert_counted(&env);
}

#[track_caller]
fn assert_counted(env: &Env) {
    assert_eq!(env.read("TASKS.md"), "- [x] z first\n- [ ] a second\n- [ ] third\n");
    let shown = env.windlass(["show", "mine", "--json"]).success().json();
    assert_eq!(
        shown["tasks"],
        json!([{"task": "z first", "status": "approved", "attempts": 2},
               {"task": "a second", "status": "escalated", "attempts": 2},
               {"task": "third", "status": "escalated", "attempts": 2}])
    );
    assert_eq!(
        shown["result"]["ending"],
        json!({"type": "escalated", "limit": 2, "tasks": ["a second", "third"],
               "feedback": "a second:\nFEEDBACK: still more\n\nthird:\nFEEDBACK: still more"})
    );
    assert_eq!(
        env.sql("SELECT task, status, attempts FROM tasks ORDER BY attempts, task"),
        "a second|escalated|2\nthird|escalated|2\nz first|approved|2\n"
    );
    let second = &prompts_of(env)[4];
    assert!(second.contains("iteration 1 of 2"), "the count begins anew: {second}");
    assert!(!second.contains("What the reviewer wants changed"), "{second}");
}

#[test]
fn what_the_developer_ticks_itself_is_reviewed_all_the_same() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n- [ ] write c\n");
    let script = "as developer\nwrite a.txt x\nreplace TASKS.md [ ] write => [x] write\n\
                  as reviewer\nsay FEEDBACK: no\nnext\n\
                  as developer\nappend a.txt x\nas reviewer\nsay APPROVED\n";
    let ran = over(&env, "TASKS.md", script, &[]).run().success();
    assert!(ran.stderr.contains("`write b` was marked as done in `TASKS.md`, but not"), "{ran}");
    assert_eq!(
        env.sql("SELECT task, status, attempts FROM tasks ORDER BY task"),
        "write a|approved|2\nwrite b|approved|1\nwrite c|approved|1\n"
    );
    assert_eq!(env.read("TASKS.md"), "- [x] write a\n- [x] write b\n- [x] write c\n");
    let done = env.windlass(["status", "--json"]).success().json()["tasks"].clone();
    assert_eq!(done, json!({"open": 0, "done": 3}));
}

#[test]
fn people_may_change_the_file_while_the_loop_runs() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
    // The developer stands for the people here: what is asked for is what the file has then.
    let script = "as developer\nwrite TASKS.md - [ ] write a\\n- [ ] write c\\n\nas reviewer\n\
                  say APPROVED\nnext\nas developer\nwrite c.txt x\nas reviewer\nsay APPROVED\n";
    over(&env, "TASKS.md", script, &[]).run().success();
    assert_eq!(env.read("TASKS.md"), "- [x] write a\n- [x] write c\n");
    let tasks = env.sql("SELECT task FROM sessions WHERE role = 'developer' ORDER BY id");
    assert_eq!(tasks, "write a\nwrite c\n");
}

#[test]
fn a_file_that_cannot_be_used_any_more_ends_the_loop_and_approves_nothing() {
    for (damage, told) in [
        ("delete TASKS.md", "the file `TASKS.md` cannot be read any more"),
        ("write TASKS.md no tasks here", "the task file `TASKS.md` cannot be used any more"),
    ] {
        let env = world();
        env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
        let script = format!("as developer\n{damage}\nas reviewer\nsay APPROVED\n");
        let ran = over(&env, "TASKS.md", &script, &["--json"]).run().code(4);
        let ending = &ran.json()["ending"];
        assert_eq!(ending["type"], "error", "{ran}");
        assert!(ending["message"].as_str().unwrap().contains(told), "{ran}");
        // Put back, it goes on where it was.
        env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
        let script = env.root().join("tmp").join("script-0");
        fs::write(script, APPROVED).unwrap();
        let result = env.windlass(["resume", "--json"]).success().json();
        assert_eq!(result["ending"]["type"], "approved", "{damage}");
        assert_eq!(env.read("TASKS.md"), "- [x] write a\n- [x] write b\n");
    }
}

#[test]
fn with_no_open_task_at_the_start_there_is_nothing_to_develop() {
    let env = world();
    env.write("TASKS.md", "- [x] a\n# Later\n- [ ] b\n");
    insta::assert_snapshot!(over(&env, "TASKS.md", "say no", &[]).run().snapshot(), @r"
    exit: 0
    --- stdout
    Loop [name]: develop with scripted in /tmp/windlass-XXXXXX/work
    1 of 1 task done
    claim: no task is open
    claim accepted: unverified, no check was given
    ✓ done after no iterations, unverified: no check was given
      no sessions, no checks, no files modified, 1 of 1 task done, [time]
    --- stderr
      task         TASKS.md
      agent        scripted (developer, reviewer)
      sandbox      none
      budget       none
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass show [name]
    next: windlass diff [name]
    ");
    let proven = over(&env, "TASKS.md", "say no", &["--check", "true", "--json"]).run().success();
    assert_eq!(proven.json()["verified"], true);
    let ran = over(&env, "TASKS.md", "say no", &["--check", "false", "--json"]).run().code(1);
    assert_eq!(ran.json()["sessions"], 0);
    assert_eq!(ran.json()["ending"]["type"], "escalated");
}

#[test]
fn each_session_of_a_task_is_kept_with_it() {
    let env = world();
    env.write("TASKS.md", "- [ ] one\n- [ ] two\n");
    let out = aside(&env, "asked");
    let agent = env.agent_sh(&format!("cat >> {}; echo APPROVED", out.display()));
    user_config(&env, &format!("[agents.one]\ncommand = [{agent:?}]\nprompt = 'stdin'\n"));
    env.windlass(["develop", "--tasks", "TASKS.md", "--agent", "one", "-q"]).success();
    assert_eq!(
        env.sql("SELECT task, role, iteration FROM sessions ORDER BY id"),
        "one|developer|1\none|reviewer|1\ntwo|developer|2\ntwo|reviewer|2\n"
    );
    let asked = fs::read_to_string(out).unwrap();
    assert_eq!(asked.matches("leave the file as it is: windlass marks the task").count(), 4);
}
