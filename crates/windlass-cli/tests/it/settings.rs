//! Settings on their way into a loop: from files, variables and flags; and nothing before trust.

use std::{thread, time::Duration};

use testkit::{Signal, wait_until};

use crate::{user_config, world};

/// How long an agent may take to start.
const LIMIT: Duration = Duration::from_secs(30);

#[test]
fn a_loop_does_not_start_beside_a_file_that_is_not_trusted() {
    let env = world();
    env.write("windlass.toml", "checks = ['touch canary']\ncommand = 'touch canary'\n");
    let ran = env.windlass(["iterate", "-p", "x", "-c", "touch canary"]);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/work/windlass.toml` is not trusted, or has changed since it was, so nothing is started

    hint: read the file, then type `windlass trust /tmp/windlass-XXXXXX/work/windlass.toml`
    ");
    for command in [vec!["list"], vec!["status"], vec!["agents"], vec!["doctor"], vec!["--help"]] {
        drop(env.windlass(command));
    }
    assert!(!env.work().join("canary").exists(), "nothing of it acts");
}

#[test]
fn an_agent_of_the_repository_runs_after_trust() {
    let env = world();
    env.install("fast", "echo \"$1 $MODE\" > said; echo '<promise>OK</promise>'");
    env.write(
        "windlass.toml",
        "agent = 'fast'\npromise = 'OK'\n[agents.fast]\ncommand = ['fast', '{model}']\n\
         model = 'large'\nprompt = 'stdin'\nenv = { MODE = 'quiet' }\n",
    );
    env.windlass(["trust"]).success();
    let result = env.windlass(["iterate", "-p", "go", "--json"]).success().json();
    assert_eq!(result["agent"], "fast");
    assert_eq!(env.read("said"), "large quiet\n");
}

#[test]
fn variables_win_over_files_and_flags_over_variables() {
    let env = world();
    user_config(
        &env,
        "stagnation_threshold = 0\nmax_iterations = 1\n[iterate]\nmax_iterations = 2\n",
    );
    let iterations = |flags: &[&str], variable: Option<&str>| {
        let call = env.command(["iterate", "-p", "x", "--json", "--grace", "0", "-c", "true"]);
        let call = flags.iter().fold(call, |call, flag| call.arg(flag));
        let call = match variable {
            Some(value) => call.env("WINDLASS_MAX_ITERATIONS", value),
            None => call,
        };
        call.run().code(1).json()["iterations"].clone()
    };
    assert_eq!(iterations(&[], None), 2);
    assert_eq!(iterations(&[], Some("3")), 3);
    assert_eq!(iterations(&["--max-iterations", "4"], Some("3")), 4);
}

#[test]
fn an_agent_does_not_steer_its_own_loop() {
    let env = world();
    let call = ["iterate", "-p", "x", "-c", "true", "--max-iterations", "1", "--name", "mine"];
    env.windlass(call).code(1);
    for command in [["trust", "."], ["reset", "mine"], ["resume", "mine"], ["rm", "mine"]] {
        let ran = env.command(command).env("WINDLASS_LOOP", "0123456789abcdef").run().code(4);
        assert!(ran.stderr.contains("is refused inside a loop"), "{ran}");
    }
}

#[test]
fn a_storm_of_signals_ends_a_loop_once_and_leaves_nothing() {
    let env = world();
    let agent = env.agent_sh("trap '' TERM INT; touch started; sleep 60 & wait; sleep 60");
    let agent = agent.to_string_lossy();
    let call = env.command(["iterate", "-p", "x", "--json", "-c", &agent, "--grace", "30s"]);
    let running = call.spawn();
    wait_until("the agent starts", LIMIT, || env.work().join("started").exists());
    for _ in 0..33 {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            running.signal(signal);
        }
        thread::sleep(Duration::from_millis(30));
    }
    let ran = running.wait();
    let result = ran.json();
    assert_eq!(result["ending"]["type"], "cancelled", "{ran}");
    assert!([Some(129), Some(130), Some(143)].contains(&ran.code), "{ran}");
    assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'loop_finished'"), "1\n");
}

#[test]
fn a_loop_started_with_nohup_outlives_its_terminal() {
    let env = world();
    let agent = env.agent_sh("touch started; sleep 1; echo '<promise>COMPLETE</promise>'");
    let agent = agent.to_string_lossy();
    let running = env.command(["iterate", "-p", "x", "-q", "-c", &agent]).under(["nohup"]).spawn();
    wait_until("the agent starts", LIMIT, || env.work().join("started").exists());
    running.signal(Signal::HUP);
    assert_eq!(running.wait().success().stdout, "done\n");
}

#[test]
fn what_a_file_switches_on_a_flag_switches_off() {
    let env = world();
    let file = "auto_commit = true\nmax_loops = 1\ncompletion_promise = 'OK'\n";
    user_config(&env, file);
    let heads = || env.git(["rev-list", "--count", "HEAD"]);
    let call = ["iterate", "-q", "-p", "x", "--name"];
    let run = |name: &str, flags: &[&str]| {
        let agent = format!("sh -c 'echo x > {name}; echo \"<promise>OK</promise>\"'");
        let ran = env.command(call).args([name, "-c", &agent]).args(flags).run();
        assert_eq!(ran.success().stdout, "done\n");
    };
    let before = heads();
    run("off", &["--no-auto-commit"]);
    run("last-off", &["--auto-commit", "--no-auto-commit"]);
    assert_eq!(heads(), before, "nothing was committed");
    run("last-on", &["--no-auto-commit", "--auto-commit"]);
    assert_ne!(heads(), before);
    let shown = |key: &str| {
        let ran = env.windlass(["config", "--origin", key]).success();
        ran.stdout.replace(&env.home().display().to_string(), "~")
    };
    let all = [shown("max_loops"), shown("promise"), shown("iterate.max_iterations")];
    insta::assert_snapshot!(all.concat(), @r#"
    1  # user: ~/.config/windlass/config.toml
    "OK"  # user: ~/.config/windlass/config.toml
    1  # user: ~/.config/windlass/config.toml
    "#);
    user_config(&env, "max_loops = 1\nmax_iterations = 2\n");
    insta::assert_snapshot!(env.windlass(["config"]).code(2).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/home/.config/windlass/config.toml` line 2: `max_iterations` is set already, by another of its names
      |
    2 | max_iterations = 2
      | ^^^^^^^^^^^^^^
    ");
}
