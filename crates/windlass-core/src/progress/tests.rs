//! What counts as progress, by what windlass saw.

use super::*;
use crate::{
    evidence::{
        Figure, FileChange, FileKind, FileMark, FilesMark, OutputMark, PlaceKind, TaskMark,
    },
    rules::testing::{event, finished, start},
};
use serde_json::json;

/// An iteration in a repository, but for the change; and what moved in it.
fn moved(progress: &mut Progress, change: impl FnOnce(&mut IterationSummary)) -> String {
    let event = finished(|summary| {
        summary.tree = Some("t".to_owned());
        summary.head = Some("a".to_owned());
        change(summary);
    });
    let moved = progress.observe(&event).expect("it ends an iteration");
    format!("{:?}: {}", moved.weight(), moved.words())
}

fn file(path: &str, change: FileChange, id: &str, shape: &str) -> FileMark {
    FileMark {
        path: path.to_owned(),
        kind: FileKind::Work,
        change,
        id: Some(id.to_owned()),
        was: Some("0".to_owned()),
        shape: Some(shape.to_owned()),
    }
}

fn files(changed: Vec<FileMark>) -> impl FnOnce(&mut IterationSummary) {
    |summary| {
        summary.files_changed = u32::try_from(changed.len()).unwrap();
        summary.evidence.files = Some(FilesMark { changed, ..FilesMark::default() });
    }
}

fn failing(names: &[&str], lines: &[&str]) -> Vec<CheckMark> {
    let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
    lines.sort_unstable();
    vec![CheckMark {
        command: "make".to_owned(),
        passed: false,
        output: lines.concat(),
        failing: (!names.is_empty()).then(|| u32::try_from(names.len()).unwrap()),
        failing_tests: names.iter().map(|&name| name.to_owned()).collect(),
        marks: Some(OutputMark {
            different: u32::try_from(lines.len()).unwrap(),
            lines,
            figures: Vec::new(),
        }),
    }]
}

fn check(checks: Vec<CheckMark>) -> impl FnOnce(&mut IterationSummary) {
    |summary| summary.evidence.checks = checks
}

#[test]
fn a_file_that_holds_something_new_is_work_and_one_that_is_back_is_not() {
    let mut progress = Progress::default();
    let mut one =
        |change, id, shape| moved(&mut progress, files(vec![file("a.rs", change, id, shape)]));
    assert_eq!(one(FileChange::Content, "1", "1"), "Work: 1 file changed");
    assert_eq!(one(FileChange::Content, "2", "2"), "Work: 1 file changed");
    assert_eq!(one(FileChange::Content, "1", "1"), "Nothing: files are back at an earlier state");
    assert_eq!(one(FileChange::Content, "3", "0"), "Nothing: files are back at an earlier state");
    assert_eq!(one(FileChange::Mode, "3x", "0"), "Work: 1 file changed");
}

#[test]
fn names_and_numbers_are_work_once_a_file_and_a_hint_after_that() {
    let mut progress = Progress::default();
    let mut one = |path: &str, change, id: &str| {
        moved(&mut progress, files(vec![file(path, change, id, "0")]))
    };
    assert_eq!(one("a.rs", FileChange::Style, "1"), "Work: names or style in 1 more file");
    assert_eq!(one("b.rs", FileChange::Numbers, "1"), "Work: names or style in 1 more file");
    assert_eq!(one("a.rs", FileChange::Style, "2"), "Hint: only numbers, names or style");
    assert_eq!(one("a.rs", FileChange::Stamps, "3"), "Hint: only numbers, names or style");
    assert_eq!(one("a.rs", FileChange::Style, "1"), "Nothing: files are back at an earlier state");
}

#[test]
fn more_of_the_same_is_work_that_earns_no_patience() {
    let mut progress = Progress::default();
    let mut more = |id: &str| {
        let event = finished(|summary| {
            summary.tree = Some("t".to_owned());
            files(vec![file("a.txt", FileChange::Repeats, id, id)])(summary);
        });
        progress.observe(&event).expect("it ends an iteration")
    };
    for id in ["1", "2"] {
        let moved = more(id);
        assert_eq!((moved.words().as_str(), moved.halves()), ("more of the same in 1 file", 2));
        assert!(moved.is_progress());
    }
}

