//! Prompts that cannot be used.

use std::fs;

use super::refused;
use crate::world;

#[test]
fn a_prompt_file_that_cannot_be_a_prompt() {
    let env = world();
    env.write("empty.md", "");
    env.write("blank.md", " \n\t\n");
    env.write("binary.md", b"\x7fELF\x00\x01\xff");
    env.write("latin.md", b"gr\xfc\xdfe");
    env.other("mkfifo", ["fifo.md"]).run().success();
    let huge = fs::File::create(env.work().join("huge.md")).unwrap();
    huge.set_len(5 << 30).unwrap();
    let call = |file: &str| refused(&env, &["iterate", "-c", "true", "--prompt-file", file]);
    insta::assert_snapshot!(call("missing.md"), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no prompt file `/tmp/windlass-XXXXXX/work/missing.md`
    ");
    insta::assert_snapshot!(call("empty.md"), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt file `/tmp/windlass-XXXXXX/work/empty.md` is empty
    ");
    insta::assert_snapshot!(call("blank.md"), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt file `/tmp/windlass-XXXXXX/work/blank.md` is empty
    ");
    insta::assert_snapshot!(call("binary.md"), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt file `/tmp/windlass-XXXXXX/work/binary.md` cannot be read
      caused by: it is not UTF-8 text
    ");
    insta::assert_snapshot!(call("latin.md"), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt file `/tmp/windlass-XXXXXX/work/latin.md` cannot be read
      caused by: it is not UTF-8 text
    ");
    insta::assert_snapshot!(call("fifo.md"), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt file `/tmp/windlass-XXXXXX/work/fifo.md` cannot be read
      caused by: it is a pipe, and not a file
    ");
    insta::assert_snapshot!(call(".git"), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt file `/tmp/windlass-XXXXXX/work/.git` cannot be read
      caused by: it is a directory, and not a file
    ");
    insta::assert_snapshot!(call("huge.md"), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt file `/tmp/windlass-XXXXXX/work/huge.md` cannot be read
      caused by: it has more than 1 MiB, which is the most that is read
    ");
}

#[test]
fn a_prompt_given_twice_not_at_all_or_empty() {
    let env = world();
    env.write("p.md", "x");
    let call = |args: &[&str]| refused(&env, &[&["iterate", "-c", "true"], args].concat());
    insta::assert_snapshot!(call(&["-p", "x", "--prompt-file", "p.md"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the argument '--prompt <PROMPT>' cannot be used with '--prompt-file <FILE>'

    Usage: windlass iterate --command <CMD> --prompt <PROMPT> [-- <AGENT_ARGS>...]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(call(&[]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no prompt

    hint: give a prompt with `-p PROMPT` or `--prompt-file FILE`
    ");
    insta::assert_snapshot!(call(&["-p", "  \n"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt is empty
    ");
    insta::assert_snapshot!(call(&["-p", "x", "--promise", "two\nlines"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the promise must be one line
    ");
}
