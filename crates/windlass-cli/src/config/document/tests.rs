//! What a config file may say, and how its errors read.

use super::*;

fn read(text: &str) -> Result<Layer, Failure> {
    let document = Document::of("/c.toml", text);
    document.layer(&Origin::User("/c.toml".into()))
}

fn error(text: &str) -> String {
    read(text).expect_err("it is wrong").render(str::to_owned)
}

#[test]
fn a_good_file_is_read_whole() {
    let layer = read(
        "max_iterations = 7\n\
         timeout = 90\n\
         iterate.max_iterations = 9\n\
         [agents.fast]\n\
         command = ['fast', '-p']\n\
         prompt = 'stdin'\n\
         decoder = 'text'\n\
         model = 'large'\n\
         env = { A = 'b' }\n",
    )
    .expect("it is good");
    assert_eq!(layer.top["max_iterations"].value, Value::Integer(7));
    assert_eq!(layer.kinds["iterate"]["max_iterations"].value, Value::Integer(9));
    assert_eq!(layer.agents["fast"].0.prompt, windlass::agent::PromptMode::Stdin);
}

#[test]
fn default_toml_is_itself_a_good_config_file() {
    read(super::super::known::DEFAULT_TOML).expect("it is good");
}

#[test]
fn an_unknown_setting_points_at_its_line_and_at_the_nearest_known_one() {
    insta::assert_snapshot!(error("promise = 'X'\nmax_itertions = 5\n"), @"
    error: `/c.toml` line 2: there is no setting `max_itertions`
      |
    2 | max_itertions = 5
      | ^^^^^^^^^^^^^

    hint: did you mean `max_iterations`?
    hint: `windlass config --default` shows all settings
    ");
    insta::assert_snapshot!(error("[iterate]\n  tmeout = 5\n"), @"
    error: `/c.toml` line 2: there is no setting `tmeout`
      |
    2 |   tmeout = 5
      |   ^^^^^^

    hint: did you mean `timeout`?
    hint: `windlass config --default` shows all settings
    ");
    insta::assert_snapshot!(error("[itrate]\ntimeout = 5\n"), @"
    error: `/c.toml` line 1: there is no setting `itrate`
      |
    1 | [itrate]
      |  ^^^^^^

    hint: did you mean `iterate`?
    hint: `windlass config --default` shows all settings
    ");
    insta::assert_snapshot!(error("trust = true"), @"
    error: `/c.toml` line 1: there is no setting `trust`
      |
    1 | trust = true
      | ^^^^^

    hint: `windlass config --default` shows all settings
    ");
}

#[test]
fn a_wrong_value_points_at_its_line() {
    insta::assert_snapshot!(error("\n\nchecks = 'cargo test'\n"), @r#"
    error: `/c.toml` line 3: `checks` takes a list such as `["…"]`, not a string
      |
    3 | checks = 'cargo test'
      |          ^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(error("timeout = 'soon'"), @r#"
    error: `/c.toml` line 1: `timeout` cannot be `"soon"`: expected a duration such as `90s`, `15m`, `6h` or `1m30s`, found `soon`
      |
    1 | timeout = 'soon'
      |           ^^^^^^
    "#);
    insta::assert_snapshot!(error("iterate = 5"), @"
    error: `/c.toml` line 1: `iterate` is a table: write `[iterate]`, and what it sets below
      |
    1 | iterate = 5
      |           ^
    ");
}

#[test]
fn what_is_not_toml_points_at_its_line() {
    insta::assert_snapshot!(error("promise = 'X'\nmax_iterations 5\n"), @"
    error: `/c.toml` line 2: this is not TOML: key with no value, expected `=`
      |
    2 | max_iterations 5
      |                ^
    ");
    insta::assert_snapshot!(error("promise = \"X"), @r#"
    error: `/c.toml` line 1: this is not TOML: invalid basic string, expected `"`
      |
    1 | promise = "X
      |             ^
    "#);
    insta::assert_snapshot!(error("promise = 'X'\npromise = 'Y'"), @"
    error: `/c.toml` line 2: this is not TOML: duplicate key
      |
    2 | promise = 'Y'
      | ^^^^^^^
    ");
}

#[test]
fn an_agent_needs_a_command_and_known_settings() {
    insta::assert_snapshot!(error("[agents.fast]\nprompt = 'stdin'"), @r#"
    error: `/c.toml` line 1: the agent `fast` has no `command`
      |
    1 | [agents.fast]
      |         ^^^^

    hint: write it as a list: `command = ["my-agent", "--print"]`
    "#);
    insta::assert_snapshot!(error("[agents.fast]\ncommand = []"), @r#"
    error: `/c.toml` line 1: the agent `fast` has no `command`
      |
    1 | [agents.fast]
      |         ^^^^

    hint: write it as a list: `command = ["my-agent", "--print"]`
    "#);
    insta::assert_snapshot!(error("[agents.fast]\ncommand = 'fast -p'"), @r#"
    error: `/c.toml` line 2: `command` does not fit: invalid type: string "fast -p", expected a sequence
      |
    2 | command = 'fast -p'
      |           ^^^^^^^^^
    "#);
    insta::assert_snapshot!(error("[agents.fast]\ncommand = ['fast']\npromt = 'arg'"), @"
    error: `/c.toml` line 3: there is no setting of an agent `promt`
      |
    3 | promt = 'arg'
      | ^^^^^

    hint: did you mean `prompt`?
    hint: `windlass config --default` shows all settings
    ");
    insta::assert_snapshot!(error("[agents.fast]\ncommand = ['fast']\nprompt = 'mail'"), @"
    error: `/c.toml` line 3: `prompt` does not fit: unknown variant `mail`, expected one of `arg`, `stdin`, `env`, `file`
      |
    3 | prompt = 'mail'
      |          ^^^^^^
    ");
    insta::assert_snapshot!(error("[agents.command]\ncommand = ['fast']"), @"
    error: `/c.toml` line 1: `command`: an agent of this name is built in
      |
    1 | [agents.command]
      |         ^^^^^^^
    ");
    insta::assert_snapshot!(error("[agents.fast]\ncommand = ['fast']\nprompt = 'file'"), @"
    error: `/c.toml` line 1: the agent `fast` takes its prompt from a file, so its `command` must have `{prompt_file}`
      |
    1 | [agents.fast]
      |         ^^^^
    ");
    insta::assert_snapshot!(error("agents.fast = 'fast'"), @"
    error: `/c.toml` line 1: `agents.fast` is a table with `command` and more
      |
    1 | agents.fast = 'fast'
      |               ^^^^^^
    ");
}

#[test]
fn no_text_makes_it_panic() {
    let pieces =
        ["[", "]", "a", "agents", ".", "=", "'", "\"", "\n", "é", "{", "}", "1", "\t", "[["];
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..seed % 9 + 1 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        if let Err(failure) = read(&text) {
            failure.render(str::to_owned);
        }
    }
}
