//! `windlass agents`: what is there, without running it.

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
";

#[test]
fn agents_are_listed_with_how_they_are_called_and_whether_they_are_there() {
    let env = world();
    user_config(&env, CONFIG);
    env.install("fast", "touch ran");
    env.write("tool", "not executable");
    insta::assert_snapshot!(env.windlass(["agents"]).snapshot(), @"
    exit: 0
    --- stdout
    claude    claude -p --output-format stream-json --verbose < PROMPT  (`claude` was not found)
    codex     codex exec --json - < PROMPT  (`codex` was not found)
    opencode  opencode run --format json < PROMPT  (`opencode` was not found)
    gemini    gemini -o stream-json < PROMPT  (`gemini` was not found)
    aider     aider --message-file PROMPT_FILE  (`aider` was not found)
    command   any program, given with `--command`  (built in)
    scripted  plays a script, given with `--script`; for demos and tests  (built in)
    fast      fast '--print it' PROMPT  (found /tmp/windlass-XXXXXX/bin/fast)
    local     ./tool {prompt_file}  (`./tool` was not found)
    lost      no-such-program < PROMPT  (`no-such-program` was not found)
    --- stderr
    ");
    assert!(!env.work().join("ran").exists(), "looking is not running");
    let json = env.windlass(["agents", "--json"]).success().json();
    assert_eq!(json[9]["program"], "no-such-program");
    assert_eq!(json[9]["found"], serde_json::Value::Null);
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
