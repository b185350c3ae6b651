//! Odd names, odd files and odd repositories.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
    },
};

use windlass_repo::tree::{Opened, Tree, UserFiles};

use super::{Place, changed, open, user_git};

#[tokio::test]
async fn odd_names_go_in_and_come_back() {
    let place = Place::new();
    let names: [&[u8]; 9] = [
        b"-rf",
        b":(top)x",
        b":!x",
        b"new\nline",
        b"quo\"te",
        b"back\\slash",
        b"b\xff\xfe",
        b" sp ace ",
        b"tab\there",
    ];
    let deep = format!("{}/{}", vec!["d".repeat(200); 18].join("/"), "f".repeat(200));
    for name in names {
        place.write(OsStr::from_bytes(name), name);
    }
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    for name in names {
        fs::remove_file(place.at(OsStr::from_bytes(name))).expect("removed");
    }
    place.write(&deep, "deep\n");
    let after = tree.snapshot().await.expect("taken");
    assert_eq!(tree.changes(&before, &after).await.expect("changes").len(), names.len() + 1);
    let restored = tree.restore(&before, &Default::default()).await.expect("restored");
    assert!(restored.not_restorable.is_empty(), "{:?}", restored.not_restorable);
    for name in names {
        assert_eq!(fs::read(place.at(OsStr::from_bytes(name))).expect("back"), name);
    }
    assert!(!place.at("d".repeat(200)).exists());
}

