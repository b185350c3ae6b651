//! Snapshots stand alone: nothing that becomes of the repository's objects, rules or index changes
//! them.

use std::{collections::BTreeSet, fs, path::Path};

use windlass_core::tree::Snapshot;
use windlass_repo::tree::{TreeError, is_to_compact, mark_to_compact};

use super::{Place, changed, contents};

/// More files than go to git in one stream.
const MANY: usize = 400;

fn with_many_files() -> Place {
    let place = Place::new();
    for number in 0..MANY {
        place.write(format!("many/{number}.txt"), format!("file {number}\n"));
    }
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "many"]);
    place
}

fn loose_objects(objects: &Path) -> usize {
    let folders = fs::read_dir(objects).expect("there").flatten();
    let folders = folders.filter(|folder| folder.file_name().len() == 2);
    folders.map(|folder| fs::read_dir(folder.path()).expect("there").count()).sum()
}

fn packs(objects: &Path) -> usize {
    let entries = fs::read_dir(objects.join("pack")).expect("there").flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|ext| ext == "idx")).count()
}

async fn put_back(place: &Place, to: &Snapshot) -> windlass_repo::tree::Restored {
    place.tree().await.restore(to, &Default::default()).await.expect("put back")
}

#[tokio::test]
async fn a_snapshot_outlives_all_objects_of_the_repository() {
    for place in [Place::new(), with_many_files()] {
        place.write("new.txt", "not in git\n");
        let before = contents(&place.top());
        let start = place.tree().await.snapshot().await.expect("taken");
        for (path, _) in &before {
            place.write(path, "spoilt\n");
        }
        fs::remove_dir_all(place.at(".git/objects")).expect("removed");
        fs::create_dir(place.at(".git/objects")).expect("made");
        let restored = put_back(&place, &start).await;
        assert_eq!(restored.not_restorable, []);
        assert_eq!(contents(&place.top()), before);
    }
}

#[tokio::test]
async fn many_files_that_are_in_git_are_taken_over_as_one_pack() {
    let place = with_many_files();
    place.tree().await.snapshot().await.expect("taken");
    // One of what the repository has, and one of the trees, unless git wrote those one by one.
    assert!((1..=2).contains(&packs(&place.evidence())), "{}", packs(&place.evidence()));
    assert!(loose_objects(&place.evidence()) < 10, "{}", loose_objects(&place.evidence()));
    // The next loop finds them there.
    let before = packs(&place.evidence());
    place.tree().await.snapshot().await.expect("taken");
    assert_eq!(packs(&place.evidence()), before);
}

