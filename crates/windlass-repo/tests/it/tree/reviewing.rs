//! What a reviewer gets to read: all that changed since the loop began, whoever recorded it.

use std::{fs, os::unix::fs::PermissionsExt};

use windlass_core::text::patch::{DiffReport, DiffedBy, LIMIT};
use windlass_repo::{differ::Differ, tree::Tree};

use super::Place;

async fn reviewed(tree: &Tree, since: &str, limit: usize) -> DiffReport {
    let differ = Differ { tree: Some(tree), jj: None };
    differ.diff(Some(since), None, limit).await.expect("a diff")
}

async fn start(tree: &Tree) -> String {
    tree.snapshot().await.expect("taken").tree
}

#[tokio::test]
async fn commits_and_untracked_files_are_in_it_and_what_the_user_had_changed_before_is_not() {
    let place = Place::new();
    place.write("a.txt", "one\ntwo\nof the user\n");
    let tree = place.tree().await;
    let since = start(&tree).await;
    place.write("src/b.txt", "b, by the agent\n");
    place.git(&["commit", "-qm", "by the agent", "src/b.txt"]);
    place.write("new.txt", "untracked\n");
    let view = place.users_view();
    let report = reviewed(&tree, &since, LIMIT).await;
    assert_eq!(place.users_view(), view);
    assert_eq!((report.by, report.files), (Some(DiffedBy::Git), 2));
    assert_eq!(report.remarks(), "");
    insta::assert_snapshot!(report.text, @r"
    diff --git a/new.txt b/new.txt
    new file mode 100644
    index 0000000000000000000000000000000000000000..5a72eb2edc5d0da32ff615d210d6fa90c31ed940
    --- /dev/null
    +++ b/new.txt
    @@ -0,0 +1 @@
    +untracked
    diff --git a/src/b.txt b/src/b.txt
    index 61780798228d17af2d34fce4cfbdf35556832472..72411903bb97feff528c0b70bbbbe7e73a75e00c 100644
    --- a/src/b.txt
    +++ b/src/b.txt
    @@ -1 +1 @@
    -b
    +b, by the agent
    ");
}

#[tokio::test]
async fn links_modes_and_new_names_are_told() {
    let place = Place::new();
    let tree = place.tree().await;
    let since = start(&tree).await;
    fs::rename(place.at("src/b.txt"), place.at("src/with space.txt")).expect("moved");
    fs::set_permissions(place.at("a.txt"), fs::Permissions::from_mode(0o755)).expect("set");
    std::os::unix::fs::symlink("a.txt", place.at("link")).expect("linked");
    let report = reviewed(&tree, &since, LIMIT).await;
    insta::assert_snapshot!(report.text, @r"
    diff --git a/a.txt b/a.txt
    old mode 100644
    new mode 100755
    diff --git a/link b/link
    new file mode 120000
    index 0000000000000000000000000000000000000000..8d14cbf983b3fad683171c9418998d9f68340823
    --- /dev/null
    +++ b/link
    @@ -0,0 +1 @@
    +a.txt
    \ No newline at end of file
    diff --git a/src/b.txt b/src/with space.txt
    similarity index 100%
    rename from src/b.txt
    rename to src/with space.txt
    ");
}

#[tokio::test]
async fn binary_files_are_named_only_and_odd_bytes_are_shown_as_far_as_they_go() {
    let place = Place::new();
    let tree = place.tree().await;
    let since = start(&tree).await;
    place.write("p.png", b"\x89PNG\0\0");
    place.write("latin.txt", b"caf\xe9\n");
    let report = reviewed(&tree, &since, LIMIT).await;
    assert_eq!((report.files, &*report.binary), (2, &["p.png".to_owned()][..]));
    assert!(report.text.contains("+caf\u{fffd}\n"), "{}", report.text);
    assert!(!report.text.contains("p.png"), "{}", report.text);
}

#[tokio::test]
async fn it_is_cut_by_whole_files() {
    let place = Place::new();
    let tree = place.tree().await;
    let since = start(&tree).await;
    place.write("b-large.txt", "large\n".repeat(60_000));
    place.write("c.txt", "c\n".repeat(1000));
    place.write("z.txt", "z\n");
    let report = reviewed(&tree, &since, LIMIT).await;
    assert!(report.text.len() <= LIMIT);
    assert!(report.text.contains("b/c.txt") && report.text.ends_with("+z\n"));
    assert!(!report.text.contains("large"));
    assert_eq!(report.files, 3);
    insta::assert_snapshot!(report.remarks(), @r"
    Left out of this diff:
    - b-large.txt (too long: 420201 bytes)
    ");
    let little = reviewed(&tree, &since, 300).await;
    assert_eq!((little.files, little.left_out.len()), (3, 2));
}

#[tokio::test]
async fn an_external_diff_or_filter_of_the_repository_is_not_run() {
    let place = Place::new();
    let tree = place.tree().await;
    let since = start(&tree).await;
    let trap = format!("touch {} #", place.dir.path().join("sprung").display());
    place.git(&["config", "diff.external", &trap]);
    place.git(&["config", "diff.trap.textconv", &trap]);
    place.git(&["config", "filter.trap.clean", &trap]);
    place.write(".gitattributes", "*.txt diff=trap filter=trap\n");
    place.write("a.txt", "three\n");
    let report = reviewed(&tree, &since, LIMIT).await;
    assert!(report.text.contains("+three"), "{}", report.text);
    assert!(!place.dir.path().join("sprung").exists());
}

#[tokio::test]
async fn content_that_is_lost_hides_no_other_file() {
    let place = Place::new();
    let tree = place.tree().await;
    let since = start(&tree).await;
    let id = place.git(&["rev-parse", "HEAD:src/b.txt"]);
    let (folder, name) = id.trim().split_at(2);
    for objects in [place.at(".git/objects"), place.evidence()] {
        fs::remove_file(objects.join(folder).join(name)).expect("removed");
    }
    place.write("a.txt", "three\n");
    place.write("src/b.txt", "another\n");
    let report = reviewed(&tree, &since, LIMIT).await;
    assert!(report.text.contains("+three"), "{}", report.text);
    assert_eq!(report.files, 2);
    insta::assert_snapshot!(report.remarks(), @r"
    Left out of this diff:
    - src/b.txt (it could not be compared)
    ");
}

#[tokio::test]
async fn nothing_changed_is_no_text_and_outside_a_repository_nobody_is_asked() {
    let place = Place::new();
    let tree = place.tree().await;
    let since = start(&tree).await;
    let report = reviewed(&tree, &since, LIMIT).await;
    assert_eq!(report, DiffReport::new(DiffedBy::Git));
    let nobody = Differ { tree: None, jj: None };
    assert_eq!(nobody.mark().await.expect("nothing to mark"), (None, Vec::new()));
    let report = nobody.diff(None, None, LIMIT).await.expect("nothing to say");
    assert_eq!(report, DiffReport::default());
}