#[test]
fn a_file_that_gets_another_name_again_and_again_is_no_work() {
    let mut progress = Progress::default();
    let mut rename = |from: &str, to: &str| {
        let mut gone = file(from, FileChange::Deleted, "", "");
        (gone.id, gone.shape, gone.was) = (None, None, Some("s".to_owned()));
        let mut came = file(to, FileChange::Added, "1", "s");
        came.was = None;
        moved(&mut progress, files(vec![gone, came]))
    };
    assert_eq!(
        rename("a.rs", "b.rs"),
        "Work: names or style in 1 more file, only numbers, names or style"
    );
    assert_eq!(rename("b.rs", "c.rs"), "Hint: only numbers, names or style");
    assert_eq!(rename("c.rs", "d.rs"), "Hint: only numbers, names or style");
}

#[test]
fn what_is_added_and_taken_away_again_is_no_work() {
    let mut progress = Progress::default();
    let mut came = file("a.rs", FileChange::Added, "1", "1");
    came.was = None;
    assert_eq!(moved(&mut progress, files(vec![came])), "Work: 1 file changed");
    let mut gone = file("a.rs", FileChange::Deleted, "", "");
    (gone.id, gone.shape) = (None, None);
    let back = moved(&mut progress, files(vec![gone]));
    assert_eq!(back, "Nothing: files are back at an earlier state");
}

#[test]
fn prose_is_no_work_while_checks_fail() {
    let page = |number: u32| {
        let mut page =
            file("notes.md", FileChange::Content, &number.to_string(), &number.to_string());
        page.kind = FileKind::Prose;
        page
    };
    let mut progress = Progress::default();
    assert_eq!(moved(&mut progress, files(vec![page(1)])), "Work: notes changed");
    moved(&mut progress, check(failing(&[], &["a is missing"])));
    assert_eq!(moved(&mut progress, files(vec![page(2)])), "Nothing: only prose changed");
    let mut asked = page(3);
    asked.kind = FileKind::AskedProse;
    assert_eq!(moved(&mut progress, files(vec![asked])), "Work: 1 file changed");
}

#[test]
fn fewer_failing_tests_are_a_result_other_ones_are_work_and_the_same_again_is_nothing() {
    let mut progress = Progress::default();
    let mut one = |names: &[&str]| moved(&mut progress, check(failing(names, names)));
    assert_eq!(one(&["a", "b", "c"]), "Nothing: nothing");
    assert_eq!(one(&["a", "b"]), "Result: 1 fewer failing test (2 left)");
    assert_eq!(one(&["a", "c"]), "Work: other tests fail");
    assert_eq!(one(&["b", "a"]), "Nothing: nothing");
    assert_eq!(one(&["c", "a"]), "Nothing: nothing");
    assert_eq!(one(&["c"]), "Result: 1 fewer failing test (1 left)");
    let mut passed = failing(&[], &[]);
    passed[0].passed = true;
    assert_eq!(moved(&mut progress, check(passed)), "Result: a check passes");
}

#[test]
fn an_output_that_cannot_be_read_is_compared_line_by_line() {
    let mut progress = Progress::default();
    let mut one = |lines: &[&str]| moved(&mut progress, check(failing(&[], lines)));
    assert_eq!(one(&["a", "b", "c"]), "Nothing: nothing");
    assert_eq!(one(&["b", "c"]), "Result: a check reports fewer problems");
    assert_eq!(one(&["b", "d"]), "Work: a check fails differently");
    assert_eq!(one(&["c", "b"]), "Nothing: nothing");
}

#[test]
fn a_figure_that_gets_better_is_a_result() {
    let mut progress = Progress::default();
    let mut one = |value| {
        let mut check = failing(&[], &["# left"]);
        check[0].marks.as_mut().unwrap().figures = vec![Figure { of: "# left".to_owned(), value }];
        moved(&mut progress, |summary| summary.evidence.checks = check)
    };
    assert_eq!(one(10.0), "Nothing: nothing");
    assert_eq!(one(9.0), "Result: 10 → 9 in `# left`");
    assert_eq!(one(9.0), "Nothing: nothing");
    assert_eq!(one(11.0), "Nothing: nothing");
}

