//! `pr --local` from outside: auditors side by side, one list of what they found, and no GitHub.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use testkit::{Env, Invocation};

use crate::{oracle::aside, prompts_of, user_config, world};

/// The auditors that are on unless somebody says otherwise.
pub(crate) const AUDITORS: [&str; 5] =
    ["correctness", "security", "architecture", "api-stability", "project-rules"];

/// A world on the branch `pump`, which adds `src/pump.rs` to `main`.
pub(crate) fn pump() -> Env {
    let env = world();
    env.git(["checkout", "--quiet", "-b", "pump"]);
    env.write("src/pump.rs", "fn pump() {\n    draw();\n    push();\n}\n");
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=pump"]);
    env
}

/// A finding, as an auditor writes it.
pub(crate) fn finding(severity: &str, line: u32, title: &str) -> Value {
    let description = format!("It is so: {title}.");
    json!({
        "severity": severity, "file": "src/pump.rs", "line": line, "title": title,
        "description": description,
    })
}

/// A report, as an auditor writes it.
pub(crate) fn report(findings: &[Value]) -> String {
    format!("I have looked.\n```json\n{}\n```\n", json!({"findings": findings}))
}

/// A program that answers as each auditor with what [`answers`] has put there for it, else with
/// nothing found. `before` is what it does first; it knows its `$name`.
pub(crate) fn auditor(env: &Env, before: &str) -> PathBuf {
    let folder = aside(env, "answers");
    fs::create_dir_all(&folder).expect("the folder is ours");
    env.agent_sh(&format!(
        "name=$(printf '%s' \"$1\" | sed -n 's/.*Yours is [^a-z]*\\([a-z-]*\\).*/\\1/p')\n{before}\n\
         cat {}/$name 2> /dev/null || echo '{{\"findings\": []}}'",
        folder.display()
    ))
}

/// Says what an auditor of [`auditor`] answers.
pub(crate) fn answers(env: &Env, auditor: &str, answer: &str) {
    let folder = aside(env, "answers");
    fs::create_dir_all(&folder).expect("the folder is ours");
    fs::write(folder.join(auditor), answer).expect("the folder is ours");
}

/// `pr --local --base main` with a program as its agent.
pub(crate) fn local<'a>(env: &'a Env, agent: PathBuf, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["pr", "--local", "--base", "main", "-c"]).arg(agent);
    args.iter().fold(call, |call, arg| call.arg(arg))
}

/// What the newest loop has in its ledger: severity, place, title and sources.
fn ledger(env: &Env) -> Vec<String> {
    let found = env.windlass(["findings", "--format", "json"]).success().json();
    let entries = found["findings"].as_array().or(found.as_array()).expect("a list").clone();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |entry: &Value| {
        let one = entry.get("finding").unwrap_or(entry);
        format!(
            "{} {} {} {}",
            text(&one["severity"]),
            one["line"],
            text(&one["title"]),
            one["sources"]
        )
    };
    entries.iter().map(line).collect()
}

