//! What an earlier windlass left is gone on with: loops are resumed and do nothing twice, work trees
//! go back, branches are merged, and what is not needed any more is removed.

use testkit::Env;

use super::{assert_as_before, each_edition};
use crate::oracle::{assert_sound, number};

/// Takes a loop up again: it prints what the earlier windlass printed, ends with `ending`, adds to
/// the journal and changes nothing in it, and runs no session again that was over.
fn goes_on(world: &str, name: &str, args: &[&str], ending: &str) {
    goes_on_after(world, name, args, ending, |_| ());
}

/// The same, after something was put right.
fn goes_on_after(world: &str, name: &str, args: &[&str], ending: &str, put_right: impl Fn(&Env)) {
    each_edition(world, |env, edition| {
        put_right(env);
        let (journal, over) = (journal(env, name), over(env, name));
        let ran = env.command(["resume", name]).args(args).run();
        assert_as_before(edition, &format!("resumed__{name}"), &calm(&ran.snapshot()));
        let status = env.windlass(["status", name, "--json"]).success().json();
        assert_eq!(status["ending"]["type"], ending, "{ran}");
        assert_sound(env);
        let grown = self::journal(env, name);
        assert!(grown.starts_with(&journal), "what was recorded is another:\n{journal}\n{grown}");
        assert!(grown.len() > journal.len(), "nothing was recorded of {name}");
        assert!(self::over(env, name).starts_with(&over), "a session that was over is another");
        // A session that was cut off is run again, and one that was over is not.
        let twice = "SELECT place FROM sessions WHERE status = 'finished' GROUP BY loop, place
                     HAVING count(*) > 1";
        assert_eq!(env.sql(twice), "", "sessions of {name} were run again");
    });
}

/// What was printed, but for the ids of commits, which are made anew.
fn calm(printed: &str) -> String {
    let is_commit = |line: &str| line.starts_with("commit: ");
    let calm =
        |line: &str| if is_commit(line) { "commit: [commit]" } else { line }.to_owned() + "\n";
    printed.lines().map(calm).collect()
}

/// Everything that was recorded of a loop.
fn journal(env: &Env, name: &str) -> String {
    env.sql(&format!(
        "SELECT seq, events.at, events.type, body, content FROM events
         LEFT JOIN messages USING (session, sequence)
         WHERE loop = (SELECT id FROM loops WHERE name = '{name}') ORDER BY seq"
    ))
}

/// The sessions of a loop that are over, with what came of them.
fn over(env: &Env, name: &str) -> String {
    env.sql(&format!(
        "SELECT id, place, status, outcome, prompt, text FROM sessions
         WHERE loop = (SELECT id FROM loops WHERE name = '{name}') AND status = 'finished'
         ORDER BY id"
    ))
}

#[test]
fn a_loop_of_iterate_that_was_killed_goes_on() {
    goes_on("iterate-in-session", "iterate-in-session", &[], "done");
    goes_on("iterate-in-between", "iterate-in-between", &[], "done");
    goes_on("waiting", "waiting", &[], "done");
}

#[test]
fn a_loop_of_tasks_that_was_killed_goes_on() {
    goes_on("tasks-in-session", "tasks-in-session", &[], "done");
    goes_on("tasks-in-between", "tasks-in-between", &[], "done");
}

#[test]
fn a_loop_of_develop_that_was_killed_goes_on() {
    goes_on("develop-in-session", "develop-in-session", &[], "approved");
    goes_on("develop-in-between", "develop-in-between", &[], "approved");
}

#[test]
fn a_loop_of_heal_that_was_killed_goes_on() {
    goes_on("heal-in-session", "heal-in-session", &[], "clean");
    goes_on("heal-in-between", "heal-in-between", &[], "clean");
}

#[test]
fn a_loop_that_used_up_its_iterations_goes_on_with_more() {
    goes_on("iterate", "iterate-to-max", &["--max-iterations", "5"], "done");
    goes_on("tasks", "tasks-to-max", &["--max-iterations", "3"], "done");
    goes_on("heal", "heal-loop-to-max", &["--max-iterations", "4"], "clean");
}

#[test]
fn a_loop_that_was_called_off_or_limited_goes_on() {
    goes_on("iterate", "iterate-to-cancelled", &[], "done");
    goes_on("iterate", "iterate-to-limited", &[], "done");
}

#[test]
fn a_loop_goes_on_when_what_stopped_it_is_put_right() {
    goes_on_after("iterate", "iterate-to-failed", &[], "done", |env| {
        env.write("mended", "");
    });
    goes_on_after("develop", "develop-to-error", &[], "approved", |env| {
        env.write("TWO.md", "- [ ] write c\n");
    });
    goes_on("iterate", "iterate-to-stopped", &["--reset-circuit"], "rule");
}

