//! Files that cannot be used as task files.

use std::time::Duration;

use super::{tasks, world_with};
use crate::world;

#[test]
fn what_is_no_task_file_is_told_at_once() {
    let env = world();
    env.write("empty.md", " \n");
    env.write("prose.md", "# Do it\n");
    env.write("prd.json", "{\"userStories\": [\n  {\"id\": 1,}\n]}");
    env.write("other.json", "{}");
    env.write("latin.txt", [0xe9, b'\n']);
    env.write("large.md", vec![b'x'; (1 << 20) + 1]);
    let pipe = env.work().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
    let mut told = String::new();
    for file in [
        "nope.md",
        "README.md/x",
        ".",
        "pipe",
        "/dev/zero",
        "empty.md",
        "prose.md",
        "prd.json",
        "other.json",
        "latin.txt",
        "large.md",
        "",
    ] {
        let ran = tasks(&env, file, "say no", &[]).run().code(2);
        assert!(ran.duration < Duration::from_secs(1), "{file} took {:?}", ran.duration);
        told.push_str(ran.stderr.lines().next().unwrap_or_default());
        told.push('\n');
    }
    insta::assert_snapshot!(told, @"
    error: the task file `nope.md` cannot be used: it is not there
    error: the task file `README.md/x` cannot be used: it is not there
    error: the task file `.` cannot be used: it is a directory, and not a file
    error: the task file `pipe` cannot be used: it is a pipe, and not a file
    error: the task file `/dev/zero` cannot be used: it is a socket or a device, and not a file
    error: the task file `empty.md` cannot be used: it is empty
    error: the task file `prose.md` cannot be used: it has no tasks; in Markdown a task is a line such as `- [ ] do this`
    error: the task file `prd.json` cannot be used: it is no JSON: line 2, column 12: trailing comma
    error: the task file `other.json` cannot be used: it has no list `userStories`, which is where a `prd.json` has its tasks
    error: the task file `latin.txt` cannot be used: it is not UTF-8 text
    error: the task file `large.md` cannot be used: it has more than 1 MiB, which is the most that is read
    error: a value is required for '--tasks <FILE>' but none was supplied
    ");
    insta::assert_snapshot!(env.windlass(["tasks", "-c", "true"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no task file

    hint: give a task file with `--tasks FILE`
    ");
    assert!(!env.windlass_home().exists(), "nothing was started");
}

#[test]
fn a_file_too_long_for_an_argument_is_refused_with_a_hint() {
    let env = world_with("TASKS.md", &format!("- [ ] a\n{}", "x".repeat(200_000)));
    let ran = env.windlass(["tasks", "--tasks", "TASKS.md", "-c", "true"]).code(2);
    assert!(ran.stderr.contains("`--prompt-mode stdin`"), "{ran}");
}
