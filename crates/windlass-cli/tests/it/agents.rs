//! `windlass agents`: what is there, in which version, and what it can be asked for.

use crate::{user_config, world};

const CONFIG: &str = "\
[agents.fast]
command = ['fast', '--print it']
[agents.lost]
command = ['no-such-program']
prompt = 'stdin'
[agents.local]
command = ['./tool', '{prompt_file}']
prompt = 'file'
[agents.wrapped]
command = ['codex', 'exec', '-m', '{model}']
decoder = 'codex'
model = 'm'
";

#[test]
fn agents_are_listed_with_how_they_are_called_and_whether_they_are_there() {
    let env = world();
    user_config(&env, CONFIG);
    env.install("fast", "touch ran");
    env.install("codex", "test \"$*\" = --version && echo codex-cli 0.166.0");
    env.install("aider", "sleep 60");
    env.write("tool", "not executable");
    insta::assert_snapshot!(env.windlass(["agents"]).snapshot(), @"
    exit: 0
    --- stdout
    claude    not installed: npm install -g @anthropic-ai/claude-code
              claude -p --output-format stream-json --verbose < PROMPT
              supports: model, system prompt, permissions, hooks / reports: tokens, cost, limits
    codex     0.166.0, /tmp/windlass-XXXXXX/bin/codex
              codex exec --json - < PROMPT
              supports: model, system prompt, permissions / reports: tokens, limits
    opencode  not installed: npm install -g opencode-ai
              opencode run --format json < PROMPT
              supports: model, system prompt, permissions / reports: tokens, cost, limits
    gemini    not installed: npm install -g @google/gemini-cli
              gemini -o stream-json < PROMPT
              supports: model, system prompt, permissions / reports: tokens, limits
    aider     version unknown, /tmp/windlass-XXXXXX/bin/aider
              aider --message-file PROMPT_FILE
              supports: model, system prompt, permissions / reports: tokens, cost
    command   any program, given with `--command`
    scripted  plays a script, given with `--script`; for demos and tests
    fast      /tmp/windlass-XXXXXX/bin/fast
              fast '--print it' PROMPT
    local     `./tool` was not found
              ./tool {prompt_file}
    lost      `no-such-program` was not found
              no-such-program < PROMPT
    wrapped   0.166.0, /tmp/windlass-XXXXXX/bin/codex
              codex exec -m {model} PROMPT
              supports: model / reports: tokens, limits
    --- stderr
    ");
    assert!(!env.work().join("ran").exists(), "looking is not running");
    env.install("aider", "exit 1");
    let json = env.windlass(["agents", "--json"]).success().json();
    let named = |name: &str| {
        let all = json.as_array().unwrap().iter();
        all.clone().find(|agent| agent["name"] == name).unwrap().clone()
    };
    assert_eq!(named("lost")["program"], "no-such-program");
    assert_eq!(named("lost")["found"], serde_json::Value::Null);
    assert_eq!(named("codex")["version"], "0.166.0");
    assert_eq!(named("codex")["supports"]["cost"], false);
    assert_eq!(named("claude")["install"], "npm install -g @anthropic-ai/claude-code");
    assert_eq!(named("aider")["version"], serde_json::Value::Null);
}

#[test]
fn a_name_that_is_built_in_cannot_be_taken() {
    let env = world();
    user_config(&env, "[agents.scripted]\ncommand = ['fast']\n");
    insta::assert_snapshot!(env.windlass(["agents"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home/.config/windlass/config.toml` line 1: `scripted`: an agent of this name is built in
      |
    1 | [agents.scripted]
      |         ^^^^^^^^
    ");
}
