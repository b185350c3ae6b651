//! Faults: what is deleted, hangs, is broken or was left behind.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    time::{Duration, Instant},
};

use windlass_repo::{
    git::{Git, GitError},
    tree::{Tree, TreeError, UserFiles},
};

use super::Place;

fn own_dir(place: &Place) -> PathBuf {
    let mut entries = fs::read_dir(place.home().join("trees")).expect("there");
    entries.next().expect("one").expect("readable").path()
}

#[tokio::test]
async fn a_deleted_work_tree_is_told() {
    let place = Place::new();
    let tree = place.tree().await;
    tree.snapshot().await.expect("taken");
    fs::remove_dir_all(place.top()).expect("removed");
    let error = tree.snapshot().await.expect_err("gone");
    assert!(matches!(error, TreeError::Gone { .. }), "{error}");
    let files = UserFiles::default();
    let opened = Tree::open(place.runner_git(), &place.top(), &place.home(), &files).await;
    assert!(matches!(opened, Err(TreeError::Gone { .. })));
}

#[tokio::test]
async fn a_git_that_hangs_is_ended_and_named() {
    let place = Place::new();
    let bin = place.dir.path().join("bin");
    fs::create_dir(&bin).expect("made");
    fs::write(bin.join("git"), "#!/bin/sh\nexec /bin/sleep 60\n").expect("written");
    fs::set_permissions(bin.join("git"), fs::Permissions::from_mode(0o755)).expect("set");
    let git =
        Git::new(place.runner.clone(), bin.join("git")).with_limit(Duration::from_millis(300));
    let start = Instant::now();
    let opened = Tree::open(git, &place.top(), &place.home(), &UserFiles::default()).await;
    let Err(TreeError::Git(error @ GitError::TimedOut { .. })) = opened else {
        panic!("it should have timed out")
    };
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(
        error.to_string(),
        "`git config --no-includes -z --list` did not answer within 0.3 s and was ended"
    );
}

#[tokio::test]
async fn stale_locks_in_our_own_directory_are_removed() {
    let place = Place::new();
    let tree = place.tree().await;
    tree.snapshot().await.expect("taken");
    for lock in ["refs/windlass/tree.lock", "HEAD.lock", "packed-refs.lock"] {
        fs::write(own_dir(&place).join(lock), "").expect("written");
    }
    place.write("a.txt", "other\n");
    tree.snapshot().await.expect("taken in spite of the lock");
}

#[tokio::test]
async fn a_broken_directory_of_our_own_is_built_anew() {
    let place = Place::new();
    let tree = place.tree().await;
    place.write("new.txt", "untracked\n");
    let whole = tree.snapshot().await.expect("taken");
    type Break = fn(&std::path::Path);
    let breaks: [Break; 4] = [
        |own| fs::remove_dir_all(own).expect("removed"),
        |own| fs::remove_dir_all(own.join("objects")).expect("removed"),
        |own| fs::write(own.join("HEAD"), "garbage").expect("written"),
        |own| fs::write(own.join("config"), "[garbage").expect("written"),
    ];
    for (number, break_it) in breaks.iter().enumerate() {
        break_it(&own_dir(&place));
        place.write("a.txt", format!("{number}\n"));
        let after = tree.snapshot().await.expect("taken");
        place.write("a.txt", "one\ntwo\n");
        assert_eq!(tree.snapshot().await.expect("taken"), whole, "break {number}");
        assert_eq!(tree.changes(&whole, &after).await.expect("changes").len(), 1);
        break_it(&own_dir(&place));
        assert_eq!(place.tree().await.snapshot().await.expect("taken"), whole, "break {number}");
    }
}

#[tokio::test]
async fn a_lost_snapshot_is_told() {
    let place = Place::new();
    let tree = place.tree().await;
    let now = tree.snapshot().await.expect("taken");
    let lost = windlass_core::tree::Snapshot { tree: "1".repeat(40), head: None };
    let error = tree.restore(&lost, &Default::default()).await.expect_err("lost");
    assert_eq!(
        error.to_string(),
        format!("the snapshot {} is not in the store any more", lost.tree)
    );
    assert_eq!(tree.snapshot().await.expect("taken"), now);
}

#[tokio::test]
async fn garbage_in_the_repository_is_an_error_and_no_panic() {
    let place = Place::new();
    let tree = place.tree().await;
    place.write(".git/index", "garbage");
    let error = tree.snapshot().await.expect_err("no index");
    assert!(error.to_string().contains("git ls-files"), "{error}");
    place.remove(".git/index");
    tree.snapshot().await.expect("taken");
    place.write(".git/HEAD", "ref: ../../outside\n");
    assert!(tree.snapshot().await.is_err());
}