#[tokio::test]
async fn an_object_that_was_forged_in_the_repository_is_not_believed() {
    let place = with_many_files();
    // What stands under the id of a file is another file.
    let id = |path: &str| place.git(&["rev-parse", &format!("HEAD:{path}")]).trim().to_owned();
    let (wanted, other) = (id("many/7.txt"), id("many/8.txt"));
    let object = |id: &str| place.at(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    fs::remove_file(object(&wanted)).expect("removed");
    fs::copy(object(&other), object(&wanted)).expect("forged");
    let start = place.tree().await.snapshot().await.expect("taken");
    place.write("many/7.txt", "spoilt\n");
    assert_eq!(put_back(&place, &start).await.not_restorable, []);
    assert_eq!(place.read("many/7.txt"), "file 7\n");
}

#[tokio::test]
async fn what_is_altered_in_the_store_is_neither_shown_nor_put_back() {
    let place = Place::new();
    let start = place.tree().await.snapshot().await.expect("taken");
    place.write("a.txt", "two\n");
    let after = place.tree().await.snapshot().await.expect("taken");
    // Another program of the same user writes into the store.
    let id = place.git(&["rev-parse", "HEAD:a.txt"]).trim().to_owned();
    let other = place.git(&["rev-parse", "HEAD:src/b.txt"]).trim().to_owned();
    let object = |id: &str| place.evidence().join(&id[..2]).join(&id[2..]);
    fs::remove_file(object(&id)).expect("removed");
    fs::copy(object(&other), object(&id)).expect("forged");

    let restored = put_back(&place, &start).await;
    assert_eq!(restored.written, Vec::<String>::new());
    insta::assert_debug_snapshot!(restored.not_restorable, @r#"
    [
        (
            "a.txt",
            "what is in windlass's store is not what was recorded",
        ),
    ]
    "#);
    assert_eq!(place.read("a.txt"), "two\n");
    let shown = place.tree().await.diff(&start, &after, false).await;
    assert!(matches!(&shown, Err(TreeError::Altered { id: named }) if *named == id), "{shown:?}");
}

#[tokio::test]
async fn a_tree_that_was_altered_hides_nothing() {
    let place = Place::new();
    let start = place.tree().await.snapshot().await.expect("taken");
    place.write("src/b.txt", "changed\n");
    let after = place.tree().await.snapshot().await.expect("taken");
    let object = |id: &str| place.evidence().join(&id[..2]).join(&id[2..]);
    fs::remove_file(object(&after.tree)).expect("removed");
    fs::copy(object(&start.tree), object(&after.tree)).expect("forged");
    let shown = place.tree().await.diff(&start, &after, false).await;
    assert!(matches!(shown, Err(TreeError::Altered { .. })), "{shown:?}");
}

#[tokio::test]
async fn rules_and_flags_that_change_after_the_start_hide_nothing() {
    let place = Place::new();
    place.write(".gitignore", "cache/\n");
    place.write("cache/kept.txt", "tracked though ignored\n");
    place.git(&["add", "-f", "-A"]);
    place.git(&["commit", "-qm", "ignored"]);
    let tree = place.tree().await;
    tree.begin_loop().await.expect("begun");
    let start = tree.snapshot().await.expect("taken");

    place.write(".git/info/exclude", "*.py\n");
    place.write("hidden.py", "x\n");
    place.write("a.txt", "changed\n");
    place.git(&["update-index", "--assume-unchanged", "a.txt"]);
    place.git(&["rm", "--cached", "-q", "cache/kept.txt"]);
    place.write("cache/kept.txt", "changed\n");
    for tree in [tree, place.tree().await] {
        let now = tree.snapshot().await.expect("taken");
        let changed = changed(&tree, &start, &now).await;
        insta::allow_duplicates! {
            insta::assert_snapshot!(changed, @r"
            Modified a.txt +1 -2
            Modified cache/kept.txt +1 -1
            Added hidden.py +1 -0
            ");
        }
    }
    // The next loop goes by the rules that are there when it begins.
    let tree = place.tree().await;
    tree.begin_loop().await.expect("begun");
    let now = tree.snapshot().await.expect("taken");
    insta::assert_snapshot!(changed(&tree, &start, &now).await, @r"
    Modified a.txt +1 -2
    Deleted cache/kept.txt +0 -1
    ");
}

#[tokio::test]
async fn rules_that_come_with_the_tree_count_at_once() {
    let place = Place::new();
    let tree = place.tree().await;
    tree.begin_loop().await.expect("begun");
    let start = tree.snapshot().await.expect("taken");
    place.write(".gitignore", "/target/\n");
    place.write("target/large", "built\n");
    tree.exclude("/kept.md").await.expect("excluded");
    place.write("kept.md", "windlass's own\n");
    let now = tree.snapshot().await.expect("taken");
    assert_eq!(changed(&tree, &start, &now).await, "Added .gitignore +1 -0");
}

#[tokio::test]
async fn only_what_loops_need_stays_when_the_store_is_compacted() {
    let place = Place::new();
    let tree = place.tree().await;
    let first = tree.snapshot().await.expect("taken");
    place.write("a.txt", "removed with its loop\n".repeat(10_000));
    let second = tree.snapshot().await.expect("taken");
    place.write("a.txt", "kept\n");
    let third = tree.snapshot().await.expect("taken");

    let keep: BTreeSet<String> = [first.tree.clone(), third.tree.clone(), "1".repeat(40)].into();
    assert_eq!(tree.compact(&keep).await.expect("told").bytes, 0, "no loop was removed");
    mark_to_compact(&place.evidence());
    // Somebody else uses the store.
    let other = place.tree().await;
    assert_eq!(tree.compact(&keep).await.expect("told").bytes, 0);
    drop(other);
    tree.compact(&keep).await.expect("compacted");
    assert!(!is_to_compact(&place.evidence()));

    assert_eq!(changed(&tree, &first, &third).await, "Modified a.txt +1 -2");
    let lost = tree.restore(&second, &Default::default()).await.expect_err("freed");
    assert!(matches!(lost, TreeError::Lost { .. }), "{lost}");
    place.write("a.txt", "and on\n");
    assert_ne!(tree.snapshot().await.expect("taken"), third);
}

#[tokio::test]
async fn a_base_is_kept_when_it_is_found() {
    let place = Place::new();
    place.git(&["checkout", "-q", "-b", "work"]);
    let tree = place.tree().await;
    let base = tree.base(&["main".to_owned()]).await.expect("found");
    assert_eq!(base.commit.as_deref(), Some(place.git(&["rev-parse", "main"]).trim()));
    place.write("a.txt", "changed\n");
    let now = tree.snapshot().await.expect("taken");
    fs::remove_dir_all(place.at(".git/objects")).expect("removed");
    fs::create_dir(place.at(".git/objects")).expect("made");
    let base = Snapshot { tree: base.tree.expect("a tree"), head: None };
    assert_eq!(changed(&tree, &base, &now).await, "Modified a.txt +1 -2");
}

#[tokio::test]
async fn what_changed_of_the_files_that_were_there_is_told_from_what_came() {
    let place = Place::new();
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    place.write("report.xml", "1\n");
    let first = tree.snapshot().await.expect("taken");
    place.write("report.xml", "2\n");
    let second = tree.snapshot().await.expect("taken");
    place.write("a.txt", "changed\n");
    let third = tree.snapshot().await.expect("taken");
    let existing =
        async |from, to| tree.existing_changed(&start, from, to).await.expect("told").paths;
    assert_eq!(existing(&start, &first).await, Vec::<String>::new());
    assert_eq!(existing(&first, &second).await, Vec::<String>::new());
    assert_eq!(existing(&second, &third).await, ["a.txt"]);
    let of_first = tree.existing_changed(&first, &first, &second).await.expect("told");
    assert_eq!(of_first.paths, ["report.xml"]);
}
