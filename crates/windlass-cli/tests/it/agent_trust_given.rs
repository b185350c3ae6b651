//! When what a clone brings for agents needs trust, and who is asked: sandboxes, `resume`, a terminal, the
//! API, and never what runs inside of a loop.

use std::fs;

use serde_json::json;
use testkit::{has, wait_until};

use crate::{
    agent_trust::{DONE, LIMIT, REFUSED, claude, clone, iterate, loops, servers},
    change_store, init,
    sandboxes::has_sandbox,
    serve::{end, serve},
    user_config,
};

#[test]
fn in_a_sandbox_without_the_whole_network_entries_are_only_said() {
    let env = clone();
    if !has_sandbox(&env, "bwrap") {
        return;
    }
    let confined = |network: &str| {
        iterate(&env, &["-c", "claude", "--sandbox", "bwrap", "--network", network])
    };
    let said = confined("none").run().success();
    assert!(said.stderr.contains("note: this repository's own files have agents run or obey:\n  claude: .mcp.json: MCP server db: ./db.sh\n"), "{said}");
    confined("full").run().code(4);
    iterate(&env, &["-c", "claude", "--sandbox", "bwrap"]).run().code(4);
    // A loop that goes on with less around it needs what it did not need before.
    let unfinished = iterate(
        &env,
        &["-c", "claude", "--sandbox", "bwrap", "--network", "none", "--check", "false"],
    );
    unfinished.run().code(1);
    let args = ["resume", "--max-iterations", "2", "--sandbox", "none"];
    let refused = env.windlass(args).code(4);
    assert!(refused.stderr.contains(REFUSED), "{refused}");
    let args = ["resume", "--max-iterations", "2"];
    env.windlass(args).code(1);
}

