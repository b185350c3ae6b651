//! The start of a loop: the block before the first session, and what it warns of.

use std::{fs, os::unix::fs::symlink, time::Duration};

use serde_json::json;
use testkit::{Env, Invocation, has};

use crate::{COMPLETE, mounts::Mount, scripted, shell, world};

const LIMIT: Duration = Duration::from_secs(30);

/// A Claude Code as npm installs it, which finishes at once.
fn claude(env: &Env) {
    let package = env.root().join("lib/node_modules/@anthropic-ai/claude-code");
    fs::create_dir_all(&package).expect("the folder is ours");
    fs::write(package.join("package.json"), r#"{"version": "2.1.197"}"#)
        .expect("the folder is ours");
    let result = format!(
        r#"{{"type":"result","subtype":"success","is_error":false,"result":"{COMPLETE}","total_cost_usd":0.1,"usage":{{"input_tokens":1,"output_tokens":1}},"permission_denials":[{{"tool_name":"Bash","tool_use_id":"1"}},{{"tool_name":"Edit","tool_use_id":"2"}},{{"tool_name":"Bash","tool_use_id":"3"}}]}}"#
    );
    let program = env.install("claude", &format!("cat > /dev/null\necho '{result}'"));
    let installed = package.join("cli.sh");
    fs::rename(&program, &installed).expect("the folder is ours");
    symlink(installed, program).expect("the folder is ours");
}

fn iterate<'a>(env: &'a Env, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["iterate", "-p", "Fix the tests.\nAll of them.", "--name", "mine"]);
    call.args(args)
}

