//! What agents and checks do reach inside: their work, their credentials, and what was named.

use std::fs;

use super::{has_bwrap, has_sandbox};
use crate::{COMPLETE, oracle::assert_sound, shell, user_config, world};

#[test]
fn a_loop_in_a_sandbox_commits_and_is_proven_done() {
    for sandbox in ["bwrap", "landlock"] {
        let env = world();
        if !has_sandbox(&env, sandbox) {
            continue;
        }
        let body = format!(
            "echo work > done.txt; git add done.txt; git commit -qm 'by the agent' || exit 1\n\
             echo more > more.txt; echo '{COMPLETE}'"
        );
        let check = "test -f done.txt && ! cat ~/.ssh/key && git log -1 --format=%an";
        let args = ["--sandbox", sandbox, "--check", check, "--auto-commit", "--json"];
        fs::create_dir(env.home().join(".ssh")).unwrap();
        fs::write(env.home().join(".ssh/key"), "canary").unwrap();
        let result = shell(&env, &body, &args).run().success().json();
        assert_eq!(result["verified"], true, "{sandbox}: {result}");
        let log = env.git(["log", "--format=%an: %s"]);
        assert_eq!(log, "Tester: loop: iteration 1\nTester: by the agent\nTester: start\n");
        assert_sound(&env);
    }
}

#[test]
fn checks_see_the_same_sandbox_as_the_agent() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    fs::write(env.home().join("private"), "x").unwrap();
    let args = ["--sandbox", "bwrap", "--check", "test -e ~/private", "--max-iterations", "1"];
    shell(&env, &format!("echo '{COMPLETE}'"), &args).run().code(1);
    assert_eq!(env.sql("SELECT exit_code FROM checks"), "1\n");
}

#[test]
fn what_is_named_can_be_read_and_written_in_a_sandbox_and_nothing_beside_it() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    for name in ["cache", "docs", "beside"] {
        fs::create_dir(env.home().join(name)).unwrap();
        fs::write(env.home().join(name).join("file"), "x").unwrap();
    }
    let body = format!(
        "test -f ~/docs/file && ! test -e ~/beside || exit 1\n\
         ! touch ~/docs/new 2>/dev/null && touch ~/cache/new || exit 2\n\
         echo '{COMPLETE}'"
    );
    let args =
        ["--sandbox", "bwrap", "--sandbox-read", "~/docs", "--sandbox-write", "~/cache", "-q"];
    shell(&env, &body, &args).run().success();
    assert!(env.home().join("cache/new").exists());
    assert!(!env.home().join("docs/new").exists());
}

#[test]
fn an_agent_gets_its_own_credentials_and_a_copy_of_what_could_be_planted() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    fs::create_dir_all(env.home().join(".claude")).unwrap();
    for path in
        [".claude/.credentials.json", ".claude/settings.json", ".claude.json", ".codex-token"]
    {
        fs::write(env.home().join(path), "{}").unwrap();
    }
    env.install(
        "claude",
        "cat > /dev/null
         test -e ~/.codex-token && exit 3
         echo renewed > ~/.claude/.credentials.json || exit 4
         echo planted 2>/dev/null > ~/.claude/settings.json && exit 5
         echo planted > ~/.claude.json || exit 6
         echo planted > ~/.claude/settings.local.json
         echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"<promise>COMPLETE</promise>\"}'",
    );
    let args =
        ["iterate", "-p", "x", "--agent", "claude", "--sandbox", "bwrap", "--skip-permissions"];
    let ran = env.command(args).arg("--json").run().success();
    assert_eq!(ran.json()["ending"]["type"], "done", "{ran}");
    let read = |path: &str| fs::read_to_string(env.home().join(path)).unwrap();
    assert_eq!(read(".claude/.credentials.json"), "{}", "it was a copy");
    assert_eq!(read(".claude/settings.json"), "{}");
    assert_eq!(read(".claude.json"), "{}");
    assert!(!env.home().join(".claude/settings.local.json").exists());
}

#[test]
fn an_agent_of_the_config_can_have_a_sandbox_of_its_own() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let agent = env.agent_sh(&format!("test -e ~/private || echo '{COMPLETE}'"));
    fs::write(env.home().join("private"), "x").unwrap();
    let agent = agent.display();
    user_config(&env, &format!("[agents.mine]\ncommand = ['{agent}']\nsandbox = 'bwrap'\n"));
    env.windlass(["iterate", "-p", "x", "--agent", "mine", "--max-iterations", "1"]).success();
    let args =
        ["iterate", "-p", "x", "--agent", "mine", "--sandbox", "none", "--max-iterations", "1"];
    env.windlass(args).code(1);
}
