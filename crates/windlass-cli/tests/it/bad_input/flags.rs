//! Flags whose values cannot be read, or that cannot be used together.

use super::refused;
use crate::world;

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
    error: invalid value 'soon' for '--timeout <DURATION>': expected a duration such as `[time]`, `[time]`, `[time]` or `1m30s`, found `soon`

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
fn flags_that_have_no_effect() {
    let env = world();
    env.install("agent", "touch canary");
    let call = |args: &[&str]| {
        let told = refused(&env, &[&["iterate", "-p", "x", "-c", "agent"], args].concat());
        assert!(!env.work().join("canary").exists(), "nothing was started");
        told
    };
    insta::assert_snapshot!(call(&["--image", "alpine"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--image` has no effect without a container: `--sandbox docker` or `--sandbox podman`

    hint: leave it out, or add what it needs
    ");
    insta::assert_snapshot!(call(&["--fallback-agent", "codex", "--on-limit", "stop"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--fallback-agent` has no effect without `--on-limit fallback`

    hint: leave it out, or add what it needs
    ");
    // A file says what holds for many calls, and a default that is typed says nothing new.
    crate::user_config(&env, "image = 'alpine'\ncommit_template = 'x'\n");
    let fine = ["iterate", "-q", "-p", "x", "-c", "true", "--max-loops", "1", "--name", "taken"];
    let call = fine.iter().chain(&["--no-auto-commit", "--branch-template", "loop/{timestamp}"]);
    assert_eq!(env.windlass(call).code(1).stdout, "max_iterations\n");
    let resume = ["resume", "taken", "--max-loops", "2", "--fallback-agent", "codex"];
    insta::assert_snapshot!(refused(&env, &resume), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--fallback-agent` has no effect without `--on-limit fallback`

    hint: leave it out, or add what it needs
    ");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "1\n", "nothing was taken up again");
}
