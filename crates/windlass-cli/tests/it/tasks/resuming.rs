//! The task file of a resumed loop, and of one in its own worktree.

use std::{fs, time::Duration};

use testkit::wait_until;

use super::{TWO, tasks, works, world_with};

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
