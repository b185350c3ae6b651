//! What an agent may do to its task file, and what windlass makes of it: ticks without work, tasks
//! that vanish, and files that break.

use std::fs;

use testkit::Env;

use crate::{COMPLETE, prompts_of, tasks::tasks, world};

fn world_with(text: &str) -> Env {
    let env = world();
    env.write("TASKS.md", text);
    env
}

const TICKS: &str = "replace TASKS.md [ ] => [x]\n";

#[test]
fn a_tick_without_work_is_reported_and_another_session_must_confirm_it() {
    let env = world_with("- [ ] write a\n");
    let script = format!("{TICKS}next\nsay hm\nnext\nsay {COMPLETE}");
    let ran = tasks(&env, "TASKS.md", &script, &["--stagnation-threshold", "0"]).run();
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
    claim rejected: no check can prove it, and these tasks were marked as done or taken out of `TASKS.md` without any other work: `write a`; look whether they are really done, and claim it in a session of its own, or do them
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time]
    claim: no task is open
    claim rejected: no check can prove it, and these tasks were marked as done or taken out of `TASKS.md` without any other work: `write a`; look whether they are really done, and claim it in a session of its own, or do them
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    claim accepted: unverified, no check was given
    iteration 3: [time], no files changed
    ✓ done after 3 iterations, unverified: no check was given
      3 sessions, no checks, 1 file modified, 1 of 1 task done, [time]
      done: write a
    --- stderr
      task         TASKS.md
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    note: marked as done while nothing but the task file changed: `write a`
    next: windlass show [name]
    next: windlass diff [name]
    undo: windlass rollback [name] 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    let evidence =
        "SELECT body ->> '$.evidence.tasks' FROM events WHERE type = 'iteration_finished'";
    insta::assert_snapshot!(env.sql(evidence), @r#"
    {"open":0,"done":1,"unworked":1,"only_file":true}
    {"open":0,"done":1}
    {"open":0,"done":1}
    "#);
    insta::assert_snapshot!(prompts_of(&env)[1], @"
    Work on the tasks in `TASKS.md`. This is the file as it is now:

    <tasks>
    - [x] write a
    </tasks>

    All of them are marked as done, but that is not proven yet. Look at each: is it really done, and does it work? Mend what is missing, and what is told below. A task that is not done becomes an open one again in `TASKS.md`.

    ---
    This is iteration 2 of 20 of a loop that windlass runs. You see no earlier conversation: earlier work is in the files and in the git history. Look at what is there before you go on.
    When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
    Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim. Begin the report with the words of the task that is blocked.
    Wait for background commands, or stop them, before you finish: what still runs then is killed.

    The last claim was not accepted:
    - no check can prove it, and these tasks were marked as done or taken out of `TASKS.md` without any other work: `write a`; look whether they are really done, and claim it in a session of its own, or do them
    ");
}

#[test]
fn a_claim_in_the_session_that_ticked_is_no_confirmation() {
    let env = world_with("- [ ] write a\n");
    let script = format!("{TICKS}say {COMPLETE}\nnext\nsay {COMPLETE}");
    let result = tasks(&env, "TASKS.md", &script, &["--json"]).run().success().json();
    assert_eq!((&result["iterations"], &result["ending"]["by"]), (&2.into(), &"promise".into()));
}

#[test]
fn without_a_claim_ticks_without_work_never_end_a_loop_well() {
    let env = world_with("- [ ] write a\n- [ ] write b\n");
    let script = format!("{TICKS}next\nsay hm");
    let ran = tasks(&env, "TASKS.md", &script, &["-q", "--stagnation-threshold", "0"]);
    assert_eq!(ran.arg("--max-iterations").arg("4").run().code(1).stdout, "max_iterations\n");
}

#[test]
fn work_after_the_ticks_does_not_confirm_them_and_ticking_with_work_does() {
    let env = world_with("- [ ] write a\n");
    let script = format!(
        "{TICKS}next\nwrite b.txt x\nnext\nreplace TASKS.md [x] => [ ]\nnext\nwrite a.txt x\n{TICKS}"
    );
    let result = tasks(&env, "TASKS.md", &script, &["--json"]).run().success().json();
    assert_eq!((&result["iterations"], &result["ending"]["by"]), (&4.into(), &"tasks".into()));
}

#[test]
fn a_check_that_passes_proves_ticks_without_work() {
    let env = world_with("- [ ] the README is there\n");
    let result = tasks(&env, "TASKS.md", TICKS, &["--json", "--check", "test -f README.md"]);
    let result = result.run().success().json();
    assert_eq!(result["ending"], serde_json::json!({"type": "done", "by": "tasks"}));
    assert_eq!(result["iterations"], 1);
}

#[test]
fn a_task_file_outside_the_tree_or_ignored_is_looked_at_in_the_same_way() {
    for (file, ignored) in [("../TASKS.md", ""), ("TASKS.md", "TASKS.md\n")] {
        let env = world();
        env.write(".gitignore", ignored);
        env.write(file, "- [ ] write a\n");
        let ticks = format!("replace {file} [ ] => [x]\n");
        let script = format!("{ticks}next\nreplace {file} [x] => [ ]\nnext\n{ticks}write a.txt x");
        let ran = tasks(&env, file, &script, &[]).run().success();
        assert!(ran.stderr.contains("while nothing but the task file changed: `write a`"), "{ran}");
        assert!(ran.stdout.contains("✓ done after 3 iterations"), "{ran}");
    }
}

#[test]
fn outside_a_repository_nobody_knows_what_else_changed() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    env.write("TASKS.md", "- [ ] write a\n");
    let result = tasks(&env, "TASKS.md", TICKS, &["--json"]).run().success().json();
    assert_eq!(result["ending"]["by"], "tasks");
}

