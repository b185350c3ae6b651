//! Which agent is run, how it is called, and what is said when it cannot be.

use testkit::Env;

use crate::{user_config, world};

/// A program in the place of a real agent: it keeps how it was called, and answers with `lines`.
fn install(env: &Env, name: &str, lines: &str) {
    let body = format!(
        "printf '%s\\n' \"$@\" > called\ncat > asked\nenv > environment\ncat <<'END'\n{lines}\nEND"
    );
    env.install(name, &body);
}

const CLAUDE_DONE: &str = r#"{"type":"system","subtype":"init","session_id":"s","model":"opus-9"}
{"type":"result","is_error":false,"result":"<promise>COMPLETE</promise>","total_cost_usd":0.5,"usage":{"input_tokens":7,"output_tokens":3}}"#;

/// How the agent was called, on one line; its hooks stand in a file of windlass's own.
fn called(env: &Env) -> String {
    let called = env.read("called");
    let state = env.windlass_home().display().to_string();
    let args = called.lines().map(|arg| if arg.starts_with(&state) { "HOOKS" } else { arg });
    args.collect::<Vec<_>>().join(" ")
}

#[test]
fn without_a_choice_claude_is_run_if_it_is_installed() {
    let env = world();
    install(&env, "claude", CLAUDE_DONE);
    let result = env.windlass(["iterate", "-p", "mend it", "--no-context", "--json"]);
    let result = result.success().json();
    assert_eq!(result["agent"], "claude");
    assert_eq!(result["usage"]["cost_usd"], 0.5);
    assert_eq!(called(&env), "-p --output-format stream-json --verbose --settings HOOKS");
    assert_eq!(env.read("asked"), "mend it");
    let shown = env.windlass(["show", "--json"]).success().json();
    assert_eq!(shown["sessions"][0]["model"], "opus-9");
    assert_eq!(shown["sessions"][0]["session_id"], "s");
    assert_eq!(shown["sessions"][0]["denied"], 0);
}

#[test]
fn name_and_model_flags_and_arguments_reach_the_agent() {
    let env = world();
    install(&env, "claude", CLAUDE_DONE);
    let call = ["iterate", "-p", "go", "--agent", "claude:opus", "--skip-permissions"];
    let more = ["--append-system-prompt", "Be kind.", "--json", "--no-context"];
    let last = ["--", "--max-turns", "3"];
    let result = env.windlass([call.as_slice(), &more, &last].concat()).success().json();
    assert_eq!(result["agent"], "claude:opus");
    assert_eq!(
        called(&env),
        "-p --output-format stream-json --verbose --model opus --append-system-prompt Be kind. \
         --dangerously-skip-permissions --settings HOOKS --max-turns 3"
    );
}

#[test]
fn an_agent_does_not_see_the_one_that_windlass_was_started_by() {
    let env = world();
    install(&env, "claude", CLAUDE_DONE);
    env.command(["iterate", "-p", "go", "-q"])
        .env("CLAUDECODE", "1")
        .env("CLAUDE_CODE_ENTRYPOINT", "cli")
        .env("GITHUB_TOKEN", "secret")
        .run()
        .success();
    let environment = env.read("environment");
    assert!(environment.contains("DISABLE_AUTOUPDATER=1"), "{environment}");
    for name in ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "GITHUB_TOKEN"] {
        assert!(!environment.contains(name), "{environment}");
    }
}

#[test]
fn the_agents_of_a_resumed_loop_are_called_as_at_its_start() {
    let env = world();
    install(&env, "claude", r#"{"type":"result","is_error":false,"result":"not yet"}"#);
    let call = ["iterate", "-p", "go", "--max-iterations", "1", "-q", "--", "--max-turns", "3"];
    env.windlass(call).code(1);
    env.write("called", "");
    env.windlass(["resume", "--max-iterations", "2", "-q"]).code(1);
    assert!(called(&env).ends_with("--max-turns 3"), "{}", called(&env));
}

#[test]
fn an_agent_of_the_config_can_have_the_decoder_of_a_real_one() {
    let env = world();
    install(&env, "wrapper", CLAUDE_DONE);
    user_config(
        &env,
        "[agents.mine]\ncommand = ['wrapper', '-m', '{model}']\nprompt = 'stdin'\n\
         decoder = 'claude'\nmodel = 'small'\n",
    );
    let call = ["iterate", "-p", "go", "--json", "--agent"];
    let result = env.windlass([call.as_slice(), &["mine"]].concat()).success().json();
    assert_eq!(result["usage"]["input_tokens"], 7);
    assert_eq!(called(&env), "-m small");
    env.windlass([call.as_slice(), &["mine:large", "--", "-x"]].concat()).success();
    assert_eq!(called(&env), "-m large -x");
}

#[test]
fn an_argument_for_a_command_stands_before_the_prompt() {
    let env = world();
    install(&env, "prog", "<promise>COMPLETE</promise>");
    env.windlass(["iterate", "-p", "the prompt", "-c", "prog -a", "-q", "--", "-b"]).success();
    assert_eq!(called(&env), "-a -b the prompt");
}

#[test]
fn what_cannot_be_run_says_how_it_can() {
    let env = world();
    let call = |args: &[&str]| {
        let call = [&["iterate", "-p", "x"], args].concat();
        env.windlass(call).snapshot()
    };
    insta::assert_snapshot!(call(&[]), @"
    exit: 4
    --- stdout
    --- stderr
    error: no agent was chosen, and `claude` is not installed

    hint: choose one with `--agent`: `aider`, `claude`, `codex`, `command`, `gemini`, `opencode`, `scripted`
    hint: `windlass agents` tells which are installed, and how to install the others
    hint: or run any program with `--command 'PROGRAM ARGS'`
    ");
    insta::assert_snapshot!(call(&["--agent", "codex:gpt-9"]), @"
    exit: 4
    --- stdout
    --- stderr
    error: the agent `codex:gpt-9` cannot be started
      caused by: no program `codex` was found

    hint: install it with `npm install -g @openai/codex`, or choose another agent with `--agent` or `--command`
    hint: `windlass agents` lists the agents that were found
    ");
    insta::assert_snapshot!(call(&["--agent", "cluade:opus"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no agent `cluade`

    hint: did you mean `claude`?
    hint: the known ones are `aider`, `claude`, `codex`, `command`, `gemini`, `opencode`, `scripted`
    ");
    insta::assert_snapshot!(call(&["-c", "true", "--model", "opus"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the agent `command` takes no model

    hint: put what it needs into the command itself, or after `--`
    ");
    insta::assert_snapshot!(call(&["-c", "true", "--skip-permissions"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the agent `command` takes no `--skip-permissions`

    hint: put what it needs into the command itself, or after `--`
    ");
    insta::assert_snapshot!(call(&["--agent", "aider:"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `aider:` names no model after the colon
    ");
}