#[test]
fn findings_are_told_listed_and_left() {
    let env = pump();
    answers(&env, "correctness", &report(&[finding("HIGH", 2, "draw is not defined")]));
    answers(&env, "architecture", &report(&[finding("LOW", 3, "the pump knows too much")]));
    let agent = auditor(&env, "");
    let ran = local(&env, agent, &["--name", "mine", "--jobs", "1"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: pr with command in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 1 ━━━
    auditor correctness: finished in [time]
    auditor security: finished in [time]
    auditor architecture: finished in [time]
    auditor api-stability: finished in [time]
    auditor project-rules: finished in [time]
    2 findings
      HIGH src/pump.rs:2: draw is not defined
      LOW src/pump.rs:3: the pump knows too much
    iteration 1: [time], no files changed
    written: windlass-findings.md
    ✗ not done: 2 findings left
      5 sessions, no checks, no files modified, 2 findings, 0 fixed, 2 left, [time]
      findings: 2, 0 fixes applied in a single pass
      left: HIGH src/pump.rs:2: draw is not defined
      left: LOW src/pump.rs:3: the pump knows too much
      what remains is in windlass-findings.md
    --- stderr
      agent        command (auditor, fixer)
      sandbox      none
      budget       none, at most 1 iteration
      checks       none
    next: windlass findings mine --open
    next: windlass diff mine
    ");
    insta::assert_snapshot!(env.read("windlass-findings.md"), @"
    # Findings

    2 open, 0 fixed, 0 skipped

    - [ ] **HIGH** src/pump.rs:2: draw is not defined
      It is so: draw is not defined.
    - [ ] **LOW** src/pump.rs:3: the pump knows too much
      It is so: the pump knows too much.
    ");
    assert_eq!(env.git(["log", "--oneline", "--format=%s"]), "pump\nstart\n");
}

#[test]
fn the_result_names_the_list_wherever_it_is() {
    let env = pump();
    answers(&env, "security", &report(&[finding("HIGH", 2, "draws from anywhere")]));
    let agent = auditor(&env, "");
    let result = local(&env, agent.clone(), &["--json"]).run().code(1).json();
    assert_eq!(result["ending"], json!({"type": "findings_left", "left": 1}));
    assert_eq!(result["task_list"], "windlass-findings.md");
    assert_eq!((&result["sessions"], &result["exit_code"]), (&5.into(), &1.into()));
    assert_eq!(result["findings"], json!({"total": 1, "open": 1, "fixed": 0, "skipped": 0}));
    let result = local(&env, agent, &["--json", "--output", "lists/todo.md"]).run().code(1).json();
    assert_eq!(result["task_list"], "lists/todo.md");
    assert!(
        env.read("lists/todo.md").contains("- [ ] **HIGH** src/pump.rs:2: draws from anywhere")
    );
}

#[test]
fn a_list_is_none_of_the_work_wherever_it_is() {
    let env = pump();
    answers(&env, "security", &report(&[finding("HIGH", 2, "draws from anywhere")]));
    let agent = auditor(&env, "");
    for list in ["lists/to do [1].md", "src/left.md"] {
        for _ in 0..2 {
            local(&env, agent.clone(), &["--output", list]).run().code(1);
            assert!(env.work().join(list).exists());
            assert_eq!(env.git(["status", "--porcelain", "--untracked-files=all"]), "");
            let prompts = prompts_of(&env);
            assert!(prompts.iter().all(|prompt| !prompt.contains(list)), "{list}: {prompts:?}");
        }
    }
}

#[test]
fn nothing_found_is_approved_and_lists_nothing() {
    let env = pump();
    let result = local(&env, auditor(&env, ""), &["--json"]).run().success().json();
    assert_eq!(result["ending"]["type"], "approved");
    assert_eq!((&result["success"], &result["verified"]), (&true.into(), &false.into()));
    assert_eq!(result["task_list"], Value::Null);
    assert!(!env.work().join("windlass-findings.md").exists());
    assert_eq!(env.git(["status", "--porcelain"]), "");
}

#[test]
fn each_auditor_is_asked_with_its_brief_the_files_and_the_diff() {
    let env = pump();
    env.write("notes.txt", "not committed\n");
    local(&env, auditor(&env, ""), &[]).run().success();
    let mut prompts = prompts_of(&env);
    prompts.sort();
    assert_eq!(prompts.len(), 5);
    for name in AUDITORS {
        let mut of = prompts.iter().filter(|prompt| prompt.contains(&format!("Yours is `{name}`")));
        let (Some(prompt), None) = (of.next(), of.next()) else { panic!("{name}: {prompts:#?}") };
        for part in [
            &format!("## Your subject: `{name}`") as &str,
            "added src/pump.rs\n",
            "added notes.txt\n",
            "+    draw();\n",
            "+not committed\n",
            "base: main\nhead: the work tree\n",
        ] {
            assert!(prompt.contains(part), "{name} lacks {part:?}:\n{prompt}");
        }
    }
    let briefs: std::collections::BTreeSet<_> =
        prompts.iter().filter_map(|prompt| prompt.split("## Your subject").nth(1)).collect();
    assert_eq!(briefs.len(), 5, "each has a brief of its own");
}

#[test]
fn auditors_are_switched_off_added_and_given_an_agent_and_paths_of_their_own() {
    let env = pump();
    env.write("docs/use.md", "Pump it.\n");
    let other = env.agent_sh("echo \"other $1\" | head -c 5 >> asked\necho '{\"findings\": []}'");
    let config = env.home().join(".config/windlass");
    fs::create_dir_all(&config).expect("the folder is ours");
    fs::write(config.join("docs.md"), "Is it all in the docs?\n").expect("the folder is ours");
    user_config(
        &env,
        &format!(
            "[agents.other]\ncommand = [{other:?}]\n\
             [auditors.security]\nenabled = false\n[auditors.tests]\nenabled = true\n\
             [auditors.docs]\nprompt = 'docs.md'\nagent = 'other'\npaths = ['docs/**']\n\
             [auditors.architecture]\npaths = ['nowhere/**']\n"
        ),
    );
    let ran = local(&env, auditor(&env, ""), &[]).run().success();
    let asked = "SELECT place, agent FROM sessions ORDER BY place";
    insta::assert_snapshot!(env.sql(asked), @"
    1/auditor/api-stability|command
    1/auditor/correctness|command
    1/auditor/docs|other
    1/auditor/project-rules|command
    1/auditor/tests|command
    ");
    assert!(ran.stderr.contains("the auditor `architecture` is left out"), "{ran}");
    let prompts = prompts_of(&env);
    let docs = prompts.iter().find(|prompt| prompt.contains("Is it all in the docs?")).unwrap();
    assert!(docs.contains("Look only at these:") && docs.contains("docs/**"), "{docs}");
}

#[test]
fn the_same_defect_of_several_auditors_is_one_with_its_sources() {
    let env = pump();
    let same = |severity| finding(severity, 2, "`draw` is called before it is defined");
    let about_nothing = json!({"severity": "LOW", "title": "There is no test of the pump"});
    answers(&env, "correctness", &report(&[same("MEDIUM"), about_nothing.clone()]));
    answers(
        &env,
        "architecture",
        &report(&[same("HIGH"), finding("LOW", 3, "a name says nothing")]),
    );
    answers(&env, "project-rules", &report(&[about_nothing]));
    let agent = auditor(&env, "");
    local(&env, agent.clone(), &["--jobs", "2"]).run().code(1);
    let found = ledger(&env);
    insta::assert_snapshot!(found.join("\n"), @r#"
    HIGH 2 `draw` is called before it is defined ["correctness","architecture"]
    LOW 3 a name says nothing ["architecture"]
    LOW null There is no test of the pump ["correctness","project-rules"]
    "#);
    let list = env.read("windlass-findings.md");
    for slow in ["correctness", "project-rules"] {
        let slow = format!("[ $name = {slow} ] && sleep 0.3");
        local(&env, auditor(&env, &slow), &[]).run().code(1);
        assert_eq!(ledger(&env), found, "the order hangs on nobody's speed");
        assert_eq!(env.read("windlass-findings.md"), list);
    }
}

#[test]
fn what_is_less_grave_than_asked_for_is_left_out() {
    let env = pump();
    let all = ["LOW", "MEDIUM", "HIGH"]
        .map(|severity| finding(severity, 2, &format!("a {severity} one")));
    answers(&env, "correctness", &report(&all));
    for (least, left) in [("low", 3), ("medium", 2), ("high", 1)] {
        let ran = local(&env, auditor(&env, ""), &["--min-severity", least, "--json"]).run();
        assert_eq!(ran.code(1).json()["ending"], json!({"type": "findings_left", "left": left}));
    }
    answers(&env, "correctness", &report(&all[..1]));
    local(&env, auditor(&env, ""), &["--min-severity", "medium"]).run().success();
}

#[test]
fn a_loop_cannot_be_local() {
    let env = pump();
    let ran = local(&env, auditor(&env, "touch canary"), &["--loop"]).run().code(2);
    assert!(ran.stderr.contains("--local") && ran.stderr.contains("--loop"), "{ran}");
    for wrong in [&["--commit"] as &[&str], &["--push"], &["--approve"], &["--request-changes"]] {
        local(&env, auditor(&env, "touch canary"), wrong).run().code(2);
    }
    let ran = env.windlass(["pr", "--local", "--base", "nowhere", "-c", "true"]).code(2);
    assert!(ran.stdout.contains("there is no commit `nowhere` in this repository"), "{ran}");
    assert!(!env.work().join("canary").exists());
}
