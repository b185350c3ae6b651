//! `pr` alone from outside: one audit, and a review on GitHub's stand-in.

use std::fs;

use serde_json::{Value, json};
use testkit::github::Fault;

use crate::{
    pr_local::{finding, report},
    pr_loop::{TOKEN, asking, found, pr, pulled, reviews},
    user_config,
};

/// A script whose auditors all give this report.
pub(crate) fn says(findings: &[Value]) -> String {
    format!("say {}\n", report(findings).replace('\\', "\\\\").replace('\n', "\\n"))
}

/// A finding at a line that the diff has, one at a line that it has not, and one without a place.
fn three() -> String {
    let nowhere = json!({"severity": "LOW", "title": "no test of the pump"});
    let far =
        json!({"severity": "MEDIUM", "file": "README.md", "line": 1, "title": "says nothing"});
    says(&[finding("HIGH", 2, "the valve leaks"), far, nowhere])
}

#[test]
fn findings_stand_beside_their_lines_and_the_others_in_the_body() {
    let (env, github) = pulled();
    let ran = pr(&env, &github, &three(), &["--name", "mine", "--jobs", "1"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: pr with scripted in /tmp/windlass-XXXXXX/work
    Pull request 7: Add a pump by ada, pump into main
    ━━━ Iteration 1 of at most 1 ━━━
    auditor correctness: finished in [time]
    auditor security: finished in [time]
    auditor architecture: finished in [time]
    auditor api-stability: finished in [time]
    auditor project-rules: finished in [time]
    3 findings
      HIGH src/pump.rs:2: the valve leaks
      MEDIUM README.md:1: says nothing
      LOW no test of the pump
    iteration 1: [time], no files changed
    posted: https://github.com/ada/engine/pull/7#pullrequestreview-100
    ✗ not done: 3 findings left
      5 sessions, no checks, no files modified, 3 findings, 0 fixed, 3 left, [time]
      findings: 3, 0 fixes applied in a single pass
      left: HIGH src/pump.rs:2: the valve leaks
      left: MEDIUM README.md:1: says nothing
      left: LOW no test of the pump
      commented on GitHub: 2af6c01, no approval: 3 findings are left
    --- stderr
      agent        scripted (auditor, fixer)
      sandbox      none
      budget       none, at most 1 iteration
      checks       none
    note: 2af6c01, the head of pull request 7, is audited in a worktree of windlass's own
    next: windlass findings mine --open
    next: windlass diff mine
    ");
    let reviews = reviews(&github);
    let [review] = &reviews[..] else { panic!("{reviews:#?}") };
    assert_eq!(review["state"], "COMMENT");
    assert_eq!(review["commit_id"], env.git(["rev-parse", "HEAD"]).trim());
    let id = env.sql("SELECT id FROM loops");
    let body = review["body"].as_str().unwrap_or_default().replace(id.trim(), "ID");
    insta::assert_snapshot!(body, @"
    The audit has 3 findings.

    The others, which are not about changed lines or are too many to stand there:

    **MEDIUM** `README.md:1` says nothing

    **LOW** no test of the pump

    <!-- windlass:review ID -->
    ");
    let comments = review["comments"].as_array().expect("a list");
    let [comment] = &comments[..] else { panic!("{comments:#?}") };
    assert_eq!((&comment["path"], &comment["line"]), (&json!("src/pump.rs"), &json!(2)));
    let text = comment["body"].as_str().unwrap_or_default();
    assert!(text.starts_with("**HIGH** the valve leaks\n\nIt is so: the valve leaks."), "{text}");
    assert!(!env.work().join("windlass-findings.md").exists(), "it is told on GitHub");
    assert_eq!(env.git(["status", "--porcelain"]), "");
}

#[test]
fn a_review_says_more_only_when_asked_to() {
    let (env, github) = pulled();
    let cases = [
        (three(), "--approve", 1, "COMMENT"),
        (three(), "--request-changes", 1, "REQUEST_CHANGES"),
        (says(&[]), "--approve", 0, "APPROVE"),
        (says(&[]), "--request-changes", 0, "COMMENT"),
    ];
    for (script, flag, code, _) in &cases {
        pr(&env, &github, script, &[flag]).run().code(*code);
    }
    let states: Vec<Value> = reviews(&github).iter().map(|one| one["state"].clone()).collect();
    assert_eq!(states, cases.map(|(_, _, _, state)| json!(state)));
    let clean = reviews(&github)[2]["body"].as_str().unwrap_or_default().to_owned();
    assert!(clean.starts_with("The audit found nothing to change."), "{clean}");
}

#[test]
fn the_pull_request_of_the_current_branch_is_meant() {
    let (env, github) = pulled();
    env.git(["remote", "add", "origin", "git@github.com:ada/engine.git"]);
    let script = env.script(&three()).display().to_string();
    let args = ["pr", "--agent", "scripted", "--script", &script];
    let ran = asking(&env, &github, &args).run().code(1);
    assert!(ran.stdout.contains("Pull request 7: Add a pump by ada, pump into main"), "{ran}");
    assert_eq!(reviews(&github).len(), 1);

    env.git(["checkout", "--quiet", "-b", "other"]);
    let ran = asking(&env, &github, &args).run().code(2);
    assert!(ran.stdout.contains("there is no open pull request of the branch `other`"), "{ran}");
    env.git(["checkout", "--quiet", "--detach"]);
    let ran = asking(&env, &github, &args).run().code(2);
    assert!(ran.stdout.contains("no branch is checked out"), "{ran}");
}

#[test]
fn what_cannot_be_asked_is_told_before_any_auditor_is() {
    let (env, github) = pulled();
    let script = env.script("write canary x").display().to_string();
    let with = |args: &[&str]| {
        let call = asking(&env, &github, &["pr", "--agent", "scripted", "--script", &script]);
        args.iter().fold(call, |call, arg| call.arg(arg))
    };
    let ran = with(&["8", "--repo", "ada/engine"]).run().code(2);
    assert!(ran.stdout.contains("pull request 8 of ada/engine is not there"), "{ran}");
    let ran = with(&["7", "--repo", "engine"]).run().code(2);
    assert!(ran.stderr.contains("write it as OWNER/NAME"), "{ran}");
    let ran = with(&["7"]).run().code(2);
    assert!(ran.stderr.contains("there is no `origin`"), "{ran}");
    let ran = with(&["7", "--repo", "ada/engine"]).without_env("GITHUB_TOKEN").run().code(4);
    assert!(ran.stderr.contains("there is no token for 127.0.0.1"), "{ran}");
    assert!(ran.stderr.contains("set GITHUB_TOKEN"), "{ran}");
    let ran = with(&["7", "--repo", "ada/engine"]).env("GITHUB_TOKEN", "wrong").run().code(7);
    assert!(ran.stdout.contains("127.0.0.1 does not accept the token: Bad credentials"), "{ran}");
    assert!(!ran.to_string().contains("wrong"), "{ran}");
    assert!(!env.work().join("canary").exists());
    assert!(reviews(&github).is_empty());
}

#[test]
fn a_pull_request_without_its_base_here_is_told() {
    let (env, github) = pulled();
    env.git(["branch", "--delete", "--force", "main"]);
    let ran = pr(&env, &github, &three(), &[]).run().code(2);
    assert!(ran.stdout.contains("there is no commit `main`"), "{ran}");
    assert!(reviews(&github).is_empty());
}

#[test]
fn nothing_is_approved_that_nobody_looked_at() {
    let (env, github) = pulled();
    let names = ["correctness", "security", "architecture", "api-stability", "project-rules"];
    let nowhere = names.map(|name| format!("[auditors.{name}]\npaths = ['nowhere/**']\n"));
    user_config(&env, &nowhere.concat());
    let ran = pr(&env, &github, &three(), &["--approve"]).run().code(2);
    assert!(ran.stdout.contains("no auditor looks at any of the changed files"), "{ran}");
    assert!(reviews(&github).is_empty());
}

#[test]
fn nobody_but_github_sees_the_token() {
    let (env, github) = pulled();
    let told = finding("HIGH", 2, &format!("a secret {TOKEN} in the code"));
    let spies = "env GITHUB_TOKEN\nenv GH_TOKEN\nenv GITHUB_API_URL\n";
    let script = format!("as auditor\n{spies}{}as fixer\n{spies}", says(&[told]));
    let check = "env > seen-by-check";
    let args = ["--loop", "--check", check, "--max-iterations", "2", "--output", "left.md"];
    let ran = pr(&env, &github, &script.replace(TOKEN, "x"), &args).env("GH_TOKEN", TOKEN).run();
    let ran = ran.code(1);
    pr(&env, &github, &script, &[]).run().code(1);
    let said = env.windlass(["show", "--json"]).success().stdout;
    assert!(said.contains("GITHUB_TOKEN is not set"), "{said}");
    for text in [&ran.stdout, &ran.stderr, &env.read("seen-by-check"), &env.read("left.md")] {
        assert!(!text.contains(TOKEN), "{text}");
    }
    for request in github.requests() {
        assert!(!request.raw.contains(TOKEN), "{}", request.raw);
    }
    assert_eq!(reviews(&github).len(), 1);
}

#[test]
fn no_file_of_the_store_has_the_token() {
    let (env, github) = pulled();
    pr(&env, &github, &three(), &["-v"]).run().code(1);
    pr(&env, &github, &says(&[]), &["--loop"]).run().success();
    let mut folders = vec![env.windlass_home()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("it is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).unwrap_or_default();
            let has = bytes.windows(TOKEN.len()).any(|window| window == TOKEN.as_bytes());
            assert!(!has, "{}", path.display());
        }
    }
}

#[test]
fn what_findings_say_does_nothing_on_github() {
    let (env, github) = pulled();
    let evil = json!({
        "severity": "HIGH", "file": "src/pump.rs", "line": 2,
        "title": "ask @octocat <img src=x onerror=alert(1)>",
        "description": "![see](https://evil.example/x.png) fixes #12 <script>alert(1)</script> \
                        <!-- windlass:begin -->",
        "suggestion": "```suggestion\nrm -rf /\n```",
    });
    let mut elsewhere = evil.clone();
    elsewhere["file"] = json!("other.rs");
    elsewhere["title"] = json!("@ada/everybody, look");
    pr(&env, &github, &says(&[evil, elsewhere]), &[]).run().code(1);
    let review = &reviews(&github)[0];
    let comment = review["comments"][0]["body"].as_str().unwrap_or_default();
    let body = review["body"].as_str().unwrap_or_default();
    assert!(!comment.is_empty() && body.contains("other.rs"), "{review:#}");
    for text in [comment, body] {
        for live in [
            "@octocat",
            "@ada",
            "<img",
            "<script",
            "![",
            "#12",
            "<!-- windlass:begin",
            "```suggestion",
        ] {
            assert!(!text.contains(live), "{live}: {text}");
        }
    }
}

#[test]
fn findings_of_a_file_stand_for_the_first_audit() {
    let (env, github) = pulled();
    let sarif = json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "lint"}},
            "results": [
                {"level": "error", "message": {"text": "unused valve"},
                 "locations": [{"physicalLocation": {
                    "artifactLocation": {"uri": "src/pump.rs"}, "region": {"startLine": 3}}}]},
                {"level": "note", "message": {"text": "a matter of taste"}},
            ],
        }],
    });
    let file = env.root().join("tmp/found.sarif");
    fs::write(&file, sarif.to_string()).expect("the folder is ours");
    let file = file.display().to_string();
    let ran = pr(&env, &github, "exit 1", &["--findings", &file]).run().code(1);
    assert!(ran.stdout.contains("src/pump.rs:3: unused valve"), "{ran}");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
    assert_eq!(reviews(&github)[0]["comments"][0]["line"], 3);

    let args = ["--findings", &file, "--min-severity", "high", "--json"];
    let result = pr(&env, &github, "exit 1", &args).run().code(1).json();
    assert_eq!(result["findings"]["total"], 1, "what is less grave is left out of these too");

    let script = format!("as auditor\n{}\nas fixer\nappend src/pump.rs x\n", found(&[]));
    let ran = pr(&env, &github, &script, &["--findings", &file, "--loop"]).run().success();
    assert!(ran.stdout.contains("Iteration 1: 2 findings -> 2 fixed, 0 skipped"), "{ran}");
    assert!(ran.stdout.contains("Iteration 2: 0 findings -> APPROVED"), "{ran}");
}

#[test]
fn a_place_that_github_refuses_goes_into_the_body() {
    let (env, github) = pulled();
    let no = "Pull request review thread line must be part of the diff";
    github.fault("POST", "/reviews", Fault::status(422, no));
    pr(&env, &github, &three(), &[]).run().code(1);
    let reviews = reviews(&github);
    assert_eq!((reviews.len(), &reviews[0]["comments"]), (1, &Value::Null));
    assert!(reviews[0]["body"].as_str().unwrap_or_default().contains("the valve leaks"));
}
