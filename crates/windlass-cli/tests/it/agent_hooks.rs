//! Hooks that the agent itself runs: windlass's own, and those of a file; what the agent is told by
//! them, in a sandbox too, and what is refused before anything starts.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{fs, os::unix::fs::symlink};

use testkit::{Env, Invocation, zoo};

use crate::{sandboxes::has_sandbox, shell, user_config, world};

const BLOCK: &str = "---LOOP_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_LOOP_STATUS---";

/// A world with an agent that runs hooks as Claude Code does, and gives these answers.
fn stage(answers: &[&str]) -> Env {
    let env = world();
    symlink(zoo(), env.root().join("bin/claude")).unwrap();
    fs::create_dir_all(env.home().join(".claude")).unwrap();
    fs::write(env.home().join(".claude/CLAUDE.md"), answers.join("\nnext\n")).unwrap();
    env
}

fn iterate<'a>(env: &'a Env, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["iterate", "-p", "Mend the notes; it's theirs.", "--agent", "claude"]);
    let call =
        ["--max-iterations", "1", "--grace", "0"].iter().fold(call, |call, arg| call.arg(arg));
    args.iter().fold(call, |call, arg| call.arg(arg))
}

/// What the newest loop's log tells of its agent.
fn log(env: &Env) -> String {
    env.windlass(["log"]).success().masked_stdout()
}

