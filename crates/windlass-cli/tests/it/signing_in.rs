//! Whether agents are signed in: `windlass doctor` asks, and a loop that is not let in says what to type.

use testkit::Env;

use crate::world;

/// A Claude Code that keeps where and how it was asked for its status, and answers with this.
fn claude_saying(env: &Env, status: &str, code: u8) {
    let asked = env.home().join("asked");
    let asked = asked.display();
    env.install(
        "claude",
        &format!(
            "case $1 in
             --version) echo '2.1.197 (Claude Code)' ;;
             auth) echo \"$*\" > {asked}; ls -A >> {asked}; pwd >> {asked}
                   echo '{status}'; exit {code} ;;
             *) echo '{{\"type\":\"assistant\",\"error\":\"authentication_failed\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"Not logged in · Please run /login\"}}]}}}}'
                echo '{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,\"result\":\"Not logged in · Please run /login\"}}'
                exit 1 ;;
             esac"
        ),
    );
}

/// The lines of `windlass doctor` about accounts.
fn said(env: &Env) -> String {
    let ran = env.windlass(["doctor"]);
    let lines = ran.stdout.lines().skip_while(|line| !line.contains("sign-in"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_doctor_asks_an_agent_for_its_account_in_an_empty_directory() {
    let env = world();
    claude_saying(&env, r#"{"loggedIn": true, "authMethod": "claude.ai"}"#, 0);
    assert_eq!(said(&env), "✓ sign-in   claude: signed in, billed to a plan");
    let asked = std::fs::read_to_string(env.home().join("asked")).unwrap();
    let lines: Vec<_> = asked.lines().collect();
    assert_eq!(lines[0], "auth status");
    assert_eq!(lines.len(), 2, "nothing is in the directory: {asked}");
    assert!(!lines[1].starts_with(&env.work().display().to_string()), "{asked}");
    assert!(!std::path::Path::new(lines[1]).exists(), "the directory is gone again: {asked}");
}

#[test]
fn an_agent_that_is_not_signed_in_is_a_warning_with_the_login_command() {
    let env = world();
    claude_saying(&env, r#"{"loggedIn": false, "authMethod": "none"}"#, 1);
    assert_eq!(
        said(&env),
        "! sign-in   claude is not signed in\n            → `claude auth login`"
    );
    env.windlass(["doctor"]).success();
    let with_key = env.command(["doctor"]).env("ANTHROPIC_API_KEY", "sk-x").run().success();
    assert!(with_key.stdout.contains("claude: signed in, billed to an API key"), "{with_key}");
}

#[test]
fn inside_a_loop_no_agent_is_asked() {
    let env = world();
    claude_saying(&env, r#"{"loggedIn": true}"#, 0);
    // Agents are not told the home; this one knows it.
    let (home, windlass) = (env.windlass_home(), env.program());
    let body = format!("WINDLASS_HOME={} {} doctor", home.display(), windlass.display());
    let agent = env.agent_sh(&body).display().to_string();
    let ran = env.windlass(["iterate", "-p", "x", "-v", "--max-iterations", "1", "-c", &agent]);
    assert!(ran.stdout.contains("claude: 2.1.197"), "{ran}");
    assert!(!ran.stdout.contains("sign-in"), "{ran}");
    assert!(!env.home().join("asked").exists());
}

#[test]
fn a_loop_whose_agent_is_not_let_in_ends_with_the_login_command() {
    let env = world();
    claude_saying(&env, r#"{"loggedIn": false}"#, 1);
    let ran = env.windlass(["iterate", "-p", "x", "--agent", "claude", "--no-check"]).code(5);
    insta::assert_snapshot!(ran.snapshot());
    let why = env.windlass(["why"]).success();
    assert!(why.stdout.contains("Sign in, then resume:"), "{why}");
    assert!(why.stdout.contains("claude auth login"), "{why}");
    let shown = env.windlass(["show", "--json"]).success().json();
    assert_eq!(shown["result"]["ending"]["type"], "agent_failed");
    assert_eq!(shown["result"]["ending"]["login"], "claude auth login");
}