#[test]
fn resume_asks_only_for_what_was_not_there_and_is_not_the_loop_s_own() {
    let env = clone();
    env.install(
        "claude",
        "printf '{\"apiKeyHelper\": \"./own.sh\"}' > .claude/settings.json; exit 1",
    );
    fs::create_dir_all(env.work().join(".claude")).unwrap();
    iterate(&env, &["-c", "claude", "--trust-agent-config"]).run().code(1);
    env.windlass(["resume", "--max-iterations", "2"]).code(1);
    env.write(".mcp.json", servers(&[("db", "./db.sh"), ("pulled", "p")]));
    let refused = env.windlass(["resume", "--max-iterations", "3"]).code(4);
    insta::assert_snapshot!(refused.snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: this repository has untrusted settings for agents:
      claude: .mcp.json: MCP server pulled: p

    hint: they can run commands as you: read them, then run `windlass trust`; for this loop only, add `--trust-agent-config`
    ");
    let trusted = env.windlass(["resume", "--max-iterations", "3", "--trust-agent-config"]).code(1);
    assert!(trusted.stderr.contains("  claude: .mcp.json: MCP server pulled: p\n"), "{trusted}");
    // What a session left is no trust for another loop.
    env.windlass(["trust", "--revoke"]).success();
    let other = claude(&env).run().code(4);
    assert!(other.stderr.contains("command apiKeyHelper: ./own.sh\n"), "{other}");
}

#[test]
fn inside_a_loop_nothing_gives_trust() {
    let env = clone();
    for call in [
        vec!["trust"],
        vec!["trust", "--revoke"],
        vec!["iterate", "-p", "x", "-c", "claude", "--trust-agent-config"],
        vec!["resume", "--trust-agent-config"],
    ] {
        let inside = env.command(call).env("WINDLASS_LOOP", "0123456789abcdef").run().code(4);
        assert!(inside.stderr.contains("is refused inside a loop"), "{inside}");
    }
    assert!(!env.windlass_home().exists());
}

#[test]
fn an_answer_at_a_terminal_is_kept() {
    if !has("tmux") {
        return;
    }
    let env = clone();
    let call = ["iterate", "-p", "fix it", "-c", "claude", "--max-iterations", "1", "--no-check"];
    let asked = || {
        let terminal = env.terminal(call);
        terminal.wait_for("type a letter and press Enter", LIMIT);
        terminal
    };
    let terminal = asked();
    let screen = terminal.screen();
    assert!(screen.contains("claude: .mcp.json: MCP server db: ./db.sh"), "{screen}");
    assert!(screen.contains("[t]rust, [a]bort"), "{screen}");
    assert!(terminal.shows_cursor() && !screen.contains("getting ready"), "{screen}");
    terminal.press("a");
    terminal.press("Enter");
    let screen = terminal.wait_for("[exit 4]", LIMIT);
    assert!(screen.contains("windlass trust"), "{screen}");
    drop(terminal);
    let terminal = asked();
    terminal.press("t");
    terminal.press("Enter");
    terminal.wait_for("[exit 0]", LIMIT);
    drop(terminal);
    claude(&env).run().success();
    assert_eq!(loops(&env), "2\n");
}

#[test]
fn the_api_answers_with_what_needs_trust() {
    let env = clone();
    let (server, web) = serve(&env);
    let start = json!({
        "kind": "iterate",
        "directory": env.work(),
        "options": {"prompt": "fix it", "command": "claude", "max-iterations": 1, "check": ["false"]},
    });
    let refused = web.post("/api/v1/loops", &start).expect(409).json();
    let directory = env.work().canonicalize().unwrap();
    let expected = json!({
        "error": "untrusted",
        "entries": [{"agent": "claude", "file": ".mcp.json", "kind": "mcp_server", "command": "./db.sh"}],
        "command": format!("windlass trust {}", directory.display()),
    });
    assert_eq!(refused, expected);
    env.windlass(["trust", directory.to_str().unwrap()]).success();
    let begun = web.post("/api/v1/loops", &start).expect(201).json();
    let id = begun["id"].as_str().unwrap();
    web.follow(id, None).for_each(drop);
    env.write(".mcp.json", servers(&[("new", "n")]));
    let resume = json!({"options": {"max-iterations": 2}});
    let refused = web.post(&format!("/api/v1/loops/{id}/resume"), &resume).expect(409).json();
    assert_eq!(refused["entries"][0]["command"], "n");
    assert_eq!(refused["error"], "untrusted");
    let once = json!({"options": {"max-iterations": 2, "trust-agent-config": true}});
    web.post(&format!("/api/v1/loops/{id}/resume"), &once).expect(202);
    web.follow(id, None).for_each(drop);
    end(server);
}

#[test]
fn an_agent_of_the_config_needs_the_same_trust() {
    let env = clone();
    env.install("other", DONE);
    user_config(&env, "[agents.mine]\ncommand = [\"other\"]\ndecoder = \"claude\"\n");
    iterate(&env, &["--agent", "mine"]).run().code(4);
    env.windlass(["trust"]).success();
    let ran = iterate(&env, &["--agent", "mine"]).run();
    assert!(!ran.stderr.contains(REFUSED), "{ran}");
}

#[test]
fn ctrl_c_at_the_question_starts_nothing_and_leaves_nothing() {
    if !has("tmux") {
        return;
    }
    let env = clone();
    env.git(["add", "."]);
    env.git(["commit", "--quiet", "--message=a server"]);
    let terminal = env.terminal(["iterate", "-p", "x", "-c", "claude", "--worktree", "mine"]);
    terminal.wait_for("type a letter and press Enter", LIMIT);
    terminal.press("C-c");
    terminal.wait_for("[exit 130]", LIMIT);
    assert_eq!(loops(&env), "0\n");
    assert_eq!(env.git(["worktree", "list"]).lines().count(), 1);
    assert_eq!(env.git(["branch", "--list", "mine"]), "");
}

#[test]
fn a_loop_that_detaches_asks_before_it_does() {
    if !has("tmux") {
        return;
    }
    let env = clone();
    let call = ["iterate", "-p", "fix it", "-c", "claude", "--max-iterations", "1", "--no-check"];
    let call = [call.as_slice(), &["--detach", "--name", "mine"]].concat();
    let terminal = env.terminal(call.clone());
    terminal.wait_for("type a letter and press Enter", LIMIT);
    terminal.press("a");
    terminal.press("Enter");
    terminal.wait_for("[exit 4]", LIMIT);
    assert_eq!(loops(&env), "0\n");
    drop(terminal);
    let terminal = env.terminal(call);
    terminal.wait_for("type a letter and press Enter", LIMIT);
    terminal.press("t");
    terminal.press("Enter");
    terminal.wait_for("windlass log --follow mine", LIMIT);
    wait_until("the loop has ended", LIMIT, || {
        env.sql("SELECT ending IS NOT NULL FROM loops") == "1\n"
    });
}

#[test]
fn a_loop_of_a_version_without_digests_goes_on_with_what_it_listed() {
    let env = clone();
    env.install("claude", "exit 1");
    iterate(&env, &["-c", "claude", "--trust-agent-config"]).run().code(1);
    change_store(&env, "DELETE FROM agent_seen;");
    env.windlass(["resume", "--max-iterations", "2"]).code(1);
    change_store(&env, "DELETE FROM agent_seen;");
    env.write(".mcp.json", servers(&[("other", "o")]));
    env.windlass(["resume", "--max-iterations", "3"]).code(4);
}

#[test]
fn init_ends_with_trust_and_the_first_loop() {
    let env = init::project();
    if !has_sandbox(&env, "bwrap") {
        return;
    }
    init::claude(&env, init::PLAN);
    env.write(".mcp.json", r#"{"mcpServers": {"db": {"command": "npx", "args": ["db-mcp"]}}}"#);
    let ran = env.windlass(["init", "--yes"]).success();
    assert!(ran.stdout.contains("claude: .mcp.json: MCP server db: npx db-mcp"), "{ran}");
    let last: Vec<_> = ran.stdout.lines().rev().take(2).map(str::trim).collect();
    assert_eq!(last[1], "windlass trust", "{ran}");
    env.windlass(["iterate", "-p", "x"]).code(4);
    for line in [last[1], last[0]] {
        env.windlass(&shell_words::split(line).unwrap()[1..]).success();
    }
    let again = env.windlass(["init", "--yes"]).success();
    assert!(!again.stdout.contains("windlass trust"), "{again}");
}
