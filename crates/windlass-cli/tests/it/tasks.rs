//! `tasks` from outside: what a task file is, what the agent is asked, and when it is worked off.

use std::{fs, time::Duration};

use testkit::{Env, Invocation, wait_until};

use crate::{COMPLETE, prompts_of, world};

/// Two open tasks, and one that does not block.
const TWO: &str = "# Plan\n- [ ] write a\n- [ ] write b\n\n## Later\n- [ ] write c\n";

/// The work of one session: a file, and the box of its task.
fn works(letter: &str) -> String {
    format!("write {letter}.txt x\nreplace TASKS.md [ ] write {letter} => [x] write {letter}\n")
}

/// A world with that task file.
fn world_with(name: &str, text: &str) -> Env {
    let env = world();
    env.write(name, text);
    env
}

/// `tasks` over `file` with the scripted agent, which plays `script`.
pub(crate) fn tasks<'a>(env: &'a Env, file: &str, script: &str, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["tasks", "--tasks", file, "--agent", "scripted", "--script"]);
    args.iter().fold(call.arg(env.script(script)), |call, arg| call.arg(arg))
}

#[test]
fn a_task_file_is_worked_off_and_proven() {
    let env = world_with("TASKS.md", TWO);
    let script = format!("say I look around.\nnext\n{}next\n{}", works("a"), works("b"));
    let ran = tasks(&env, "TASKS.md", &script, &["--check", "test -f b.txt", "--name", "mine"]);
    insta::assert_snapshot!(ran.run().snapshot(), @"
    exit: 0
    --- stdout
    Loop mine: tasks with scripted in /tmp/windlass-XXXXXX/work
    0 of 2 tasks done
    ━━━ Iteration 1 of 20 ━━━
    agent: finished in [time]
    iteration 1: [time], no files changed
    ━━━ Iteration 2 of 20 ━━━
    agent: finished in [time]
    task done: write a
    1 of 2 tasks done
    iteration 2: [time], 2 files changed
    ━━━ Iteration 3 of 20 ━━━
    agent: finished in [time]
    task done: write b
    2 of 2 tasks done
    claim: no task is open
    check `test -f b.txt`: passed ([time])
    claim accepted: 1 check passed on tree 3f65a9f
    iteration 3: [time], 2 files changed
    ✓ done after 3 iterations, proven by 1 check
      3 sessions, 1 check, 3 files modified, 2 of 2 tasks done, [time]
      done: write a
      done: write b
    --- stderr
    next: windlass show mine
    next: windlass diff mine
    ");
    insta::assert_snapshot!(env.windlass(["status", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  tasks with scripted in /tmp/windlass-XXXXXX/work
    ✓ done after 3 iterations, proven by its checks

      iteration  ━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 3 of 20
      tasks      2 of 2 tasks done
      circuit    closed
      files      3 files modified
      time       3 sessions in [time]
      started    just now (0000-00-00 00:00:00)

      │ I look around.

      windlass show mine
      windlass diff mine
    --- stderr
    ");
    let show = env.windlass(["show", "mine"]).success().stdout;
    assert!(show.contains("3 sessions, 3 files modified, 2 of 2 tasks done"), "{show}");
    let json = env.windlass(["status", "mine", "--json"]).success().json();
    assert_eq!(json["tasks"], serde_json::json!({"open": 0, "done": 2}));
}

#[test]
fn the_result_counts_what_the_loop_completed() {
    let env = world_with("TASKS.md", "- [x] before\n- [ ] write a\n- [ ] write b\n");
    let script = format!("{}append TASKS.md - [ ] write c\\n\nnext\n{}", works("a"), works("b"));
    let script = format!("{script}next\n{}", works("c"));
    let result = tasks(&env, "TASKS.md", &script, &["--json"]).run().success().json();
    assert_eq!(
        result["ending"],
        serde_json::json!({"type": "done", "by": "tasks", "unverified": true})
    );
    assert_eq!((&result["tasks_completed"], &result["iterations"]), (&3.into(), &3.into()));
    let moved =
        "SELECT json_remove(body, '$.ran_ms') FROM events WHERE type = 'tasks_moved' ORDER BY seq";
    let moved = env.sql(moved);
    insta::assert_snapshot!(moved, @r#"
    {"type":"tasks_moved","iteration":0,"open":2,"done":1,"completed_so_far":0,"left":["write a","write b"]}
    {"type":"tasks_moved","iteration":1,"completed":["write a"],"added":["write c"],"open":2,"done":2,"completed_so_far":1,"left":["write b","write c"]}
    {"type":"tasks_moved","iteration":2,"completed":["write b"],"open":1,"done":3,"completed_so_far":2,"left":["write c"]}
    {"type":"tasks_moved","iteration":3,"completed":["write c"],"open":0,"done":4,"completed_so_far":3}
    "#);
}

#[test]
fn nested_tasks_and_optional_headings_are_understood() {
    let text = "- [x] parser\n  - [ ] write a\n    * [x] tests\n\n```\n- [ ] code\n```\n\
                ## Nice to have\n- [ ] colours\n### More\n1. [ ] sounds\n";
    let env = world_with("TASKS.md", text);
    let result = tasks(&env, "TASKS.md", &works("a"), &["--json"]).run().success().json();
    assert_eq!((&result["tasks_completed"], &result["iterations"]), (&2.into(), &1.into()));
}

#[test]
fn a_prd_is_worked_off_story_by_story() {
    let text = r#"{"branchName": "x", "userStories": [
  {"id": "US-1", "title": "Log in", "passes": false, "notes": []},
  {"id": "US-2", "title": "Log out", "passes": true}
]}"#;
    let env = world_with("prd.json", text);
    let script = "write a.txt x\nreplace prd.json false => true";
    let ran = tasks(&env, "prd.json", script, &[]).run().success();
    assert!(ran.stdout.contains("task done: US-1: Log in\n2 of 2 tasks done\n"), "{ran}");
    assert!(prompts_of(&env)[0].contains("in `prd.json`: set its `passes` to `true`"));
}

#[test]
fn in_plain_text_every_line_is_a_task() {
    let env = world_with("todo.txt", "# Today\nwrite a\nx write b\n\nLater:\nwrite c\n");
    let script = "write a.txt x\nreplace todo.txt write a => [x] write a";
    let ran = tasks(&env, "todo.txt", script, &[]).run().success();
    assert!(ran.stdout.contains("1 of 2 tasks done\n"), "{ran}");
    assert!(ran.stdout.contains("task done: write a\n2 of 2 tasks done\n"), "{ran}");
}

#[test]
fn the_prompt_holds_the_file_as_it_is_now() {
    let env = world_with("TASKS.md", TWO);
    let script = format!("{}next\n{}", works("a"), works("b"));
    tasks(&env, "TASKS.md", &script, &[]).run().success();
    let prompts = prompts_of(&env);
    insta::assert_snapshot!(prompts[0], @"
    Work on the tasks in `TASKS.md`. This is the file as it is now:

    <tasks>
    # Plan
    - [ ] write a
    - [ ] write b

    ## Later
    - [ ] write c
    </tasks>

    Pick one task that is open: the one that matters most among those that can be done now. Do it, all of it, and see for yourself that it works. Then mark it as done in `TASKS.md`: turn its `[ ]` into `[x]`. Leave the other tasks as they are, neither marked nor removed: each is for a session of its own. If you find something that is missing from the list, add it as an open task.
    ");
    insta::assert_snapshot!(prompts[1], @"
    Work on the tasks in `TASKS.md`. This is the file as it is now:

    <tasks>
    # Plan
    - [x] write a
    - [ ] write b

    ## Later
    - [ ] write c
    </tasks>

    Pick one task that is open: the one that matters most among those that can be done now. Do it, all of it, and see for yourself that it works. Then mark it as done in `TASKS.md`: turn its `[ ]` into `[x]`. Leave the other tasks as they are, neither marked nor removed: each is for a session of its own. If you find something that is missing from the list, add it as an open task.

    ---
    This is iteration 2 of 20 of a loop that windlass runs. You see no earlier conversation: earlier work is in the files and in the git history. Look at what is there before you go on.
    When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
    ");
}

#[test]
fn a_prompt_of_the_users_has_the_file_at_its_mark_or_at_its_end() {
    let list = "- [ ] write a";
    let env = world_with("TASKS.md", list);
    let prompt = env.write("PROMPT.md", "\nFrom a file.\n");
    let prompt = prompt.to_str().unwrap();
    for (flag, value, expected) in [
        ("--task-prompt", " Do: %s. Print %%s. ", format!("Do: {list}. Print %s.")),
        ("--task-prompt", "Do it.", format!("Do it.\n\n{list}")),
        ("--task-prompt-file", prompt, format!("From a file.\n\n{list}")),
    ] {
        tasks(&env, "TASKS.md", "say no", &["--max-iterations", "1", flag, value]).run().code(1);
        assert_eq!(prompts_of(&env), [expected]);
    }
    for args in [["--task-prompt", " "], ["--task-prompt-file", "nope"]] {
        tasks(&env, "TASKS.md", "say no", &args).run().code(2);
    }
}

#[test]
fn what_is_no_task_file_is_told_at_once() {
    let env = world();
    env.write("empty.md", " \n");
    env.write("prose.md", "Do it.\n");
    env.write("prd.json", "{\"userStories\": [\n  {\"id\": 1,}\n]}");
    env.write("other.json", "{}");
    env.write("latin.txt", [0xe9, b'\n']);
    env.write("large.md", vec![b'x'; (1 << 20) + 1]);
    let pipe = env.work().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
    let mut told = String::new();
    for file in [
        "nope.md",
        "README.md/x",
        ".",
        "pipe",
        "/dev/zero",
        "empty.md",
        "prose.md",
        "prd.json",
        "other.json",
        "latin.txt",
        "large.md",
        "",
    ] {
        let ran = tasks(&env, file, "say no", &[]).run().code(2);
        assert!(ran.duration < Duration::from_secs(1), "{file} took {:?}", ran.duration);
        told.push_str(ran.stderr.lines().next().unwrap_or_default());
        told.push('\n');
    }
    insta::assert_snapshot!(told, @"
    error: the task file `nope.md` cannot be used: it is not there
    error: the task file `README.md/x` cannot be used: it is not there
    error: the task file `.` cannot be used: it is a directory, and not a file
    error: the task file `pipe` cannot be used: it is a pipe, and not a file
    error: the task file `/dev/zero` cannot be used: it is a socket or a device, and not a file
    error: the task file `empty.md` cannot be used: it is empty
    error: the task file `prose.md` cannot be used: it has no tasks; in Markdown a task is a line such as `- [ ] do this`
    error: the task file `prd.json` cannot be used: it is no JSON: line 2, column 12: trailing comma
    error: the task file `other.json` cannot be used: it has no list `userStories`, which is where a `prd.json` has its tasks
    error: the task file `latin.txt` cannot be used: it is not UTF-8 text
    error: the task file `large.md` cannot be used: it has more than 1 MiB, which is the most that is read
    error: a value is required for '--tasks <FILE>' but none was supplied
    ");
    insta::assert_snapshot!(env.windlass(["tasks", "-c", "true"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no task file

    hint: say which file has the tasks with `--tasks FILE`
    ");
    assert!(!env.windlass_home().exists(), "nothing was started");
}

#[test]
fn a_file_too_long_for_an_argument_is_refused_with_a_hint() {
    let env = world_with("TASKS.md", &format!("- [ ] a\n{}", "x".repeat(200_000)));
    let ran = env.windlass(["tasks", "--tasks", "TASKS.md", "-c", "true"]).code(2);
    assert!(ran.stderr.contains("`--prompt-mode stdin`"), "{ran}");
}

#[test]
fn with_no_open_task_at_the_start_it_is_done_without_a_session() {
    let env = world_with("TASKS.md", "- [x] a\n# Later\n- [ ] b\n");
    let ran = tasks(&env, "TASKS.md", "say no", &[]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop [name]: tasks with scripted in /tmp/windlass-XXXXXX/work
    1 of 1 task done
    claim: no task is open
    claim accepted: unverified, no check was given
    ✓ done after no iterations, unverified: no check was given
      no sessions, no checks, no files modified, 1 of 1 task done, [time]
    --- stderr
    next: windlass show [name]
    next: windlass diff [name]
    ");
    let proven = tasks(&env, "TASKS.md", "say no", &["--check", "true", "--json"]).run().success();
    let proven = proven.json();
    assert_eq!(proven["ending"], serde_json::json!({"type": "done", "by": "tasks"}));
    assert_eq!((&proven["verified"], &proven["sessions"]), (&true.into(), &0.into()));
}

#[test]
fn where_a_check_fails_at_the_start_a_session_is_told() {
    let env = world_with("TASKS.md", "- [x] a\n");
    let check = "echo a.txt is missing; test -f a.txt";
    let script = "write a.txt x";
    let ran = tasks(&env, "TASKS.md", script, &["--check", check]).run().success();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop [name]: tasks with scripted in /tmp/windlass-XXXXXX/work
    1 of 1 task done
    claim: no task is open
    check `echo a.txt is missing; test -f a.txt`: failed (exit 1, [time])
        a.txt is missing
    claim rejected: the check `echo a.txt is missing; test -f a.txt` failed with exit code 1
    ━━━ Iteration 1 of 20 ━━━
    agent: finished in [time]
    claim: no task is open
    check `echo a.txt is missing; test -f a.txt`: passed ([time])
    claim accepted: 1 check passed on tree c475769
    iteration 1: [time], 1 file changed
    ✓ done after 1 iteration, proven by 1 check
      1 session, 2 checks, 1 file modified, 1 of 1 task done, [time]
    --- stderr
    next: windlass show [name]
    next: windlass diff [name]
    ");
    insta::assert_snapshot!(prompts_of(&env)[0], @"
    Work on the tasks in `TASKS.md`. This is the file as it is now:

    <tasks>
    - [x] a
    </tasks>

    All of them are marked as done, but that is not proven yet. Look at each: is it really done, and does it work? Mend what is missing, and what is told below. A task that is not done becomes an open one again in `TASKS.md`.

    ---
    This is iteration 1 of 20 of a loop that windlass runs. You see no earlier conversation: earlier work is in the files and in the git history. Look at what is there before you go on.
    When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
    A claim is accepted only if windlass itself sees this pass: `echo a.txt is missing; test -f a.txt`.

    The last claim was not accepted:
    - the check `echo a.txt is missing; test -f a.txt` failed with exit code 1

    The end of what `echo a.txt is missing; test -f a.txt` printed:
    | a.txt is missing
    ");
    assert_eq!(env.sql("SELECT number, claim FROM iterations"), "1|accepted\n");
}

#[test]
fn a_check_rejects_the_claim_that_no_task_is_open() {
    let env = world_with("TASKS.md", "- [ ] write a\n");
    let script = format!("{}next\nwrite b.txt x", works("a"));
    let ran = tasks(&env, "TASKS.md", &script, &["--check", "test -f b.txt"]).run().success();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop [name]: tasks with scripted in /tmp/windlass-XXXXXX/work
    0 of 1 task done
    ━━━ Iteration 1 of 20 ━━━
    agent: finished in [time]
    task done: write a
    1 of 1 task done
    claim: no task is open
    check `test -f b.txt`: failed (exit 1, [time])
    claim rejected: the check `test -f b.txt` failed with exit code 1
    iteration 1: [time], 2 files changed
    ━━━ Iteration 2 of 20 ━━━
    agent: finished in [time]
    claim: no task is open
    check `test -f b.txt`: passed ([time])
    claim accepted: 1 check passed on tree 6865f4f
    iteration 2: [time], 1 file changed
    ✓ done after 2 iterations, proven by 1 check
      2 sessions, 2 checks, 3 files modified, 1 of 1 task done, [time]
      done: write a
    --- stderr
    next: windlass show [name]
    next: windlass diff [name]
    ");
    let prompt = &prompts_of(&env)[1];
    assert!(prompt.contains("All of them are marked as done, but that is not proven"), "{prompt}");
    assert!(prompt.contains("- the check `test -f b.txt` failed with exit code 1"), "{prompt}");
}

#[test]
fn a_claim_counts_too_whatever_is_open() {
    let env = world_with("TASKS.md", TWO);
    let script = format!("{}say {COMPLETE}", works("a"));
    let result = tasks(&env, "TASKS.md", &script, &["--json", "--check", "true"]).run().success();
    let result = result.json();
    assert_eq!(result["ending"], serde_json::json!({"type": "done", "by": "promise"}));
    assert_eq!(result["tasks_completed"], 1);
}

#[test]
fn a_check_may_name_the_task_file_that_the_agent_is_to_change() {
    let env = world_with("TASKS.md", "- [ ] write a\n");
    let check = "! grep -q '\\[ \\]' TASKS.md";
    tasks(&env, "TASKS.md", &works("a"), &["--check", check]).run().success();
}

#[test]
fn a_loop_that_is_killed_goes_on_where_it_was() {
    let env = world_with("TASKS.md", TWO);
    let body = "n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n\n\
                [ $n = 1 ] && sed -i 's/\\[ \\] write a/[x] write a/' TASKS.md\n\
                [ $n = 2 ] && sleep 300\n\
                [ $n = 3 ] && sed -i 's/\\[ \\] write b/[x] write b/' TASKS.md; true";
    let call = env.command(["tasks", "--tasks", "TASKS.md", "--name", "mine", "-c"]);
    let running = call.arg(env.agent_sh(body)).spawn();
    wait_until("the second session works", Duration::from_secs(20), || {
        fs::read_to_string(env.work().join("n")).is_ok_and(|n| n == "2\n")
    });
    running.kill9();
    let result = env.windlass(["resume", "mine", "--json"]).success().json();
    assert_eq!(result["ending"]["by"], "tasks");
    assert_eq!((&result["iterations"], &result["tasks_completed"]), (&2.into(), &2.into()));
    let moved = "SELECT count(*) FROM events WHERE type = 'tasks_moved'";
    assert_eq!(env.sql(moved), "3\n", "the start, and each of the tasks");
}

#[test]
fn a_worktree_has_a_task_file_of_its_own() {
    let env = world_with("TASKS.md", "- [ ] write a\n");
    let call = || tasks(&env, "TASKS.md", &works("a"), &["--worktree", "topic", "--json"]);
    let ran = call().run().code(2);
    assert!(ran.stderr.contains("in the new worktree, it is not there; commit it first"), "{ran}");
    env.git(["add", "TASKS.md"]);
    env.git(["commit", "-qm", "tasks"]);
    let result = tasks(&env, "TASKS.md", &works("a"), &["--worktree", "other", "--json"]);
    let result = result.run().success().json();
    assert_eq!(env.read("TASKS.md"), "- [ ] write a\n");
    let tree = result["worktree"].as_str().unwrap().to_owned();
    assert_eq!(fs::read_to_string(format!("{tree}/TASKS.md")).unwrap(), "- [x] write a\n");
}
