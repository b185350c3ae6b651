//! What counts as a task, what does not, and how a task is known again.

use std::path::Path;

use super::*;

/// Each task with its box, optional ones in brackets.
fn shown(list: &TaskList) -> String {
    let line = |task: &Task| {
        let mark = if task.done { "x" } else { " " };
        let name = if task.optional { format!("({})", task.name) } else { task.name.clone() };
        format!("[{mark}] {name}")
    };
    list.tasks.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn read(name: &str, text: &str) -> TaskList {
    Format::of(Path::new(name), text).read(text).unwrap()
}

fn error(name: &str, text: &str) -> String {
    Format::of(Path::new(name), text).read(text).unwrap_err().to_string()
}

#[test]
fn a_check_list_has_its_tasks_in_items_with_a_box() {
    let text = "# Plan\n\nProse [x] and a [link](x).\n- [ ] one\n* [x] *two*\n+ [X] three\n1. [ ] four\n\
                2) [x] five\n- no box\n- [a](http://x) a link\n- [x](http://x) a link too\n- [ ]\n\
                > - [ ] quoted\n- [-] dropped\n- [~] begun\n- [] without a space\n";
    insta::assert_snapshot!(shown(&read("TASKS.md", text)), @"
    [ ] one
    [x] *two*
    [x] three
    [ ] four
    [x] five
    [ ] quoted
    [ ] dropped
    [ ] begun
    [ ] without a space
    ");
}

#[test]
fn a_parent_with_something_open_below_it_is_open() {
    let text = "- [x] a\n  - [x] a1\n    - [ ] a11\n  - [x] a2\n- [x] b\n\t- [x] b1\n- [x] c\n";
    insta::assert_snapshot!(shown(&read("TASKS.md", text)), @"
    [ ] a
    [ ] a1
    [ ] a11
    [x] a2
    [x] b
    [x] b1
    [x] c
    ");
}

#[test]
fn what_is_below_a_heading_such_as_later_does_not_block() {
    let text = "## Now\n- [x] one\n## Later\n- [ ] two\n### Parser\n- [ ] three\n## More\n- [x] four\n\
                Nice to have\n------------\n- [ ] five\n- [x] six\n\nNow again\n===\n- [x] seven\n  - [ ]* eight\n";
    let list = read("TASKS.md", text);
    insta::assert_snapshot!(shown(&list), @"
    [x] one
    [ ] (two)
    [ ] (three)
    [x] four
    [ ] (five)
    [x] (six)
    [x] seven
    [ ] (eight)
    ");
    assert_eq!((list.open(), list.done()), (0, 3));
}

#[test]
fn code_and_comments_hold_no_tasks_unless_they_are_never_closed() {
    let text = "- [ ] one\n```md\n- [ ] code\n````\n~~~\n- [ ] code\n```\n~~~\n<!-- - [ ] hidden -->\n\
                <!--\n- [ ] hidden\n-->\n- [ ] two ```x```\n```sh\n- [ ] three\n<!--\n- [ ] four";
    insta::assert_snapshot!(shown(&read("TASKS.md", text)), @"
    [ ] one
    [ ] two ```x```
    [ ] three
    [ ] four
    ");
}

#[test]
fn a_prd_has_its_tasks_in_user_stories() {
    let text = r#"{"project": "x", "userStories": [
        {"id": "US-1", "title": "Log in", "passes": true, "priority": 1},
        {"id": 2, "title": "Log out", "passes": false},
        {"title": "No id", "passes": "true"},
        {"id": "US-4"}, {}]}"#;
    for name in ["prd.json", "tasks"] {
        let list = read(name, text);
        insta::allow_duplicates! { insta::assert_snapshot!(shown(&list), @"
        [x] US-1: Log in
        [ ] 2: Log out
        [ ] No id
        [ ] US-4
        [ ] story 5
        "); }
        assert_eq!(list.tasks[0].key, "us-1");
    }
}

#[test]
fn in_plain_text_every_line_is_a_task() {
    let text = "# Things\n\n// a comment\n; another\nFirst:\nwrite it\n- test it\n[x] ship it\n\
                x 2026-11-15 call them\nDONE: buy it\n✓ sell it\nmend it DONE\npaint it (done)\n\
                move it ✅\nget it done\nDONEness\n#12 is broken\n-----\n[ ] open it\n2. close it [x]\n\
                \nLater:\nrest\n";
    let list = read("todo.txt", text);
    insta::assert_snapshot!(shown(&list), @"
    [ ] write it
    [ ] test it
    [x] ship it
    [x] 2026-11-15 call them
    [x] buy it
    [x] sell it
    [x] mend it
    [x] paint it
    [x] move it
    [ ] get it done
    [ ] DONEness
    [ ] #12 is broken
    [ ] open it
    [x] close it
    [ ] (rest)
    ");
}

#[test]
fn the_ending_decides_on_the_format_and_then_the_text() {
    let of = |name: &str, text: &str| Format::of(Path::new(name), text);
    assert_eq!(of("a.md", "- [ ] do it"), Format::CheckList);
    assert_eq!(of("a.md", "- [x] did it\n\n## Notes\n\n- none"), Format::CheckList);
    assert_eq!(of("a.md", "# Plan\n"), Format::CheckList);
    assert_eq!(of("a.md", "\u{feff}- [ ] do it"), Format::CheckList);
    assert_eq!(of("a", "\u{feff}{}"), Format::Prd);
    assert_eq!(of("a.JSON", "do it"), Format::Prd);
    assert_eq!(of("a", " {"), Format::Prd);
    assert_eq!(of("a.txt", "- [ ] do it"), Format::CheckList);
    assert_eq!(of("a.txt", "do it"), Format::Plain);
}

#[test]
fn markdown_without_a_check_list_is_plain_text_and_stays_so_while_it_is_ticked() {
    for text in ["do it\nsell it", "# Plan\n- do it\n- sell it", "1. do it\n\n2. sell it\n"] {
        let list = read("a.md", text);
        assert_eq!((list.format, list.open()), (Format::Plain, 2), "{text}");
        let ticked = list.format.tick(text, "do it").unwrap();
        let after = read("a.md", &ticked);
        assert_eq!((after.format, after.open(), after.done()), (Format::Plain, 1, 1), "{ticked}");
        let moves = Moves::between(&list, &after);
        assert_eq!(
            (moves.completed, moves.removed),
            (vec!["do it".to_owned()], vec![]),
            "{ticked}"
        );
    }
    let begun = "[x] - do it\n- sell it";
    assert_eq!(shown(&read("a.md", begun)), "[x] do it\n[ ] sell it");
}

#[test]
fn boxes_that_are_neither_empty_nor_ticked_are_told() {
    let list = read("a.md", "- [~] begun\n- [-] dropped\n- [ ] open\n- [x] done\n  - [/] half\n");
    insta::assert_snapshot!(list.half_done().unwrap(), @"only `[x]` says that a task is done; these count as open: `[~] begun`, `[-] dropped`, `[/] half`");
    assert_eq!(read("a.md", "- [ ] open\n- [x] done").half_done(), None);
}

#[test]
fn what_holds_no_tasks_is_told() {
    let cases = [
        ("a.md", " \n"),
        ("a.md", "# do it"),
        ("a.txt", "# only\n// comments"),
        ("prd.json", "{\"userStories\": [\n{\"id\": 1,}]}"),
        ("prd.json", "{\"stories\": []}"),
        ("prd.json", "[]"),
        ("prd.json", "{\"userStories\": []}"),
    ];
    let told: Vec<String> = cases.iter().map(|(name, text)| error(name, text)).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    it is empty
    it has no tasks; in Markdown a task is a line such as `- [ ] do this`
    it has no tasks; in plain text each line is a task, but for headings and comments
    it is no JSON: line 2, column 10: trailing comma
    it has no list `userStories`, which is where a `prd.json` has its tasks
    it has no list `userStories`, which is where a `prd.json` has its tasks
    it has no tasks; its list `userStories` is empty
    ");
}

#[test]
fn a_task_is_known_again_by_its_text() {
    let before =
        read("a.md", "- [ ] Write  the *parser*\n- [ ] test\n- [ ] test\n- [x] old\n- [ ] lost\n");
    let after = read(
        "a.md",
        "- [x] write the parser. ✅ 2026-11-15\n- [x] test\n- [ ] test\n- [ ] old\n- [ ] new\n",
    );
    let moves = Moves::between(&before, &after);
    assert_eq!(moves.completed, ["write the parser. ✅ 2026-11-15", "test"]);
    assert_eq!(moves.reopened, ["old"]);
    assert_eq!(moves.added, ["new"]);
    assert_eq!(moves.removed, ["lost"]);
    assert!(Moves::between(&after, &after).is_empty());
    let reworded = read("a.md", "- [x] lost (see 1a2b3c)\n");
    let moves = Moves::between(&read("a.md", "- [ ] lost\n"), &reworded);
    assert_eq!((moves.completed.len(), moves.removed.len()), (1, 0));
}

#[test]
fn a_large_file_is_read_in_a_time_that_grows_with_its_size() {
    for line in ["- [ ] a\n", "```a\n", "<!--\n", " - [x] b\n", "a\n"] {
        let text = line.repeat((128 << 10) / line.len()) + "- [ ] z\n";
        let began = std::time::Instant::now();
        let before = read("a.txt", &text);
        let after = read("a.txt", &text.replace("] a", "] c"));
        Moves::between(&before, &after);
        assert!(began.elapsed().as_secs() < 5, "{line:?}");
    }
}
