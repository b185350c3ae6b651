//! `windlass init`: from nothing to a loop that needs no flags.

use std::{fs, path::PathBuf, time::Duration};

use testkit::{Env, has};

use crate::{sandboxes::has_bwrap, user_config, world};

/// A Claude Code that is signed in like this, and does the work in its first session.
pub(crate) fn claude(env: &Env, status: &str) {
    env.install(
        "claude",
        &format!(
            "case $1 in
             --version) echo '2.1.197 (Claude Code)'; exit ;;
             auth) echo '{status}'; exit ;;
             esac
             cat > /dev/null
             case \"$*\" in
             *--dangerously-skip-permissions*) touch done.txt ;;
             *) echo '{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"not allowed\",\"permission_denials\":[{{\"tool_name\":\"Write\"}}]}}'; exit ;;
             esac
             echo '{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"<promise>COMPLETE</promise>\",\"total_cost_usd\":0.5}}'"
        ),
    );
}

pub(crate) const PLAN: &str =
    r#"{"loggedIn": true, "authMethod": "claude.ai", "apiProvider": "firstParty"}"#;
const KEY: &str =
    r#"{"loggedIn": true, "authMethod": "api_key", "apiKeySource": "ANTHROPIC_API_KEY"}"#;
const NOBODY: &str = r#"{"loggedIn": false, "authMethod": "none"}"#;

/// A project whose check fails until the work is done.
pub(crate) fn project() -> Env {
    let env = world();
    env.write("Makefile", "test:\n\ttest -f done.txt\n");
    env.git(["add", "Makefile"]);
    env.git(["commit", "-qm", "a check"]);
    env
}

fn user_file(env: &Env) -> PathBuf {
    env.home().join(".config/windlass/config.toml")
}

fn user_text(env: &Env) -> String {
    fs::read_to_string(user_file(env)).unwrap_or_default()
}

