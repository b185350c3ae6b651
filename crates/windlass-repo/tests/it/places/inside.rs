//! Submodules, and repositories in the work tree.

use std::fs;

use super::{NOTHING, World, tree, tree::user_git};

/// A repository with a committed submodule at `lib/sub`.
async fn with_submodule() -> World {
    let place = tree::Place::new();
    let library = place.dir.path().join("library");
    fs::create_dir(&library).expect("made");
    user_git(&library, &["init", "-q", "-b", "main"]);
    fs::write(library.join("lib.rs"), "fn one() {}\n").expect("written");
    user_git(&library, &["add", "-A"]);
    user_git(&library, &["commit", "-qm", "library"]);
    let allowed = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    place.git(&[&allowed[..], &[library.to_str().expect("text"), "lib/sub"]].concat());
    place.git(&["commit", "-qm", "submodule"]);
    World::of(place).await
}

#[tokio::test]
async fn work_in_a_submodule_is_told_and_other_words_for_it_are_not() {
    let mut world = with_submodule().await;
    let sub = world.place.at("lib/sub");
    world.place.write("lib/sub/lib.rs", "fn two() {}\n");
    assert_eq!(world.changed().await, ["Submodule lib/sub"], "it is not committed");
    user_git(&sub, &["commit", "-qam", "work"]);
    assert_eq!(world.changed().await, ["Submodule lib/sub"], "now it is");
    user_git(&sub, &["commit", "-q", "--amend", "-m", "reworded"]);
    user_git(&sub, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    assert_eq!(world.changed().await, NOTHING);
    world.git(&["commit", "-qam", "take it in"]);
    assert_eq!(world.changed().await, ["Head"]);
}

#[tokio::test]
async fn a_repository_that_an_agent_makes_in_the_tree_is_told_from_then_on() {
    let mut world = World::new().await;
    world.place.write(".gitignore", "/hidden/\n");
    for path in ["nested/one", "hidden"] {
        let (at, told) = (world.place.at(path), format!("Nested {path}"));
        world.place.write(format!("{path}/a.txt"), "a\n");
        user_git(&at, &["init", "-q", "-b", "main"]);
        assert_eq!(world.changed().await, [&*told]);
        world.place.write(format!("{path}/a.txt"), "b\n");
        assert_eq!(world.changed().await, [&*told], "a file was changed");
        user_git(&at, &["add", "-A"]);
        assert_eq!(world.changed().await, [&*told], "it was staged");
        user_git(&at, &["commit", "-qm", "work"]);
        user_git(&at, &["commit", "-q", "--amend", "-m", "reworded"]);
        user_git(&at, &["commit", "-q", "--allow-empty", "-m", "empty"]);
        user_git(&at, &["gc", "-q"]);
        assert_eq!(world.changed().await, NOTHING, "what the index names was committed");
        world.place.write(format!("{path}/a.txt"), "c\n");
        assert_eq!(world.changed().await, [&*told], "of the same size, at once");
        world.place.write(format!("{path}/target/debug/app"), "built\n");
        world.place.write(format!("{path}/test.log"), "run 1\n");
        world.place.write(format!("{path}/.jj/repo/op"), "1\n");
        assert_eq!(world.changed().await, NOTHING, "tools wrote that");
    }
}

#[tokio::test]
async fn a_large_file_is_told_by_its_size_and_time() {
    let mut world = World::new().await;
    user_git(&world.place.top(), &["init", "-q", "nested"]);
    world.place.write("nested/large", "x".repeat(100_000));
    assert_eq!(world.changed().await, ["Nested nested"]);
    assert_eq!(world.changed().await, NOTHING);
    world.place.write("nested/large", "y".repeat(100_000));
    assert_eq!(world.changed().await, ["Nested nested"]);
}

#[tokio::test]
async fn a_repository_whose_git_directory_lies_elsewhere_is_told_by_its_files() {
    let mut world = World::new().await;
    let git = world.place.dir.path().join("elsewhere");
    let git = format!("--separate-git-dir={}", git.display());
    user_git(&world.place.top(), &["init", "-q", &git, "nested"]);
    assert_eq!(world.changed().await, ["Nested nested"]);
    world.place.write("nested/a.txt", "a\n");
    assert_eq!(world.changed().await, ["Nested nested"]);
}
