//! Agents that report being blocked, in every kind of loop.

use std::fs;

use serde_json::{Value, json};
use testkit::Env;

use crate::{
    develop::develop,
    develop_tasks::over,
    heal::{heal, review},
    pr_loop::{found, pr, pulled},
    prompts_of, scripted,
    tasks::tasks,
    world,
};

/// Has the scripted agent play something else from now on.
fn play(env: &Env, script: &str) {
    fs::write(env.root().join("tmp").join("script-0"), script).expect("the script can be written");
}

fn ending(env: &Env, name: &str) -> Value {
    env.windlass(["show", name, "--json"]).success().json()["result"]["ending"].clone()
}

/// What the store says of the circuit.
fn circuit(env: &Env) -> String {
    env.sql("SELECT circuit FROM loops").trim().to_owned()
}

#[test]
fn a_blocked_agent_ends_the_loop_also_in_its_last_allowed_iteration_and_resume_goes_on() {
    let env = world();
    let script = "say <blocked>no key; ask Ann</blocked>\n";
    let ran = scripted(&env, script, &["--max-iterations", "1", "--name", "mine"]).run().code(3);
    assert!(ran.stderr.contains("next: windlass resume mine\nnext: windlass accept mine"), "{ran}");
    assert_eq!(ending(&env, "mine")["rule"], "blocked");
    assert_eq!(circuit(&env), "closed");
    let why = env.windlass(["why", "mine"]).success().stdout;
    assert!(why.contains("no key; ask Ann"), "{why}");
    assert!(why.contains("  windlass resume mine\n  windlass accept mine\n"), "{why}");
    play(&env, "next\nwrite a.txt x\nsay <promise>COMPLETE</promise>\n");
    let result = env.windlass(["resume", "--max-iterations", "3", "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "done");
}

#[test]
fn in_tasks_a_report_counts_for_one_task_and_the_loop_ends_when_all_are_blocked() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] deploy\n- [ ] write b\n- [ ] sign\n- [ ] ship\n");
    let script = "\
say <blocked>deploy: no key</blocked>\nnext
say <blocked>nobody gave me a disk</blocked>\nnext
write b.txt x\nreplace TASKS.md [ ] write b => [x] write b\nnext
say <blocked>sign: no certificate</blocked>\nnext
say ---LOOP_STATUS---\\nSTATUS: BLOCKED\\nRECOMMENDATION: ship: no truck\\n---END_LOOP_STATUS---\n";
    let ran = tasks(&env, "TASKS.md", script, &["--name", "mine"]).run().code(3);
    let ending = ending(&env, "mine");
    assert_eq!(ending["rule"], "blocked", "{ran}");
    assert_eq!(
        ending["reason"],
        "the agent says that every open task is blocked: deploy: no key; nobody gave me a disk; \
         sign: no certificate; ship: no truck"
    );
    let prompts = prompts_of(&env);
    assert_eq!(prompts.len(), 5);
    assert!(!prompts[0].contains("reported as blocked"), "{}", prompts[0]);
    let told = "\
These open tasks were reported as blocked. Leave them open and work on the others:
- write a: nobody gave me a disk
- deploy: deploy: no key\n";
    assert!(prompts[3].contains(told), "{}", prompts[3]);
    assert_eq!(circuit(&env), "closed");
    let tasks = "SELECT body -> '$.evidence.blocked_task' FROM events
                 WHERE type = 'iteration_finished' ORDER BY seq";
    assert_eq!(env.sql(tasks).lines().take(2).collect::<Vec<_>>(), ["\"deploy\"", "\"write a\""]);

    // All of them are open again.
    let works = |letter: &str, task: &str| {
        format!("write {letter}.txt x\nreplace TASKS.md [ ] {task} => [x] {task}\n")
    };
    let rest = [("a", "write a"), ("d", "deploy"), ("s", "sign"), ("t", "ship")];
    let rest: Vec<String> = rest.iter().map(|(letter, task)| works(letter, task)).collect();
    play(&env, &format!("{}{}", "next\n".repeat(5), rest.join("next\n")));
    let result = env.windlass(["resume", "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "done");
    assert!(!prompts_of(&env)[5].contains("reported as blocked"));
}

#[test]
fn a_killed_tasks_loop_has_its_blocked_tasks_open_again() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] deploy\n");
    let script = "say <blocked>deploy: no key</blocked>\nnext\nwrite started x\nsleep 600\n";
    let running = tasks(&env, "TASKS.md", script, &["--name", "mine"]).spawn();
    testkit::wait_until("the second session", crate::oracle::LIMIT, || {
        env.work().join("started").exists()
    });
    drop(running.kill9());
    play(
        &env,
        "next\nsay <blocked>deploy: still no key</blocked>\nnext\nsay <blocked>x</blocked>\n",
    );
    let ending = env.windlass(["resume", "mine", "--json"]).code(3).json()["ending"].clone();
    let told = "the agent says that every open task is blocked: deploy: still no key; x";
    assert_eq!(ending["reason"], told);
}

