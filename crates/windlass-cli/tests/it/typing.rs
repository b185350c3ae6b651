//! How people type a loop: prompts, durations, commands written for a shell, and agents that print
//! JSON.

use testkit::Env;

use crate::{COMPLETE, prompts_of, shell, world};

fn asked(env: &Env) -> String {
    prompts_of(env)[0].clone()
}

#[test]
fn a_prompt_may_begin_with_a_dash_and_a_flag_is_no_prompt() {
    let env = world();
    let call = || env.command(["iterate", "--promise", "", "-c", "true", "-p"]);
    call().arg("- mend it").run().success();
    assert_eq!(asked(&env), "- mend it");
    let ran = call().arg("--json").run().code(2);
    assert!(ran.stderr.contains("`-p` is given no text: `--json` is a flag"), "{ran}");
}

#[test]
fn a_prompt_comes_from_standard_input_and_loses_its_byte_order_mark() {
    let env = world();
    let call = || env.command(["iterate", "--promise", "", "-c", "true", "--prompt-file"]);
    call().arg("-").stdin("\u{feff}mend it\n").run().success();
    assert_eq!(asked(&env), "mend it");
    let ran = call().arg("-").stdin(" \n").run().code(2);
    assert!(ran.stderr.contains("the prompt on standard input is empty"), "{ran}");
    env.write("P.md", "\u{feff}mend that\n");
    call().arg("P.md").run().success();
    assert_eq!(asked(&env), "mend that");
}

#[test]
fn durations_may_be_combined() {
    let env = world();
    let args =
        ["--promise", "", "--timeout", "1m30s", "--check-timeout", "1h 30m", "--check", "true"];
    shell(&env, "true", &args).run().success();
    let ran = shell(&env, "true", &["--timeout", "30s1m"]).run().code(2);
    assert!(ran.stderr.contains("`1m30s`, found `30s1m`"), "{ran}");
}

#[test]
fn a_command_that_was_written_for_a_shell_gets_the_hint_that_helps() {
    for (command, hint) in [
        ("FOO=1 prog", "set the variable with `--env FOO=1`"),
        ("~/prog", "write `-c \"$HOME/prog\"`"),
        ("$HOME/prog", "nothing in it is expanded"),
    ] {
        let env = world();
        let ran = env.command(["iterate", "-p", "x", "-c", command]).run().code(4);
        assert!(ran.stderr.contains(hint), "{ran}");
    }
}

#[test]
fn a_command_takes_words_for_the_system_prompt_and_a_decoder() {
    let env = world();
    let body = format!("printf %s \"$1\" > got; echo '{COMPLETE}'");
    shell(&env, &body, &["--append-system-prompt", "Be brief."]).run().success();
    assert_eq!(env.read("got"), "Be brief.\n\nmend it");
    let lines = "{\"type\":\"thread.started\",\"thread_id\":\"1\"}\n\
                 {\"type\":\"item.completed\",\"item\":{\"id\":\"0\",\"type\":\"agent_message\",\"text\":\"<promise>COMPLETE</promise>\"}}\n\
                 {\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":3,\"cached_input_tokens\":0,\"output_tokens\":4}}\n";
    env.write("lines", lines);
    let result = shell(&env, "cat lines", &["--decoder", "codex", "--json"]).run().success().json();
    assert_eq!((&result["iterations"], &result["usage"]["output_tokens"]), (&1.into(), &4.into()));
    let ran = shell(&env, "cat lines", &["-m", "2"]).run().code(1);
    let note = "note: the agent prints JSON lines as `codex` does, and they are read as plain text: \
                `--decoder codex`";
    assert_eq!(ran.stderr.matches(note).count(), 1, "{ran}");
}
