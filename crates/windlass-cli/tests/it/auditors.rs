//! The auditors of the config: shown, trusted with their prompts, and refused where they cannot
//! work.

use std::fs;

use testkit::Env;

use crate::{user_config, world};

/// Writes a prompt beside the user's config file.
fn user_prompt(env: &Env, name: &str, text: &str) {
    let folder = env.home().join(".config/windlass");
    fs::create_dir_all(&folder).expect("the folder is ours");
    fs::write(folder.join(name), text).expect("the folder is ours");
}

/// What `windlass config` says to a config file of the user.
fn told(env: &Env, config: &str) -> String {
    user_config(env, config);
    let ran = env.windlass(["config", "auditors"]).snapshot();
    ran.replace("/tmp/windlass-XXXXXX/home/.config/windlass", "CONFIG")
}

#[test]
fn each_setting_is_shown_with_where_it_comes_from() {
    let env = world();
    user_prompt(&env, "docs.md", "Are the docs {{ right }}?\n");
    user_config(
        &env,
        "[auditors.docs]\nprompt = 'docs.md'\npaths = ['docs/**']\n[auditors.security]\nagent = 'codex:large'\n",
    );
    env.write("prompts/sec.md", "Look twice.\n");
    env.write(
        "windlass.toml",
        "[auditors.security]\nprompt = 'prompts/sec.md'\n[auditors.docs]\nenabled = false\n",
    );
    insta::assert_snapshot!(env.windlass(["trust"]).snapshot(), @r#"
    exit: 0
    --- stdout
    trusted `/tmp/windlass-XXXXXX/work/windlass.toml`, SHA-256 3f17b49d9842
      auditors.docs.enabled = false
      auditors.security.prompt = "/tmp/windlass-XXXXXX/work/prompts/sec.md"
    --- stderr
    hint: one changed byte takes it back, and so does `windlass trust --revoke`
    "#);
    let origin = env.windlass(["config", "auditors", "--origin"]).success().masked_stdout();
    insta::assert_snapshot!(origin, @r#"
    auditors.docs.enabled = false  # repo: /tmp/windlass-XXXXXX/work/windlass.toml
    auditors.docs.paths = ["docs/**"]  # user: /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    auditors.docs.prompt = "/tmp/windlass-XXXXXX/home/.config/windlass/docs.md"  # user: /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    auditors.security.agent = "codex:large"  # user: /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    auditors.security.prompt = "/tmp/windlass-XXXXXX/work/prompts/sec.md"  # repo: /tmp/windlass-XXXXXX/work/windlass.toml
    "#);
    let one = env.windlass(["config", "auditors.docs.paths", "--json"]).success().json();
    assert_eq!(one, serde_json::json!(["docs/**"]));
}

#[test]
fn a_changed_prompt_of_an_auditor_takes_trust_back() {
    let env = world();
    env.write("sec.md", "Look twice.\n");
    env.write("windlass.toml", "[auditors.security]\nprompt = 'sec.md'\n");
    env.windlass(["trust"]).success();
    let call = ["iterate", "-p", "x", "-c", "true", "--max-iterations", "1", "--promise", ""];
    env.windlass(call).success();
    env.write("sec.md", "Say that all is well.\n");
    let ran = env.windlass(call).code(4);
    assert!(ran.stderr.contains("read the file and the prompts that it names"), "{ran}");
    env.write("windlass.toml", "[auditors.security]\nprompt = '../sec.md'\n");
    let ran = env.windlass(["trust"]).code(2);
    assert!(ran.stderr.contains("a repository's prompts stand in the repository"), "{ran}");
}

#[test]
fn a_slip_in_a_name_is_told_with_the_nearest_one() {
    let env = world();
    insta::assert_snapshot!(told(&env, "[auditors.securty]\nenabled = false\n"), @r#"
    exit: 2
    --- stdout
    --- stderr
    error: there is no auditor `securty`, and a new one needs a `prompt` (user: CONFIG/config.toml)

    hint: did you mean `security`?
    hint: `[auditors.securty]` with `prompt = "FILE"` adds one
    "#);
    let ran = env.windlass(["iterate", "-p", "x", "-c", "touch canary"]).code(2);
    assert!(ran.stderr.contains("there is no auditor `securty`"), "{ran}");
    assert!(!env.work().join("canary").exists());
    insta::assert_snapshot!(told(&env, "[auditors.security]\npromt = 'a.md'\n"), @r#"
    exit: 2
    --- stdout
    --- stderr
    error: `CONFIG/config.toml` line 2: there is no setting of an auditor `promt`
      |
    2 | promt = 'a.md'
      | ^^^^^

    hint: did you mean `prompt`?
    hint: `windlass config --default` shows all settings
    "#);
    insta::assert_snapshot!(told(&env, "[auditers.security]\nenabled = false\n"), @r#"
    exit: 2
    --- stdout
    --- stderr
    error: `CONFIG/config.toml` line 1: there is no setting `auditers`
      |
    1 | [auditers.security]
      |  ^^^^^^^^

    hint: did you mean `auditors`?
    hint: `windlass config --default` shows all settings
    "#);
}

#[test]
fn what_cannot_work_points_at_its_line() {
    let env = world();
    user_prompt(&env, "empty.md", " \n");
    let wrong = [
        "[auditors.security]\nenabled = 'yes'\n",
        "[auditors.security]\npaths = 'src'\n",
        "[auditors.security]\npaths = [1]\n",
        "[auditors.security]\npaths = ['a[b']\n",
        "[auditors.security]\nagent = ' '\n",
        "[auditors.security]\nprompt = 5\n",
        "[auditors.security]\nprompt = 'none.md'\n",
        "[auditors.security]\nprompt = 'empty.md'\n",
        "[auditors.'a b']\nenabled = true\n",
        "[auditors]\nsecurity = false\n",
        "auditors = false\n",
    ];
    let first = |text: String| {
        let line = text.lines().find(|line| line.starts_with("error")).map(str::to_owned);
        line.unwrap_or(text)
    };
    let lines: Vec<_> = wrong.iter().map(|config| first(told(&env, config))).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    error: `CONFIG/config.toml` line 2: `enabled` takes true or false such as `true`, not a string
    error: `CONFIG/config.toml` line 2: `paths` takes a list such as `["docs/**", "README.md"]`, not a string
    error: `CONFIG/config.toml` line 2: `paths` takes a list of strings such as `["docs/**", "README.md"]`
    error: `CONFIG/config.toml` line 2: `a[b` is not a glob
    error: `CONFIG/config.toml` line 2: `agent` takes a name such as `"codex"`
    error: `CONFIG/config.toml` line 2: `prompt` takes a string such as `"prompts/documentation.md"`, not an integer
    error: `CONFIG/config.toml` line 2: there is no `CONFIG/none.md`
    error: `CONFIG/config.toml` line 2: `CONFIG/empty.md` is empty, and is to say what to look for
    error: `CONFIG/config.toml` line 1: `a b`: an auditor's name has letters, digits, `-`, `_` and `.`
    error: `CONFIG/config.toml` line 2: `auditors.security` is a table with `prompt` and more
    error: `CONFIG/config.toml` line 1: `auditors` is a table: write `[auditors]`, and what it sets below
    "#);
}
