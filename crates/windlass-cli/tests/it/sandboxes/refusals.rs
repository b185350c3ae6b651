//! What is told before anything runs, when a sandbox cannot be had or would hold nothing back.

use testkit::Ran;

use super::has_bwrap;
use crate::{oracle::aside, shell, world};

#[test]
fn a_sandbox_that_cannot_be_had_is_told_before_anything_runs() {
    let env = world();
    let call = |args: &[&str]| -> Ran {
        let call = env.command(["iterate", "-p", "x", "-c", "/usr/bin/true"]);
        args.iter().fold(call, |call, arg| call.arg(arg)).env("PATH", "/nowhere").run()
    };
    insta::assert_snapshot!(call(&["--sandbox", "bwrap"]).code(4).snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: the sandbox `bwrap` cannot be had here: `bwrap` was not found in PATH

    hint: install bubblewrap: `apt install bubblewrap`, `dnf install bubblewrap` or `pacman -S bubblewrap`
    hint: `windlass doctor` tells what this machine can do
    ");
    insta::assert_snapshot!(call(&["--network", "model"]).code(2).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--network model` needs a sandbox that holds the network back: add `--sandbox auto`
    ");
    let landlock = ["--sandbox", "landlock", "--network", "model"];
    insta::assert_snapshot!(call(&landlock).code(2).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--network model` needs a sandbox that holds the network back: Landlock knows no hosts; take `--sandbox bwrap`
    ");
    let model = ["--sandbox", "bwrap", "--network", "model"];
    let host = [&model[..], &["--network-allow", "https://x.example"]].concat();
    insta::assert_snapshot!(call(&host).code(2).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `https://x.example` is no host such as `api.example.com` or `127.0.0.1:8080`
    ");
    assert!(!aside(&env, "ran").exists());
}

#[test]
fn a_path_that_holds_everything_is_not_given_to_a_sandbox() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let ran = shell(&env, "true", &["--sandbox", "bwrap", "--sandbox-read", "~"]).run().code(2);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home` cannot be given to a sandbox: it holds your home or windlass's own; name what is needed of it
    ");
    let ran = shell(&env, "true", &["--sandbox", "bwrap"]).directory(env.root()).run();
    let ran = ran.code(2);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX` cannot be given to a sandbox: the work tree holds your home or windlass's own, so it would all be shown; start the loop in a repository below it
    ");
}

#[test]
fn skipping_permissions_without_a_sandbox_is_told_in_one_line() {
    let env = world();
    env.install(
        "claude",
        "cat > /dev/null; echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"<promise>COMPLETE</promise>\"}'",
    );
    let args = ["iterate", "-p", "x", "--agent", "claude", "--skip-permissions"];
    let ran = env.windlass(args).success();
    let lines: Vec<_> = ran.stderr.lines().chain(ran.stdout.lines()).collect();
    let told: Vec<_> = lines.iter().filter(|line| line.contains("--sandbox auto")).collect();
    assert_eq!(told.len(), 1, "{ran}");
}
