//! The way back: everything that is not the user's, and nothing outside of the work tree.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use windlass_repo::tree::Known;

use super::{Place, contents};

#[tokio::test]
async fn everything_but_what_the_user_changed_since_and_ignored_files_comes_back() {
    let place = Place::new();
    place.write(".gitignore", "*.log\n");
    place.write("mine.txt", "mine, before\n");
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    place.write("a.txt", "broken\n");
    fs::set_permissions(place.at("a.txt"), fs::Permissions::from_mode(0o755)).expect("set");
    place.write("mine.txt", "destroyed\n");
    place.write("new/deep/er.txt", "x\n");
    place.write("new/x.log", "noise\n");
    place.write("other/only.txt", "x\n");
    place.remove("src/b.txt");
    fs::remove_dir(place.at("src")).expect("removed");
    let last = tree.snapshot().await.expect("taken").tree;
    place.write("edited.txt", "since\n");
    place.write("other/only.txt", "edited since\n");
    let known = Known { tree: Some(last), put_back: Vec::new(), existing_only: false };
    let restored = tree.restore(&start, &known).await.expect("restored");
    assert_eq!(restored.written, ["a.txt", "mine.txt", "src/b.txt"]);
    assert_eq!(restored.removed, ["new/deep/er.txt"]);
    assert_eq!(restored.spared, ["edited.txt", "other/only.txt"]);
    assert!(restored.not_restorable.is_empty());
    assert_eq!(place.read("mine.txt"), "mine, before\n");
    assert_eq!(place.read("other/only.txt"), "edited since\n");
    assert_eq!(place.read("new/x.log"), "noise\n");
    assert_eq!(place.read("a.txt"), "one\ntwo\n");
    assert_eq!(fs::metadata(place.at("a.txt")).expect("there").permissions().mode() & 0o111, 0);
    assert!(!place.at("new/deep").exists());
    // What was put back is no work of the user's.
    let after = tree.snapshot().await.expect("taken").tree;
    let known = Known { put_back: vec![(restored.before.tree.clone(), after)], ..known };
    let undone = tree.restore(&restored.before, &known).await.expect("restored");
    assert_eq!(undone.removed, ["src/b.txt"]);
    assert!(undone.spared.is_empty());
    assert_eq!(place.read("a.txt"), "broken\n");
    assert_eq!(place.read("new/deep/er.txt"), "x\n");
}

#[tokio::test]
async fn a_mode_alone_comes_back() {
    let place = Place::new();
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    fs::set_permissions(place.at("a.txt"), fs::Permissions::from_mode(0o700)).expect("set");
    tree.restore(&start, &Default::default()).await.expect("restored");
    assert_eq!(tree.snapshot().await.expect("taken"), start);
    assert_eq!(fs::metadata(place.at("a.txt")).expect("there").permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn nothing_outside_is_written_through_a_link() {
    let place = Place::new();
    let outside = place.dir.path().join("outside");
    fs::create_dir(&outside).expect("made");
    fs::write(outside.join("b.txt"), "outside\n").expect("written");
    fs::write(outside.join("hard.txt"), "outside\n").expect("written");
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    place.remove("src/b.txt");
    fs::remove_dir(place.at("src")).expect("removed");
    symlink(&outside, place.at("src")).expect("a link");
    place.remove("a.txt");
    fs::hard_link(outside.join("hard.txt"), place.at("a.txt")).expect("a hard link");
    let before = contents(&outside);
    let restored = tree.restore(&start, &Default::default()).await.expect("restored");
    assert_eq!(restored.not_restorable, []);
    assert_eq!(contents(&outside), before);
    assert_eq!(tree.snapshot().await.expect("taken"), start);
}

#[tokio::test]
async fn a_spared_link_in_the_way_is_not_followed() {
    let place = Place::new();
    let outside = place.dir.path().join("outside");
    fs::create_dir(&outside).expect("made");
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    place.remove("src/b.txt");
    fs::remove_dir(place.at("src")).expect("removed");
    let last = tree.snapshot().await.expect("taken").tree;
    symlink(&outside, place.at("src")).expect("a link");
    let known = Known { tree: Some(last), put_back: Vec::new(), existing_only: false };
    let restored = tree.restore(&start, &known).await.expect("restored");
    assert_eq!(restored.spared, ["src"]);
    assert_eq!(restored.not_restorable.len(), 1);
    assert_eq!(restored.not_restorable[0].0, "src/b.txt");
    assert!(contents(&outside).is_empty());
}

#[tokio::test]
async fn a_large_new_file_is_not_thrown_away() {
    let place = Place::new();
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    place.write("dump", vec![7; (10 << 20) + 1]);
    place.write("small", "x\n");
    let restored = tree.restore(&start, &Default::default()).await.expect("restored");
    assert_eq!(restored.removed, ["small"]);
    assert_eq!(restored.not_restorable.len(), 1);
    assert!(place.at("dump").exists());
}

#[tokio::test]
async fn a_tracked_file_larger_than_one_batch_comes_back() {
    let place = Place::new();
    place.write("big", vec![b'x'; 33 << 20]);
    place.git(&["add", "big"]);
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    place.write("big", "small now\n");
    tree.restore(&start, &Default::default()).await.expect("restored");
    assert_eq!(tree.snapshot().await.expect("taken"), start);
    assert_eq!(fs::metadata(place.at("big")).expect("there").len(), 33 << 20);
}
