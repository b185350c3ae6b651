//! What an agent does with git in a sandbox, and what the user finds afterwards.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::fs;

use testkit::{Env, wait_until};

use super::{in_each_sandbox, iterations};
use crate::{oracle::LIMIT, shell};

/// The commits of a ref, newest first, by their subjects.
fn subjects(env: &Env, name: &str) -> Vec<String> {
    env.git(["log", "--format=%s", name]).lines().map(str::to_owned).collect()
}

/// The refs that loops keep, without the loop's name.
fn kept(env: &Env) -> Vec<String> {
    let refs = env.git(["for-each-ref", "--format=%(refname)", "refs/windlass"]);
    refs.lines().map(|name| name.splitn(4, '/').nth(3).unwrap().to_owned()).collect()
}

#[test]
fn commits_of_an_agent_come_to_the_users_branch_and_leave_it_clean() {
    in_each_sandbox(|env, sandbox| {
        let agent = "echo one >> a.txt; git add -A; git commit -qm 'by the agent'; git status";
        iterations(env, sandbox, agent, "2").code(1);
        assert_eq!(subjects(env, "main")[..2], ["by the agent", "by the agent"]);
        assert_eq!(env.git(["status", "--porcelain"]), "");
        assert_eq!(env.git(["fsck", "--strict"]), "");
        assert_eq!(env.read("a.txt"), "one\none\n");
    });
}

#[test]
fn an_agent_branches_rebases_stashes_and_amends_across_sessions() {
    in_each_sandbox(|env, sandbox| {
        let agent = r#"
            if ! test -e step; then
                echo 1 > step; git add step; git commit -qm base
                git checkout -q -b feature; echo f > f; git add f; git commit -qm feature
                git checkout -q main; echo m > m; git add m; git commit -qm more
                echo wip > wip; git add wip; git stash -q
            else
                stashes=$(git stash list); git checkout -q feature; git rebase -q main && git checkout -q main
                git merge -q --ff-only feature; git stash pop -q; echo "$stashes" > stashes
                git add -A; git commit -qm last
            fi"#;
        iterations(env, sandbox, agent, "2").code(1);
        assert_eq!(subjects(env, "main")[..4], ["last", "feature", "more", "base"]);
        assert_eq!(env.git(["status", "--porcelain"]), "");
        assert!(env.read("stashes").contains("WIP on main"), "{}", env.read("stashes"));
        assert_eq!(kept(env), ["heads/feature", "heads/main"]);
        assert_eq!(env.git(["branch", "--format=%(refname:short)"]).trim(), "main");
    });
}

#[test]
fn what_windlass_commits_is_in_the_agents_history_too() {
    in_each_sandbox(|env, sandbox| {
        let agent = "git status --porcelain > /dev/null; git log --format=%s > seen; echo x >> x";
        let args = ["--sandbox", sandbox, "--max-iterations", "2", "--auto-commit"];
        shell(env, agent, &args).run().code(1);
        let seen = env.read("seen");
        assert!(seen.lines().count() == 2, "the second session sees the first commit: {seen}");
        assert_eq!(env.git(["status", "--porcelain"]), "");
    });
}

#[test]
fn staged_work_of_the_user_stays_staged() {
    in_each_sandbox(|env, sandbox| {
        env.write("mine.txt", "mine\n");
        env.git(["add", "mine.txt"]);
        iterations(
            env,
            sandbox,
            "echo a > a; git commit -qm only-a -- a || { git add a; git commit -qm only-a -- a; }",
            "1",
        )
        .code(1);
        assert_eq!(subjects(env, "main")[0], "only-a");
        assert_eq!(env.git(["status", "--porcelain"]), "A  mine.txt\n");
    });
}

#[test]
fn a_branch_that_the_user_moved_meanwhile_stays_where_it_is() {
    in_each_sandbox(|env, sandbox| {
        let agent = "echo a > a; git add a; git commit -qm theirs; touch ready\n\
                     while ! test -e go; do sleep 0.05; done";
        let args = ["--sandbox", sandbox, "--max-iterations", "1"];
        let running = shell(env, agent, &args).spawn();
        wait_until("the agent has committed", LIMIT, || env.work().join("ready").exists());
        env.git(["commit", "-q", "--allow-empty", "-m", "mine"]);
        env.write("go", "");
        let ran = running.wait().code(1);
        assert!(ran.stderr.contains("`main` stays where it is"), "{}", ran.stderr);
        assert_eq!(subjects(env, "main")[0], "mine");
        assert_eq!(kept(env), ["heads/main"]);
    });
}

#[test]
fn commits_on_no_branch_are_told() {
    in_each_sandbox(|env, sandbox| {
        let agent = "git checkout -q --detach; echo a >> a; git add a; git commit -qm astray";
        let ran = iterations(env, sandbox, agent, "2").code(1);
        let told = "the agent committed on no branch, kept as `refs/windlass/";
        assert_eq!(ran.stderr.matches(told).count(), 1, "{}", ran.stderr);
        assert_eq!(kept(env), ["HEAD"]);
        assert_eq!(subjects(env, "main").len(), 1);
    });
}

