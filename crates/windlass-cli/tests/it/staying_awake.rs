//! While a loop runs the machine does not sleep: `systemd-inhibit` is held, and let go with the loop.

use std::{fs, time::Duration};

use testkit::{Env, Invocation, wait_until};

use crate::{COMPLETE, scripted, world};

const LIMIT: Duration = Duration::from_secs(30);

/// A `systemd-inhibit` that takes down how it was called and runs the command, as the real one does.
fn with_inhibitor(env: &Env) {
    let log = env.root().join("inhibited").display().to_string();
    let body = format!(
        "printf '%s\\n' \"$@\" > {log}.draft\nmv {log}.draft {log}\n\
         while :; do case $1 in --*) shift ;; *) break ;; esac; done\n\"$@\""
    );
    env.install("systemd-inhibit", &body);
}

fn looped<'a>(env: &'a Env, script: &str) -> Invocation<'a> {
    scripted(env, script, &["--check", "true", "--name", "mine"])
        .env("WINDLASS_INHIBIT_SLEEP", "true")
}

/// Whether a process of this world sleeps for ever, as the inhibitor's command does.
fn is_held(env: &Env) -> bool {
    env.processes().iter().any(|process| process.to_string().contains("sleep infinity"))
}

#[test]
fn sleep_is_inhibited_while_a_loop_runs_and_no_longer() {
    let env = world();
    with_inhibitor(&env);
    let run = looped(&env, &format!("sleep 2s\nsay {COMPLETE}")).spawn();
    wait_until("sleep is inhibited", LIMIT, || is_held(&env));
    let ran = run.wait().success();
    assert!(!is_held(&env), "it is let go with the loop");
    let words = "  sleep        off while the loop runs; closing the lid may still suspend";
    assert!(ran.stderr.contains(words), "{ran}");
    insta::assert_snapshot!(fs::read_to_string(env.root().join("inhibited")).unwrap(), @r"
    --what=idle:sleep
    --mode=block
    --who=windlass
    --why=a coding loop is running
    sleep
    infinity
    ");
}

#[test]
fn after_a_kill_it_is_gone_within_a_second() {
    let env = world();
    with_inhibitor(&env);
    let run = looped(&env, "sleep 60s").spawn();
    wait_until("sleep is inhibited", LIMIT, || is_held(&env));
    run.kill9();
    wait_until("it is let go", Duration::from_secs(1), || !is_held(&env));
}

#[test]
fn it_is_held_during_waits_too() {
    let env = world();
    with_inhibitor(&env);
    let script = format!("say not yet\nnext\nsay {COMPLETE}");
    let call = looped(&env, &script).args(["--loop-delay", "3s"]);
    let mut run = call.spawn();
    run.wait_until(LIMIT, |out, _| out.contains("Waiting"));
    assert!(is_held(&env));
    run.wait().success();
}

#[test]
fn where_it_fails_or_is_missing_a_loop_runs_and_says_nothing() {
    let env = world();
    env.install("systemd-inhibit", "echo 'Failed to connect to bus' >&2\nexit 1");
    let ran = looped(&env, &format!("say {COMPLETE}")).run().success();
    assert!(!ran.stderr.contains("sleep") && !ran.stderr.contains("inhibit"), "{ran}");
}

#[test]
fn one_that_an_agent_could_have_put_there_is_not_run() {
    let env = world();
    let planted = env.write(".venv/bin/systemd-inhibit", "#!/bin/sh\ntouch ../planted\n");
    fs::set_permissions(&planted, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", planted.parent().unwrap().display());
    looped(&env, &format!("say {COMPLETE}")).env("PATH", path).run().success();
    assert!(!env.root().join("planted").exists() && !env.work().join("../planted").exists());
}

#[test]
fn doctor_says_whether_sleep_can_be_inhibited_and_whether_there_is_power() {
    let line = |env: &Env, what: &str| {
        let call = env.command(["doctor"]).env("WINDLASS_INHIBIT_SLEEP", "true");
        let ran = call.env("WINDLASS_POWER_SUPPLY", env.root().join("supplies")).run().success();
        let found = ran.stdout.lines().find(|line| line.contains(what)).map(str::to_owned);
        found.unwrap_or_default()
    };
    let env = world();
    with_inhibitor(&env);
    let held = "✓ sleep     inhibited while a loop runs; closing the lid may still suspend";
    assert_eq!(line(&env, " sleep "), held);
    assert!(!is_held(&env), "it is let go");
    assert_eq!(line(&env, " power "), "");

    env.install("systemd-inhibit", "echo 'Failed to connect to bus' >&2\nexit 1");
    let fails = "! sleep     `systemd-inhibit` fails, which needs logind: this machine may fall asleep \
                 during a loop";
    assert_eq!(line(&env, " sleep "), fails);

    let battery = env.root().join("supplies/BAT0");
    fs::create_dir_all(&battery).unwrap();
    fs::write(battery.join("type"), "Battery\n").unwrap();
    fs::write(battery.join("status"), "Discharging\n").unwrap();
    assert_eq!(line(&env, " power "), "! power     this machine runs on battery");

    if !testkit::has("systemd-inhibit") {
        let missing =
            "! sleep     `systemd-inhibit` not found: this machine may fall asleep during a loop";
        assert_eq!(line(&world(), " sleep "), missing);
    }
}
