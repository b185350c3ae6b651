//! A canary: a secret of the environment that agents, checks and findings repeat is nowhere
//! afterwards, in whatever form, but where the user put it.

use std::{fs, path::Path};

use testkit::{Env, Invocation};

use crate::{
    COMPLETE,
    pr_local::finding,
    pr_loop::{pr, pulled},
    pr_post::says,
    serve::{end, serve},
    shell, world,
};

const CANARY: &str = "canary-0123456789abcdef/+xyz";
/// Both as `base64` and addresses write them.
const FORMS: [&str; 3] =
    [CANARY, "Y2FuYXJ5LTAxMjM0NTY3ODlhYmNkZWYvK3h5", "canary-0123456789abcdef%2F%2Bxyz"];
const TOKEN: &str = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

/// A file with the canary, where the agent finds it.
fn planted(env: &Env) -> String {
    let file = env.root().join("tmp/planted");
    fs::write(&file, format!("{CANARY}\n")).expect("the folder is ours");
    file.display().to_string()
}

fn with_canary(call: Invocation<'_>) -> Invocation<'_> {
    call.env("DEPLOY_TOKEN", CANARY)
}

/// Every file below that has a secret in it.
fn files_with_secrets(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with_secrets(&path));
        } else if path.is_file()
            && let Ok(bytes) = fs::read(&path)
        {
            let text = String::from_utf8_lossy(&bytes);
            if has_secret(&text) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

fn has_secret(text: &str) -> bool {
    FORMS.iter().chain([&TOKEN]).any(|form| text.contains(form))
}

/// An agent that says the canary in every way: whole, cut over writes, as base64, on standard error.
fn talkative(env: &Env) -> String {
    let file = planted(env);
    format!(
        "cat {file}\nbase64 < {file}\nprintf 'cut canary-0123'; sleep 0.4; printf '456789abcdef/+xyz\\n'\n\
         printf 'cut canary-0123' >&2; sleep 0.4; printf '456789abcdef/+xyz\\n' >&2\n\
         echo 'https://x?t=canary-0123456789abcdef%2F%2Bxyz'\n\
         echo {TOKEN}\necho {TOKEN} > seen.txt\necho 'and {CANARY}'\necho '{COMPLETE}'"
    )
}

#[test]
fn a_canary_that_the_agent_prints_is_nowhere_afterwards() {
    let env = world();
    let file = planted(&env);
    let check = format!("cat {file}; cat {file} >&2");
    for output in [&["--json"][..], &["--jsonl"], &["-v"]] {
        let args = [&["--check", &check, "--auto-commit"], output].concat();
        let ran = with_canary(shell(&env, &talkative(&env), &args)).run().success();
        assert!(!has_secret(&ran.stdout), "{}", ran.stdout);
        assert!(!has_secret(&ran.stderr), "{}", ran.stderr);
        fs::remove_file(env.work().join("seen.txt")).unwrap();
    }
    for command in [&["show"][..], &["show", "--json"], &["log"], &["status"], &["why"], &["list"]]
    {
        let ran = with_canary(env.command(command)).run();
        assert!(!has_secret(&ran.stdout), "{command:?}: {}", ran.stdout);
        // What is shown of a loop is clean, also for somebody who has no such variable.
        let ran = env.command(command).run();
        assert!(!has_secret(&ran.stdout), "{command:?}: {}", ran.stdout);
    }
    let log = env.windlass(["log"]).success().stdout;
    assert!(log.contains("[redacted:DEPLOY_TOKEN]") && log.contains("[redacted]"), "{log}");
    assert_eq!(files_with_secrets(&env.windlass_home()), Vec::<String>::new());
}

#[test]
fn no_process_of_a_loop_has_the_canary_among_its_arguments() {
    let env = world();
    let seen = env.root().join("tmp/arguments");
    // The loop's own processes, git among them, while the agent and the check run.
    let look = format!("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' >> {}", seen.display());
    let own = "own-canary-0123456789";
    let agent = format!("{look}\necho changed >> a.txt\necho '{COMPLETE}'");
    shell(&env, &agent, &["--check", &look, "--auto-commit"])
        .env("DEPLOY_TOKEN", own)
        .env("ANTHROPIC_API_KEY", own)
        .run()
        .success();
    let seen = fs::read_to_string(seen).expect("the agent and the check looked");
    assert!(seen.contains("__windlass-guardian"), "{seen}");
    assert!(!seen.contains(own), "{seen}");
}

#[test]
fn no_answer_of_the_server_has_the_canary() {
    let env = world();
    let ran = with_canary(shell(&env, &talkative(&env), &["--json"])).run().success();
    let id = ran.json()["id"].as_str().expect("a loop has an id").to_owned();
    let (server, web) = serve(&env);
    let of_loop = ["", "/iterations", "/messages", "/findings", "/diff"];
    let of_loop = of_loop.map(|what| format!("/api/v1/loops/{id}{what}"));
    let pages = ["", "/head", "/lines", "/diff/1"].map(|what| format!("/ui/loops/{id}{what}"));
    for path in of_loop.iter().chain(&pages) {
        let body = web.get(path).expect(200).body;
        assert!(!has_secret(&body), "{path}: {body}");
    }
    let events: Vec<_> = web.follow(&id, None).map(|sent| sent.data).collect();
    assert!(events.len() > 5 && !has_secret(&events.concat()), "{events:?}");
    end(server);
}

#[test]
fn a_loop_that_was_cut_off_goes_on_with_its_secrets_and_without_storing_them() {
    let env = world();
    let file = planted(&env);
    let check = format!("test \"$MY_SECRET\" = {CANARY}");
    let agent = format!(
        "cat {file}\nif [ -e half ]; then echo '{COMPLETE}'; else touch half; sleep 60; fi"
    );
    let mut call = with_canary(shell(&env, &agent, &["--check", &check, "--name", "mine"]))
        .arg("--env")
        .arg(format!("MY_SECRET={CANARY}"))
        .spawn();
    let half = env.work().join("half");
    call.wait_until(std::time::Duration::from_secs(20), |_, _| half.exists());
    drop(call.kill9());
    assert_eq!(files_with_secrets(&env.windlass_home()), Vec::<String>::new());
    let refused = env.windlass(["resume", "mine"]).code(2);
    assert!(refused.stderr.contains("set the variable `DEPLOY_TOKEN`"), "{}", refused.stderr);
    with_canary(env.command(["resume", "mine"])).run().success();
    assert_eq!(files_with_secrets(&env.windlass_home()), Vec::<String>::new());
}

#[test]
fn what_is_posted_and_what_is_written_for_the_user_has_no_canary() {
    let (env, github) = pulled();
    let title = format!("the key {CANARY} and {TOKEN} are in the code");
    let script = says(&[finding("HIGH", 2, &title)]);
    let ran = with_canary(pr(&env, &github, &script, &["--jobs", "1"])).run();
    assert!(!has_secret(&ran.stdout), "{}", ran.stdout);
    let posted: Vec<_> = github.requests().iter().map(|request| request.raw.clone()).collect();
    let posted = posted.join("\n");
    assert!(posted.contains("[redacted:DEPLOY_TOKEN]"), "{posted}");
    assert!(!has_secret(&posted), "{posted}");
    assert_eq!(files_with_secrets(&env.windlass_home()), Vec::<String>::new());
}