#[test]
fn an_agent_without_a_status_block_is_held_back_once_and_then_gives_it() {
    let env = stage(&["All done.", &format!("Here it is.\n{BLOCK}"), "Not reached."]);
    let result = iterate(&env, &["--protocol", "status", "--json"]).run().success().json();
    assert_eq!(result["ending"]["by"], "status");
    assert_eq!(result["sessions"], 1);
    insta::assert_snapshot!(log(&env), @r"
    Loop [name]: iterate with claude in /tmp/windlass-XXXXXX/work
      task         Mend the notes; it's theirs.
      agent        claude
      permissions  asks before edits and commands
      sandbox      none
      budget       none, at most 1 iteration
                   cost is what the agent reports; on a plan it is an estimate
      checks       none
    warning: claude will be denied Bash, Edit and Write: nobody answers its questions during a loop; allow them with `--skip-permissions`, best with `--sandbox auto`, or run `windlass init`
    warning: no budget: claude costs money, and only the number of iterations limits this loop; set one with `--max-cost 10` or `--max-duration [time]`
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    ━━━ Iteration 1 of at most 1 ━━━
      │ All done.
      ◇ hook Stop: Your last message has no status block that can be read: there is none, it is not whole, or it…
      │ Here it is.
      │ ---LOOP_STATUS---
      │ STATUS: COMPLETE
      │ EXIT_SIGNAL: true
      │ ---END_LOOP_STATUS---
    agent: finished in [time]
    claim: EXIT_SIGNAL: true
    claim accepted: unverified, no check was given
    iteration 1: [time], no files changed
    ✓ done after 1 iteration, unverified: no check was given
    ");
}

#[test]
fn an_agent_that_does_not_give_it_is_let_go() {
    let env = stage(&["All done.", "I said that all is done.", "Not reached."]);
    let ran = iterate(&env, &["--protocol", "status", "--json"]).run().code(1);
    assert_eq!(ran.json()["final_text"], "I said that all is done.");
}

#[test]
fn without_the_status_protocol_nobody_is_held_back() {
    let env = stage(&["<promise>COMPLETE</promise>", "Not reached."]);
    iterate(&env, &[]).run().success();
    assert!(!log(&env).contains("hook"), "{}", log(&env));
}

#[test]
fn after_compaction_the_agent_is_reminded_in_every_sandbox() {
    for sandbox in ["none", "bwrap", "landlock"] {
        let env = stage(&["compact", "All done.", &format!("Here.\n{BLOCK}")]);
        if !has_sandbox(&env, sandbox) {
            continue;
        }
        let args = ["--protocol", "status", "--sandbox", sandbox, "--json"];
        let result = iterate(&env, &args).run().success().json();
        assert_eq!(result["ending"]["by"], "status", "{sandbox}");
        let told = env.sql("select content from messages where type = 'hook'");
        assert_eq!(
            told,
            "SessionStart:compact: Your context was compacted. This still holds:\n\
             Stop: Your last message has no status block that can be read: there is none, it is not whole, or it…\n",
            "{sandbox}"
        );
    }
}

#[test]
fn hooks_of_the_users_own_settings_still_run() {
    let env = stage(&["All done.", &format!("Here.\n{BLOCK}")]);
    let settings = env.home().join(".claude/settings.json");
    let text =
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo x >> own"}]}]}}"#;
    fs::write(&settings, text).unwrap();
    let more =
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo y >> own"}]}]}}"#;
    fs::write(env.root().join("tmp/more.json"), more).unwrap();
    let given = env.root().join("tmp/more.json");
    let given = given.to_str().unwrap();
    let args = ["--protocol", "status", "--", "--settings", given];
    iterate(&env, &args).run().success();
    assert_eq!(env.read("own"), "x\ny\nx\ny\n");
    assert_eq!(fs::read_to_string(&settings).unwrap(), text, "it is not touched");
}

#[test]
fn a_file_takes_the_place_of_windlass_s_own_hooks_and_cannot_be_changed_by_the_agent() {
    let env = stage(&["compact", "All done.", "Not reached."]);
    let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo mine >> ran; rm hooks.json; exit 1"}]}]}}"#;
    env.write("hooks.json", hooks);
    let args = ["--protocol", "status", "--hooks-file", "hooks.json", "--json", "--name", "mine"];
    let ran = iterate(&env, &args).run().code(1);
    assert_eq!(ran.json()["final_text"], "All done.", "a hook that fails stops nobody");
    assert!(!env.work().join("hooks.json").exists());
    drop(env.windlass(["resume", "mine", "--max-iterations", "2"]).code(1));
    assert_eq!(env.read("ran"), "mine\nmine\n", "a resumed loop has the same hooks");
    let log = log(&env);
    assert!(log.contains("◇ hook failed: Stop:") && !log.contains("compacted"), "{log}");
}

#[test]
fn the_files_of_a_session_are_for_the_user_alone_and_gone_with_it() {
    let env = stage(&["All done."]);
    let look = "find \"$STATE\" -name '*.hooks.json' -o -name '*.prompt' | while read f; do \
                stat -c %a \"$f\" >> seen; done";
    let command = serde_json::json!(look);
    env.write(
        "hooks.json",
        format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": {command}}}]}}]}}}}"#),
    );
    let state = format!("STATE={}", env.windlass_home().display());
    drop(iterate(&env, &["--hooks-file", "hooks.json", "--env", &state]).run().code(1));
    assert_eq!(env.read("seen"), "600\n600\n");
    let left = env.windlass_home().join("run");
    let left = fs::read_dir(left).unwrap().flatten().filter(|entry| entry.path().is_dir());
    assert_eq!(left.flat_map(|entry| fs::read_dir(entry.path()).unwrap()).count(), 0);
}

#[test]
fn in_a_sandbox_an_agent_reads_its_hooks_and_cannot_change_them() {
    for sandbox in ["bwrap", "landlock"] {
        let env = stage(&["All done."]);
        if !has_sandbox(&env, sandbox) {
            continue;
        }
        let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "sh \"$PWD/try\""}]}]}}"#;
        env.write("hooks.json", hooks);
        // Where the files stand, only the agent's arguments say; other tests have agents too.
        let tries = r"hooks=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep '^STATE/.*[.]hooks[.]json$' | head -n 1)
            for file in $hooks ${hooks%hooks.json}prompt; do
                test -r $file && echo reads >> told
                (echo x > $file) 2>/dev/null && echo writes >> told
                (rm -f $file) 2>/dev/null && echo removes >> told
            done
            true";
        env.write("try", tries.replace("STATE", &env.windlass_home().display().to_string()));
        drop(iterate(&env, &["--sandbox", sandbox, "--hooks-file", "hooks.json"]).run().code(1));
        assert_eq!(env.read("told"), "reads\nreads\n", "{sandbox}");
    }
}

