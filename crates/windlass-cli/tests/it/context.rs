//! What windlass adds to a prompt, and when: the lesson of the first iteration, `--context`, and that
//! nothing of it counts as words of the user or of the agent.

use serde_json::Value;
use testkit::Env;

use crate::{COMPLETE, prompts_of, scripted, shell, user_config, world};

const TAUGHT: &str = "claim it: print <promise>COMPLETE</promise> on a line of its own";
const REPORT: &str = "<blocked>what is missing, and who can give it</blocked>";

/// A `claude` that keeps what it was called with, and claims.
fn claude(env: &Env) {
    let answer = r#"{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}"#;
    env.install(
        "claude",
        &format!("printf '%s\\n' \"$@\" > called; cat > /dev/null; echo '{answer}'"),
    );
}

fn sessions(env: &Env) -> Vec<Value> {
    let shown = env.windlass(["show", "--json"]).success().json();
    shown["sessions"].as_array().expect("an array of sessions").clone()
}

#[test]
fn an_agent_learns_in_its_first_prompt_how_to_claim_and_how_to_report() {
    let env = world();
    scripted(&env, &format!("say {COMPLETE}"), &["--check", "true", "--max-iterations", "3"])
        .run()
        .success();
    let prompts = prompts_of(&env);
    assert_eq!(prompts.len(), 1, "one session is enough");
    let (user, added) = prompts[0].split_once("\n\n---\n").expect("windlass adds to it");
    assert_eq!(user, "mend it");
    assert!(added.starts_with("This is iteration 1 of 3 of a loop that windlass runs."), "{added}");
    for words in [TAUGHT, REPORT, "only if windlass itself sees this pass: `true`"] {
        assert!(added.contains(words), "{words}: {added}");
    }
}

#[test]
fn an_agent_of_the_config_is_taught_too() {
    let env = world();
    let program = env.agent_sh(&format!("cat > asked; echo '{COMPLETE}'"));
    let table = format!("[agents.mine]\ncommand = ['{}']\nprompt = 'stdin'\n", program.display());
    user_config(&env, &table);
    env.windlass(["iterate", "-p", "mend it", "--agent", "mine"]).success();
    assert!(env.read("asked").contains(TAUGHT));
}

#[test]
fn a_command_gets_exactly_the_users_prompt_first() {
    let env = world();
    shell(&env, "true", &["--max-iterations", "2"]).run().code(1);
    let prompts = prompts_of(&env);
    assert_eq!(prompts[0], "mend it");
    assert!(prompts[1].contains(TAUGHT) && prompts[1].contains(REPORT), "{}", prompts[1]);
}

#[test]
fn always_teaches_a_command_in_its_first_prompt() {
    let env = world();
    shell(&env, "true", &["--max-iterations", "1", "--context", "always"]).run().code(1);
    let prompts = prompts_of(&env);
    assert!(prompts[0].starts_with("mend it\n\n---\n") && prompts[0].contains(TAUGHT));
}

#[test]
fn never_gives_exactly_the_users_prompt_with_every_protocol() {
    for more in
        [&["--context", "never"][..], &["--no-context"], &["--no-context", "--protocol", "status"]]
    {
        let env = world();
        let args = [more, &["--max-iterations", "2", "--check", "false"]].concat();
        scripted(&env, &format!("say {COMPLETE}"), &args).run().code(1);
        assert_eq!(prompts_of(&env), ["mend it", "mend it"], "{more:?}");
    }
    let env = world();
    claude(&env);
    let call = [
        "iterate",
        "-p",
        " go ",
        "--agent",
        "claude",
        "--context",
        "never",
        "--protocol",
        "status",
    ];
    env.windlass(call).success();
    assert!(!env.read("called").contains("--append-system-prompt"), "{}", env.read("called"));
    assert_eq!(prompts_of(&env), ["go"]);
}

#[test]
fn an_empty_prompt_is_refused() {
    let env = world();
    let call = ["iterate", "-p", "  ", "--agent", "scripted", "--context", "never", "--script"];
    env.command(call).arg(env.script("say x")).run().code(2);
}