#[test]
fn commits_of_a_session_that_was_killed_come_with_the_next_one() {
    in_each_sandbox(|env, sandbox| {
        let agent = "test -e a && exit 0; echo a > a; git add a; git commit -qm early\n\
                     touch ready; sleep 60";
        let args = ["--sandbox", sandbox, "--max-iterations", "1"];
        let running = shell(env, agent, &args).spawn();
        wait_until("the agent has committed", LIMIT, || env.work().join("ready").exists());
        running.kill9();
        assert_eq!(subjects(env, "main").len(), 1, "nothing was brought over yet");
        env.windlass(["resume"]).code(1);
        assert_eq!(subjects(env, "main")[0], "early");
        fs::remove_file(env.work().join("ready")).unwrap();
        assert_eq!(env.git(["status", "--porcelain"]), "");
    });
}

#[test]
fn an_agent_in_a_worktree_commits_there_and_cannot_move_the_users_branch() {
    in_each_sandbox(|env, sandbox| {
        let agent = "echo a > a; git add a; git commit -qm work\n\
                     git update-ref refs/heads/main HEAD; git worktree prune; git branch -D main";
        let args = ["--sandbox", sandbox, "--worktree", "own", "--max-iterations", "1"];
        shell(env, agent, &args).run().code(1);
        assert_eq!(subjects(env, "main").len(), 1);
        let branches = env.git(["branch", "--format=%(refname:short)"]);
        let own = branches.lines().find(|name| *name != "main").unwrap();
        assert_eq!(subjects(env, own)[0], "work");
        let list = env.git(["worktree", "list"]);
        let path = list.lines().nth(1).unwrap().split_whitespace().next().unwrap();
        assert_eq!(env.git(["-C", path, "status", "--porcelain"]), "");
    });
}

#[test]
fn with_refs_the_agents_branches_and_tags_are_the_users() {
    in_each_sandbox(|env, sandbox| {
        env.git(["branch", "old"]);
        let agent = "echo a > a; git add a; git commit -qm one; git branch -f old; git branch new; git tag v1";
        let args = ["--sandbox", sandbox, "--max-iterations", "1", "--refs"];
        let ran = shell(env, agent, &args).run().code(1);
        assert!(ran.stderr.contains("the branch `new`, which is yours now"), "{}", ran.stderr);
        for name in ["main", "old", "new", "v1"] {
            assert_eq!(subjects(env, name)[0], "one", "{name}");
        }
    });
}

#[test]
fn removing_a_loop_removes_its_refs_but_for_work_that_is_nowhere_else() {
    in_each_sandbox(|env, sandbox| {
        let agent = "echo a > a; git add a; git commit -qm one; git branch same\n\
                     git checkout -q -b other; git commit -q --allow-empty -m only-here; git checkout -q main";
        iterations(env, sandbox, agent, "1").code(1);
        assert_eq!(kept(env), ["heads/main", "heads/other", "heads/same"]);
        let list = env.windlass(["list", "--json"]).success().json();
        let ran = env.windlass(["rm", list[0]["name"].as_str().unwrap()]).success();
        assert_eq!(kept(env), ["heads/other"]);
        assert!(ran.stderr.contains("heads/other` stays"), "{}", ran.stderr);
        assert!(fs::read_dir(env.windlass_home().join("git")).unwrap().next().is_none());
    });
}

#[test]
fn commits_that_could_not_be_fetched_are_tried_again_with_each_session() {
    in_each_sandbox(|env, sandbox| {
        // Where the loop's refs go, there is a file.
        let in_the_way = env.work().join(".git/refs/windlass");
        fs::write(&in_the_way, "").unwrap();
        let agent = "if ! test -e a; then echo a > a; git add a; git commit -qm early; exit; fi\n\
                     touch ready; while ! test -e go; do sleep 0.05; done";
        let args = ["--sandbox", sandbox, "--max-iterations", "2", "--stagnation-threshold", "0"];
        let running = shell(env, agent, &args).spawn();
        wait_until("the second session runs", LIMIT, || env.work().join("ready").exists());
        assert_eq!(subjects(env, "main").len(), 1, "nothing could be brought over yet");
        fs::remove_file(&in_the_way).unwrap();
        env.write("go", "");
        let ran = running.wait().code(1);
        let told = "the agent's commits on `main` could not be brought over";
        assert_eq!(ran.stderr.matches(told).count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("`windlass resume "), "{}", ran.stderr);
        assert_eq!(subjects(env, "main")[0], "early");
        assert_eq!(kept(env), ["heads/main"]);
    });
}

#[test]
fn a_commit_that_git_finds_fault_with_does_not_hold_up_the_others() {
    in_each_sandbox(|env, sandbox| {
        let agent = r#"
            tree=$(git write-tree); time='<x@x> 99999999999999999999 +0000'
            bad=$(printf 'tree %s\nauthor x %s\ncommitter x %s\n\nbad\n' $tree "$time" "$time" |
                git hash-object -t commit -w --stdin --literally)
            test -e x || echo $bad > .git/refs/heads/bad
            git checkout -q -B good; git commit -q --allow-empty -m good; git checkout -q main
            echo x >> x; git add x; git commit -qm work"#;
        let ran = iterations(env, sandbox, agent, "2").code(1);
        assert_eq!(subjects(env, "main")[..2], ["work", "work"]);
        assert_eq!(kept(env), ["heads/good", "heads/main"]);
        let told = "the agent's commits on `bad` could not be brought over";
        assert_eq!(ran.stderr.matches(told).count(), 1, "{}", ran.stderr);
        assert_eq!(env.git(["fsck", "--strict", "--no-dangling"]), "");
    });
}
