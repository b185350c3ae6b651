//! A real agent that works with git in a sandbox, as people do.

use testkit::Env;

use super::real::{Real, Stage};

/// What its model has it run, one call each.
const RUNS: [&str; 6] = [
    "echo one > notes.txt && git add notes.txt && git commit -q -m 'the notes'",
    "git checkout -q -b feature && echo two > feature.txt && git add -A && git commit -q -m feature",
    "git checkout -q main && echo three > more.txt && git add -A && git commit -q -m more",
    "git checkout -q feature && git rebase -q main && git checkout -q main && git tag v1",
    "echo four > later.txt && git add later.txt && git stash -q && git stash list",
    "git stash pop -q && git commit -q -m 'from the stash' && git status --porcelain",
];

/// It commits, branches, rebases, tags and stashes, and all of it is in the user's repository then.
pub(super) fn what_an_agent_commits_is_the_users(agent: &'static Real) {
    let runs: String = RUNS.iter().map(|run| format!("run {run}\nnext\n")).collect();
    let stage = Stage::new(agent, &format!("{runs}say <promise>COMPLETE</promise>"));
    // A check has another git directory, in which the agent has not been.
    let check = "test \"$(git log -1 --format=%s)\" = 'from the stash'";
    let args = ["--check", check, "--max-iterations", "1", "--refs"];
    let ran = stage.iterate(&args).run().success();
    assert_eq!(ran.json()["verified"], true, "{ran}");

    let env = &stage.env;
    let mains = ["from the stash", "more", "the notes", "a source"];
    assert_eq!(subjects(env, "main")[..4], mains, "{ran}");
    assert_eq!(subjects(env, "feature")[..3], ["feature", "more", "the notes"], "{ran}");
    assert_eq!(subjects(env, "v1")[0], "more", "{ran}");
    assert_eq!(env.git(["status", "--porcelain"]), "", "{ran}");
    assert_eq!(env.git(["fsck", "--strict", "--no-dangling"]), "");
    let kept = env.git(["for-each-ref", "--format=%(refname)", "refs/windlass"]);
    let kept = kept.lines().map(|name| name.splitn(4, '/').last().unwrap_or_default());
    assert_eq!(kept.collect::<Vec<_>>(), ["heads/feature", "heads/main", "tags/v1"], "{ran}");
    let moved = env.git(["reflog", "--format=%gs", "-1", "main"]);
    assert_eq!(moved, "windlass: what the agent committed\n");
}

/// The commits of a ref, newest first, by their subjects.
fn subjects(env: &Env, name: &str) -> Vec<String> {
    env.git(["log", "--format=%s", name]).lines().map(str::to_owned).collect()
}