#[test]
fn a_blocked_developer_is_not_reviewed_and_ends_the_loop_in_its_last_iteration() {
    let env = world();
    let script = "as developer\nsay <blocked>no key</blocked>\nas reviewer\nsay APPROVED\n";
    let ran = develop(&env, script, &["--max-iterations", "1", "--name", "mine"]).run().code(3);
    assert!(ran.stdout.contains("blocked: no key"), "{ran}");
    assert_eq!(ending(&env, "mine")["rule"], "blocked");
    assert_eq!(prompts_of(&env).len(), 1, "the reviewer is not asked");
    play(&env, "next\nas developer\nwrite a.txt x\nas reviewer\nsay APPROVED\n");
    let result = env.windlass(["resume", "mine", "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "approved");
}

#[test]
fn a_reviewer_cannot_be_blocked() {
    let env = world();
    let script = "\
as developer\nwrite a.txt x
as reviewer\nsay FEEDBACK: more\\n\\n<blocked>no key</blocked>\nnext
as developer\nwrite a.txt y\nas reviewer\nsay APPROVED\n";
    let result = develop(&env, script, &["--json"]).run().success().json();
    assert_eq!(result["ending"]["type"], "approved");
}

#[test]
fn in_develop_over_a_file_the_next_task_is_tried_and_all_blocked_is_the_rule() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n- [ ] write c\n");
    let script = "\
as developer\nsay <blocked>write a: no disk</blocked>\nnext
as developer\nwrite b.txt x\nas reviewer\nsay APPROVED\nnext
as developer\nsay <blocked>no key</blocked>\n";
    let ran = over(&env, "TASKS.md", script, &["--name", "mine"]).run().code(3);
    let ended = ending(&env, "mine");
    assert_eq!(ended["rule"], "blocked", "{ran}");
    let told = "the agent says that every open task is blocked: write a: no disk; write c: no key";
    assert_eq!(ended["reason"], told);
    assert_eq!(circuit(&env), "closed");
    assert!(env.read("TASKS.md").contains("[x] write b"));
    // The blocked ones have their turn again, in their order.
    let works = "as developer\nappend rest.txt x\nas reviewer\nsay APPROVED\n";
    play(&env, &format!("next\nnext\nnext\n{works}next\n{works}"));
    let result = env.windlass(["resume", "mine", "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "approved");
    assert_eq!(result["iterations"], 5);
    assert!(!env.read("TASKS.md").contains("[ ]"));
}

#[test]
fn a_task_that_was_escalated_beside_a_blocked_one_is_told_with_it() {
    let env = world();
    env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
    let script = "\
as developer\nsay <blocked>no disk</blocked>\nnext
as developer\nwrite b.txt x\nas reviewer\nsay FEEDBACK: not like this\n";
    let args = ["--name", "mine", "--max-iterations", "1"];
    over(&env, "TASKS.md", script, &args).run().code(1);
    let ended = ending(&env, "mine");
    assert_eq!(ended["type"], "escalated");
    assert_eq!(ended["tasks"], json!(["write a", "write b"]));
    let told = "write a:\nblocked: no disk\n\nwrite b:\nFEEDBACK: not like this";
    assert_eq!(ended["feedback"], told);
    let works = "as developer\nappend rest.txt x\nas reviewer\nsay APPROVED\n";
    play(&env, &format!("next\nnext\n{works}next\n{works}"));
    let call = ["resume", "mine", "--max-iterations", "2", "--json"];
    assert_eq!(env.windlass(call).success().json()["ending"]["type"], "approved");
}

#[test]
fn in_heal_the_finding_of_a_blocked_session_is_skipped_with_its_words() {
    let env = world();
    env.write("a.txt", "a\n");
    let script = format!(
        "as reviewer\n{}\nas fixer\nsay <blocked>only Ann knows</blocked>\n",
        review(&["one", "two"])
    );
    let result = heal(&env, &script, &["--json", "--test", "true"]).run().code(1).json();
    assert_eq!(result["ending"]["type"], "findings_left");
    assert_eq!(result["findings"]["skipped"], 2);
    let findings = env.windlass(["findings"]).success().stdout;
    assert!(findings.contains("blocked: only Ann knows"), "{findings}");
}

#[test]
fn in_pr_all_findings_of_a_blocked_session_are_skipped_with_its_words() {
    let (env, github) = pulled();
    let script = format!(
        "as auditor\n{}\nas fixer\nsay <blocked>only Ann knows</blocked>\n",
        found(&["one", "two"])
    );
    let result = pr(&env, &github, &script, &["--loop", "--json"]).run().code(1).json();
    assert_eq!(result["ending"]["type"], "stalled", "{result}");
    let logged = "SELECT body -> '$.skips' FROM events WHERE type = 'audit_logged' ORDER BY seq";
    let logged: Value = serde_json::from_str(env.sql(logged).lines().next().unwrap()).unwrap();
    let reasons: Vec<&str> =
        logged.as_array().unwrap().iter().filter_map(|skip| skip["reason"].as_str()).collect();
    assert_eq!(reasons, ["blocked: only Ann knows"; 2]);
}