#[test]
fn tasks_that_are_taken_out_of_the_file_are_not_done() {
    let env = world_with("- [ ] write a\n- [ ] write b\n");
    let script = "write a.txt x\nwrite TASKS.md - [x] write a\nnext\nsay hm";
    let ran = tasks(&env, "TASKS.md", script, &["--max-iterations", "2"]).run().code(1);
    let note = "note: taken out of the task file while open: `write b`";
    assert!(ran.stderr.contains(note), "{ran}");
    assert!(ran.stdout.contains("task removed: write b\n1 of 1 task done\n"), "{ran}");
}

#[test]
fn a_file_that_breaks_is_told_to_the_agent_and_claims_nothing() {
    let env = world();
    env.write("prd.json", "{\"userStories\": [{\"id\": 1, \"passes\": false}]}");
    let script = format!(
        "write prd.json {{\"userStories\": [{{\"id\": 1, \"passes\": true\nsay {COMPLETE}\nnext\n\
         write prd.json {{\"userStories\": [{{\"id\": 1, \"passes\": true}}]}}\nwrite a.txt x"
    );
    let ran = tasks(&env, "prd.json", &script, &[]).run().success();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop [name]: tasks with scripted in /tmp/windlass-XXXXXX/work
    0 of 1 task done
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    claim rejected: the task file `prd.json` cannot be used: it is no JSON: line 1, column 41: EOF while parsing an object
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time]
    task done: 1
    1 of 1 task done
    claim: no task is open
    claim accepted: unverified, no check was given
    iteration 2: [time], 2 files changed
    ✓ done after 2 iterations, unverified: no check was given
      2 sessions, no checks, 2 files modified, 1 of 1 task done, [time]
      done: 1
    --- stderr
      task         prd.json
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    note: the task file `prd.json` cannot be used: it is no JSON: line 1, column 41: EOF while parsing an object
    next: git switch -c windlass/[name] && git add -A -- a.txt && git commit -m prd.json -- a.txt
    next: windlass show [name]
    next: windlass diff [name]
    undo: windlass rollback [name] 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
    let prompt = &prompts_of(&env)[1];
    let told = "`prd.json` cannot be used as a task file any more, for it is no JSON: line 1,";
    assert!(prompt.contains(told), "{prompt}");
}