#[test]
fn after_init_a_loop_needs_no_flag_and_ends_proven() {
    if !has_bwrap() {
        return;
    }
    let env = project();
    claude(&env, PLAN);
    let ran = env.windlass(["init", "--yes"]).success();
    insta::assert_snapshot!(ran.snapshot());
    insta::assert_snapshot!(format!("{}---\n{}", env.read("windlass.toml"), user_text(&env)));
    let result = env.windlass(["iterate", "-p", "Do it.", "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!(result["verified"], true);
    // The last line is the first loop, and works as printed.
    let last = ran.stdout.lines().last().unwrap().trim().to_owned();
    let words = shell_words::split(&last).unwrap();
    assert_eq!(words[0], "windlass");
    env.windlass(&words[1..]).success();
}

#[test]
fn without_a_sandbox_init_leaves_permissions_alone_and_says_what_is_denied() {
    if !has("strace") {
        return;
    }
    let env = project();
    claude(&env, PLAN);
    env.install("bwrap", "echo 'no namespaces' >&2; exit 1");
    let tracer = ["-f", "-o", "/dev/null", "-e", "trace=landlock_create_ruleset"];
    let inject = ["-e", "inject=landlock_create_ruleset:error=EOPNOTSUPP"];
    let program = env.program().display().to_string();
    let call = |args: &[&str]| {
        let words = tracer.iter().chain(&inject).copied().chain([program.as_str()]);
        env.other("strace", words.chain(args.iter().copied())).run()
    };
    let ran = call(&["init", "--yes"]).success();
    assert!(ran.stdout.contains("sandbox:  none works here"), "{ran}");
    assert!(ran.stderr.contains("claude will be denied its tools"), "{ran}");
    assert!(ran.stderr.contains("(Edit, Write, Bash)"), "{ran}");
    let text = user_text(&env);
    assert!(!text.contains("sandbox") && !text.contains("skip_permissions"), "{text}");
    // And the loop ends for it.
    let ran = call(&["iterate", "-p", "Do it."]).code(3);
    assert!(ran.stdout.contains("by the rule permission"), "{ran}");
}

#[test]
fn an_api_key_gets_a_budget_in_money_or_in_tokens() {
    let env = project();
    claude(&env, KEY);
    env.windlass(["init", "--yes"]).success();
    assert!(user_text(&env).contains("max_duration = \"8h\""), "{}", user_text(&env));
    assert!(user_text(&env).contains("max_cost = 10.0"), "{}", user_text(&env));

    let env = project();
    env.install("codex", "echo 'API key configured - sk' >&2");
    env.windlass(["init", "--yes"]).success();
    assert!(user_text(&env).contains("agent = \"codex\""), "{}", user_text(&env));
    assert!(user_text(&env).contains("max_tokens = 5000000"), "{}", user_text(&env));
    assert!(!user_text(&env).contains("max_cost"), "{}", user_text(&env));
}

#[test]
fn only_an_api_key_gets_more_than_a_time_limit() {
    let only_time = |env: &Env, agent: &str| {
        env.windlass(["init", "--yes"]).success();
        let text = user_text(env);
        assert!(text.contains(&format!("agent = \"{agent}\"")), "{text}");
        assert!(text.contains("max_duration = \"8h\""), "{text}");
        assert!(!text.contains("max_cost") && !text.contains("max_tokens"), "{text}");
        fs::remove_file(user_file(env)).unwrap();
    };
    let env = project();
    claude(&env, PLAN);
    only_time(&env, "claude");
    for agent in ["opencode", "aider", "gemini"] {
        let env = project();
        env.install(agent, "exit 0");
        only_time(&env, agent);
        let ran = env.command(["init", "--yes"]).env("GEMINI_API_KEY", "k").run().success();
        let text = user_text(&env);
        assert!(text.contains("max_cost") || text.contains("max_tokens"), "{agent}: {text}{ran}");
    }
}

#[test]
fn of_several_agents_claude_is_taken_else_the_first() {
    let env = project();
    env.install("gemini", "exit 41");
    env.install("codex", "echo 'Logged in using ChatGPT' >&2");
    env.windlass(["init", "--yes"]).success();
    assert!(user_text(&env).contains("agent = \"codex\""), "{}", user_text(&env));
    fs::remove_file(user_file(&env)).unwrap();
    claude(&env, PLAN);
    env.windlass(["init", "--yes"]).success();
    assert!(user_text(&env).contains("agent = \"claude\""), "{}", user_text(&env));
}

#[test]
fn comments_and_keys_stay_and_a_second_init_changes_nothing() {
    let env = project();
    claude(&env, PLAN);
    user_config(&env, "# mine\nmax_duration = '2h' # short\n\n[iterate]\nmax_iterations = 3\n");
    env.windlass(["init", "--yes"]).success();
    let text = user_text(&env);
    assert!(text.starts_with("# mine\nmax_duration = '2h' # short\n"), "{text}");
    assert!(text.ends_with("[iterate]\nmax_iterations = 3\n"), "{text}");
    assert!(text.contains("agent = \"claude\"") && !text.contains("8h"), "{text}");
    let (project, user) = (env.read("windlass.toml"), user_text(&env));
    env.windlass(["init", "--yes"]).success();
    assert_eq!((env.read("windlass.toml"), user_text(&env)), (project, user));
}

#[test]
fn a_permission_key_with_another_value_keeps_both_from_being_written() {
    if !has_bwrap() {
        return;
    }
    let env = project();
    claude(&env, PLAN);
    user_config(&env, "skip_permissions = false\n");
    let ran = env.windlass(["init", "--yes"]).success();
    assert!(!user_text(&env).contains("sandbox = "), "{}", user_text(&env));
    assert!(
        ran.stderr.contains("has `skip_permissions = false`, so neither key was written"),
        "{ran}"
    );
    assert!(
        ran.stderr.contains("`sandbox = \"auto\"` and `skip_permissions = \"sandboxed\"`"),
        "{ran}"
    );
}

#[test]
fn a_file_that_is_not_trusted_is_shown_and_neither_changed_trusted_nor_run() {
    let env = project();
    claude(&env, PLAN);
    let text = "checks = ['touch ran.txt']\n";
    env.write("windlass.toml", text);
    let ran = env.windlass(["init", "--yes"]).success();
    assert!(ran.stdout.contains("    checks = ['touch ran.txt']"), "{ran}");
    let last: Vec<_> = ran.stdout.lines().rev().take(2).map(str::trim).collect();
    assert!(last[0].starts_with("windlass iterate -p "), "{ran}");
    assert_eq!(last[1], "windlass trust");
    assert_eq!(env.read("windlass.toml"), text);
    assert!(!env.work().join("ran.txt").exists());
    env.windlass(["iterate", "-p", "x"]).code(4);
    env.windlass(["trust"]).success();
    env.windlass(["init", "--yes"]).success();
    assert!(env.work().join("ran.txt").exists(), "a trusted one is run");
    assert_eq!(env.read("windlass.toml"), text, "there is nothing to add");
}

#[test]
fn without_an_agent_the_projects_part_is_written_and_the_exit_code_is_4() {
    let env = project();
    let ran = env.windlass(["init", "--yes"]).code(4);
    insta::assert_snapshot!(ran.snapshot());
    assert!(env.read("windlass.toml").contains("checks = [\"make test\"]"));
    assert!(!user_file(&env).exists());
}

#[test]
fn an_agent_that_is_not_signed_in_is_a_warning() {
    let env = project();
    claude(&env, NOBODY);
    let ran = env.windlass(["init", "--yes"]).success();
    assert!(
        ran.stderr.contains("claude is not signed in; to sign in: `claude auth login`"),
        "{ran}"
    );
    assert!(user_text(&env).contains("agent = \"claude\""));
}

#[test]
fn a_home_directory_is_no_project() {
    let env = project();
    let ran = env.command(["init", "--yes"]).directory(env.home()).run().code(2);
    assert!(ran.stderr.contains("your home directory is no project"), "{ran}");
    env.command(["init", "--yes"]).directory("/").run().code(2);
    assert!(!env.home().join("windlass.toml").exists());
}

#[test]
fn where_one_file_cannot_be_written_neither_is() {
    let env = project();
    claude(&env, PLAN);
    fs::create_dir_all(env.home().join(".config")).unwrap();
    fs::write(env.home().join(".config/windlass"), "in the way").unwrap();
    let ran = env.windlass(["init", "--yes"]).code(2);
    assert!(ran.stderr.contains(".config/windlass/config.toml"), "{ran}");
    assert!(!env.work().join("windlass.toml").exists());
}

#[test]
fn the_file_goes_to_the_top_of_the_repository() {
    let env = project();
    claude(&env, PLAN);
    fs::create_dir(env.work().join("below")).unwrap();
    env.command(["init", "--yes"]).directory(env.work().join("below")).run().success();
    assert!(env.work().join("windlass.toml").exists());
    assert!(!env.work().join("below/windlass.toml").exists());
}

#[test]
fn a_program_that_the_sandbox_does_not_show_is_named_with_the_setting_that_helps() {
    if !has_bwrap() {
        return;
    }
    let env = project();
    claude(&env, PLAN);
    let tools = env.home().join("tools");
    fs::create_dir(&tools).unwrap();
    fs::rename(env.install("runner", "true"), tools.join("runner")).unwrap();
    env.write("Makefile", format!("test:\n\t{}/runner\n", tools.display()));
    let ran = env.windlass(["init", "--yes"]).success();
    let wanted = format!("sandbox_read = [\"{}\"]", tools.display());
    assert!(ran.stderr.contains(&wanted) && ran.stderr.contains("/runner`"), "{ran}");
    user_config(&env, &format!("{wanted}\n{}", user_text(&env)));
    let ran = env.windlass(["init", "--yes"]).success();
    assert!(ran.stdout.contains("make test: passes"), "{ran}");
}

#[test]
fn init_is_refused_inside_a_loop() {
    let env = project();
    let (home, windlass) = (env.windlass_home(), env.program());
    let body = format!(
        "WINDLASS_HOME={} {} init --yes; echo \"init ended with $?\"",
        home.display(),
        windlass.display()
    );
    let agent = env.agent_sh(&body).display().to_string();
    let call = ["iterate", "-p", "x", "-v", "--max-iterations", "1", "--no-check", "-c", &agent];
    let ran = env.windlass(call).code(1);
    assert!(ran.stdout.contains("init ended with 4"), "{ran}");
    assert!(!env.work().join("windlass.toml").exists());
}

const LIMIT: Duration = Duration::from_secs(30);

#[test]
fn at_a_terminal_everything_is_asked_before_anything_is_written() {
    if !has("tmux") {
        return;
    }
    let env = project();
    claude(&env, KEY);
    let terminal = env.terminal(["init"]);
    terminal.wait_for("Command that must pass", LIMIT);
    terminal.press("Enter");
    terminal.wait_for("besides tests, as globs [none]:", LIMIT);
    terminal.press("data/**");
    terminal.press("Enter");
    terminal.wait_for("on a new branch for each loop? [y/N]", LIMIT);
    terminal.press("y");
    terminal.press("Enter");
    terminal.wait_for("without asking", LIMIT);
    terminal.press("Enter");
    terminal.wait_for("How long may a loop run? [8h]:", LIMIT);
    terminal.press("soon");
    terminal.press("Enter");
    terminal.wait_for("expected a duration", LIMIT);
    terminal.press("2h");
    terminal.press("Enter");
    terminal.wait_for("in dollars? [10.0]:", LIMIT);
    assert!(!env.work().join("windlass.toml").exists(), "not before the last answer");
    terminal.press("Enter");
    terminal.wait_for("desktop notification", LIMIT);
    terminal.press("Enter");
    terminal.wait_for("[exit 0]", LIMIT);
    let project = env.read("windlass.toml");
    for line in ["guard = [\"data/**\"]", "auto_commit = true", "create_branch = true"] {
        assert!(project.contains(line), "{project}");
    }
    let user = user_text(&env);
    assert!(user.contains("max_duration = \"2h\"") && user.contains("max_cost = 10.0"), "{user}");
    assert!(!user.contains("notify"), "{user}");
}

#[test]
fn ctrl_c_at_a_question_writes_nothing() {
    if !has("tmux") {
        return;
    }
    let env = project();
    claude(&env, PLAN);
    let terminal = env.terminal(["init"]);
    terminal.wait_for("Command that must pass", LIMIT);
    terminal.press("Enter");
    terminal.wait_for("besides tests", LIMIT);
    terminal.press("C-c");
    terminal.wait_for("[exit 130]", LIMIT);
    assert!(!env.work().join("windlass.toml").exists());
    assert!(!user_file(&env).exists());
}

#[test]
fn a_file_that_is_not_trusted_is_asked_about_at_a_terminal() {
    if !has("tmux") {
        return;
    }
    let env = project();
    claude(&env, PLAN);
    env.write("windlass.toml", "# theirs\nchecks = ['true']\n");
    let terminal = env.terminal(["init"]);
    terminal.wait_for("Trust this windlass.toml and let it act? [y/N]", LIMIT);
    assert!(terminal.screen().contains("checks = ['true']"), "{}", terminal.screen());
    terminal.press("y");
    terminal.press("Enter");
    for question in ["besides tests", "new branch", "without asking", "may a loop run", "desktop"] {
        terminal.wait_for(question, LIMIT);
        terminal.press("Enter");
    }
    terminal.wait_for("[exit 0]", LIMIT);
    assert_eq!(env.read("windlass.toml"), "# theirs\nchecks = ['true']\n");
    let config = env.windlass(["config", "--origin"]).success();
    assert!(config.stdout.contains("checks = [\"true\"]"), "{config}");
}

#[test]
fn windlass_never_commits_its_config_and_says_when_an_agent_changes_it() {
    let env = project();
    env.write("windlass.toml", "checks = ['test -f done.txt']\n");
    env.git(["add", "windlass.toml"]);
    env.git(["commit", "-qm", "windlass"]);
    env.windlass(["trust"]).success();
    let script = env.script(
        "write done.txt x\nappend windlass.toml max_iterations = 9\\n\nsay <promise>COMPLETE</promise>\n",
    );
    let ran = env
        .command(["iterate", "-p", "x", "--agent", "scripted", "--auto-commit", "--script"])
        .arg(script)
        .run()
        .success();
    let told = "`windlass.toml`: was changed: read the changes, and loops start again after `windlass trust`";
    assert!(ran.stdout.contains(told), "{ran}");
    let committed = env.git(["show", "--name-only", "--format=", "HEAD"]);
    assert_eq!(committed.trim(), "done.txt");
    env.windlass(["iterate", "-p", "x", "--agent", "scripted", "--script", "s"]).code(4);
}
