//! A branch that is a link to a branch of the user's other repository, whose objects an agent has
//! made this one's alternates: the agent cannot read them, but windlass could, and show them to it.

use super::{Scene, in_every_sandbox, in_sandboxes};
use crate::COMPLETE;

/// Has the branch `main` be that of the other repository, by an agent in its sandbox.
fn borrow(scene: &Scene, sandbox: &str) {
    scene.env.git(["checkout", "-q", "-b", "topic"]);
    scene.env.write("b.txt", "x");
    scene.env.git(["add", "b.txt"]);
    scene.env.git(["commit", "-qm", "b"]);
    let private = scene.env.home().join("private/.git");
    let plants = format!(
        "link .git/refs/heads/main {private}/refs/heads/main; \
         text .git/objects/info/alternates {private}/objects\\n",
        private = private.display()
    );
    let agent = scene.planter(&plants, &format!("echo '{COMPLETE}'"));
    drop(scene.iterate(sandbox, &agent, &[]));
}

/// A command that compares with `main`, or begins from it.
fn used(args: &[&str]) {
    in_every_sandbox(|scene, sandbox| {
        borrow(scene, sandbox);
        let agent = scene.env.agent_sh("echo '{\"findings\": []}'");
        let call = scene.env.command(args).args(["--sandbox", sandbox, "--grace", "1s", "-c"]);
        drop(scene.watch(call.arg(agent)));
    });
}

#[test]
fn another_repository_is_not_what_a_review_compares_with() {
    used(&["heal", "--base", "main"]);
}

#[test]
fn another_repository_is_not_what_an_audit_compares_with() {
    used(&["pr", "--local", "--base", "main"]);
}

#[test]
fn another_repository_is_not_checked_out_into_a_worktree() {
    in_sandboxes(&["landlock", "bwrap"], |scene, sandbox| {
        borrow(scene, sandbox);
        for worktree in ["main", "fresh:main"] {
            let agent = scene.env.agent_sh(&format!("cat letters*; echo '{COMPLETE}'"));
            drop(scene.iterate(sandbox, &agent, &["--worktree", worktree]));
        }
    });
}

#[test]
fn another_repository_is_not_merged() {
    in_every_sandbox(|scene, sandbox| {
        borrow(scene, sandbox);
        let body = "echo x > c.txt; git add c.txt; git commit -qm c";
        let agent = scene.env.agent_sh(&format!("{body}; echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &["--worktree", "mine:topic", "--name", "mine"]));
        drop(scene.call(&["merge", "mine", "--into", "main"]));
        drop(scene.call(&["diff", "mine"]));
    });
}
