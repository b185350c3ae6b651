//! Other work trees of the repository.

use super::{NOTHING, World, tree::user_git};

#[tokio::test]
async fn work_in_another_work_tree_is_told_by_its_path() {
    let mut world = World::new().await;
    let at = world.place.dir.path().canonicalize().expect("there").join("other");
    let path = at.to_str().expect("it is text");
    world.git(&["worktree", "add", "-q", path, "-b", "side"]);
    let told = format!("Worktree {path}");
    assert_eq!(world.changed().await, ["Branch side", &told]);
    std::fs::write(at.join("a.txt"), "other\n").expect("written");
    user_git(&at, &["add", "-A"]);
    assert_eq!(world.changed().await, [&*told], "it is staged");
    user_git(&at, &["commit", "-qm", "work"]);
    assert_eq!(world.changed().await, ["Branch side", &told]);
    user_git(&at, &["commit", "-q", "--amend", "-m", "reworded"]);
    user_git(&at, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    // It writes other times into the index.
    std::fs::write(at.join("a.txt"), "other\n").expect("written");
    user_git(&at, &["update-index", "--refresh"]);
    assert_eq!(world.changed().await, NOTHING);
}

#[tokio::test]
async fn uncommitted_work_in_a_work_tree_inside_this_one_is_told() {
    let mut world = World::new().await;
    world.place.write(".git/info/exclude", "/trees/\n");
    for path in ["trees/ignored", "seen"] {
        world.git(&["worktree", "add", "-q", "--detach", path]);
        let told = format!("Worktree {path}");
        assert_eq!(world.changed().await, [&*told]);
        world.place.write(format!("{path}/new.txt"), "new\n");
        assert_eq!(world.changed().await, [&*told], "it is told as nothing else");
    }
}

#[tokio::test]
async fn a_work_tree_that_only_a_sandbox_knows_is_told_by_its_files() {
    let mut world = World::new().await;
    world.git(&["worktree", "add", "-q", "--detach", "inner"]);
    let known = world.place.at(".git/worktrees");
    std::fs::remove_dir_all(known).expect("removed");
    assert_eq!(world.changed().await, ["Worktree inner"]);
    world.place.write("inner/new.txt", "new\n");
    assert_eq!(world.changed().await, ["Worktree inner"]);
}

#[tokio::test]
async fn work_trees_of_other_loops_and_their_branches_are_not_told() {
    let mut world = World::new().await;
    let at = world.place.home().canonicalize().expect("there").join("worktrees/other");
    world.git(&["worktree", "add", "-q", at.to_str().expect("text"), "-b", "loop/other"]);
    assert_eq!(world.changed().await, NOTHING);
    std::fs::write(at.join("a.txt"), "other\n").expect("written");
    user_git(&at, &["commit", "-qam", "work"]);
    assert_eq!(world.changed().await, NOTHING);
}
