//! Bad input: told in a sentence with its exit code, and nothing is changed.

use std::fs;

use testkit::{Env, Ran};

use crate::{shell, world};

/// Calls windlass, and holds that nothing came of it: no loop, no file, no branch, no process.
fn refused(env: &Env, args: &[&str]) -> String {
    let files = |env: &Env| {
        let list = env.other("find", [".", "-not", "-path", "./.git/*"]).run().success();
        list.stdout + env.other("git", ["for-each-ref"]).run().stdout.as_str()
    };
    let before = files(env);
    let ran: Ran = env.windlass(args.iter().copied());
    assert_eq!(files(env), before, "something changed:\n{ran}");
    if env.windlass_home().join("windlass.db").exists() {
        assert_eq!(env.sql("SELECT count(*) FROM loops WHERE name <> 'taken'"), "0\n", "{ran}");
    }
    ran.snapshot()
}

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

    hint: say what the agent is to do with `-p PROMPT` or `--prompt-file FILE`
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

#[test]
fn an_agent_that_is_not_known_or_cannot_start() {
    let env = world();
    let call = |args: &[&str]| refused(&env, &[&["iterate", "-p", "x"], args].concat());
    insta::assert_snapshot!(call(&["--agent", "scriptd", "--script", "s"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no agent `scriptd`

    hint: did you mean `scripted`?
    hint: the known ones are `aider`, `claude`, `codex`, `command`, `gemini`, `opencode`, `scripted`
    ");
    insta::assert_snapshot!(call(&["--agent", "scripted"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the agent `scripted` needs `--script`
    ");
    insta::assert_snapshot!(call(&["--agent", "scripted", "--script", "nowhere"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the script `/tmp/windlass-XXXXXX/work/nowhere` cannot be played: it is not there
    ");
    insta::assert_snapshot!(call(&["--agent", "command"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the agent `command` needs `--command`
    ");
    insta::assert_snapshot!(call(&["-c", "agent 'unclosed"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the command `agent 'unclosed` has a quote that is not closed
    ");
    insta::assert_snapshot!(call(&["-c", "  "]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the command of the agent `command` is empty
    ");
    insta::assert_snapshot!(call(&["-c", "no-such-program --print"]), @"
    exit: 4
    --- stdout
    --- stderr
    error: the agent `command` cannot be started
      caused by: no program `no-such-program` was found

    hint: install it, or choose another agent with `--agent` or `--command`
    hint: `windlass agents` lists the agents that were found
    ");
    insta::assert_snapshot!(call(&["-c", "./README.md"]), @"
    exit: 4
    --- stdout
    --- stderr
    error: the agent `command` cannot be started
      caused by: `./README.md` may not be executed

    hint: install it, or choose another agent with `--agent` or `--command`
    hint: `windlass agents` lists the agents that were found
    ");
    insta::assert_snapshot!(call(&["-c", "true", "--agent", "scripted"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--command` and the agent `scripted` exclude one another
    ");
    insta::assert_snapshot!(call(&[]), @"
    exit: 4
    --- stdout
    --- stderr
    error: no agent was chosen, and `claude` is not installed

    hint: choose one with `--agent`: `aider`, `claude`, `codex`, `command`, `gemini`, `opencode`, `scripted`
    hint: `windlass agents` tells which are installed, and how to install the others
    hint: or run any program with `--command 'PROGRAM ARGS'`
    ");
}

#[test]
fn flags_that_cannot_be_read() {
    let env = world();
    let call =
        |args: &[&str]| refused(&env, &[&["iterate", "-p", "x", "-c", "true"], args].concat());
    insta::assert_snapshot!(call(&["--protect", "a["]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `a[` is not a glob
      caused by: error parsing glob 'a[': unclosed character class; missing ']'
    ");
    insta::assert_snapshot!(call(&["--timeout", "soon"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: invalid value 'soon' for '--timeout <DURATION>': expected a duration such as `[time]`, `[time]` or `[time]`, found `soon`

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(call(&["--max-iterations", "-1"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: unexpected argument '-1' found

      tip: to pass '-1' as a value, use '-- -1'

    Usage: windlass iterate [OPTIONS] [-- <AGENT_ARGS>...]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(call(&["--env", "NOVALUE"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `NOVALUE` is not of the form NAME=VALUE
    ");
    insta::assert_snapshot!(call(&["--prompt-mode", "pipe"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: invalid value 'pipe' for '--prompt-mode <MODE>'
      [possible values: arg, stdin, env, file]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(call(&["--format", "{{ name"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the template of `--format` cannot be used: syntax error: unexpected end of input, expected end of variable block (in --format:1)

    hint: for example: --format '{{ name }}: {{ ending.type }}'
    ");
    insta::assert_snapshot!(call(&["--format", "{{ nme }}"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the template of `--format` cannot be used: a result has no `nme`; did you mean `name`?

    hint: for example: --format '{{ name }}: {{ ending.type }}'
    ");
    insta::assert_snapshot!(call(&["--directory", "nowhere"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no directory `nowhere`
    ");
    insta::assert_snapshot!(call(&["--name", "two words"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the name `two words` cannot be used: a name begins with a letter or a digit, and has letters, digits, `-`, `_` and `.`, 64 at the most
    ");
}

#[test]
fn output_flags_that_exclude_one_another() {
    let env = world();
    let flags = ["--json", "--jsonl", "-q", "--format=x", "-v"];
    for (n, one) in flags.iter().enumerate() {
        for other in &flags[n + 1..] {
            let ran = env.windlass(["iterate", "-p", "x", "-c", "true", one, other]).code(2);
            assert!(ran.stderr.contains("cannot be used with"), "{one} {other}: {ran}");
            assert_eq!(ran.stdout, "");
        }
    }
    insta::assert_snapshot!(refused(&env, &["iterate", "-p", "x", "-c", "true", "--json", "-q"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the argument '--json' cannot be used with '--quiet'

    Usage: windlass iterate --prompt <PROMPT> --command <CMD> --json [-- <AGENT_ARGS>...]

    For more information, try '--help'.
    ");
}

#[test]
fn names_and_branches_that_are_taken() {
    let env = world();
    shell(&env, "true", &["--name", "taken", "--max-iterations", "1"]).run().code(1);
    env.git(["branch", "busy"]);
    let call =
        |args: &[&str]| refused(&env, &[&["iterate", "-p", "x", "-c", "true"], args].concat());
    insta::assert_snapshot!(call(&["--name", "taken"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the name `taken` is taken by another loop
    ");
    insta::assert_snapshot!(call(&["--create-branch", "--branch-template", "busy"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is already a branch `busy`
    ");
    insta::assert_snapshot!(call(&["--create-branch", "--branch-template", "no..good"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `no..good` is not a name that a branch can have
    ");
    insta::assert_snapshot!(call(&["--worktree", "main"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the branch `main` is checked out at `/tmp/windlass-XXXXXX/work`
    ");
    insta::assert_snapshot!(call(&["--worktree", "new:nowhere"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no commit `nowhere` in this repository
    ");
    insta::assert_snapshot!(call(&["--worktree", "busy:main"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is already a branch `busy`, so it cannot start at `main`
    ");
    insta::assert_snapshot!(call(&["--worktree", ""]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `` is not a name that a branch can have
    ");
}

#[test]
fn git_flags_outside_git() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let call =
        |args: &[&str]| refused(&env, &[&["iterate", "-p", "x", "-c", "true"], args].concat());
    insta::assert_snapshot!(call(&["--auto-commit"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--auto-commit` needs a git repository, and `/tmp/windlass-XXXXXX/work` is not in one
    ");
    insta::assert_snapshot!(call(&["--create-branch"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--create-branch` needs a git repository, and `/tmp/windlass-XXXXXX/work` is not in one
    ");
    insta::assert_snapshot!(call(&["--worktree", "b"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--worktree` needs a git repository, and `/tmp/windlass-XXXXXX/work` is not in one
    ");
}

#[test]
fn loops_that_are_not_there() {
    let env = world();
    insta::assert_snapshot!(refused(&env, &["status"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: no loop was started in `/tmp/windlass-XXXXXX/work`

    hint: there are no loops yet; start one with: windlass iterate -p 'Make the tests pass' -c 'my-agent --print' --check 'cargo test'
    ");
    insta::assert_snapshot!(refused(&env, &["list"]), @"
    exit: 0
    --- stdout
    No loops yet. Start one with:
      windlass iterate -p 'Make the tests pass' -c 'my-agent --print' --check 'cargo test'
    --- stderr
    ");
    insta::assert_snapshot!(refused(&env, &["show", "nothing"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no loop `nothing`

    hint: there are no loops yet; start one with: windlass iterate -p 'Make the tests pass' -c 'my-agent --print' --check 'cargo test'
    ");
    shell(&env, "true", &["--name", "taken", "--max-iterations", "1"]).run().code(1);
    for command in ["status", "show", "log", "why", "diff", "resume", "cancel", "reset", "rm"] {
        let ran = env.windlass([command, "takn"]).code(2);
        insta::allow_duplicates! { insta::assert_snapshot!(ran.snapshot(), @"
        exit: 2
        --- stdout
        --- stderr
        error: there is no loop `takn`

        hint: did you mean `taken`?
        hint: `windlass list` shows all loops
        "); }
    }
    insta::assert_snapshot!(refused(&env, &["rollback", "takn", "0"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no loop `takn`

    hint: did you mean `taken`?
    hint: `windlass list` shows all loops
    ");
    insta::assert_snapshot!(refused(&env, &["rollback", "taken", "x"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: invalid value 'x' for '[N]': invalid digit found in string

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused(&env, &["log", "--iteration", "9"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop taken has begun 1 iteration
    ");
    env.write("elsewhere/x", "");
    insta::assert_snapshot!(refused(&env, &["-C", "elsewhere", "why"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: no loop was started in `/tmp/windlass-XXXXXX/work/elsewhere`

    hint: `windlass list` shows all loops
    ");
}
