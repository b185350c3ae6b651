//! Commits into the user's repository.

use std::fs;

use windlass_repo::tree::{TreeError, UserFiles};

use super::{Place, set};

#[tokio::test]
async fn what_the_loop_changed_is_committed_and_the_users_work_is_not() {
    let place = Place::new();
    place.write("mine.txt", "mine\n");
    place.write("staged.txt", "staged\n");
    place.git(&["add", "staged.txt"]);
    place.git(&["config", "user.name", "Grace"]);
    place.git(&["config", "user.email", "grace@example.com"]);
    let tree = place.tree().await;
    let spare = tree.dirty_paths(&tree.snapshot().await.expect("taken")).await.expect("told");
    place.write("a.txt", "better\n");
    place.write("-new", "x\n");
    place.remove("src/b.txt");
    let committed = tree.commit("loop: iteration 1\n\nbody\n", &spare).await.expect("committed");
    assert_eq!(committed.id.as_deref(), Some(place.git(&["rev-parse", "main"]).trim()));
    let log = place.git(&["log", "-1", "--format=%an <%ae>%n%B", "--name-status"]);
    insta::assert_snapshot!(log, @r"
    Grace <grace@example.com>
    loop: iteration 1

    body


    A	-new
    M	a.txt
    D	src/b.txt
    ");
    assert_eq!(place.git(&["status", "--porcelain"]), "A  staged.txt\n?? mine.txt\n");
    let left: Vec<&str> = committed.left_out.iter().map(|left| left.path.as_str()).collect();
    assert_eq!(left, ["mine.txt", "staged.txt"]);
    assert_eq!(place.git(&["reflog", "-1", "--format=%gs"]), "commit: loop: iteration 1\n");
    let again = tree.commit("again", &spare).await.expect("nothing");
    assert_eq!(again.id, None);
    place.git(&["fsck", "--strict"]);
}

#[tokio::test]
async fn the_first_commit_and_one_off_a_branch_work() {
    let place = Place::empty();
    let tree = place.tree().await;
    assert_eq!(tree.commit("nothing", &Default::default()).await.expect("fine").id, None);
    place.write("a.txt", "x\n");
    tree.commit("first", &Default::default()).await.expect("committed").id.expect("a commit");
    assert_eq!(place.git(&["log", "--format=%an %s", "main"]), "windlass first\n");
    place.git(&["checkout", "-q", "--detach"]);
    place.write("a.txt", "y\n");
    tree.commit("second", &Default::default()).await.expect("committed").id.expect("a commit");
    assert_eq!(place.git(&["log", "--format=%s"]), "second\nfirst\n");
    assert_eq!(place.git(&["log", "--format=%s", "main"]), "first\n");
    assert_eq!(place.git(&["status", "--porcelain"]), "");
}

#[tokio::test]
async fn line_endings_are_converted_and_filtered_files_left_out() {
    let place = Place::empty();
    place.write(".gitattributes", "* text=auto\n*.bin filter=lfs\n");
    place.write("unchanged.bin", "pointer\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "start"]);
    let tree = place.tree().await;
    place.write("crlf.txt", "a\r\nb\r\n");
    place.write("large.bin", "content\n");
    let committed = tree.commit("work", &Default::default()).await.expect("committed");
    assert_eq!(committed.paths, ["crlf.txt"]);
    assert_eq!(committed.left_out.len(), 1);
    assert_eq!(committed.left_out[0].path, "large.bin");
    assert_eq!(place.git(&["cat-file", "blob", "HEAD:crlf.txt"]), "a\nb\n");
    assert_eq!(place.git(&["status", "--porcelain"]), "?? large.bin\n");
}

#[tokio::test]
async fn a_directory_in_place_of_a_file_and_the_other_way_round() {
    let place = Place::new();
    let tree = place.tree().await;
    place.remove("a.txt");
    place.write("a.txt/inner", "x\n");
    place.remove("src/b.txt");
    fs::remove_dir(place.at("src")).expect("removed");
    std::os::unix::fs::symlink("/etc", place.at("src")).expect("a link");
    tree.commit("turn", &Default::default()).await.expect("committed").id.expect("a commit");
    assert_eq!(place.git(&["status", "--porcelain"]), "");
    assert_eq!(place.git(&["ls-tree", "-r", "--name-only", "HEAD"]), "a.txt/inner\nsrc\n");
}

#[tokio::test]
async fn a_locked_index_is_waited_for_and_never_unlocked() {
    let place = Place::new();
    let tree = place.tree().await;
    place.write("a.txt", "x\n");
    let head = place.git(&["rev-parse", "HEAD"]);
    place.write(".git/index.lock", "");
    let error = tree.commit("x", &Default::default()).await.expect_err("locked");
    assert!(matches!(error, TreeError::IndexLocked { .. }), "{error}");
    assert!(place.at(".git/index.lock").exists());
    assert_eq!(place.git(&["rev-parse", "HEAD"]), head);
    let lock = place.at(".git/index.lock");
    let spare = set(&[]);
    let (committed, ()) = tokio::join!(tree.commit("x", &spare), async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        fs::remove_file(lock).expect("removed");
    });
    committed.expect("committed").id.expect("a commit");
}

#[tokio::test]
async fn a_merge_under_way_is_not_cut_off() {
    let place = Place::new();
    place.git(&["checkout", "-qb", "other"]);
    place.write("c.txt", "x\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "other"]);
    place.git(&["checkout", "-q", "main"]);
    place.git(&["merge", "-q", "--no-ff", "--no-commit", "other"]);
    let tree = place.tree().await;
    place.write("a.txt", "x\n");
    let error = tree.commit("x", &Default::default()).await.expect_err("a merge");
    assert_eq!(
        error.to_string(),
        "a merge is under way in this repository; finish or abort it first"
    );
}

#[tokio::test]
async fn a_split_index_and_sha256_take_commits() {
    let split = Place::new();
    split.git(&["config", "core.splitIndex", "true"]);
    split.git(&["update-index", "--split-index"]);
    let sha256 = Place::empty();
    fs::remove_dir_all(sha256.at(".git")).expect("removed");
    sha256.git(&["init", "-q", "--object-format=sha256"]);
    for place in [split, sha256] {
        let tree = place.tree_with(&UserFiles::default()).await;
        place.write("a.txt", "changed\n");
        place.write("new.txt", "x\n");
        tree.commit("x", &Default::default()).await.expect("committed").id.expect("a commit");
        assert_eq!(place.git(&["status", "--porcelain"]), "");
        place.git(&["fsck", "--strict"]);
    }
}

#[tokio::test]
async fn a_change_of_the_same_size_right_after_the_index_was_written_is_committed() {
    let place = Place::new();
    place.write("a.txt", "eno\nowt\n");
    // The copy of the index that is looked through must not seem newer than the file.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let tree = place.tree().await;
    let committed = tree.commit("turned", &Default::default()).await.expect("committed");
    assert_eq!(committed.paths, ["a.txt"]);
}
