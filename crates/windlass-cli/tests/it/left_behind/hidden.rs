//! What hides work, or takes it away in silence: refs, the stash, marks of the index, rules.

use super::{after, leaves, lines, world};

#[test]
fn an_agent_in_its_own_worktree_moves_the_users_branch() {
    let env = world();
    let main = env.git(["rev-parse", "main"]).trim().to_owned();
    let agent = env.agent_sh(&format!(
        "git commit -q --allow-empty -m one; git update-ref refs/heads/main HEAD; echo '{}'",
        crate::COMPLETE
    ));
    let args = ["iterate", "-p", "x", "--json", "--worktree", "work", "-c"];
    let ran = env.command(args).arg(agent).run();
    let left = lines(&ran.json());
    assert_eq!(left.len(), 1, "{ran}");
    assert!(left[0].starts_with("ref refs/heads/main: the branch moved to `"), "{left:?}");
    assert!(left[0].ends_with(&format!("while a session ran; it was at `{main}`")), "{left:?}");
}

#[test]
fn branches_and_tags_that_move_or_go() {
    let env = world();
    let id = env.git(["rev-parse", "HEAD"]).trim().to_owned();
    env.git(["branch", "old"]);
    env.git(["tag", "v1"]);
    env.git(["pack-refs", "--all"]);
    let body = "git commit -q --allow-empty -m one; git branch -D -q old; git tag -f v1 >&2\n\
                git branch new; git tag main; git pack-refs --all; git gc -q";
    let ran = after(&env, body);
    let new = env.git(["rev-parse", "--short=12", "main"]).trim().to_owned();
    let expected = [
        format!("ref refs/heads/old: the branch is gone; it was at `{id}`"),
        "ref refs/tags/main: git takes this tag where you name the branch `main`".to_owned(),
        format!("ref refs/tags/v1: it moved to `{new}` while a session ran; it was at `{id}`"),
    ];
    assert_eq!(lines(&ran.json()), expected, "{ran}");
}

#[test]
fn a_stash_that_is_cleared() {
    let env = world();
    env.write("README.md", "mine\n");
    env.git(["stash", "-q"]);
    let id = env.git(["rev-parse", "refs/stash"]).trim().to_owned();
    let told =
        format!("stash refs/stash: 1 stash is gone; `git stash store {id}` brings the newest back");
    leaves(&env, "git stash clear", &[&told]);
    env.git(["stash", "store", &id]);
    env.git(["stash", "pop", "-q"]);
}

#[test]
fn work_that_is_stashed_away() {
    let env = world();
    let told = "stash refs/stash: 1 stash is new: work that is in no file any more";
    leaves(&env, "echo x > new; git add new; git stash -q", &[told]);
}

#[test]
fn files_that_the_index_has_git_pass_over() {
    let env = world();
    env.write("b.txt", "b\n");
    env.write("c.txt", "c\n");
    env.git(["add", "."]);
    env.git(["commit", "-q", "-m", "two"]);
    let body = "git update-index --assume-unchanged b.txt; git update-index --skip-worktree c.txt";
    let expected = [
        "index .git/index: `b.txt` is marked assume-unchanged: `git status` does not show its changes",
        "index .git/index: `c.txt` is marked skip-worktree: `git status` does not show its changes",
    ];
    leaves(&env, body, &expected);
}

#[test]
fn rules_objects_and_history() {
    let env = world();
    let body = "mkdir -p .git/info; echo '*.rs' >> .git/info/exclude\n\
                echo '* filter=x' > .git/info/attributes\n\
                git commit -q --allow-empty -m two; git replace HEAD HEAD~1\n\
                git rev-parse HEAD > .git/info/grafts; echo /tmp/objects > .git/objects/info/alternates";
    let left = lines(&after(&env, body).json());
    for told in [
        "info .git/info/exclude: `*.rs` hides files from `git status`",
        "info .git/info/attributes: `* filter=x` has git treat files in another way, or run a filter",
        "objects .git/objects/info/alternates: brings in the objects of `/tmp/objects`",
    ] {
        assert!(left.iter().any(|line| line == told), "{told}\n{left:#?}");
    }
    let replaced = |line: &&String| line.starts_with("replace ");
    assert_eq!(left.iter().filter(replaced).count(), 2, "{left:#?}");
}

#[test]
fn a_work_tree_elsewhere() {
    let env = world();
    let at = env.root().join("elsewhere");
    let body = format!("git worktree add -q {} -b side", at.display());
    let told = format!(
        "worktree .git/worktrees/elsewhere: is a work tree at `{}`: `git status` here does not show work there",
        at.display()
    );
    leaves(&env, &body, &[&told]);
}

#[test]
fn another_branch_is_checked_out() {
    let env = world();
    let told = "ref .git/HEAD: the work tree is on `side`, and was on `main`";
    leaves(&env, "git checkout -q -b side", &[told]);
}

#[test]
fn ordinary_work_leaves_nothing_behind() {
    let env = world();
    let body = "echo x > new; git add new; git commit -q -m one; git branch side; git tag v9\n\
                git config user.name me; echo y > other; git stash -q -u; git stash pop -q; git gc -q";
    leaves(&env, body, &[]);
}
