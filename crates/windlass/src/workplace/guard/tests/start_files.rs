//! The files of a start outside git, kept and put back.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use super::world::{World, executable};

#[test]
fn what_differs_is_put_back_and_what_is_new_stays() {
    let world = World::outside();
    world.write("a.txt", "one\n");
    world.write("deep/b.txt", "two\n");
    world.write("run.sh", "exit 0\n");
    world.write("same.txt", "same\n");
    executable(&world.at("run.sh"), true);
    symlink("a.txt", world.at("link")).expect("the directory is ours");
    world.sentry.keep_start().expect("there is room");
    let same = fs::metadata(world.at("same.txt")).expect("it is there");

    world.write("a.txt", "other\n");
    fs::remove_dir_all(world.at("deep")).expect("the directory is ours");
    executable(&world.at("run.sh"), false);
    world.remove("link");
    world.write("link", "a file\n");
    world.write("new.txt", "new\n");
    // What was kept first stays: a loop that was killed begins its first run of the checks again.
    world.sentry.keep_start().expect("it is kept already");

    let restored = world.sentry.put_start_back().expect("it can be put back");
    assert_eq!(restored.changed, ["a.txt", "deep/b.txt", "link", "run.sh"]);
    assert_eq!(restored.left, Vec::<String>::new());
    assert_eq!((world.read("a.txt"), world.read("deep/b.txt")), ("one\n".into(), "two\n".into()));
    let target = fs::read_link(world.at("link")).expect("it is a link again");
    assert_eq!(target.to_str(), Some("a.txt"));
    let mode = fs::metadata(world.at("run.sh")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(world.read("new.txt"), "new\n");
    let now = fs::metadata(world.at("same.txt")).expect("it is there");
    assert_eq!(now.modified().expect("a time"), same.modified().expect("a time"));
    let again = world.sentry.put_start_back().expect("it can be put back");
    assert_eq!(again.changed, Vec::<String>::new());
}

#[test]
fn what_is_too_large_to_be_kept_is_told_if_it_changes_and_the_rest_is_put_back() {
    let world = World::outside();
    let large = fs::File::create(world.at("large.bin")).expect("the directory is ours");
    large.set_len(65 << 20).expect("there is room");
    world.write("a.txt", "one\n");
    world.sentry.keep_start().expect("there is room");
    world.write("a.txt", "other\n");
    let restored = world.sentry.put_start_back().expect("it can be put back");
    assert_eq!((restored.changed.len(), restored.left.len()), (1, 0));
    world.write("large.bin", "small\n");
    let restored = world.sentry.put_start_back().expect("it can be put back");
    assert_eq!(restored.left, ["large.bin (it was too large to be kept)"]);
}

#[test]
fn what_was_kept_and_is_damaged_is_not_put_back() {
    let world = World::outside();
    world.write("a.txt", "one\n");
    world.sentry.keep_start().expect("there is room");
    world.write("a.txt", "other\n");
    fs::write(world.folder().join("files"), "1ne\n").expect("the folder is ours");
    let restored = world.sentry.put_start_back().expect("the others can be put back");
    assert_eq!(restored.left, ["a.txt (what was kept of it is damaged)"]);
    assert_eq!(world.read("a.txt"), "other\n");
    fs::write(world.folder().join("files.list"), "x").expect("the folder is ours");
    let why = world.sentry.put_start_back().expect_err("nothing is known");
    assert!(why.contains("is damaged"), "{why}");
}
