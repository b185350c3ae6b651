//! Which changes are in nothing but numbers, dates and ids, and what it costs to tell.

use windlass_core::tree::Snapshot;
use windlass_repo::tree::Tree;

use super::Place;

async fn only_numbers(tree: &Tree, before: &mut Snapshot) -> bool {
    let after = tree.snapshot().await.expect("taken");
    let changed = tree.changed(before, &after).await.expect("compared");
    *before = after;
    changed.only_numbers
}

#[tokio::test]
async fn a_change_of_numbers_and_dates_alone_is_told_from_a_real_one() {
    let place = Place::new();
    place.write("a.txt", "built 2026-11-15, run 1\n");
    place.write("b.txt", "id 1a2b3c4d5e\n");
    let tree = place.tree().await;
    let mut before = tree.snapshot().await.expect("taken");
    assert!(!only_numbers(&tree, &mut before).await, "nothing changed");
    place.write("a.txt", "built 2026-11-16, run 22\n");
    place.write("b.txt", "id 99ffee0011\n");
    assert!(only_numbers(&tree, &mut before).await);
    place.write("a.txt", "built 2026-11-16, run 22\nmore\n");
    assert!(!only_numbers(&tree, &mut before).await, "a line was added");
    place.write("a.txt", "built 2026-11-16, run 23\nmore\n");
    place.write("b.txt", "it 99ffee0011\n");
    assert!(!only_numbers(&tree, &mut before).await, "one of two is a real change");
    place.write("c.txt", "1\n");
    assert!(!only_numbers(&tree, &mut before).await, "a file came");
    place.write("a.txt", "built 2026-11-16, run 24\nmore\n");
    place.remove("c.txt");
    assert!(!only_numbers(&tree, &mut before).await, "a file went");
    place.write("a.txt", b"\0 1");
    assert!(!only_numbers(&tree, &mut before).await, "it is not text any more");
    place.write("a.txt", "1\n".repeat(600_000));
    let mut large = before.clone();
    assert!(!only_numbers(&tree, &mut large).await, "it is too large");
}

#[tokio::test]
async fn a_file_that_was_changed_before_needs_no_more_git_than_its_snapshot() {
    let place = Place::new();
    let tree = place.tree().await;
    tree.snapshot().await.expect("taken");
    // Once the user's index is old enough, stat data alone tells that it is the same.
    tokio::time::sleep(std::time::Duration::from_millis(2100)).await;
    let mut before = tree.snapshot().await.expect("taken");
    let mut calls = Vec::new();
    for number in 1..4 {
        place.calls();
        place.write("a.txt", format!("one\n{number}\n"));
        let numbers = only_numbers(&tree, &mut before).await;
        assert_eq!(numbers, number > 1);
        calls.push(place.calls());
    }
    // A snapshot and a comparison take one each; the old content is asked for once.
    assert_eq!(calls, [3, 2, 2]);
    place.calls();
    only_numbers(&tree, &mut before).await;
    assert_eq!(place.calls(), 0, "nothing changed");
}

#[tokio::test]
async fn the_paths_that_changed_are_named_up_to_a_limit() {
    let place = Place::new();
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    for number in 10..70 {
        place.write(format!("n{number}"), "x");
    }
    let after = tree.snapshot().await.expect("taken");
    let changed = tree.changed(&before, &after).await.expect("compared");
    assert_eq!((changed.count, changed.paths.len()), (60, 50));
    assert_eq!(changed.paths[0], "n10");
}