#[test]
fn a_system_prompt_takes_the_lesson_and_what_the_user_adds_and_the_prompt_stays_the_users() {
    let env = world();
    claude(&env);
    let call = ["iterate", "-p", "go", "--agent", "claude", "--append-system-prompt", "Be kind."];
    let ran = env.windlass([call.as_slice(), &["--json"]].concat()).success();
    assert_eq!(ran.json()["sessions"], 1);
    let called = env.read("called");
    let (_, system) = called.split_once("--append-system-prompt\n").expect("it has one");
    assert!(system.starts_with("Be kind.\n\nThis is iteration 1 of 20 of a loop"), "{system}");
    assert!(system.contains(TAUGHT) && system.contains(REPORT), "{system}");
    let session = &sessions(&env)[0];
    assert_eq!(session["prompt"], "go");
    let lesson = session["lesson"].as_str().expect("the lesson is stored");
    assert!(lesson.starts_with("This is iteration 1") && lesson.contains(TAUGHT), "{lesson}");
    let log = env.windlass(["log", "--json"]).success().stdout;
    assert!(log.contains(r#""lesson":"This is iteration 1 of 20"#), "the journal has it");
}

#[test]
fn without_a_lesson_the_session_has_none() {
    let env = world();
    shell(&env, &format!("echo '{COMPLETE}'"), &[]).run().success();
    assert_eq!(sessions(&env)[0]["lesson"], Value::Null);
}

#[test]
fn the_lesson_printed_back_neither_claims_nor_reports() {
    let env = world();
    let program = env.agent_sh("cat");
    let table = format!("[agents.echo]\ncommand = ['{}']\nprompt = 'stdin'\n", program.display());
    user_config(&env, &table);
    let call = ["iterate", "-p", "mend it", "--agent", "echo", "--max-iterations", "2", "--json"];
    let result = env.windlass(call).code(1).json();
    assert_eq!(result["ending"]["type"], "max_iterations");
}

#[test]
fn a_prompt_that_is_nothing_but_the_tag_still_claims_when_it_comes_back() {
    let env = world();
    let program = env.agent_sh("head -n 1");
    let table = format!("[agents.echo]\ncommand = ['{}']\nprompt = 'stdin'\n", program.display());
    user_config(&env, &table);
    let result =
        env.windlass(["iterate", "-p", COMPLETE, "--agent", "echo", "--json"]).success().json();
    assert_eq!(result["iterations"], 1);
}

#[test]
fn words_of_the_lesson_never_match_a_promise_that_counts_anywhere() {
    let env = world();
    let program = env.agent_sh("cat");
    let table = format!("[agents.echo]\ncommand = ['{}']\nprompt = 'stdin'\n", program.display());
    user_config(&env, &table);
    let call = ["iterate", "-p", "mend it", "--agent", "echo", "--promise-match", "text"];
    let result =
        env.windlass([&call[..], &["--max-iterations", "1", "--json"]].concat()).code(1).json();
    assert_eq!(result["ending"]["type"], "max_iterations");
}

#[test]
fn what_was_typed_last_counts_and_a_flag_beats_the_config() {
    let cases: [(&str, &[&str], bool); 6] = [
        ("", &["--no-context", "--context", "always"], true),
        ("", &["--context", "always", "--no-context"], false),
        ("no_context = true\n", &["--context", "always"], true),
        ("no_context = true\n", &[], false),
        ("context = 'always'\n", &[], true),
        ("context = 'always'\n", &["--no-context"], false),
    ];
    for (config, flags, taught) in cases {
        let env = world();
        user_config(&env, config);
        shell(&env, "true", &[&["--max-iterations", "1"], flags].concat()).run().code(1);
        assert_eq!(prompts_of(&env)[0].contains(TAUGHT), taught, "{config} {flags:?}");
    }
}

#[test]
fn a_variable_says_it_too() {
    for (name, value) in [("WINDLASS_NO_CONTEXT", "true"), ("WINDLASS_CONTEXT", "never")] {
        let env = world();
        scripted(&env, "say no", &["--max-iterations", "1"]).env(name, value).run().code(1);
        assert_eq!(prompts_of(&env), ["mend it"], "{name}");
    }
}

#[test]
fn a_lesson_for_tasks_asks_for_the_words_of_the_task() {
    let env = world();
    env.write("LIST.md", "- [ ] one\n");
    let call = ["tasks", "--tasks", "LIST.md", "--agent", "scripted", "--max-iterations", "1"];
    env.command(call).arg("--script").arg(env.script("say no")).run().code(1);
    let prompt = &prompts_of(&env)[0];
    assert!(prompt.contains("Begin the report with the words of the task"), "{prompt}");
}

#[test]
fn a_lesson_that_does_not_fit_is_left_out_and_the_users_words_are_not() {
    let env = world();
    let program = env.agent_sh("printf %s \"$1\" > asked");
    let table = format!("[agents.arg]\ncommand = ['{}']\nprompt = 'arg'\n", program.display());
    user_config(&env, &table);
    let long = "x".repeat(130_900);
    let file = env.write("PROMPT.md", &long);
    let call = ["iterate", "--agent", "arg", "--max-iterations", "1", "--prompt-file"];
    env.command(call).arg(file).run().code(1);
    assert_eq!(env.read("asked"), long);
}

#[test]
fn an_agent_that_falls_back_to_another_is_taught_as_that_one_can_be() {
    let env = world();
    let limited = r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your session limit"}"#;
    env.install("claude", &format!("cat > /dev/null; cat <<'END'\n{limited}\nEND\nexit 1"));
    let program = env.agent_sh(&format!("cat > asked; echo '{COMPLETE}'"));
    let table = format!("[agents.mine]\ncommand = ['{}']\nprompt = 'stdin'\n", program.display());
    user_config(&env, &table);
    let call = ["iterate", "-p", "go", "--agent", "claude", "--on-limit", "fallback"];
    env.windlass([&call[..], &["--fallback-agent", "mine"]].concat()).success();
    assert!(env.read("asked").contains(TAUGHT));
    let [first, second] = &sessions(&env)[..] else { panic!("two sessions") };
    assert_eq!((first["prompt"].as_str(), first["lesson"].is_string()), (Some("go"), true));
    assert_eq!(second["lesson"], Value::Null);
}
