//! Claims from outside: what counts, what almost counts, and who is told of that.

use serde_json::Value;
use testkit::Env;

use crate::{COMPLETE, prompts_of, shell, world};

/// The result of `iterate` with a program that prints `text`.
fn printed(env: &Env, text: &str, args: &[&str]) -> Value {
    env.write("said.txt", text);
    shell(env, "cat said.txt", args).arg("--json").run().json()
}

#[test]
fn a_tag_counts_whatever_marks_stand_around_it() {
    for text in [
        "**<promise>COMPLETE</promise>**\n",
        "`<promise>COMPLETE</promise>`\nbye\n",
        "- \"<promise>complete</promise>\".\n",
        "<Promise> COMPLETE </Promise>.\n",
        "\u{1b}[32m<promise>COMPLETE</promise>\u{1b}[0m\n",
        "I did not change the tests. <promise>COMPLETE</promise>\n",
    ] {
        let env = world();
        let result = printed(&env, text, &["-m", "1"]);
        assert_eq!(result["ending"]["type"], "done", "{text}");
    }
}

#[test]
fn what_only_looks_like_a_claim_is_noted_with_its_reason() {
    for (text, why) in [
        ("I am not done, so I will not print <promise>COMPLETE</promise>\n", "negated"),
        ("> <promise>COMPLETE</promise>\n", "quoted"),
        ("Say:\n```\n<promise>COMPLETE</promise>\n```\n", "code_block"),
        ("I will print <promise>COMPLETE</promise> later.\n", "inside_a_line"),
        ("<promise>DONE</promise>\n", "other_words"),
    ] {
        let env = world();
        let result = printed(&env, text, &["-m", "1"]);
        assert_eq!(result["ending"]["type"], "max_iterations", "{text}");
        let noted = env.sql("SELECT body ->> 'why' FROM events WHERE type = 'near_miss'");
        assert_eq!(noted, format!("{why}\n"), "{text}");
    }
}

#[test]
fn a_near_miss_is_shown_told_to_the_agent_and_explained_by_why() {
    let env = world();
    let body = "if [ -e tried ]; then echo '<promise>COMPLETE</promise>'
                else touch tried; printf '```\\n<promise>COMPLETE</promise>\\n```\\n'; fi";
    let ran = shell(&env, body, &["--name", "mine"]).run().success();
    let note = "note: no claim, though it looks like one: <promise>COMPLETE</promise> (it stands in \
                a code block)";
    assert!(ran.stderr.contains(note), "{ran}");
    let prompt = &prompts_of(&env)[1];
    let told = "this looked like a claim and did not count: (the promise)\nThe reason: it stands in \
                a code block.";
    assert!(prompt.contains(told), "{prompt}");
    let why = env.windlass(["why", "mine"]).success().stdout;
    let line = "  iteration 1: no claim, though it looks like one: <promise>COMPLETE</promise> (it \
                stands in a code block)\n";
    assert!(why.contains(line), "{why}");
    let why = env.windlass(["why", "mine", "--json"]).success().json();
    assert_eq!(why["near_misses"][0]["why"], "code_block");
}

#[test]
fn a_claim_on_standard_error_is_told() {
    let env = world();
    let body = format!(
        "if [ -e tried ]; then echo '{COMPLETE}'; else touch tried; echo '{COMPLETE}' >&2; fi"
    );
    let result = shell(&env, &body, &["--json"]).run().success().json();
    assert_eq!(result["iterations"], 2);
    let prompt = &prompts_of(&env)[1];
    assert!(prompt.contains("it was printed on standard error"), "{prompt}");
}

#[test]
fn a_prompt_that_is_the_tag_and_words_that_the_user_opted_into_count_when_they_come_back() {
    for args in [
        ["-p", "<promise>DONE</promise>", "--promise", "DONE", "--promise-match", "tag"],
        ["-p", "Task is DONE now", "--promise", "DONE", "--promise-match", "text"],
    ] {
        let env = world();
        let call = env.command(["iterate", "-c", "echo", "--json"]);
        let result = args.iter().fold(call, |call, arg| call.arg(arg)).run().success().json();
        assert_eq!(result["iterations"], 1, "{args:?}");
    }
    let env = world();
    let call =
        env.command(["iterate", "-c", "echo", "-p", "NOT_DONE", "--promise", "DONE", "-m", "2"]);
    call.arg("--promise-match").arg("text").run().code(1);
}

#[test]
fn an_agent_that_answers_with_the_template_of_its_prompt_is_no_echo() {
    let env = world();
    let prompt = format!("Mend it.\nThen answer with these two lines:\nResult: ok\n{COMPLETE}");
    let body = format!("printf 'Result: ok\\n{COMPLETE}\\n'");
    let call = env.command(["iterate", "-m", "1", "-c"]).arg(env.agent_sh(&body));
    call.arg("-p").arg(&prompt).run().success();
    let env = world();
    let call = env.command(["iterate", "-m", "2", "-c", "echo", "-p"]);
    call.arg(&prompt).run().code(1);
}

#[test]
fn an_agent_that_obeys_the_lesson_of_strict_completion_is_done() {
    let env = world();
    let body = "case \"$1\" in *'\"nothing left to do\"'*)
                  echo 'All tasks are complete, and nothing is left to do.'
                  printf -- '---LOOP_STATUS---\\nSTATUS: COMPLETE\\nEXIT_SIGNAL: true\\n---END_LOOP_STATUS---\\n';;
                esac";
    let result = shell(&env, body, &["--strict-completion", "--json"]).run().success().json();
    assert_eq!(result["iterations"], 1);
    let ran = shell(&env, body, &["--strict-completion", "--completion-threshold", "7"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--completion-threshold 7` asks for more completion phrases than there are: `completion_phrases` in the config has 6
    ");
}
