//! How many marks there are, and what a look costs.

use std::{
    fmt::Write as _,
    fs,
    time::{Duration, Instant},
};

use windlass_core::evidence::{PlaceKind, PlaceMark};

use super::{NOTHING, World, of_kind, places, tree};

/// A repository with so many branches, each with files of its own.
fn with_branches(count: usize) -> tree::Place {
    let place = tree::Place::new();
    let mut stream = String::new();
    for number in 0..count {
        write!(
            stream,
            "commit refs/heads/topic/{number}\ncommitter a <a@b> {number} +0000\ndata 1\nx\n\
             M 100644 inline file\ndata <<.\n{number}\n.\n\n"
        )
        .expect("a string has room");
    }
    fs::write(place.at(".git/stream"), stream).expect("written");
    let import = "git fast-import --quiet < .git/stream && git pack-refs --all";
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", import]).current_dir(place.top()).status().expect("runs").success());
    place
}

#[tokio::test]
async fn a_thousand_branches_take_few_marks_and_one_that_moves_changes_one() {
    let mut world = World::of(with_branches(1000)).await;
    let branches = of_kind(&world.last, PlaceKind::Branch);
    assert_eq!((world.last.len(), branches.len()), (33, 32));
    assert!(branches.iter().all(|mark| mark.name.starts_with("topic/")), "{branches:?}");
    assert!(branches.iter().all(|mark| mark.name.ends_with(" more")), "{branches:?}");
    let tree = world.git(&["rev-parse", "topic/7^{tree}"]);
    for (parent, expected) in [("main", 1), ("topic/8", 0)] {
        let made = world.git(&["commit-tree", "-m", parent, "-p", parent, "main^{tree}"]);
        world.git(&["update-ref", "refs/heads/topic/7", made.trim()]);
        assert_eq!(world.changed().await.len(), expected, "another commit of the same files");
    }
    let made = world.git(&["commit-tree", "-m", "back", tree.trim()]);
    world.git(&["update-ref", "refs/heads/topic/7", made.trim()]);
    assert_eq!(world.changed().await.len(), 1);
    world.git(&["branch", "one-more"]);
    assert_eq!(world.changed().await.len(), 1);
}

#[tokio::test]
async fn up_to_thirty_two_branches_are_told_by_their_names() {
    let mut world = World::of(with_branches(32)).await;
    let branches = of_kind(&world.last, PlaceKind::Branch);
    assert!(branches.iter().all(|mark| !mark.name.contains(' ')), "{branches:?}");
    world.git(&["branch", "-f", "topic/7", "main"]);
    assert_eq!(world.changed().await, ["Branch topic/7"]);
}

#[tokio::test]
async fn whatever_there_is_there_are_no_more_than_sixty_four_marks() {
    let mut world = World::of(with_branches(100)).await;
    for number in 0..20 {
        world.git(&["init", "-q", &format!("nested/{number}")]);
        world.git(&["worktree", "add", "-q", &format!("../other-{number}")]);
        world.place.write("a.txt", format!("{number}\n"));
        world.git(&["stash", "-q"]);
    }
    let marks = world.marks().await;
    let count = |kind| of_kind(&marks, kind).len();
    let kinds = [PlaceKind::Branch, PlaceKind::Stash, PlaceKind::Worktree, PlaceKind::Nested];
    let [branches, stash, worktrees, nested] = kinds.map(count);
    assert_eq!(branches, 32);
    // Paths and ids decide which of them stand together.
    for (count, most) in [(stash, 8), (worktrees, 7), (nested, 8)] {
        assert!((3..=most).contains(&count), "{stash} {worktrees} {nested}");
    }
    assert_eq!(marks.len(), 1 + branches + stash + worktrees + nested);
    assert_eq!(marks[0].kind, PlaceKind::Head);
    world.last = marks;
    world.place.write("nested/19/a.txt", "a\n");
    assert_eq!(world.changed().await.len(), 1);
}

#[tokio::test]
async fn nothing_is_asked_of_git_where_nothing_changed_and_once_where_much_did() {
    let mut world = World::of(with_branches(50)).await;
    world.git(&["init", "-q", "nested"]);
    world.git(&["worktree", "add", "-q", "../other"]);
    world.place.write("a.txt", "stashed\n");
    world.git(&["stash", "-q"]);
    world.tree.snapshot().await.expect("taken");
    world.place.calls();
    let marks = world.places.look(&world.tree).await;
    assert_eq!(world.place.calls(), 1);
    for _ in 0..3 {
        assert_eq!(world.places.look(&world.tree).await, marks);
    }
    world.place.write("nested/a.txt", "a\n");
    let other = world.places.look(&world.tree).await;
    assert_eq!((world.place.calls(), other == marks), (0, false), "files are not git's matter");
    let another = places(&world.place).look(&world.tree).await;
    assert_eq!(another, other, "another process sees the same");
}

#[tokio::test]
async fn a_look_at_fifty_thousand_branches_is_cheap() {
    let place = with_branches(100);
    let packed = place.read(".git/packed-refs");
    let ids: Vec<&str> =
        packed.lines().filter_map(|line| Some(line.split_once(" refs/")?.0)).collect();
    let lines = (0..50_000).map(|n| format!("{} refs/heads/user/{n}\n", ids[n % ids.len()]));
    place.write(".git/packed-refs", lines.collect::<String>());
    let mut world = World::of(place).await;
    // What has just changed is read again each time, for its stat data may not tell.
    tokio::time::sleep(Duration::from_millis(2100)).await;
    world.places.look(&world.tree).await;
    world.place.calls();
    let mut took: Vec<Duration> = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        assert_eq!(world.places.look(&world.tree).await, world.last);
        took.push(began.elapsed());
    }
    assert_eq!(world.place.calls(), 0);
    let least = took.iter().min().expect("some");
    println!("a look at 50,000 branches: {least:?}");
    assert!(*least < Duration::from_millis(100), "{took:?}");
}

#[tokio::test]
async fn a_nested_repository_of_many_files_is_looked_at_in_part_and_quickly() {
    let mut world = World::new().await;
    world.git(&["init", "-q", "nested"]);
    for number in 0..7000 {
        world.place.write(format!("nested/{}/{number:04}", number % 10), "x");
    }
    assert_eq!(world.changed().await, ["Nested nested"]);
    world.place.write("nested/9/6999", "y");
    assert_eq!(world.changed().await, NOTHING, "it is past the limit");
    world.place.write("nested/first", "y");
    assert_eq!(world.changed().await, ["Nested nested"], "what is near the top comes first");
    world.git(&["-C", "nested", "add", "-A"]);
    assert_eq!(world.changed().await, ["Nested nested"], "the index has all of them");
    tokio::time::sleep(Duration::from_millis(2100)).await;
    let marks: Vec<PlaceMark> = world.marks().await;
    let began = Instant::now();
    assert_eq!(world.places.look(&world.tree).await, marks);
    println!("a look at 5,000 files: {:?}", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(1));
}
