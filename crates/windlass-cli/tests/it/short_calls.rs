//! Calls that leave out what is plain: the loop, the far past, and what was said a line above.

use testkit::Env;

use crate::{COMPLETE, scripted, shell, world};

fn world_with_two_iterations() -> Env {
    let env = world();
    let script = "write a.txt one\\n\nnext\nwrite a.txt two\\n";
    scripted(&env, script, &["--max-iterations", "2", "--name", "mine"]).run().code(1);
    env
}

#[test]
fn a_number_alone_is_an_iteration_of_the_newest_loop_here() {
    let env = world_with_two_iterations();
    let diff = env.windlass(["diff", "2"]).success().stdout;
    assert!(diff.contains("-one\n+two"), "{diff}");
    assert_eq!(diff, env.windlass(["diff", "mine", "2"]).success().stdout);
    let ran = env.windlass(["rollback", "1"]).success();
    assert!(ran.stdout.contains("the tree is as iteration 1 left it"), "{ran}");
    assert_eq!(env.read("a.txt"), "one\n");

    // A loop of that very name is meant before an iteration is.
    scripted(&env, "write b.txt b", &["--max-iterations", "1", "--name", "2"]).run().code(1);
    assert!(env.windlass(["diff", "2"]).success().stdout.contains("b.txt"));
    let ran = env.windlass(["rollback", "mine"]).code(2);
    insta::assert_snapshot!(ran.stderr, @"
    error: no iteration was given to go back to

    hint: 0 is the loop's start: `windlass rollback mine 0`
    ");
}

#[test]
fn the_way_home_of_a_worktrees_work_is_told() {
    let env = world();
    let body = format!("echo x > new.txt; echo '{COMPLETE}'");
    let args = ["--worktree", "topic", "--auto-commit", "--name", "mine"];
    let ran = shell(&env, &body, &args).run().success();
    let tree = env.windlass_home().join("worktrees/mine");
    let hint = format!("hint: the work is in {}\n", tree.display());
    assert!(ran.stderr.contains(&hint), "{ran}");
    assert!(ran.stderr.contains("next: windlass merge mine\n"), "{ran}");
    env.windlass(["merge", "mine"]).success();
    assert_eq!(env.read("new.txt"), "x\n");
}

#[test]
fn a_long_list_shows_the_newest_and_says_how_many_more_there_are() {
    let env = world();
    shell(&env, "true", &["--max-iterations", "1", "--name", "first"]).run().code(1);
    for number in 0..52 {
        let name = format!("loop-{number}");
        shell(&env, "true", &["--max-iterations", "1", "--name", &name]).run().code(1);
    }
    let listed = env.windlass(["list"]).success();
    assert_eq!(listed.stdout.lines().count(), 51, "{listed}");
    assert!(listed.stdout.contains("loop-51") && !listed.stdout.contains("first"), "{listed}");
    assert_eq!(
        listed.stderr,
        "hint: there are 3 more loops: `windlass list --all` shows them too\n"
    );
    for args in [["list", "--all"], ["list", "--here"]] {
        assert_eq!(env.windlass(args).success().stdout.lines().count(), 54);
    }
    let all = env.windlass(["list", "--json"]).success().json();
    assert_eq!(all.as_array().map(Vec::len), Some(53));
}
