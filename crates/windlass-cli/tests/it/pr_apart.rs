//! What `pr` audits: the head of the pull request, in a worktree of windlass's own, whatever the user
//! has checked out; and what is left of that afterwards.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use serde_json::json;
use testkit::{Env, Invocation, github::GitHub, wait_until};

use crate::{
    oracle::{LIMIT, aside},
    pr_local::{auditor, finding},
    pr_loop::{asking, pr, pulled, reviews, rounds},
    pr_post::says,
    prompts_of,
};

/// Runs git somewhere else than in the work tree.
fn git(env: &Env, directory: &Path, args: &[&str]) -> String {
    let directory = directory.display().to_string();
    env.git([&["-C", &directory], args].concat())
}

/// The pump as a pull request whose head only `origin` has: the user is on `main`.
fn elsewhere() -> (Env, GitHub, PathBuf, String) {
    elsewhere_with(|_| ())
}

/// The same, with what `plant` commits to the head.
fn elsewhere_with(plant: impl Fn(&Env)) -> (Env, GitHub, PathBuf, String) {
    let (env, github) = pulled();
    plant(&env);
    let bare = env.root().join("tmp/origin.git");
    let path = bare.display().to_string();
    env.git(["init", "--quiet", "--bare", &path]);
    env.git(["remote", "add", "origin", &path]);
    env.git(["push", "--quiet", "origin", "main", "pump:refs/pull/7/head", "pump"]);
    let head = env.git(["rev-parse", "pump"]).trim().to_owned();
    env.git(["checkout", "--quiet", "main"]);
    env.git(["branch", "--quiet", "-D", "pump"]);
    env.git(["update-ref", "-d", "refs/remotes/origin/pump"]);
    env.git(["reflog", "expire", "--expire=now", "--all"]);
    env.git(["gc", "--quiet", "--prune=now"]);
    let main = env.git(["rev-parse", "main"]).trim().to_owned();
    github.world(|world| {
        world.pull(7).base_sha = main;
        world.pull(7).head_sha.clone_from(&head);
    });
    (env, github, bare, head)
}

/// All that git has of the user's repository that an audit could change.
fn repository(env: &Env) -> String {
    let objects = env.git(["count-objects", "-v"]);
    let parts = [
        env.git(["for-each-ref"]),
        env.git(["worktree", "list"]),
        env.git(["status", "--porcelain"]),
        env.git(["rev-parse", "HEAD"]),
        objects,
    ];
    parts.join("\n")
}

/// `pr 7` with a program as its auditors, one after the other.
fn audit<'a>(env: &'a Env, github: &GitHub, agent: PathBuf, args: &[&str]) -> Invocation<'a> {
    let call = asking(env, github, &["pr", "7", "--repo", "ada/engine", "--jobs", "1", "-c"]);
    args.iter().fold(call.arg(agent), |call, arg| call.arg(arg))
}

