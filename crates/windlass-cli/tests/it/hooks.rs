//! Programs of the user's own at moments of a loop: what they get, what follows when they fail, and
//! that none is run twice for the same moment.

use std::{fs, time::Duration};

use serde_json::Value;
use testkit::Env;

use crate::{COMPLETE, scripted, shell, user_config, world};

/// A program that adds what it reads to a file; what it has read, a value a line.
fn diary(env: &Env) -> (String, impl Fn() -> Vec<Value>) {
    let file = env.root().join("tmp/diary");
    let program = env.install("my-hook", &format!("cat >> {}", file.display()));
    let read = move || {
        let text = fs::read_to_string(&file).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    };
    (program.display().to_string(), read)
}

fn moments(told: &[Value]) -> Vec<&str> {
    told.iter().map(|one| one["on"].as_str().expect("a word")).collect()
}

/// Hooks for all moments.
fn everywhere(program: &str) -> String {
    let moments = ["loop_start", "iteration_end", "trip", "limit", "loop_end"];
    let lines = moments.map(|moment| format!("{moment} = ['{program}']\n"));
    format!("[on]\n{}", lines.concat())
}

#[test]
fn every_moment_is_told_with_what_happened() {
    let env = world();
    let (program, told) = diary(&env);
    user_config(&env, &everywhere(&program));
    let script = format!("say not yet\nwrite a.txt x\nnext\nsay {COMPLETE}");
    drop(scripted(&env, &script, &["--name", "mine"]).run().success());
    let told = told();
    assert_eq!(moments(&told), ["loop_start", "iteration_end", "iteration_end", "loop_end"]);
    assert!(told.iter().all(|one| one["loop"] == "mine"));
    assert_eq!(told[2]["event"]["iteration"], 2);
    assert_eq!(told[3]["event"]["ending"]["type"], "done");
}

#[test]
fn a_trip_has_its_moment_before_the_end() {
    let env = world();
    let (program, told) = diary(&env);
    user_config(&env, &everywhere(&program));
    let args = ["--stagnation-threshold", "2"];
    drop(scripted(&env, "say nothing to do", &args).run().code(3));
    let told = told();
    let expected = ["loop_start", "iteration_end", "iteration_end", "trip", "loop_end"];
    assert_eq!(moments(&told), expected);
    assert_eq!(told[3]["event"]["rule"], "stagnation");
}

#[test]
fn a_hook_that_fails_is_a_warning_and_the_loop_goes_on() {
    let env = world();
    user_config(&env, "[on]\niteration_end = ['sh', '-c', 'echo no disk >&2; exit 3']\n");
    let ran = scripted(&env, &format!("say {COMPLETE}"), &[]).run().success();
    let said = format!("{}{}", ran.stdout, ran.stderr);
    let words = "the hook `iteration_end` failed with exit code 3: no disk";
    assert!(said.contains(words), "{said}");
}

#[test]
fn a_hook_may_stop_the_loop_and_is_run_again_when_it_is_resumed() {
    let env = world();
    let (program, told) = diary(&env);
    let gate = env.root().join("tmp/gate");
    let hook = format!("{program}; test -e {}", gate.display());
    user_config(&env, &format!("[on]\niteration_end = ['sh', '-c', '{hook}']\nfailure = 'stop'\n"));
    let ran = scripted(&env, &format!("say {COMPLETE}"), &["--name", "mine"]).run().code(4);
    assert!(ran.stdout.contains("could not go on"), "{}", ran.stdout);
    assert_eq!(told().len(), 1);
    fs::write(&gate, "").unwrap();
    drop(env.windlass(["resume", "mine"]).success());
    assert_eq!(moments(&told()), ["iteration_end", "iteration_end"]);
}

#[test]
fn what_a_hook_has_seen_it_does_not_see_again_after_a_kill() {
    let env = world();
    let (program, told) = diary(&env);
    user_config(&env, &everywhere(&program));
    let agent = format!(
        "if [ -e two ]; then echo '{COMPLETE}'; elif [ -e one ]; then touch two; sleep 60; else touch one; fi"
    );
    let mut call = shell(&env, &agent, &["--name", "mine"]).spawn();
    let two = env.work().join("two");
    call.wait_until(Duration::from_secs(20), |_, _| two.exists());
    drop(call.kill9());
    drop(env.windlass(["resume", "mine"]).success());
    let told = told();
    assert_eq!(moments(&told), ["loop_start", "iteration_end", "iteration_end", "loop_end"]);
}

#[test]
fn a_hook_that_hangs_is_ended_and_leaves_nothing() {
    let env = world();
    user_config(
        &env,
        "[on]\niteration_end = ['sh', '-c', 'sleep 60 & sleep 60']\ntimeout = '1s'\n",
    );
    let ran = scripted(&env, &format!("say {COMPLETE}"), &[]).run().success();
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("the hook `iteration_end` took too long"), "{said}");
}

#[test]
fn mistakes_in_the_table_are_told_before_anything_starts() {
    let env = world();
    user_config(&env, "[on]\niteration_ends = ['true']\n");
    let ran = scripted(&env, "say hello", &[]).run().code(2);
    assert!(ran.stderr.contains("did you mean `iteration_end`?"), "{}", ran.stderr);
    user_config(&env, "[on]\nfailure = 'shout'\n");
    let ran = scripted(&env, "say hello", &[]).run().code(2);
    assert!(ran.stderr.contains("`failure` does not fit"), "{}", ran.stderr);
}
