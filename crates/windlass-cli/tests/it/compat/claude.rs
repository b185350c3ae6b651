//! Claude Code.

mod hooks;

use std::time::{Duration, SystemTime};

use serde_json::json;

use super::{
    brought::{self, hook, server},
    real::Real,
    scenes,
};

pub(super) use hooks::scenes as hook_scenes;

pub(super) const CLAUDE: Real = Real {
    name: "claude",
    model: "claude-opus-4-8",
    model_on_wire: "claude-opus-4-8",
    has_tools: true,
    point: |_, url| {
        vec![
            ("ANTHROPIC_BASE_URL", url.to_owned()),
            ("ANTHROPIC_API_KEY", "dummy".to_owned()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ]
    },
    flags: &[],
};

/// With a subscription: only there does a limit tell its end.
const SUBSCRIBED: Real = Real {
    point: |env, url| {
        let mut variables = (CLAUDE.point)(env, url);
        variables.retain(|(name, _)| *name != "ANTHROPIC_API_KEY");
        variables.push(("CLAUDE_CODE_OAUTH_TOKEN", "sk-ant-oat01-dummy".to_owned()));
        variables
    },
    ..CLAUDE
};

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn one_session_is_enough_and_the_prompt_stays_the_users() {
    let session = scenes::one_session_is_enough(&CLAUDE);
    assert_eq!(session["prompt"], "Mend the notes.", "{session}");
    assert!(session["lesson"].as_str().is_some_and(|lesson| lesson.contains("<blocked>")));
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_loop_comes_to_its_proof() {
    let proven = scenes::a_loop_to_its_proof(&CLAUDE);
    proven.all_tokens_were_counted();
    assert!(proven.result["usage"]["cost_usd"].as_f64().is_some_and(|cost| cost > 0.0));
    insta::assert_snapshot!(proven.log, @r"
    ━━━ Iteration 1 of at most 5 ━━━
      │ I begin with the notes.
      ▸ writes notes.txt
      ◂ File created successfully at: /tmp/windlass-XXXXXX/work/notes.txt (file state is current in your co…
      │ The notes are begun.
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 5 ━━━
      │ All of it is done.
      │ <promise>COMPLETE</promise>
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 5 ━━━
      ▸ reads notes.txt
      ◂ 1 one
      ▸ edits notes.txt
      ◂ The file /tmp/windlass-XXXXXX/work/notes.txt has been updated successfully. (file state is current …
      ▸ runs wc -l notes.txt
      ◂ 2 notes.txt
      │ Now it is mended.
      │ <promise>COMPLETE</promise>
    iteration 3: [time], 1 file changed
    ");
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_limit_of_the_provider_stops_the_loop_and_tells_its_end() {
    let outcome = scenes::a_limit_stops_the_loop(&SUBSCRIBED, &used_up_until(1_893_456_000));
    assert_eq!(outcome["until"], "2030-01-01T00:00:00.000Z", "{outcome}");
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_limit_of_the_provider_is_waited_for_and_takes_no_iteration() {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock");
    let reset = now + Duration::from_secs(8);
    scenes::a_limit_is_waited_for(&SUBSCRIBED, &used_up_until(reset.as_secs()), reset);
}

/// The answer of a provider whose limit is used up until then.
fn used_up_until(epoch: u64) -> String {
    format!(
        "fail 429 You have reached your limit\n\
         header anthropic-ratelimit-unified-status: rejected\n\
         header anthropic-ratelimit-unified-reset: {epoch}\n\
         header anthropic-ratelimit-unified-representative-claim: five_hour"
    )
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_key_that_is_not_taken_stops_the_loop_at_once() {
    scenes::a_key_that_is_not_taken_stops_the_loop(&CLAUDE);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_cancel_in_mid_stream_leaves_nothing_behind() {
    scenes::a_cancel_in_mid_stream_leaves_nothing(&CLAUDE);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn hooks_servers_and_helpers_that_a_repository_starts_are_listed() {
    let ran = brought::ran(&CLAUDE, |env, command| {
        let settings = json!({
            "hooks": hook("SessionStart", &command("hook")),
            "statusLine": {"type": "command", "command": command("status-line")},
            "mcpServers": {"a": server(&command("server-in-settings"))},
        });
        env.write(".claude/settings.json", settings.to_string());
        let local = json!({"hooks": hook("PreToolUse", &command("local-hook"))});
        env.write(".claude/settings.local.json", local.to_string());
        let remote = json!({"type": "http", "url": "http://127.0.0.1:9/", "headersHelper": command("headers")});
        let servers = json!({"mcpServers": {"a": server(&command("server")), "b": remote}});
        env.write(".mcp.json", servers.to_string());
    });
    assert_eq!(ran, ["headers", "hook", "local-hook", "server"]);
}