#[test]
fn another_place_that_holds_something_new_is_work_and_another_commit_of_the_same_is_not() {
    let mut progress = Progress::default();
    progress.observe(&start("t"));
    let mut one = |kind, name: &str, holds: &str| {
        let place = PlaceMark { kind, name: name.to_owned(), holds: holds.to_owned() };
        moved(&mut progress, |summary| {
            summary.head = Some(format!("commit {holds}"));
            summary.evidence.places = vec![place];
        })
    };
    assert_eq!(one(PlaceKind::Branch, "x", "1"), "Work: moved on branch x");
    assert_eq!(one(PlaceKind::Head, "", "2"), "Work: a new commit");
    assert_eq!(one(PlaceKind::Stash, "", "1"), "Nothing: nothing");
    assert_eq!(one(PlaceKind::Submodule, "lib", "3"), "Work: moved in submodule lib");
    assert_eq!(moved(&mut progress, |s| s.head = Some("amended".to_owned())), "Nothing: nothing");
}

#[test]
fn a_commit_of_an_earlier_version_is_work_whatever_it_holds() {
    let mut progress = Progress::default();
    progress.observe(&start("t"));
    assert_eq!(moved(&mut progress, |s| s.head = Some("b".to_owned())), "Work: a new commit");
    assert_eq!(moved(&mut progress, |s| s.head = Some("b".to_owned())), "Nothing: nothing");
    assert_eq!(moved(&mut progress, |s| s.files_changed = 2), "Work: 2 files changed");
}

#[test]
fn a_closed_task_is_a_result_and_ticking_a_box_alone_is_nothing() {
    let mut progress = Progress::default();
    let mut ticked = |open, only_file| {
        moved(&mut progress, |s| {
            s.files_changed = 1;
            s.evidence.tasks = Some(TaskMark { open, done: 9 - open, unworked: 0, only_file });
        })
    };
    assert_eq!(ticked(5, true), "Nothing: nothing");
    assert_eq!(ticked(4, true), "Nothing: nothing");
    assert_eq!(ticked(3, false), "Result: 1 task done, 1 file changed");
    assert_eq!(ticked(4, false), "Work: 1 task added, 1 file changed");
}

#[test]
fn a_task_that_is_blocked_for_the_first_time_is_work() {
    let mut progress = Progress::default();
    let mut one = || moved(&mut progress, |s| s.evidence.blocked_task = Some("deploy".to_owned()));
    assert_eq!(one(), "Work: a task is blocked");
    assert_eq!(one(), "Nothing: nothing");
}

#[test]
fn a_review_with_fewer_findings_is_a_result() {
    let mut progress = Progress::default();
    let mut review = |findings: usize| {
        let one = |n| json!({"number": n, "standing": "new", "finding": {"title": "no test"}});
        let noticed: Vec<_> = (1..=findings).map(one).collect();
        let seen = json!({"iteration": 1, "noticed": noticed, "gone": []});
        let seen = serde_json::from_value(seen).expect("findings as they are stored");
        progress.observe(&event(EventKind::FindingsSeen(seen)));
        moved(&mut progress, |_| ())
    };
    assert_eq!(review(3), "Nothing: nothing");
    assert_eq!(review(1), "Result: 2 fewer findings (1 left)");
    assert_eq!(review(2), "Nothing: nothing");
}

#[test]
fn a_report_that_says_something_new_is_a_hint_and_the_first_one_is_none() {
    let mut progress = Progress::default();
    let mut says = |text: &str| {
        let words = Words::of(text);
        moved(&mut progress, |s| s.evidence.words = words)
    };
    assert_eq!(says("the parser lives in parse.rs"), "Nothing: nothing");
    assert_eq!(says("the cache is never emptied"), "Hint: a new report");
    assert_eq!(says("the cache is never emptied"), "Nothing: nothing");
}