#[test]
fn an_agent_that_has_no_hooks_takes_no_file_of_them() {
    let env = world();
    env.write("hooks.json", r#"{"hooks": {}}"#);
    let ran = env.windlass(["iterate", "-p", "x", "-c", "true", "--hooks-file", "hooks.json"]);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the agent `command` has no hooks, so `--hooks-file` is not for it

    hint: leave it out, or choose an agent that has hooks: `claude`
    ");
    assert!(!env.windlass_home().join("windlass.db").exists(), "nothing was started");
}

#[test]
fn mistakes_in_a_file_are_told_before_anything_starts() {
    let env = stage(&["All done."]);
    let told = |text: &str| {
        env.write("hooks.json", text);
        iterate(&env, &["--hooks-file", "hooks.json"]).run().code(2).stderr
    };
    let missing = iterate(&env, &["--hooks-file", "nowhere.json"]).run().code(2).stderr;
    let settings = iterate(&env, &["--", "--settings", "nowhere.json"]).run().code(2).stderr;
    let all = [
        missing.replace(&env.root().display().to_string(), "ROOT"),
        settings,
        told("{\"hooks\": {\n  \"Stpo\": []\n}}"),
        told("{\"hooks\": {\n  \"Stop\": [\n}}"),
        told("{\"hooks\": {}, \"model\": \"opus\"}"),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
    error: the hooks file `ROOT/work/nowhere.json` cannot be read: it is not there

    error: the agent's argument `--settings nowhere.json` cannot be used: it is not there

    hint: windlass adds hooks to these settings: name the file by its whole path

    error: the hooks file `hooks.json` cannot be used
      caused by: line 2, column 3: there is no event `Stpo`

    hint: did you mean `Stop`?

    error: the hooks file `hooks.json` cannot be used
      caused by: line 3, column 1: expected value

    hint: a hooks file looks like this: `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "…"}]}]}}`

    error: the hooks file `hooks.json` cannot be used
      caused by: line 1, column 21: unknown field `model`, expected `hooks`

    hint: a hooks file looks like this: `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "…"}]}]}}`
    "#);
    assert!(!env.windlass_home().join("windlass.db").exists(), "nothing was started");
}

#[test]
fn the_users_config_may_name_a_file_beside_it_and_a_repositorys_may_not() {
    let env = stage(&["All done.", &format!("Here.\n{BLOCK}")]);
    let config = user_config(&env, "hooks_file = 'none.json'\n");
    fs::write(config.with_file_name("none.json"), r#"{"hooks": {}}"#).unwrap();
    let ran = iterate(&env, &["--protocol", "status", "--json"]).run().code(1);
    assert_eq!(ran.json()["final_text"], "All done.");
    // Meant for another agent than the one that is asked for.
    shell(&env, "echo '<promise>COMPLETE</promise>'", &[]).run().success();

    env.write("windlass.toml", "hooks_file = 'none.json'\n");
    let ran = env.windlass(["trust"]);
    let ran = if ran.code == Some(0) { iterate(&env, &[]).run().code(2) } else { ran.code(2) };
    assert!(ran.stderr.contains("`hooks_file` is yours to set"), "{}", ran.stderr);
}

#[test]
fn agents_that_the_file_is_not_for_are_named() {
    let env = stage(&["APPROVED"]);
    env.write("hooks.json", r#"{"hooks": {}}"#);
    user_config(&env, "[agents.other]\ncommand = ['echo', 'APPROVED']\nprompt = 'stdin'\n");
    let call = ["develop", "-p", "x", "--developer", "claude", "--reviewer", "other"];
    let ran = env.command(call).arg("--hooks-file").arg("hooks.json").run().success();
    let note = "`other` has no hooks: the hooks file is not for it";
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains(note), "{ran}");
}
