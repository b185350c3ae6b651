//! Branches and worktrees.

use windlass_repo::tree::{TreeError, UserFiles};

use super::{Place, open, user_git};

#[tokio::test]
async fn a_branch_begins_at_head_and_no_file_is_touched() {
    let place = Place::new();
    place.write("a.txt", "dirty\n");
    place.write("staged", "x\n");
    place.git(&["add", "staged"]);
    let view = place.git(&["status", "--porcelain"]);
    let tree = place.tree().await;
    tree.create_branch("loop/1", "x").await.expect("made");
    assert_eq!(place.git(&["symbolic-ref", "HEAD"]), "refs/heads/loop/1\n");
    assert_eq!(place.git(&["rev-parse", "HEAD"]), place.git(&["rev-parse", "main"]));
    assert_eq!(place.git(&["status", "--porcelain"]), view);
    assert!(matches!(tree.create_branch("main", "x").await, Err(TreeError::BranchExists { .. })));
    for bad in ["-x", "--orphan", "a..b", "", "a b", "x.lock", "HEAD", "@{-1}", "a\nb", "/a"] {
        let result = tree.create_branch(bad, "x").await;
        assert!(matches!(result, Err(TreeError::BadBranchName { .. })), "{bad:?}: {result:?}");
    }
    assert_eq!(
        place.git(&["branch", "--format=%(refname)"]),
        "refs/heads/loop/1\nrefs/heads/main\n"
    );
}

#[tokio::test]
async fn a_branch_can_begin_before_the_first_commit() {
    let place = Place::empty();
    place.tree().await.create_branch("start", "x").await.expect("made");
    assert_eq!(place.git(&["symbolic-ref", "HEAD"]), "refs/heads/start\n");
}

#[tokio::test]
async fn a_worktree_has_the_files_and_its_own_snapshots() {
    let place = Place::new();
    place.write(".gitattributes", "*.bin filter=lfs\n");
    place.write("x.bin", "pointer\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "more"]);
    let tree = place.tree().await;
    let path = place.dir.path().join("loop tree");
    let made = tree.add_worktree("loop/x", Some("main~1"), &path).await.expect("made");
    assert!(made.new_branch);
    assert_eq!(user_git(&path, &["status", "--porcelain", "--branch"]), "## loop/x\n");
    assert!(!path.join("x.bin").exists());
    let other = open(place.runner_git(), &path, &place.home(), &UserFiles::default()).await;
    let start = other.snapshot().await.expect("taken");
    std::fs::write(path.join("a.txt"), "changed\n").expect("written");
    assert_ne!(other.snapshot().await.expect("taken").tree, start.tree);
    assert!(matches!(tree.remove_worktree(&path).await, Err(TreeError::WorktreeInUse { .. })));
    other.commit("in the worktree", &Default::default()).await.expect("committed");
    assert_eq!(place.git(&["log", "-1", "--format=%s", "loop/x"]), "in the worktree\n");
    assert_eq!(user_git(&path, &["status", "--porcelain"]), "");
    tree.remove_worktree(&path).await.expect("removed");
    assert!(!path.exists());
    assert_eq!(place.git(&["worktree", "list"]).lines().count(), 1);
    let again = tree.add_worktree("loop/x", None, &path).await.expect("made");
    assert!(!again.new_branch);
    assert_eq!(std::fs::read_to_string(path.join("a.txt")).expect("there"), "changed\n");
    assert_eq!(place.git(&["status", "--porcelain"]), "");
}

#[tokio::test]
async fn a_worktree_is_refused_with_a_reason() {
    let place = Place::new();
    let tree = place.tree().await;
    let path = place.dir.path().join("there");
    let error = tree.add_worktree("main", None, &path).await.expect_err("in use");
    let top = place.top().canonicalize().expect("there");
    assert_eq!(
        error.to_string(),
        format!("the branch `main` is checked out at `{}`", top.display())
    );
    let error = tree.add_worktree("x", Some("--output=/tmp/x"), &path).await.expect_err("no base");
    assert!(matches!(error, TreeError::NoSuchCommit { .. }), "{error}");
    let error = tree.add_worktree("-x", None, &path).await.expect_err("a bad name");
    assert!(matches!(error, TreeError::BadBranchName { .. }), "{error}");
    let error = tree.add_worktree("x", None, &place.top()).await.expect_err("taken");
    assert!(matches!(error, TreeError::Occupied { .. }), "{error}");
    assert!(!path.exists());
}
