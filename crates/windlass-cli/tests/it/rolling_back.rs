//! `rollback` and what is the user's: what was uncommitted before the loop comes back, and what was
//! changed since stays.

use std::time::Duration;

use testkit::Env;

use crate::{private_git::submodules::with_submodules, scripted, shell, world};

/// A repository with work that nobody has committed.
fn with_work(env: &Env) {
    env.write("dirty.txt", "committed\n");
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=more"]);
    env.write("dirty.txt", "hours of work\n");
    env.write("untracked.txt", "more of it\n");
}

#[test]
fn uncommitted_work_that_the_agent_destroyed_comes_back() {
    let env = world();
    with_work(&env);
    let body = "git checkout -q . && git clean -qfd && echo agent > agent.txt";
    shell(&env, body, &["--max-iterations", "1", "--name", "mine"]).run().code(1);
    assert_eq!(env.read("dirty.txt"), "committed\n");
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "0"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as it was before the loop: 2 files written, 1 file removed
      written: dirty.txt
      written: untracked.txt
      removed: agent.txt
    --- stderr
    hint: `windlass rollback mine 1` brings back what the loop left
    ");
    assert_eq!(env.read("dirty.txt"), "hours of work\n");
    assert_eq!(env.read("untracked.txt"), "more of it\n");
}

#[test]
fn what_the_user_changed_since_the_loop_is_left_alone_and_named() {
    let env = world();
    with_work(&env);
    let script = "write a.txt one\nwrite b.txt one\nwrite c.txt one\nappend dirty.txt x\nnext\n\
                  write a.txt two\nwrite b.txt two\nwrite c.txt two\n";
    scripted(&env, script, &["--max-iterations", "2", "--name", "mine"]).run().code(1);
    env.write("a.txt", "edited since\n");
    env.write("made.txt", "made since\n");
    env.git(["rm", "-qf", "--ignore-unmatch", "c.txt"]);
    std::fs::remove_file(env.work().join("c.txt")).unwrap();
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "0"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as it was before the loop, but for 2 files: 1 file written, 1 file removed
      written: dirty.txt
      removed: b.txt
      left alone, as it was changed since the loop: a.txt
      left alone, as it was changed since the loop: made.txt
    --- stderr
    hint: `windlass rollback mine 2` brings back what the loop left
    ");
    assert_eq!(env.read("a.txt"), "edited since\n");
    assert_eq!(env.read("made.txt"), "made since\n");
    assert!(!env.work().join("b.txt").exists());
    // Neither does the way forward take them for the loop's, nor one that was taken before.
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "1"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as iteration 1 left it, but for 3 files: 2 files written, no files removed
      written: b.txt
      written: dirty.txt
      left alone, as it was changed since the loop: a.txt
      left alone, as it was changed since the loop: c.txt
      left alone, as it was changed since the loop: made.txt
    --- stderr
    hint: `windlass rollback mine 2` brings back what the loop left
    ");
    assert_eq!(env.read("b.txt"), "one");
    assert_eq!(env.read("a.txt"), "edited since\n");
    assert!(!env.work().join("c.txt").exists(), "it was removed since");
}

#[test]
fn what_a_later_loop_changed_is_taken_back_too_and_what_the_user_did_between_is_not() {
    let env = world();
    with_work(&env);
    let once = ["--max-iterations", "1", "--name"];
    let write = "write a.txt one\nwrite mine.txt one\n";
    scripted(&env, write, &[once[0], once[1], once[2], "first"]).run().code(1);
    env.write("between.txt", "the user's\n");
    env.write("mine.txt", "the user's\n");
    let write = "write a.txt two\nwrite b.txt two\nappend mine.txt two\nappend dirty.txt two\n";
    scripted(&env, write, &[once[0], once[1], once[2], "second"]).run().code(1);
    insta::assert_snapshot!(env.windlass(["rollback", "first", "0"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as it was before the loop, but for 2 files: 1 file written, 2 files removed
      written: dirty.txt
      removed: a.txt
      removed: b.txt
      left alone, as it was changed since the loop: between.txt
      left alone, as it was changed since the loop: mine.txt
    --- stderr
    hint: `windlass rollback first 1` brings back what the loop left
    ");
    assert_eq!(env.read("dirty.txt"), "hours of work\n");
    assert_eq!(env.read("between.txt"), "the user's\n");
    assert_eq!(env.read("mine.txt"), "the user's\ntwo");
    // What the first one's rollback changed is not taken for the user's by the second one's.
    insta::assert_snapshot!(env.windlass(["rollback", "second", "1"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as iteration 1 left it: 3 files written, no files removed
      written: a.txt
      written: b.txt
      written: dirty.txt
    --- stderr
    ");
}

#[test]
fn what_a_cancelled_session_did_is_taken_back_and_what_came_later_is_not() {
    let env = world();
    with_work(&env);
    let body = "echo x > agent.txt; rm dirty.txt; touch ../tmp/began; sleep 60";
    let running = shell(&env, body, &["--name", "mine"]).spawn();
    testkit::wait_until("the agent to begin", Duration::from_secs(30), || {
        env.root().join("tmp/began").exists()
    });
    env.windlass(["cancel", "mine"]).success();
    running.wait().code(143);
    let changed = env.windlass(["diff", "mine"]).success().stdout;
    assert!(
        changed.contains("+++ b/agent.txt") && changed.contains("--- a/dirty.txt"),
        "{changed}"
    );
    let told = env.windlass::<&str>([]).success().stdout;
    assert!(told.contains("changed  2 files: agent.txt, dirty.txt"), "{told}");
    assert!(told.contains("windlass rollback mine 0"), "{told}");
    env.write("later.txt", "the user's\n");
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "0"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as it was before the loop, but for 1 file: 1 file written, 1 file removed
      written: dirty.txt
      removed: agent.txt
      left alone, as it was changed since the loop: later.txt
    --- stderr
    hint: `windlass rollback mine 1` brings back what the loop left
    ");
    assert!(!env.work().join("agent.txt").exists());
    assert_eq!(env.read("dirty.txt"), "hours of work\n");
    assert_eq!(env.read("later.txt"), "the user's\n");
    // The hint works as printed.
    env.windlass(["rollback", "mine", "1"]).success();
    assert_eq!(env.read("agent.txt"), "x\n");
    assert!(!env.work().join("dirty.txt").exists());
    assert_eq!(env.read("later.txt"), "the user's\n");
}

#[test]
fn uncommitted_work_in_submodules_is_not_seen_and_that_is_said() {
    let env = world();
    with_submodules(&env);
    env.write("vendor/lib/file", "uncommitted\n");
    let body = "cd vendor/lib && git checkout -q . ; echo x > ../../a.txt";
    let ran = shell(&env, body, &["--max-iterations", "1", "--name", "mine"]).run().code(1);
    let note = "uncommitted work in submodules (`vendor/lib`) is not seen";
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(said.matches(note).count(), 1, "{ran}");
    insta::assert_snapshot!(env.windlass(["rollback", "mine", "0"]).snapshot(), @"
    exit: 0
    --- stdout
    the tree is as it was before the loop, but for work in submodules: no files written, 1 file removed
      removed: a.txt
    --- stderr
    warning: uncommitted work in submodules was not put back, for snapshots do not hold it: `vendor/lib`
    hint: `windlass rollback mine 1` brings back what the loop left
    ");
}
