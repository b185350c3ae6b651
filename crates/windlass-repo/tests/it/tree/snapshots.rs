//! What a snapshot holds, and what it leaves as it was.

use std::{fs, os::unix::fs::PermissionsExt};

use super::{Place, changed, user_git};

#[tokio::test]
async fn a_snapshot_holds_tracked_and_untracked_files_and_no_ignored_ones() {
    let place = Place::new();
    place.write(".gitignore", "*.log\nbuild/\n");
    place.write("new.txt", "new\n");
    place.write("x.log", "noise\n");
    place.write("build/out", "noise\n");
    let tree = place.tree().await;
    let snapshot = tree.snapshot().await.expect("taken");
    let own = fs::read_dir(place.home().join("trees")).expect("there").next().expect("one");
    let own = own.expect("readable").path();
    fs::write(own.join("objects/info/alternates"), place.evidence().as_os_str().as_encoded_bytes())
        .expect("written");
    let names = user_git(&own, &["--git-dir=.", "ls-tree", "-r", "--name-only", &snapshot.tree]);
    assert_eq!(names, ".gitignore\na.txt\nnew.txt\nsrc/b.txt\n");
    assert_eq!(snapshot.head.as_deref(), Some(place.git(&["rev-parse", "HEAD"]).trim()));
    assert_eq!(fs::metadata(&own).expect("there").permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn changes_and_diff_tell_what_happened() {
    let place = Place::new();
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    place.write("a.txt", "one\n2\nthree\n");
    place.write("new file.txt", "x\n");
    place.write("image", b"\0\x01\x02");
    place.remove("src/b.txt");
    let after = tree.snapshot().await.expect("taken");
    insta::assert_snapshot!(changed(&tree, &before, &after).await, @r"
    Modified a.txt +2 -1
    Added image +0 -0 binary
    Added new file.txt +1 -0
    Deleted src/b.txt +0 -1
    ");
    let diff = tree.diff(&before, &after, false).await.expect("a diff");
    let diff = String::from_utf8_lossy(&diff);
    assert!(diff.contains("-two\n+2\n+three\n"), "{diff}");
    let diff = tree.diff(&before, &after, true).await.expect("a diff");
    assert!(diff.contains(&0x1b));
}

#[tokio::test]
async fn an_unchanged_tree_has_the_same_id_and_needs_no_git() {
    let place = Place::new();
    let tree = place.tree().await;
    let first = tree.snapshot().await.expect("taken");
    // Once the files are old enough, stat data alone tells.
    tokio::time::sleep(std::time::Duration::from_millis(2100)).await;
    assert_eq!(tree.snapshot().await.expect("taken"), first);
    place.calls();
    assert_eq!(tree.snapshot().await.expect("taken"), first);
    assert_eq!(place.calls(), 0);
    place.write("a.txt", "other\n");
    assert_ne!(tree.snapshot().await.expect("taken"), first);
    assert_eq!(place.calls(), 1);
    assert_eq!(
        place.tree().await.snapshot().await.expect("taken"),
        tree.snapshot().await.expect("taken")
    );
}

#[tokio::test]
async fn a_change_of_the_same_size_right_after_a_snapshot_is_seen() {
    let place = Place::new();
    let tree = place.tree().await;
    let mut last = tree.snapshot().await.expect("taken");
    for number in 10..60 {
        place.write("a.txt", format!("{number}\n"));
        let next = tree.snapshot().await.expect("taken");
        assert_ne!(next.tree, last.tree, "change {number} was missed");
        last = next;
    }
}

#[tokio::test]
async fn bytes_are_exact_whatever_the_attributes_say() {
    let place = Place::empty();
    place.write(
        ".gitattributes",
        "* text=auto\n*.id ident\n*.lfs filter=lfs\n*.u16 working-tree-encoding=UTF-16\n",
    );
    place.git(&["config", "core.autocrlf", "true"]);
    let files: [(&str, &[u8]); 4] = [
        ("crlf.txt", b"a\r\nb\r\n"),
        ("x.id", b"$Id$\n"),
        ("y.lfs", b"big\n"),
        ("z.u16", b"\xff\xfea\0\n\0"),
    ];
    for (path, bytes) in files {
        place.write(path, bytes);
    }
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "start"]);
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    for (path, _) in files {
        place.write(path, "changed\n");
    }
    let restored = tree.restore(&before, &Default::default()).await.expect("restored");
    assert_eq!(restored.written.len(), 4);
    for (path, bytes) in files {
        assert_eq!(fs::read(place.at(path)).expect("there"), bytes, "{path}");
    }
    assert_eq!(tree.snapshot().await.expect("taken"), before);
}

#[tokio::test]
async fn line_endings_alone_make_nothing_dirty() {
    let place = Place::empty();
    place.write(".gitattributes", "* text=auto\n");
    place.write("crlf.txt", "a\r\nb\r\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "start"]);
    let tree = place.tree().await;
    let snapshot = tree.snapshot().await.expect("taken");
    assert!(tree.dirty_paths(&snapshot).await.expect("told").is_empty());
}

#[tokio::test]
async fn the_user_sees_nothing_of_it() {
    let place = Place::new();
    place.write(".gitignore", "ignored\n");
    place.write("ignored", "x\n");
    place.write("staged.txt", "x\n");
    place.git(&["add", "staged.txt"]);
    place.write("a.txt", "dirty\n");
    let view = place.users_view();
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    assert_eq!(
        tree.dirty_paths(&before).await.expect("told"),
        super::set(&[".gitignore", "a.txt", "staged.txt"])
    );
    place.write("b.txt", "x\n");
    let after = tree.snapshot().await.expect("taken");
    tree.changes(&before, &after).await.expect("changes");
    tree.diff(&before, &after, false).await.expect("a diff");
    place.write("a.txt", "dirtier\n");
    tree.snapshot().await.expect("taken");
    place.write("a.txt", "dirty\n");
    place.remove("b.txt");
    assert_eq!(place.users_view(), view);
}