/// What is audited at the moment.
fn heads(env: &Env) -> Vec<String> {
    let entries = fs::read_dir(env.windlass_home().join("heads")).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn the_head_is_audited_whatever_is_checked_out_and_the_repository_stays_as_it_was() {
    let (env, github, _, head) = elsewhere();
    let before = repository(&env);
    let agent = auditor(&env, &format!("git rev-parse HEAD > {}", aside(&env, "at").display()));
    let ran = audit(&env, &github, agent, &["--approve", "--json"]).run().success();
    let prompt = prompts_of(&env).remove(0);
    assert!(
        prompt.contains("added src/pump.rs\n") && prompt.contains("+    draw();\n"),
        "{prompt}"
    );
    assert_eq!(fs::read_to_string(aside(&env, "at")).expect("it ran").trim(), head);
    let [review] = &reviews(&github)[..] else { panic!("one review") };
    assert_eq!((&review["state"], &review["commit_id"]), (&json!("APPROVE"), &json!(head)));
    assert_eq!(repository(&env), before);
    assert_eq!(heads(&env), Vec::<String>::new());
    let url = "https://github.com/ada/engine/pull/7#pullrequestreview-100";
    let posted = json!({"event": "APPROVE", "commit": head, "url": url, "why": null});
    assert_eq!(ran.json()["posted"], posted);
    assert_eq!(env.windlass(["diff"]).success().stdout, "", "what is suggested works");
    env.windlass(["gc"]).success();
}

#[test]
fn what_is_here_and_not_in_the_head_is_not_audited() {
    let (env, github) = pulled();
    env.write("notes.txt", "mine\n");
    let ran = pr(&env, &github, &says(&[]), &["--approve"]).run().success();
    assert!(ran.stderr.contains("is audited in a worktree of windlass's own"), "{ran}");
    let prompts = prompts_of(&env);
    assert!(prompts.iter().all(|prompt| !prompt.contains("notes.txt")), "{prompts:?}");
    assert_eq!(reviews(&github)[0]["state"], "APPROVE");
    assert_eq!(env.git(["status", "--porcelain"]), "?? notes.txt\n");
}

#[test]
fn what_an_auditor_leaves_at_the_head_is_told_and_not_said_to_be_kept() {
    let (env, github, _, _) = elsewhere();
    let agent = auditor(&env, "touch cache");
    let ran = audit(&env, &github, agent, &["--json"]).run().success();
    assert!(ran.stderr.contains("and it is there to read: cache is removed\n"), "{ran}");
}

#[test]
fn a_local_audit_of_a_number_lists_what_it_finds_where_the_user_is() {
    let (env, github, ..) = elsewhere();
    let script = says(&[finding("HIGH", 2, "the valve leaks")]);
    let result = pr(&env, &github, &script, &["--local", "--json"]).run().code(1).json();
    assert_eq!(
        (&result["task_list"], &result["posted"]),
        (&json!("windlass-findings.md"), &json!(null))
    );
    assert!(env.read("windlass-findings.md").contains("src/pump.rs:2: the valve leaks"));
    assert_eq!(env.git(["status", "--porcelain"]), "");
}

#[test]
fn a_head_that_only_its_fork_has_is_fetched_from_there() {
    let (env, github, bare, head) = elsewhere();
    let fork = env.root().join("tmp/fork.git");
    fs::rename(&bare, &fork).expect("the folder is ours");
    git(&env, &fork, &["update-ref", "-d", "refs/pull/7/head"]);
    github.world(|world| {
        let pull = world.pull(7);
        pull.head_repository = (2, "stranger/engine".to_owned());
        pull.head_address = Some(fork.display().to_string());
    });
    let ran = pr(&env, &github, &says(&[]), &["--approve"]).run().success();
    assert!(ran.stderr.contains("from the repository that it comes from"), "{ran}");
    assert_eq!(reviews(&github)[0]["commit_id"], json!(head));
}

#[test]
fn a_head_that_cannot_be_fetched_is_not_audited() {
    let (env, github, bare, head) = elsewhere();
    fs::remove_dir_all(bare).expect("the folder is ours");
    let ran = pr(&env, &github, &says(&[]), &["--approve"]).run().code(7);
    let told =
        format!("{}, the head of pull request 7, is not in this repository and cannot", &head[..7]);
    assert!(ran.stdout.contains(&told), "{ran}");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
    assert!(reviews(&github).is_empty());
    assert_eq!(heads(&env), Vec::<String>::new());
}

#[test]
fn a_killed_audit_goes_on_at_the_head_and_leaves_nothing() {
    let (env, github, ..) = elsewhere();
    let go = aside(&env, "go");
    let begun = aside(&env, "begun");
    let [at, until] = [&begun, &go].map(|path| path.display().to_string());
    let wait = format!("touch {at}; while [ ! -e {until} ]; do sleep 0.1; done");
    let agent = auditor(&env, &wait);
    let running = audit(&env, &github, agent.clone(), &["--name", "mine"]).spawn();
    wait_until("a session", LIMIT, || begun.exists());
    drop(running.kill9());
    assert_eq!(heads(&env), ["mine"]);
    fs::write(&go, "").expect("the folder is ours");
    asking(&env, &github, &["resume", "mine"]).run().success();
    assert_eq!(reviews(&github).len(), 1);
    assert_eq!(heads(&env), Vec::<String>::new());

    fs::remove_file(&go).expect("it is there");
    for (name, command) in [("other", &["gc"] as &[&str]), ("third", &["rm", "third"])] {
        fs::remove_file(&begun).expect("it is there");
        let running = audit(&env, &github, agent.clone(), &["--name", name]).spawn();
        wait_until("a session", LIMIT, || begun.exists());
        drop(running.kill9());
        assert_eq!(heads(&env), [name]);
        env.command(command).run().success();
        assert_eq!(heads(&env), Vec::<String>::new(), "{command:?}");
    }
}

#[test]
fn a_program_that_the_user_names_is_theirs_and_not_that_of_the_pull_request() {
    let (env, github) = pulled();
    let answer = "#!/bin/sh\necho '{\"findings\": []}'\n";
    env.write("audit.sh", format!("#!/bin/sh\ntouch {}\n", aside(&env, "canary").display()));
    env.git(["update-index", "--add", "--chmod=+x", "audit.sh"]);
    env.git(["commit", "--quiet", "--message=planted"]);
    let head = env.git(["rev-parse", "HEAD"]).trim().to_owned();
    github.world(|world| world.pull(7).head_sha = head);
    env.git(["checkout", "--quiet", "--force", "main"]);
    env.write("audit.sh", answer);
    let path = env.work().join("audit.sh");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    audit(&env, &github, PathBuf::from("./audit.sh"), &["--approve"]).run().success();
    assert!(!aside(&env, "canary").exists());
    assert_eq!(reviews(&github)[0]["state"], "APPROVE");
}

#[test]
fn git_works_for_an_auditor_in_a_sandbox() {
    let (env, github, ..) = elsewhere();
    let looks = "git diff --quiet main HEAD && exit 3; git log -1 > log || exit 4; rm log";
    let agent = auditor(&env, looks);
    audit(&env, &github, agent, &["--sandbox", "auto", "--approve"]).run().success();
    assert_eq!(reviews(&github)[0]["state"], "APPROVE");
}

#[test]
fn a_loop_in_a_worktree_works_on_the_head_wherever_the_user_is() {
    let (env, github, bare, head) = elsewhere();
    env.write("README.md", "# Mine\n");
    let script = rounds(&[&["the valve leaks"], &[]]);
    let args = ["--loop", "--push", "--approve", "--worktree", "fixes"];
    pr(&env, &github, &script, &args).run().success();
    let pushed = git(&env, &bare, &["rev-parse", "refs/heads/pump"]).trim().to_owned();
    assert_eq!(git(&env, &bare, &["rev-parse", "refs/heads/pump^"]).trim(), head);
    assert_eq!(env.git(["rev-parse", "fixes"]).trim(), pushed);
    assert_eq!(env.git(["status", "--porcelain", "--branch"]), "## main\n M README.md\n");
    let reviews = reviews(&github);
    assert_eq!(reviews.len(), 1, "{reviews:#?}");
}

/// A pull request whose head brings a server for Claude Code, and a program of that name which audits.
fn bringing() -> (Env, GitHub, PathBuf) {
    let (env, github, ..) = elsewhere_with(|env| {
        env.write(".mcp.json", r#"{"mcpServers": {"theirs": {"command": "./theirs.sh"}}}"#);
        env.git(["add", "."]);
        env.git(["commit", "--quiet", "--message=a server"]);
    });
    let agent = env.install("claude", "echo '{\"findings\": []}'");
    (env, github, agent)
}

#[test]
fn what_the_head_brings_for_agents_needs_trust_before_the_first_session() {
    let (env, github, agent) = bringing();
    let refused = audit(&env, &github, agent.clone(), &[]).run().code(4);
    let told =
        "untrusted settings for agents (claude: .mcp.json: MCP server theirs: ./theirs.sh): ";
    assert!(refused.stdout.contains(told), "{refused}");
    assert!(
        refused.stdout.contains("run `windlass trust`, and then `windlass resume"),
        "{refused}"
    );
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
    assert!(reviews(&github).is_empty());
    // It is nowhere in the user's tree, and can be trusted all the same.
    let trusted = env.windlass(["trust"]).success();
    assert!(
        trusted.stdout.contains("  claude: .mcp.json: MCP server theirs: ./theirs.sh\n"),
        "{trusted}"
    );
    asking(&env, &github, &["resume"]).run().success();
    env.windlass(["trust", "--revoke"]).success();
    audit(&env, &github, agent.clone(), &[]).run().code(4);
    audit(&env, &github, agent, &["--trust-agent-config"]).run().success();
}

#[test]
fn in_a_good_sandbox_only_the_head_of_a_stranger_needs_trust() {
    let (env, github, agent) = bringing();
    if !crate::sandboxes::has_sandbox(&env, "bwrap") {
        return;
    }
    let confined = ["--sandbox", "bwrap", "--network", "none"];
    let said = audit(&env, &github, agent.clone(), &confined).run().success();
    assert!(
        said.stderr.contains("  claude: .mcp.json: MCP server theirs: ./theirs.sh\n"),
        "{said}"
    );
    github.world(|world| world.pull(7).head_repository = (2, "stranger/engine".to_owned()));
    let refused = audit(&env, &github, agent, &confined).run().code(4);
    assert!(refused.stdout.contains("MCP server theirs: ./theirs.sh"), "{refused}");
}
