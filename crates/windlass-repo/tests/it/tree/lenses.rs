//! What changed in files, through coarser and coarser lenses, and what it costs to tell.

use std::{fs, os::unix::fs::PermissionsExt};

use windlass_core::{
    evidence::{FileChange, FileKind, FilesMark},
    tree::Snapshot,
};
use windlass_repo::tree::{Changed, Tree};

use super::Place;

async fn only_numbers(tree: &Tree, before: &mut Snapshot) -> bool {
    let after = tree.snapshot().await.expect("taken");
    let changed = tree.changed(before, &after, None).await.expect("compared");
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
async fn twenty_files_of_many_need_no_more_git_than_one() {
    let place = Place::empty();
    for number in 0..2000 {
        place
            .write(format!("src/d{}/f{number}.rs", number % 100), format!("fn f{number}() {{}}\n"));
    }
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "start"]);
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    tokio::time::sleep(std::time::Duration::from_millis(2100)).await;
    let mut before = tree.snapshot().await.expect("taken");
    let mut calls = Vec::new();
    for round in 1..4 {
        for number in 0..20 {
            let path = format!("src/d{number}/f{number}.rs");
            place.write(path, format!("fn f{number}() {{ g({round}) }}\n").repeat(500));
        }
        place.calls();
        let after = tree.snapshot().await.expect("taken");
        let snapshot = place.calls();
        let changed = tree.changed(&before, &after, Some(&start)).await.expect("compared");
        before = after;
        assert_eq!(changed.only_numbers, round > 1);
        assert_eq!(changed.files.changed.len(), 20);
        calls.push([snapshot, place.calls()]);
    }
    // The first comparison asks for the old contents; the others also compare with the start.
    assert_eq!(calls, [[1, 2], [1, 2], [1, 2]]);
}

