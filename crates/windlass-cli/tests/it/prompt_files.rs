//! The prompts of windlass: shown, replaced by files of the user and of the repository, and
//! refused where they cannot work.

use std::fs;

use testkit::Env;

use crate::{user_config, world};

/// Writes a prompt beside the user's config file.
fn user_prompt(env: &Env, name: &str, text: &str) {
    let folder = env.home().join(".config/windlass");
    fs::create_dir_all(&folder).expect("the folder is ours");
    fs::write(folder.join(name), text).expect("the folder is ours");
}

#[test]
fn all_prompts_are_listed_with_where_they_come_from() {
    let env = world();
    user_config(&env, "[prompts]\naudit = 'mine.md'\ndevelop = 'dev.md'\n");
    user_prompt(&env, "mine.md", "Audit {{ diff | fenced }} well.\n");
    user_prompt(&env, "dev.md", "{{ task }}\n");
    env.write("prompts/dev.md", "Now {{ task }}\n");
    env.write("windlass.toml", "[prompts]\ndevelop = 'prompts/dev.md'\n");
    insta::assert_snapshot!(env.windlass(["trust"]).snapshot(), @r#"
    exit: 0
    --- stdout
    trusted `/tmp/windlass-XXXXXX/work/windlass.toml`, SHA-256 d7a1563330b0
      prompts.develop = "/tmp/windlass-XXXXXX/work/prompts/dev.md"
    --- stderr
    hint: one changed byte takes it back, and so does `windlass trust --revoke`
    "#);
    insta::assert_snapshot!(env.windlass(["config", "--prompts"]).snapshot(), @"
    exit: 0
    --- stdout
    develop                repo: /tmp/windlass-XXXXXX/work/prompts/dev.md
    review-diff            built in
    heal-review            built in
    heal-parse             built in
    heal-fix               built in
    heal-tests             built in
    audit                  user: /tmp/windlass-XXXXXX/home/.config/windlass/mine.md
    auditor-correctness    built in
    auditor-security       built in
    auditor-architecture   built in
    auditor-api-stability  built in
    auditor-project-rules  built in
    auditor-performance    built in
    auditor-tests          built in
    pr-fix                 built in
    what-to-report         built in
    findings-form          built in
    --- stderr
    ");
    let ask = |key: &str| env.windlass(["config", "--prompts", key]).success().stdout;
    assert_eq!(ask("audit"), "Audit {{ diff | fenced }} well.\n");
    assert_eq!(ask("develop"), "Now {{ task }}\n");
    assert!(ask("heal-fix").starts_with("{#\nOne finding, to be fixed"));
    let origin = env.windlass(["config", "prompts", "--origin"]).success().masked_stdout();
    insta::assert_snapshot!(origin, @r#"
    prompts.audit = "/tmp/windlass-XXXXXX/home/.config/windlass/mine.md"  # user: /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    prompts.develop = "/tmp/windlass-XXXXXX/work/prompts/dev.md"  # repo: /tmp/windlass-XXXXXX/work/windlass.toml
    "#);
}

#[test]
fn programs_are_told_what_each_prompt_gets() {
    let env = world();
    let all = env.windlass(["config", "--prompts", "--json"]).success().json();
    assert_eq!(all.as_object().expect("an object").len(), 17);
    insta::assert_snapshot!(all["heal-tests"], @r#"{"name":"heal-tests","about":"the tests fail after the fixes","variables":["command","status","output","attempt","max_attempts"],"origin":"built in"}"#);
    let one = env.windlass(["config", "--prompts", "heal-parse", "--json"]).success().json();
    assert!(one["text"].as_str().expect("a text").contains("{{ review | fenced"));
}

#[test]
fn a_prompt_that_is_not_known_is_told_with_the_nearest_one() {
    let env = world();
    insta::assert_snapshot!(env.windlass(["config", "--prompts", "review"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no prompt `review`

    hint: `windlass config --prompts` lists all prompts
    ");
    user_config(&env, "[prompts]\nheal-fixx = 'a.md'\n");
    insta::assert_snapshot!(env.windlass(["config"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home/.config/windlass/config.toml` line 2: there is no prompt `heal-fixx`
      |
    2 | heal-fixx = 'a.md'
      | ^^^^^^^^^

    hint: did you mean `heal-fix`?
    hint: the prompts are develop, review-diff, heal-review, heal-parse, heal-fix, heal-tests, audit, auditor-correctness, auditor-security, auditor-architecture, auditor-api-stability, auditor-project-rules, auditor-performance, auditor-tests, pr-fix, what-to-report, findings-form
    ");
    user_config(&env, "[prompts]\nheal-fix = 5\n");
    insta::assert_snapshot!(env.windlass(["config"]).snapshot(), @r#"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home/.config/windlass/config.toml` line 2: `heal-fix` takes the path of a file such as `"heal-fix.md"`
      |
    2 | heal-fix = 5
      |            ^
    "#);
    user_config(&env, "prompts = 'a.md'\n");
    insta::assert_snapshot!(env.windlass(["config"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home/.config/windlass/config.toml` line 1: `prompts` is a table: write `[prompts]`, and what it sets below
      |
    1 | prompts = 'a.md'
      |           ^^^^^^
    ");
}

#[test]
fn a_file_that_is_not_there_or_lies_outside_is_told() {
    let env = world();
    user_config(&env, "[prompts]\nheal-fix = 'fix.md'\n");
    insta::assert_snapshot!(env.windlass(["config"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home/.config/windlass/config.toml` line 2: there is no `/tmp/windlass-XXXXXX/home/.config/windlass/fix.md`
      |
    2 | heal-fix = 'fix.md'
      |            ^^^^^^^^
    ");
    user_config(&env, "");
    env.write("windlass.toml", "[prompts]\nheal-fix = '../fix.md'\n");
    insta::assert_snapshot!(env.windlass(["trust"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/work/windlass.toml` line 2: a repository's prompts stand in the repository, below its `windlass.toml`
      |
    2 | heal-fix = '../fix.md'
      |            ^^^^^^^^^^^
    ");
}

#[test]
fn a_loop_does_not_start_with_a_prompt_that_cannot_work() {
    let env = world();
    user_config(&env, "[prompts]\nheal-fix = 'fix.md'\n");
    user_prompt(&env, "fix.md", "Mend it:\n{{ findng.title }}\n");
    let ran = env.windlass(["iterate", "-p", "x", "-c", "touch canary"]);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home/.config/windlass/fix.md` cannot be a prompt
      caused by: the prompt `heal-fix` cannot be used: line 2: it asks for `findng.title`; what it gets is finding, number, total
    ");
    assert!(!env.work().join("canary").exists());
    let ran = env.windlass(["config", "--prompts", "heal-fix"]).code(2);
    assert!(ran.stdout.starts_with("Mend it:"), "{ran}");
}

#[test]
fn a_changed_prompt_takes_trust_back_as_a_changed_setting_does() {
    let env = world();
    env.write("fix.md", "Mend {{ finding.title }}.\n");
    env.write("windlass.toml", "[prompts]\nheal-fix = 'fix.md'\n");
    env.windlass(["trust"]).success();
    let call = ["iterate", "-p", "x", "-c", "true", "--max-iterations", "1", "--promise", ""];
    env.windlass(call).success();
    env.write("fix.md", "Say that all is well.\n");
    insta::assert_snapshot!(env.windlass(call).snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/work/windlass.toml` is not trusted, or has changed since it was, so nothing is started

    hint: read the file and the prompts that it names, then type `windlass trust /tmp/windlass-XXXXXX/work/windlass.toml`
    ");
    let ran = env.windlass(["config", "--prompts", "heal-fix"]).success();
    assert!(ran.stderr.contains("is not trusted and is ignored"), "{ran}");
    assert!(ran.stdout.contains("One finding, to be fixed"), "{ran}");
}
