//! Task files in each format, and what counts as a task.

use super::{tasks, works, world_with};
use crate::prompts_of;

#[test]
fn nested_tasks_and_optional_headings_are_understood() {
    let text = "- [x] parser\n  - [ ] write a\n    * [x] tests\n\n```\n- [ ] code\n```\n\
                ## Nice to have\n- [ ] colours\n### More\n1. [ ] sounds\n";
    let env = world_with("TASKS.md", text);
    let result = tasks(&env, "TASKS.md", &works("a"), &["--json"]).run().success().json();
    assert_eq!((&result["tasks_completed"], &result["iterations"]), (&2.into(), &1.into()));
}

#[test]
fn a_prd_is_worked_off_story_by_story() {
    let text = r#"{"branchName": "x", "userStories": [
  {"id": "US-1", "title": "Log in", "passes": false, "notes": []},
  {"id": "US-2", "title": "Log out", "passes": true}
]}"#;
    let env = world_with("prd.json", text);
    let script = "write a.txt x\nreplace prd.json false => true";
    let ran = tasks(&env, "prd.json", script, &[]).run().success();
    assert!(ran.stdout.contains("task done: US-1: Log in\n2 of 2 tasks done\n"), "{ran}");
    assert!(prompts_of(&env)[0].contains("in `prd.json`: set its `passes` to `true`"));
}

#[test]
fn in_plain_text_every_line_is_a_task() {
    let env = world_with("todo.txt", "# Today\nwrite a\nx write b\n\nLater:\nwrite c\n");
    let script = "write a.txt x\nreplace todo.txt write a => [x] write a";
    let ran = tasks(&env, "todo.txt", script, &[]).run().success();
    assert!(ran.stdout.contains("1 of 2 tasks done\n"), "{ran}");
    assert!(ran.stdout.contains("task done: write a\n2 of 2 tasks done\n"), "{ran}");
}

#[test]
fn markdown_without_a_check_list_is_plain_text_and_other_marks_are_told() {
    let env = world_with("PLAN.md", "\u{feff}# Plan\n- write a\n- write b\n");
    let script = "write a.txt x\nreplace PLAN.md - write a => - [x] write a\nnext\n\
                  write b.txt x\nreplace PLAN.md - write b => - [x] write b\n";
    let result = tasks(&env, "PLAN.md", script, &["--json"]).run().success().json();
    assert_eq!((&result["iterations"], &result["tasks_completed"]), (&2.into(), &2.into()));

    let env = world_with("TASKS.md", "- [~] write a\n- [-] write b\n");
    let script = "write a.txt x\nwrite TASKS.md - [x] write a\\n- [x] write b\\n\n";
    let ran = tasks(&env, "TASKS.md", script, &["--check", "test -f a.txt"]).run().success();
    let note = "note: only `[x]` says that a task is done; these count as open: `[~] write a`, `[-] write b`";
    assert!(ran.stderr.contains(note), "{ran}");
}
