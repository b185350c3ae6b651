//! When the tasks are done: no task is open, or the agent claims it, and the checks pass.

use super::{TWO, tasks, works, world_with};
use crate::{COMPLETE, prompts_of};

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
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    iteration 1: [time], no files changed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time]
    task done: write a
    1 of 2 tasks done
    iteration 2: [time], 2 files changed
    ━━━ Iteration 3 of at most 20 ━━━
    agent: finished in [time]
    task done: write b
    2 of 2 tasks done
    claim: no task is open
    check `test -f b.txt`: passed ([time])
    claim accepted: 1 check passed on tree 3f65a9f
    iteration 3: [time], 2 files changed
    ✓ done after 3 iterations, proven by 1 check
      3 sessions, 1 check, 3 files modified, 2 of 2 tasks done, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
      done: write a
      done: write b
    --- stderr
      task         TASKS.md
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       `test -f b.txt`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: git switch -c windlass/mine && git add -A -- a.txt b.txt && git commit -m TASKS.md -- a.txt b.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    insta::assert_snapshot!(env.windlass(["status", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  tasks with scripted in /tmp/windlass-XXXXXX/work
    ✓ done after 3 iterations, proven by 1 check

      task       TASKS.md
      promise    COMPLETE
      options    --agent scripted --script /tmp/windlass-XXXXXX/tmp/script-0 --check 'test -f b.txt' --no-baseline
      iteration  3 of at most 20
      tasks      ━━━━━━━━━━━━━━━━━━━━━━━━ 2 of 2 tasks done
      proof      1 check passed; no baseline; guarded files unchanged
      circuit    closed
      files      3 files modified
      time       3 sessions in [time]
      started    just now (0000-00-00 00:00:00)

      │ I look around.

      git switch -c windlass/mine && git add -A -- a.txt b.txt && git commit -m TASKS.md -- a.txt b.txt
      windlass show mine
      windlass diff mine
      windlass rollback mine 0
        (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
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
fn with_no_open_task_at_the_start_it_is_done_without_a_session() {
    let env = world_with("TASKS.md", "- [x] a\n# Later\n- [ ] b\n");
    let ran = tasks(&env, "TASKS.md", "say no", &[]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout
    Loop [name]: tasks with scripted in /tmp/windlass-XXXXXX/work
    1 of 1 task done
    claim: no task is open
    claim accepted: unverified, no check was given
    ✓ done after no iterations, unverified: no check was given
      no sessions, no checks, no files modified, 1 of 1 task done, [time]
    --- stderr
      task         TASKS.md
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
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
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    claim: no task is open
    check `echo a.txt is missing; test -f a.txt`: passed ([time])
    claim accepted: 1 check passed on tree c475769
    iteration 1: [time], 1 file changed
    ✓ done after 1 iteration, proven by 1 check
      1 session, 2 checks, 1 file modified, 1 of 1 task done, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
    --- stderr
      task         TASKS.md
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       `echo a.txt is missing; test -f a.txt`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: git switch -c windlass/[name] && git add -A -- a.txt && git commit -m TASKS.md -- a.txt
    next: windlass show [name]
    next: windlass diff [name]
    undo: windlass rollback [name] 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
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
    Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim. Begin the report with the words of the task that is blocked.
    You may extend existing tests, but the checks must also pass on the tests as they were. If the task itself requires other tests, say so with the report above.
    Wait for background commands, or stop them, before you finish: what still runs then is killed.

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
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    task done: write a
    1 of 1 task done
    claim: no task is open
    check `test -f b.txt`: failed (exit 1, [time])
    claim rejected: the check `test -f b.txt` failed with exit code 1
    iteration 1: [time], 2 files changed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time]
    claim: no task is open
    check `test -f b.txt`: passed ([time])
    claim accepted: 1 check passed on tree 6865f4f
    iteration 2: [time], 1 file changed
    ✓ done after 2 iterations, proven by 1 check
      2 sessions, 2 checks, 3 files modified, 1 of 1 task done, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
      done: write a
    --- stderr
      task         TASKS.md
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       `test -f b.txt`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: git switch -c windlass/[name] && git add -A -- a.txt b.txt && git commit -m TASKS.md -- a.txt b.txt
    next: windlass show [name]
    next: windlass diff [name]
    undo: windlass rollback [name] 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    let prompt = &prompts_of(&env)[1];
    assert!(prompt.contains("All of them are marked as done, but that is not proven"), "{prompt}");
    assert!(prompt.contains("- the check `test -f b.txt` failed with exit code 1"), "{prompt}");
}

#[test]
fn a_check_may_name_the_task_file_that_the_agent_is_to_change() {
    let env = world_with("TASKS.md", "- [ ] write a\n");
    let check = "! grep -q '\\[ \\]' TASKS.md";
    tasks(&env, "TASKS.md", &works("a"), &["--check", check]).run().success();
}

#[test]
fn a_claim_while_tasks_are_open_is_rejected_and_names_them() {
    let env = world_with("T.md", "- [ ] one\n- [ ] two\n");
    let script = "append w x\nsay <promise>COMPLETE</promise>\n";
    let args = ["--check", "test -f w", "--max-iterations", "1", "--json"];
    let result = tasks(&env, "T.md", script, &args).run().code(1).json();
    assert_eq!(result["ending"]["type"], "max_iterations");
    let told = env.sql("SELECT body ->> '$.reasons[0]' FROM events WHERE type = 'claim_rejected'");
    insta::assert_snapshot!(told, @"tasks are still open in `T.md`: `one`, `two`; do them, mark each as done in the file, and claim only when none is open");
    assert_eq!(env.sql("SELECT count(*) FROM checks"), "0\n");
}

#[test]
fn an_agent_that_claims_with_every_task_gets_there() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let text: String = names.iter().map(|name| format!("- [ ] write {name}\n")).collect();
    let env = world_with("TASKS.md", &text);
    let sessions: Vec<String> =
        names.iter().map(|name| format!("{}say {COMPLETE}\n", works(name))).collect();
    let result =
        tasks(&env, "TASKS.md", &sessions.join("next\n"), &["--json"]).run().success().json();
    assert_eq!(result["iterations"], 7);
}