#[test]
fn a_loop_that_is_over_is_not_resumed() {
    for (world, name) in [
        ("iterate", "iterate-to-done"),
        ("tasks", "tasks-to-done"),
        ("develop", "develop-tasks-to-approved"),
        ("develop", "develop-to-escalated"),
        ("heal", "heal-loop-to-clean"),
        ("pr", "pr-to-approved"),
        ("merge", "merge-of-one"),
    ] {
        each_edition(world, |env, edition| {
            let ran = env.windlass(["resume", name]);
            assert_as_before(edition, &format!("refused__{name}"), &ran.snapshot());
            assert_eq!(ran.code, Some(2), "{ran}");
        });
    }
}

#[test]
fn a_work_tree_goes_back_to_where_a_loop_began() {
    for world in ["iterate-in-session", "iterate-in-between", "heal-in-session", "heal-in-between"]
    {
        each_edition(world, |env, edition| {
            assert_ne!(env.git(["status", "--porcelain"]), "");
            let ran = env.windlass(["rollback", world, "0"]);
            assert_as_before(edition, &format!("rolled_back__{world}"), &ran.snapshot());
            assert_eq!(env.git(["status", "--porcelain"]), "", "{ran}");
        });
    }
}

#[test]
fn a_work_tree_goes_back_to_what_an_iteration_left() {
    each_edition("tasks-in-session", |env, _| {
        assert_eq!(env.read("b.txt"), "half\n");
        env.windlass(["rollback", "tasks-in-session", "1"]).success();
        assert_eq!(env.read("a.txt"), "whole\n");
        assert_eq!(env.read("TASKS.md"), "# Plan\n- [x] write a\n- [ ] write b\n- [ ] write c\n");
        assert!(!env.work().join("b.txt").exists());
        env.windlass(["rollback", "tasks-in-session", "0"]).success();
        assert_eq!(env.read("TASKS.md"), "# Plan\n- [ ] write a\n- [ ] write b\n- [ ] write c\n");
        assert!(!env.work().join("a.txt").exists());
    });
    each_edition("develop", |env, _| {
        env.windlass(["rollback", "develop-to-approved", "1"]).success();
        assert_eq!(env.read("hello.txt"), "Hello\n");
    });
}

#[test]
fn the_branch_of_a_loop_is_merged() {
    each_edition("merge", |env, _| {
        assert!(!env.work().join("open.txt").exists());
        let ran = env.windlass(["merge", "work-of-two", "--json"]).success();
        assert_eq!(ran.json()["ending"]["type"], "done", "{ran}");
        assert_eq!(ran.json()["verified"], true, "the loop's check is known still");
        assert_eq!(env.read("open.txt"), "y\n");
        assert_eq!(env.git(["status", "--porcelain"]), "");
        env.git(["fsck", "--strict"]);
        let ran = env.windlass(["merge", "work-of-one"]).success();
        assert!(ran.stdout.contains("there is nothing to merge"), "{ran}");
        assert_sound(env);
    });
}

#[test]
fn loops_are_removed_and_the_work_stays() {
    each_edition("iterate", |env, _| {
        let (work, loops) = (env.git(["status", "--porcelain"]), "SELECT count(*) FROM loops");
        assert_eq!(number(env, loops), 6);
        env.windlass(["rm", "iterate-to-done", "iterate-to-max"]).success();
        assert_eq!(number(env, loops), 4);
        env.windlass(["status", "iterate-to-done"]).code(2);
        env.windlass(["gc", "--older-than", "0s"]).success();
        assert_eq!(number(env, loops), 0);
        assert_eq!(env.git(["status", "--porcelain"]), work);
        assert_sound(env);
    });
}

#[test]
fn garbage_is_collected_and_what_can_be_resumed_stays() {
    each_edition("iterate-in-session", |env, _| {
        env.windlass(["gc", "--older-than", "0s"]).success();
        env.windlass(["resume", "iterate-in-session", "-q"]).success();
    });
}

#[test]
fn a_new_loop_starts_beside_those_of_before() {
    each_edition("iterate", |env, _| {
        let script = format!("say {}", crate::COMPLETE);
        crate::scripted(env, &script, &["--name", "new"]).run().success();
        let listed = env.windlass(["list", "--json"]).success().json();
        assert_eq!(listed[0]["name"], "new", "{listed}");
        assert_eq!(listed.as_array().map(Vec::len), Some(7));
        assert_sound(env);
    });
}