#[test]
fn the_block_says_what_a_loop_starts_with() {
    let env = world().with_baselines();
    claude(&env);
    env.write("Makefile", "test:\n\ttest -e done\n");
    let args = ["--agent", "claude", "--max-cost", "10", "--max-duration", "8h"];
    let ran = iterate(&env, &args).args(["--max-iterations", "1"]).run().code(1);
    insta::assert_snapshot!(ran.masked_stderr(), @"
      task         Fix the tests.
      agent        claude 2.1.197
      permissions  asks before edits and commands
      sandbox      none
      budget       $10.00, [time], at most 1 iteration
                   cost is what the agent reports; on a plan it is an estimate
      checks       `make test` (from Makefile)
                   not this check? `--check CMD` or `windlass init`
    warning: claude will be denied Bash, Edit and Write: nobody answers its questions during a loop; allow them with `--skip-permissions`, best with `--sandbox auto`, or run `windlass init`
      baseline     make test: fails
      guarded      keys of Makefile; `--unguard GLOB` releases files
    warning: the agent was denied Bash, Edit; one more stops the loop (rule permission)
    next: windlass resume mine --max-iterations 2
    next: windlass why mine
    ");
}

#[test]
fn programs_get_only_its_warnings() {
    let env = world();
    claude(&env);
    for output in [&["--json"][..], &["-q"], &["--format", "{{ name }}"], &["--jsonl"]] {
        let name = ["--name", output[0].trim_start_matches('-')];
        let call =
            env.command(["iterate", "-p", "Fix it.", "--agent", "claude", "--check", "true"]);
        let ran = call.args(output).args(name).run().success();
        let stderr = ran.masked_stderr();
        assert!(stderr.contains("warning: claude will be denied Bash, Edit and Write"), "{ran}");
        assert!(!stderr.contains("  agent  ") && !stderr.contains("  task  "), "{ran}");
    }
}

#[test]
fn an_agent_that_may_work_and_a_budget_that_it_can_exceed_are_not_warned_of() {
    let env = world();
    claude(&env);
    let is_warned = |args: &[&str], words: &str| {
        let call =
            env.command(["iterate", "-p", "Fix it.", "--agent", "claude", "--check", "true"]);
        call.args(args).run().success().stderr.contains(words)
    };
    assert!(is_warned(&[], "will be denied"));
    assert!(!is_warned(&["--skip-permissions"], "will be denied"));
    assert!(is_warned(&["--skip-permissions"], "no sandbox confines it"));
    assert!(!is_warned(&["--", "--permission-mode", "acceptEdits"], "will be denied"));
    assert!(is_warned(&[], "no budget: claude costs money"));
    for budget in [["--max-cost", "1"], ["--max-tokens", "9000"], ["--max-duration", "1h"]] {
        assert!(!is_warned(&budget, "no budget"), "{budget:?}");
    }
    let settings = env.home().join(".claude/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(settings, r#"{"permissions": {"allow": ["Edit", "Bash"]}}"#).unwrap();
    assert!(!is_warned(&[], "will be denied"), "the user's own settings allow it");
}

#[test]
fn a_key_is_stray_only_where_a_plan_would_pay() {
    let env = world();
    claude(&env);
    let stray = |key: &str| {
        let call =
            env.command(["iterate", "-p", "Fix it.", "--agent", "claude", "--check", "true"]);
        let ran = call.env("ANTHROPIC_API_KEY", key).run().success();
        ran.stderr.lines().find(|line| line.contains("ANTHROPIC_API_KEY")).map(str::to_owned)
    };
    assert_eq!(stray("sk-test"), None, "nothing shows a plan");
    let credentials = env.home().join(".claude/.credentials.json");
    fs::create_dir_all(credentials.parent().unwrap()).unwrap();
    fs::write(credentials, r#"{"claudeAiOauth": {"accessToken": "t"}}"#).unwrap();
    assert_eq!(stray(""), None);
    insta::assert_snapshot!(stray("sk-test").unwrap(), @"warning: ANTHROPIC_API_KEY is set, so claude bills the API although it is signed in to a plan; to use the plan: `unset ANTHROPIC_API_KEY`");
}

#[test]
fn a_home_a_rebase_and_a_full_disk_are_warned_of() {
    let env = world();
    let script = format!("say {COMPLETE}");
    let call = scripted(&env, &script, &["--check", "true"]).directory(env.home());
    let ran = call.env("HOME", env.home()).run().success();
    insta::assert_snapshot!(warned(&ran.stderr), @"warning: the loop works in your home directory: the agent can change everything below it; start it in a project");
    fs::create_dir(env.work().join(".git/rebase-merge")).unwrap();
    let ran = scripted(&env, &script, &["--check", "true"]).run().success();
    insta::assert_snapshot!(warned(&ran.stderr), @"warning: a rebase is in progress in this repository: the agent works on a half-finished tree; `git status` says how to finish or abort it");
    fs::remove_dir(env.work().join(".git/rebase-merge")).unwrap();
    let env = world();
    let Some(_disk) = Mount::tmpfs(&env, env.windlass_home(), "64m") else { return };
    let ran = scripted(&env, &script, &["--check", "true"]).run().success();
    assert!(warned(&ran.stderr).contains("MiB of disk are free for the store ("), "{ran}");
}

/// The lines that warn.
fn warned(stderr: &str) -> String {
    let lines = stderr.lines().filter(|line| line.starts_with("warning: "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_battery_that_discharges_is_warned_of() {
    let env = world();
    let supplies = env.root().join("power");
    let script = format!("say {COMPLETE}");
    let ran = |status: &str| {
        let battery = supplies.join("BAT0");
        fs::create_dir_all(&battery).unwrap();
        fs::write(battery.join("type"), "Battery\n").unwrap();
        fs::write(battery.join("status"), format!("{status}\n")).unwrap();
        let call = scripted(&env, &script, &["--check", "true"]);
        warned(&call.env("WINDLASS_POWER_SUPPLY", &supplies).run().success().stderr)
    };
    assert_eq!(ran("Charging"), "");
    insta::assert_snapshot!(ran("Discharging"), @"warning: this machine runs on battery: the loop is interrupted when that is empty");
}

#[test]
fn over_ssh_a_loop_says_that_it_ends_with_the_connection() {
    if !has("script") {
        return;
    }
    let env = world();
    let script = env.script(&format!("say {COMPLETE}"));
    let line = format!(
        "{} iterate -p x --agent scripted --check true --script {}",
        env.program().display(),
        script.display()
    );
    let shown = |variables: &[(&str, &str)]| {
        let call = env.other("script", ["-qec", &line, "/dev/null"]);
        let call = variables.iter().fold(call, |call, (name, value)| call.env(name, value));
        call.run().success().stdout
    };
    let words = "closing this SSH connection ends the loop; start it with `--detach`";
    let ssh = ("SSH_CONNECTION", "192.0.2.1 5 192.0.2.2 22");
    let over_ssh = shown(&[ssh]);
    assert!(over_ssh.contains(words), "{over_ssh}");
    assert!(!shown(&[]).contains(words));
    for multiplexer in ["TMUX", "STY", "ZELLIJ"] {
        assert!(!shown(&[ssh, (multiplexer, "1")]).contains(words), "{multiplexer}");
    }
    let ran = scripted(&env, &format!("say {COMPLETE}"), &["--check", "true"]);
    let ran = ran.env(ssh.0, ssh.1).run().success();
    assert!(!ran.stderr.contains(words), "stderr is no terminal: {ran}");
}

#[test]
fn denied_tools_are_named() {
    let env = world();
    claude(&env);
    let ran = iterate(&env, &["--agent", "claude", "--check", "true"]).run().success();
    assert!(ran.stdout.contains("agent: denied: Bash and Edit\n"), "{ran}");
    let json = env.windlass(["log", "mine", "--json"]).success().stdout;
    assert!(json.contains(r#""denied_tools":["Bash","Edit"]"#), "{json}");
}

#[test]
fn a_session_that_changed_nothing_without_permission_says_so() {
    let env = world();
    let events = r#"{"type":"init","session_id":"s","model":"m"}
{"type":"message","role":"assistant","content":"I looked at it.","delta":true}
{"type":"result","status":"success","stats":{"total_tokens":2,"input_tokens":1,"output_tokens":1}}"#;
    env.install("gemini", &format!("cat > /dev/null\ncat <<'EOF'\n{events}\nEOF"));
    let call = |args: &[&str]| {
        let call = env.command(["iterate", "-p", "x", "--agent", "gemini", "--check", "false"]);
        call.args(["--max-iterations", "1"]).args(args).run().code(1)
    };
    let words = "gemini changed nothing, and had no permission to";
    let ran = call(&[]);
    assert!(ran.stderr.contains(words), "{ran}");
    let ran = call(&["--skip-permissions"]);
    assert!(!ran.stderr.contains(words), "{ran}");
}

#[test]
fn developers_and_fixers_say_so_too() {
    let env = world();
    env.write("a.txt", "1\n");
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=pump"]);
    let finding = json!({"findings": [{"severity": "HIGH", "file": "a.txt", "line": 1, "title": "it is wrong",
        "description": "It is so."}]});
    let said = format!("I looked at it.\n```json\n{finding}\n```\n");
    let said = json!({"type": "message", "role": "assistant", "content": said, "delta": true});
    let stats = json!({"total_tokens": 2, "input_tokens": 1, "output_tokens": 1});
    let result = json!({"type": "result", "status": "success", "stats": stats});
    env.install("gemini", &format!("cat > /dev/null\ncat <<'EOF'\n{said}\n{result}\nEOF"));
    for kind in [
        &["develop", "-p", "x", "--max-iterations", "1"][..],
        &["heal", "--all", "--test", "false"],
    ] {
        let ran = env.command(kind).args(["--agent", "gemini"]).run();
        let words = "note: gemini changed nothing, and had no permission to";
        assert_eq!(ran.stderr.matches(words).count(), 1, "{kind:?}: {ran}");
    }
}

#[test]
fn ctrl_c_is_answered_at_once() {
    let env = world();
    let mut run = shell(&env, "trap '' INT TERM; sleep 3", &["--grace", "2s"]).spawn();
    run.wait_until(LIMIT, |out, _| out.contains("━━━ Iteration 1"));
    std::thread::sleep(Duration::from_millis(300));
    run.signal(testkit::Signal::INT);
    run.wait_until(Duration::from_millis(1500), |out, _| out.contains("stopping…"));
    assert!(run.is_running(), "the agent has its grace");
    let ran = run.wait().code(130);
    let words = "stopping… (requested by Ctrl-C; press it again to stop without waiting)";
    assert!(ran.stdout.contains(words), "{ran}");
}