#[test]
fn a_file_that_is_emptied_is_no_finished_one() {
    let env = world_with("- [ ] write a\n");
    let args = ["-q", "--max-iterations", "2"];
    let ran = tasks(&env, "TASKS.md", "write TASKS.md \\n\nwrite a.txt x", &args).run().code(1);
    assert_eq!(ran.stdout, "max_iterations\n");
}

#[test]
fn a_file_that_vanishes_ends_the_loop_until_it_is_back() {
    let env = world_with("- [ ] write a\n");
    let script = format!("delete TASKS.md\nnext\nwrite a.txt x\n{TICKS}");
    let ran = tasks(&env, "TASKS.md", &script, &["--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 4
    --- stdout
    Loop mine: tasks with scripted in /tmp/windlass-XXXXXX/work
    0 of 1 task done
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    ✗ could not go on after 1 iteration: the file `TASKS.md` cannot be read any more: it is not there
      1 session, no checks, 1 file modified, 0 of 1 task done, [time]
      open: write a
    --- stderr
      task         TASKS.md
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass why mine
    next: windlass resume mine
    ");
    env.windlass(["resume", "mine"]).code(4);
    env.write("TASKS.md", "- [ ] write a\n");
    let result = env.windlass(["resume", "mine", "--json"]).success().json();
    assert_eq!((&result["ending"]["by"], &result["iterations"]), (&"tasks".into(), &2.into()));
}

#[test]
fn a_file_that_becomes_a_pipe_does_not_hang_the_loop() {
    let env = world_with("- [ ] write a\n");
    let body = "rm TASKS.md; mkfifo TASKS.md";
    let call = env.command(["tasks", "--tasks", "TASKS.md", "-c"]).arg(env.agent_sh(body));
    let ran = call.run().code(4);
    assert!(ran.stdout.contains("`TASKS.md` cannot be read any more: it is a pipe"), "{ran}");
    fs::remove_file(env.work().join("TASKS.md")).unwrap();
}

#[test]
fn a_session_that_fails_after_the_last_tick_is_followed_by_another() {
    let env = world_with("- [ ] write a\n");
    let script = format!("write a.txt x\n{TICKS}exit 1\nnext\nsay hm");
    let result = tasks(&env, "TASKS.md", &script, &["--json"]).run().success().json();
    assert_eq!((&result["iterations"], &result["ending"]["by"]), (&2.into(), &"tasks".into()));
}

#[test]
fn evidence_tells_a_change_of_numbers_alone() {
    let env = world_with("- [ ] write a\n");
    let script = "write a.txt run\\s1\\nnext\nwrite a.txt run\\s22\\nnext\nwrite a.txt ran\\s22";
    let script = script.replace("\\n", "\n");
    tasks(&env, "TASKS.md", &script, &["--max-iterations", "3"]).run().code(1);
    let evidence = "SELECT coalesce(body ->> '$.evidence.only_numbers', 0) FROM events
                    WHERE type = 'iteration_finished' ORDER BY seq";
    assert_eq!(env.sql(evidence), "0\n1\n0\n");
}

#[test]
fn what_moved_is_told_once_over_a_resume() {
    let env = world_with("- [ ] write a\n");
    let go = env.root().join("tmp/go");
    let check = format!("test -e {} || sleep 300", go.display());
    let call = tasks(&env, "TASKS.md", TICKS, &["--name", "mine", "--check", &check]);
    let mut running = call.spawn();
    running.wait_until(std::time::Duration::from_secs(20), |out, _| out.contains("claim: no task"));
    running.kill9();
    fs::write(go, "").unwrap();
    env.windlass(["resume", "mine"]).success();
    let told =
        "SELECT type, count(*) FROM events WHERE type IN ('tasks_moved', 'noted') GROUP BY type";
    assert_eq!(env.sql(told), "noted|1\ntasks_moved|2\n");
}