#[tokio::test]
async fn ignore_rules_are_followed_as_they_change() {
    let place = Place::new();
    place.write("node/x.js", "x\n");
    place.write("keep/.gitignore", "*\n!yes\n");
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    place.write(".gitignore", "node/\n");
    place.write("keep/no", "x\n");
    place.write("keep/yes", "x\n");
    let ignored = tree.snapshot().await.expect("taken");
    insta::assert_snapshot!(changed(&tree, &before, &ignored).await, @r"
    Added .gitignore +1 -0
    Added keep/yes +1 -0
    Deleted node/x.js +0 -1
    ");
    place.git(&["add", "-f", "node/x.js"]);
    let forced = tree.snapshot().await.expect("taken");
    assert_eq!(changed(&tree, &ignored, &forced).await, "Added node/x.js +1 -0");
    place.write("node/y.js", "y\n");
    assert_eq!(tree.snapshot().await.expect("taken"), forced);
    // A rule that no snapshot shows counts from the next loop on.
    place.write(".git/info/exclude", "/keep/yes\n/other\na.txt\n");
    place.write("other", "x\n");
    let now = tree.snapshot().await.expect("taken");
    assert_eq!(changed(&tree, &forced, &now).await, "Added other +1 -0");
    tree.begin_loop().await.expect("begun");
    assert_eq!(tree.snapshot().await.expect("taken"), forced);
}

#[tokio::test]
async fn the_users_global_excludes_count() {
    let place = Place::new();
    let config = place.dir.path().join("gitconfig");
    fs::write(&config, "[core]\n\texcludesFile = ~/ig\n[user]\n\tname = Ada\n").expect("written");
    fs::write(place.dir.path().join("ig"), "*.swp\n").expect("written");
    let files = UserFiles {
        configs: vec![config],
        excludes: None,
        home: Some(place.dir.path().to_owned()),
    };
    let tree = place.tree_with(&files).await;
    let before = tree.snapshot().await.expect("taken");
    place.write("x.swp", "x\n");
    assert_eq!(tree.snapshot().await.expect("taken"), before);
}

#[tokio::test]
async fn modes_links_and_types_are_told_apart() {
    let place = Place::new();
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    fs::set_permissions(place.at("a.txt"), fs::Permissions::from_mode(0o755)).expect("set");
    symlink("/etc/passwd", place.at("link")).expect("a link");
    place.remove("src/b.txt");
    fs::remove_dir(place.at("src")).expect("removed");
    symlink("..", place.at("src")).expect("a link");
    let after = tree.snapshot().await.expect("taken");
    insta::assert_snapshot!(changed(&tree, &before, &after).await, @r"
    Modified a.txt +0 -0
    Added link +1 -0
    Added src +1 -0
    Deleted src/b.txt +0 -1
    ");
    tree.restore(&before, &Default::default()).await.expect("restored");
    assert_eq!(tree.snapshot().await.expect("taken"), before);
    assert_eq!(place.read("src/b.txt"), "b\n");
}

#[tokio::test]
async fn nested_repositories_and_pipes_are_left_out_and_noted_once() {
    let place = Place::new();
    fs::create_dir(place.at("nested")).expect("made");
    user_git(&place.at("nested"), &["init", "-q"]);
    place.write("nested/inside.txt", "x\n");
    rustix::fs::mkfifoat(rustix::fs::CWD, place.at("pipe"), rustix::fs::Mode::RUSR).expect("made");
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    place.write("nested/more.txt", "x\n");
    assert_eq!(tree.snapshot().await.expect("taken"), before);
    let mut notes = tree.take_notes().await;
    notes.sort();
    insta::assert_snapshot!(notes.join("\n"), @r"
    `nested` is left out of snapshots: it is another git repository
    `pipe` is left out of snapshots: it is not a regular file
    ");
    tree.snapshot().await.expect("taken");
    assert!(tree.take_notes().await.is_empty());
    for n in 0..61 {
        let pipe = place.at(format!("pipe-{n:02}"));
        rustix::fs::mkfifoat(rustix::fs::CWD, pipe, rustix::fs::Mode::RUSR).expect("made");
    }
    tree.snapshot().await.expect("taken");
    insta::assert_snapshot!(tree.take_notes().await.join("\n"), @"61 paths are left out of snapshots, each because it is not a regular file: `pipe-00`, `pipe-01`, `pipe-02` and 58 more");
}

#[tokio::test]
async fn a_commit_in_a_submodule_is_a_change() {
    let place = Place::new();
    let other = Place::new();
    let url = other.top().display().to_string();
    place.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "sub"]);
    place.git(&["commit", "-qm", "sub"]);
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    place.write("sub/a.txt", "in progress\n");
    assert_eq!(tree.snapshot().await.expect("taken"), before);
    user_git(&place.at("sub"), &["commit", "-qam", "more"]);
    let after = tree.snapshot().await.expect("taken");
    assert_eq!(changed(&tree, &before, &after).await, "Modified sub +1 -1");
    let restored = tree.restore(&before, &Default::default()).await.expect("restored");
    assert_eq!(
        restored.not_restorable,
        [("sub".to_owned(), "it is another git repository".to_owned())]
    );
}

#[tokio::test]
async fn a_large_untracked_file_is_recorded_by_hash_only() {
    let place = Place::new();
    place.write("big", vec![1; (10 << 20) + 1]);
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    place.write("big", vec![2; (10 << 20) + 1]);
    let after = tree.snapshot().await.expect("taken");
    assert_ne!(before.tree, after.tree);
    let restored = tree.restore(&before, &Default::default()).await.expect("restored");
    assert_eq!(restored.not_restorable.len(), 1);
    assert_eq!(fs::read(place.at("big")).expect("there")[0], 2);
}

#[tokio::test]
async fn every_kind_of_repository_works() {
    let sha256 = Place::empty();
    fs::remove_dir_all(sha256.at(".git")).expect("removed");
    sha256.git(&["init", "-q", "--object-format=sha256"]);
    let reftable = Place::empty();
    fs::remove_dir_all(reftable.at(".git")).expect("removed");
    reftable.git(&["init", "-q", "--ref-format=reftable"]);
    let split = Place::empty();
    split.git(&["config", "core.splitIndex", "true"]);
    for place in [sha256, reftable, split] {
        let tree = place.tree().await;
        let unborn = tree.snapshot().await.expect("taken");
        assert_eq!(unborn.head, None);
        place.write("a/b.txt", "x\n");
        place.git(&["add", "-A"]);
        place.git(&["commit", "-qm", "start"]);
        let snapshot = tree.snapshot().await.expect("taken");
        assert_eq!(changed(&tree, &unborn, &snapshot).await, "Added a/b.txt +1 -0");
        assert_eq!(snapshot.head.as_deref(), Some(place.git(&["rev-parse", "HEAD"]).trim()));
        assert!(tree.dirty_paths(&snapshot).await.expect("told").is_empty());
        place.git(&["pack-refs", "--all"]);
        place.git(&["checkout", "-q", "--detach"]);
        assert_eq!(tree.snapshot().await.expect("taken"), snapshot);
    }
}

#[tokio::test]
async fn a_subdirectory_stands_for_the_whole_work_tree() {
    let place = Place::new();
    let tree =
        open(place.runner_git(), &place.at("src"), &place.home(), &UserFiles::default()).await;
    let before = tree.snapshot().await.expect("taken");
    place.write("a.txt", "x\n");
    assert_ne!(tree.snapshot().await.expect("taken"), before);
    assert_eq!(tree.top(), place.top().canonicalize().expect("there"));
}

#[tokio::test]
async fn outside_of_git_and_without_git_are_told_apart() {
    let place = Place::new();
    let open = async |git, at| {
        Tree::open(git, at, &place.home(), &UserFiles::default()).await.expect("opens")
    };
    assert!(matches!(open(place.runner_git(), place.dir.path()).await, Opened::NoRepository));
    let none = windlass_repo::git::Git::new(place.runner.clone(), "/nowhere/git");
    assert!(matches!(open(none, &place.top()).await, Opened::NoGit));
}

#[tokio::test]
async fn an_undecided_merge_and_a_sparse_checkout_are_taken_as_they_lie() {
    let place = Place::new();
    place.git(&["checkout", "-qb", "other"]);
    place.write("a.txt", "theirs\n");
    place.git(&["commit", "-qam", "theirs"]);
    place.git(&["checkout", "-q", "main"]);
    place.write("a.txt", "ours\n");
    place.git(&["commit", "-qam", "ours"]);
    assert!(!place.try_git(&["merge", "-q", "other"]).status.success());
    place.write("intended.txt", "x\n");
    place.git(&["add", "-N", "intended.txt"]);
    let tree = place.tree().await;
    let snapshot = tree.snapshot().await.expect("taken");
    let dirty = tree.dirty_paths(&snapshot).await.expect("told");
    assert_eq!(dirty, super::set(&["a.txt", "intended.txt"]));
    place.git(&["reset", "-q", "--hard"]);
    place.git(&["sparse-checkout", "set", "--no-cone", "/a.txt"]);
    let snapshot = tree.snapshot().await.expect("taken");
    assert!(!place.at("src/b.txt").exists());
    assert!(!tree.dirty_paths(&snapshot).await.expect("told").contains("src/b.txt"));
}
