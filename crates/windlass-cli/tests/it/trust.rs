//! `windlass trust`: bound to the content, kept outside the repository, and not for agents.

use std::fs;

use crate::world;

#[test]
fn what_is_trusted_is_shown_and_acts() {
    let env = world();
    env.write("windlass.toml", "max_iterations = 7\n[agents.fast]\ncommand = ['fast', '-p']\n");
    insta::assert_snapshot!(env.windlass(["trust"]).snapshot(), @r#"
    exit: 0
    --- stdout
    trusted `/tmp/windlass-XXXXXX/work/windlass.toml`, SHA-256 46bee43c83bd
      max_iterations = 7
      agents.fast.command = ["fast", "-p"]
    --- stderr
    hint: one changed byte takes it back, and so does `windlass trust --revoke`
    "#);
    assert_eq!(env.windlass(["config", "max_iterations"]).success().stdout, "7\n");
    assert_eq!(env.git(["status", "--porcelain"]), "?? windlass.toml\n", "trust is kept elsewhere");
}

#[test]
fn one_changed_byte_takes_trust_back() {
    let env = world();
    let path = env.write("windlass.toml", "max_iterations = 7\n");
    env.windlass(["trust"]).success();
    fs::write(&path, "max_iterations = 8\n").unwrap();
    insta::assert_snapshot!(env.windlass(["config", "max_iterations"]).snapshot(), @"
    exit: 0
    --- stdout
    20
    --- stderr
    warning: `/tmp/windlass-XXXXXX/work/windlass.toml` is not trusted and is ignored
    hint: read the file, then type `windlass trust /tmp/windlass-XXXXXX/work/windlass.toml`
    ");
    fs::write(&path, "max_iterations = 7\n").unwrap();
    assert_eq!(env.windlass(["config", "max_iterations"]).success().stdout, "7\n");
}

#[test]
fn trust_can_be_taken_back() {
    let env = world();
    env.write("windlass.toml", "max_iterations = 7\n");
    env.windlass(["trust"]).success();
    insta::assert_snapshot!(env.windlass(["trust", "--revoke"]).snapshot(), @"
    exit: 0
    --- stdout
    `/tmp/windlass-XXXXXX/work/windlass.toml` is no longer trusted
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["trust", "--revoke"]).snapshot(), @"
    exit: 0
    --- stdout
    `/tmp/windlass-XXXXXX/work/windlass.toml` was not trusted
    --- stderr
    ");
    assert_eq!(env.windlass(["config", "max_iterations"]).success().stdout, "20\n");
}

#[test]
fn the_file_is_found_from_anywhere_in_the_repository() {
    let env = world();
    let path = env.write("windlass.toml", "max_iterations = 7\n");
    env.write("a/b/c", "");
    env.command(["trust"]).directory(env.work().join("a/b")).run().success();
    let inner = env.command(["config", "max_iterations"]).directory(env.work().join("a"));
    assert_eq!(inner.run().success().stdout, "7\n");
    env.windlass(["trust", "--revoke", path.to_str().unwrap()]).success();
    env.windlass(["trust", "a"]).success();
}

#[test]
fn what_cannot_act_is_not_trusted() {
    let env = world();
    insta::assert_snapshot!(env.windlass(["trust"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: nothing to trust: there is no `/tmp/windlass-XXXXXX/work/windlass.toml`, and no setting for agents

    hint: a `windlass.toml` stands at the top of its repository
    ");
    insta::assert_snapshot!(env.windlass(["trust", "README.md"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/work/README.md` is not named `windlass.toml`, so windlass never reads it
    ");
    env.write("windlass.toml", "max_iterations = 'seven'\n");
    insta::assert_snapshot!(env.windlass(["trust"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/work/windlass.toml` line 1: `max_iterations` takes an integer such as `20`, not a string
      |
    1 | max_iterations = 'seven'
      |                  ^^^^^^^
    ");
    assert!(!env.windlass_home().exists(), "nothing was trusted, and nothing stored");
}

#[test]
fn an_agent_cannot_trust() {
    let env = world();
    env.write("windlass.toml", "max_iterations = 7\n");
    let call = env.command(["trust"]).env("WINDLASS_LOOP", "0123456789abcdef");
    insta::assert_snapshot!(call.run().snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: `windlass trust` is refused inside a loop: what runs in a loop does not steer loops

    hint: WINDLASS_LOOP is set, as for all that runs in a loop
    hint: if this is not in a loop, unset WINDLASS_LOOP
    ");
    assert!(!env.windlass_home().exists());
}

#[test]
fn what_a_file_says_cannot_drive_the_terminal() {
    let env = world();
    env.write("windlass.toml", "promise = \"\\u001b]0;hacked\\u0007\\u202e\"\n");
    let ran = env.windlass(["trust"]).success();
    assert!(!ran.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{ran:?}");
}