/// One line for each file: `work style src/a.rs`, and the id of all work.
fn told(changed: &Changed) -> String {
    let line = |file: &windlass_core::evidence::FileMark| {
        let kind = match file.kind {
            FileKind::Work => "work",
            FileKind::Prose => "prose",
            kind => panic!("{kind:?}"),
        };
        let change = format!("{:?}", file.change).to_lowercase();
        format!("{kind} {change} {}", file.path)
    };
    changed.files.changed.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A loop's tree, from its start on.
struct Loop {
    place: Place,
    tree: Tree,
    start: Snapshot,
    last: Snapshot,
}

impl Loop {
    async fn begin(place: Place) -> Self {
        let tree = place.tree().await;
        let start = tree.snapshot().await.expect("taken");
        Self { place, tree, last: start.clone(), start }
    }

    async fn changed(&mut self) -> Changed {
        let now = self.tree.snapshot().await.expect("taken");
        let changed = self.tree.changed(&self.last, &now, Some(&self.start)).await;
        self.last = now;
        changed.expect("compared")
    }

    async fn work(&mut self) -> String {
        self.changed().await.files.work.expect("told")
    }

    fn executable(&self, path: &str, is: bool) {
        let mode = if is { 0o755 } else { 0o644 };
        fs::set_permissions(self.place.at(path), fs::Permissions::from_mode(mode)).expect("set");
    }
}

const CODE: &str = "def total(items):\n    return sum(items) + 1\n";

#[tokio::test]
async fn each_change_is_told_by_the_finest_lens_that_explains_it() {
    let place = Place::empty();
    for name in ["name", "number", "date", "style", "content", "gone", "mode", "both"] {
        place.write(format!("src/{name}.py"), format!("# 2026-11-15\n{CODE}"));
    }
    place.write("README.md", "# A program\n");
    place.write("a.txt", "ok\n");
    let mut it = Loop::begin(place).await;
    it.place.write("src/name.py", format!("# 2026-11-15\n{CODE}").replace("items", "rows"));
    it.place.write("src/number.py", format!("# 2026-11-16\n{CODE}").replace('1', "2"));
    it.place.write("src/date.py", format!("# 2026-12-01\n{CODE}"));
    it.place.write("src/style.py", CODE.replace("    ", "  "));
    it.place.write("src/content.py", CODE.replace('+', "-"));
    it.place.remove("src/gone.py");
    it.executable("src/mode.py", true);
    it.place.write("src/both.py", CODE);
    it.executable("src/both.py", true);
    it.place.write("src/new.py", CODE);
    it.place.write("README.md", "# A good program\n");
    it.place.write("a.txt", "done\n");
    it.place.write("thoughts.txt", "ok\n");
    it.place.write("out.txt", "Today I read the parser, which is large. I will go on tomorrow.\n");
    it.place.write("data", b"\0\x01");
    std::os::unix::fs::symlink("a.txt", it.place.at("link.txt")).expect("made");
    let changed = it.changed().await;
    assert_eq!(
        told(&changed),
        "prose content README.md\nwork content a.txt\nwork added data\nwork added link.txt\n\
         prose added out.txt\nwork content src/both.py\nwork content src/content.py\n\
         work stamps src/date.py\nwork deleted src/gone.py\nwork mode src/mode.py\n\
         work style src/name.py\nwork added src/new.py\nwork numbers src/number.py\n\
         work style src/style.py\nprose added thoughts.txt"
    );
    assert!(!changed.only_numbers);
    it.place.remove("out.txt");
    it.place.write("data", b"\0\x02");
    it.place.remove("link.txt");
    std::os::unix::fs::symlink("b.txt", it.place.at("link.txt")).expect("made");
    assert_eq!(
        told(&it.changed().await),
        "work content data\nwork content link.txt\nprose deleted out.txt"
    );
}

#[tokio::test]
async fn ids_and_shapes_say_what_a_file_holds() {
    let place = Place::empty();
    place.write("a.py", CODE);
    place.write("data", b"\0\x01");
    let mut it = Loop::begin(place).await;
    it.place.write("a.py", CODE.replace("items", "rows"));
    it.executable("a.py", true);
    it.place.write("data", b"\0\x02");
    let first = it.changed().await.files.changed;
    let [code, data] = first.as_slice() else { panic!("{first:?}") };
    let id = |path: &str| it.place.git(&["hash-object", path])[..12].to_owned();
    assert_eq!(code.id, Some(format!("{}:100755", id("a.py"))));
    assert_eq!(code.was, code.shape);
    assert_eq!((&data.id, &data.shape), (&Some(id("data")), &Some(id("data"))));
    assert_ne!(data.was, data.shape);
    it.executable("a.py", false);
    it.place.write("a.py", CODE.replace("items", "things"));
    it.place.remove("data");
    let second = it.changed().await.files.changed;
    assert_eq!(second[0].shape, code.shape);
    assert_eq!((&second[1].id, &second[1].shape, &second[1].was), (&None, &None, &data.shape));
    it.place.write("a.py", CODE.replace('+', "-"));
    let third = it.changed().await.files.changed;
    assert_eq!(third[0].was, code.shape);
    assert_ne!(third[0].shape, code.shape);
}

#[tokio::test]
async fn the_same_work_has_the_same_id_whatever_was_noted() {
    let place = Place::new();
    place.write("src/a.py", CODE);
    let mut it = Loop::begin(place).await;
    it.place.write("NOTES.md", "first\n");
    let none = it.work().await;
    it.place.write("src/a.py", CODE.replace('1', "2"));
    let two = it.work().await;
    assert_ne!(none, two);
    it.place.write("NOTES.md", "second\n");
    it.place.write("docs/more", "third\n");
    it.place
        .write("worked", "I have read the parser now, and it is nearly right. More tomorrow.\n");
    assert_eq!(it.work().await, two);
    it.place.write("src/a.py", CODE);
    assert_eq!(it.work().await, none, "what was changed is as it was");
    it.place.remove("src/b.txt");
    let without = it.work().await;
    assert_ne!(without, none);
    it.place.write("src/b.txt", "b\n");
    it.executable("src/a.py", true);
    let executable = it.work().await;
    assert_ne!(executable, none);
    assert_ne!(executable, without);
    it.executable("src/a.py", false);
    it.place.remove("NOTES.md");
    assert_eq!(it.work().await, none);
    it.place.write("a.txt", "I have read the parser now, and it is nearly right. More tomorrow.\n");
    assert_eq!(it.work().await, none, "a file that holds prose now is no work");
    it.place.write("src/a.py", CODE.replace('1', "2"));
    it.place.write("a.txt", "one\ntwo\n");
    assert_eq!(it.work().await, two, "it is as it was when it was there before");
}

#[tokio::test]
async fn another_process_gives_the_same_work_the_same_id() {
    let place = Place::new();
    let mut it = Loop::begin(place).await;
    for number in 0..230 {
        it.place.write(format!("n/{number:03}"), format!("{number}\n"));
    }
    it.place.write("n/229", "I have read the parser now, and it is nearly right. More tomorrow.\n");
    it.place.write("n/001", "I have read the parser now, and it is nearly right. More tomorrow.\n");
    let here = it.work().await;
    let there = it.place.tree().await;
    let changed = there.changed(&it.start, &it.last, Some(&it.start)).await.expect("compared");
    assert_eq!(changed.files.work, Some(here.clone()));
    it.place.write("n/001", "I have read the lexer now, and it is nearly right. More tomorrow.\n");
    assert_eq!(it.work().await, here);
    it.place.write("n/229", "I have read the lexer now, and it is nearly right. More tomorrow.\n");
    assert_ne!(it.work().await, here, "after so many files each is taken for work");
}

#[tokio::test]
async fn without_a_start_nothing_is_told_of_all_work() {
    let mut it = Loop::begin(Place::new()).await;
    it.place.write("a.txt", "three\n");
    let after = it.tree.snapshot().await.expect("taken");
    let changed = it.tree.changed(&it.last, &after, None).await.expect("compared");
    assert_eq!(changed.files.work, None);
    assert_eq!(changed.files.changed.len(), 1);
    assert!(it.changed().await.files.work.is_some());
    assert_eq!(it.changed().await.files, FilesMark::default(), "nothing changed");
}

#[tokio::test]
async fn large_files_are_not_read_and_stand_for_themselves() {
    let place = Place::new();
    // More than is read at once.
    for number in 0..30 {
        place.write(format!("large{number:02}.txt"), "1\n".repeat(600_000 + number));
    }
    place.write("small.py", CODE);
    let mut it = Loop::begin(place).await;
    for number in 0..30 {
        it.place.write(format!("large{number:02}.txt"), "2\n".repeat(600_000 + number));
    }
    it.place.write("small.py", CODE.replace("items", "rows"));
    let changed = it.changed().await;
    let large: Vec<_> = changed.files.changed.iter().take(30).collect();
    assert!(large.iter().all(|file| file.change == FileChange::Content), "{large:?}");
    assert!(large.iter().all(|file| file.shape == file.id && file.shape != file.was));
    assert_eq!(changed.files.changed[30].change, FileChange::Style);
    it.place.write("large00.txt", "1\n");
    it.place.write("large01.txt", "1\n");
    it.place.write("small.py", CODE.replace("items", "lines"));
    let changed = it.changed().await;
    let changes: Vec<_> = changed.files.changed.iter().map(|file| file.change).collect();
    assert_eq!(changes, [FileChange::Content, FileChange::Content, FileChange::Style]);
}

#[tokio::test]
async fn a_file_that_is_kept_by_its_hash_only_has_no_lenses() {
    let place = Place::new();
    place.write("huge.bin", "1".repeat(11 << 20));
    let mut it = Loop::begin(place).await;
    it.place.write("huge.bin", "2".repeat(11 << 20));
    let there = it.tree.snapshot().await.expect("taken");
    // One that has not seen it large.
    let tree = it.place.tree().await;
    let changed = tree.changed(&it.start, &there, None).await.expect("compared");
    assert_eq!(told(&changed), "work content huge.bin");
    assert_eq!(told(&it.changed().await), "work content huge.bin");
}

#[tokio::test]
async fn of_many_files_the_first_are_told_one_by_one() {
    let place = Place::new();
    let mut it = Loop::begin(place).await;
    for number in 10..70 {
        it.place.write(format!("n{number}"), "1");
    }
    let changed = it.changed().await;
    assert_eq!((changed.count, changed.paths.len()), (60, 50));
    assert_eq!((changed.files.changed.len(), changed.files.left_out), (50, 10));
    assert_eq!(changed.paths[0], "n10");
    assert_eq!(changed.files.changed[49].path, "n59");
    for number in 10..70 {
        it.place.write(format!("n{number}"), "2");
    }
    let changed = it.changed().await;
    assert!(changed.files.changed.iter().all(|file| file.change == FileChange::Numbers));
    assert!(!changed.only_numbers, "of more files it is not said");
}
