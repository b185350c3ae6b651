//! HEAD, branches and the stash.

use std::fs;

use windlass_core::evidence::{PlaceKind, PlaceMark};

use super::{LOOP, NOTHING, World, of_kind, tree};

#[tokio::test]
async fn a_commit_is_told_and_neither_another_message_nor_an_empty_commit() {
    let mut world = World::new().await;
    world.place.write("a.txt", "three\n");
    assert_eq!(world.changed().await, NOTHING, "files of the work tree are another matter");
    world.git(&["commit", "-qam", "more"]);
    assert_eq!(world.changed().await, ["Head"]);
    world.git(&["commit", "-q", "--amend", "-m", "the same in other words"]);
    assert_eq!(world.changed().await, NOTHING);
    world.git(&["commit", "-q", "--allow-empty", "-m", "nothing"]);
    assert_eq!(world.changed().await, NOTHING);
    let tree = world.git(&["rev-parse", "HEAD^{tree}"]);
    let head = PlaceMark { kind: PlaceKind::Head, name: String::new(), holds: tree.trim().into() };
    assert_eq!(world.last, [head]);
    world.git(&["checkout", "-q", "--detach"]);
    assert_eq!(world.changed().await, ["Branch main"], "HEAD left it");
}

#[tokio::test]
async fn a_repository_without_a_commit_has_no_head() {
    let mut world = World::of(tree::Place::empty()).await;
    assert_eq!(world.last, []);
    world.place.write("a.txt", "a\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "first"]);
    assert_eq!(world.changed().await, ["Head"]);
}

#[tokio::test]
async fn work_on_a_branch_that_is_left_again_is_told_by_its_name() {
    let mut world = World::new().await;
    let work = |world: &World, git: &[&str]| {
        world.git(&["checkout", "-q", "feature/pump"]);
        world.git(git);
        world.git(&["checkout", "-q", "main"]);
    };
    world.git(&["branch", "feature/pump"]);
    assert_eq!(world.changed().await, ["Branch feature/pump"]);
    world.place.write("new.txt", "new\n");
    world.git(&["checkout", "-q", "feature/pump"]);
    world.git(&["add", "-A"]);
    work(&world, &["commit", "-qm", "work"]);
    assert_eq!(world.changed().await, ["Branch feature/pump"]);
    work(&world, &["commit", "-q", "--amend", "-m", "reworded"]);
    work(&world, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    assert_eq!(world.changed().await, NOTHING);
    world.git(&["pack-refs", "--all", "--prune"]);
    world.git(&["gc", "-q"]);
    assert_eq!(world.changed().await, NOTHING, "where refs stand is no matter");
    world.git(&["tag", "v1", "feature/pump"]);
    world.git(&["update-ref", "refs/remotes/origin/main", "feature/pump"]);
    world.git(&["update-ref", "refs/windlass/x", "feature/pump"]);
    assert_eq!(world.changed().await, NOTHING, "only branches are told");
    world.git(&["branch", "-q", "-D", "feature/pump"]);
    assert_eq!(world.changed().await, NOTHING);
    assert_eq!(of_kind(&world.last, PlaceKind::Branch), Vec::<&PlaceMark>::new());
}

#[tokio::test]
async fn what_is_stashed_is_told_once() {
    let mut world = World::new().await;
    let stash = |world: &World, text: &str, new: &str, message: &str| {
        world.place.write("a.txt", text);
        world.place.write("new.txt", new);
        world.git(&["stash", "push", "-q", "--include-untracked", "-m", message]);
    };
    stash(&world, "one\n2\n", "new\n", "first");
    assert_eq!(world.changed().await, ["Stash"]);
    stash(&world, "one\n2\n", "new\n", "the same with another message");
    assert_eq!(world.changed().await, NOTHING);
    stash(&world, "one\n2\n", "newer\n", "an untracked file differs");
    assert_eq!(world.changed().await, ["Stash"]);
    stash(&world, "one\n22\n", "newer\n", "a tracked file differs");
    assert_eq!(world.changed().await, ["Stash"]);
    assert_eq!(of_kind(&world.last, PlaceKind::Stash).len(), 3);
    world.git(&["stash", "pop", "-q"]);
    world.git(&["stash", "push", "-q", "--include-untracked", "-m", "put back"]);
    assert_eq!(world.changed().await, NOTHING);
    world.git(&["stash", "drop", "-q"]);
    assert_eq!(world.changed().await, NOTHING, "what goes is told by where it goes");
    world.git(&["stash", "clear"]);
    assert_eq!(world.changed().await, NOTHING);
    assert_eq!(of_kind(&world.last, PlaceKind::Stash), Vec::<&PlaceMark>::new());
}

#[tokio::test]
async fn what_is_brought_over_from_a_sandbox_is_told_for_the_loop_that_keeps_it() {
    let mut world = World::new().await;
    world.place.write("a.txt", "stashed\n");
    let stash = world.git(&["stash", "create"]);
    world.git(&["commit", "-qam", "work"]);
    let work = world.git(&["rev-parse", "HEAD"]);
    world.git(&["reset", "-q", "--hard", "HEAD~1"]);
    for (name, id, told) in [
        ("heads/side", &work, "Branch side"),
        ("HEAD", &work, "Branch HEAD"),
        ("stash", &stash, "Stash"),
    ] {
        world.git(&["update-ref", &format!("refs/windlass/another/{name}"), id.trim()]);
        assert_eq!(world.changed().await, NOTHING, "that of another loop");
        world.git(&["update-ref", &format!("refs/windlass/{LOOP}/{name}"), id.trim()]);
        assert_eq!(world.changed().await, [told]);
    }
    for name in ["heads/main", "tags/v1"] {
        world.git(&["update-ref", &format!("refs/windlass/{LOOP}/{name}"), work.trim()]);
        assert_eq!(world.changed().await, NOTHING, "{name}");
    }
    world.git(&["pack-refs", "--all", "--prune"]);
    assert_eq!(world.changed().await, NOTHING);
    assert_eq!(world.last.len(), 4);
}

#[tokio::test]
async fn refs_and_ids_of_other_kinds_are_understood() {
    for init in ["--ref-format=reftable", "--object-format=sha256"] {
        let place = tree::Place::empty();
        fs::remove_dir_all(place.at(".git")).expect("removed");
        if !place.try_git(&["init", "-q", "-b", "main", init]).status.success() {
            println!("this git does not know {init}");
            continue;
        }
        place.write("a.txt", "a\n");
        place.git(&["add", "-A"]);
        place.git(&["commit", "-qm", "start"]);
        let mut world = World::of(place).await;
        assert_eq!(world.last.len(), 1, "{init}: {:?}", world.last);
        world.git(&["checkout", "-q", "-b", "side"]);
        world.place.write("a.txt", "b\n");
        world.git(&["commit", "-qam", "work"]);
        world.git(&["checkout", "-q", "main"]);
        assert_eq!(world.changed().await, ["Branch side"], "{init}");
        world.git(&["commit", "-q", "--allow-empty", "-m", "empty"]);
        assert_eq!(world.changed().await, NOTHING, "{init}");
        world.place.write("a.txt", "c\n");
        world.git(&["stash", "-q"]);
        assert_eq!(world.changed().await, ["Stash"], "{init}");
        let tree = world.git(&["rev-parse", "HEAD^{tree}"]);
        assert_eq!(world.last[0].holds, tree.trim(), "{init}");
    }
}
