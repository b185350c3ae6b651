//! A wall clock that jumps while a loop runs: durations, budgets and waits go by the time since boot.
//! `libfaketime` fakes the clock of windlass itself; the time since boot stays the machine's own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{
    env::consts::ARCH,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use testkit::{Env, Invocation, has};

use crate::world;

/// Where distributions put the library.
fn library() -> Option<PathBuf> {
    if !has("faketime") {
        return None;
    }
    let folders = [format!("/usr/lib/{ARCH}-linux-gnu"), "/usr/lib64".into(), "/usr/lib".into()];
    let found =
        folders.iter().map(|folder| PathBuf::from(folder).join("faketime/libfaketime.so.1"));
    let found = found.into_iter().find(|library| library.is_file());
    assert!(
        found.is_some(),
        "`faketime` is installed, and its library is not where it is looked for"
    );
    found
}

/// The file that says how far the wall clock of windlass is off: `+300d`.
fn hands(env: &Env) -> PathBuf {
    env.root().join("tmp/clock")
}

/// Has windlass see a wall clock that the file sets.
fn faked<'a>(env: &'a Env, call: Invocation<'a>) -> Option<Invocation<'a>> {
    let library = library()?;
    if !hands(env).exists() {
        fs::write(hands(env), "+0").unwrap();
    }
    let call = call.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", hands(env));
    Some(call.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1"))
}

/// `iterate` with an agent that sets the clock.
fn jumping<'a>(env: &'a Env, jump: &str, args: &[&str]) -> Option<Invocation<'a>> {
    let body = format!("printf '%s' '{jump}' > '{}'; sleep 0.2", hands(env).display());
    let call = env.command(["iterate", "-p", "fix it", "-c"]).arg(env.agent_sh(&body));
    faked(env, args.iter().fold(call, |call, arg| call.arg(arg)))
}

const LIMITED: [&str; 5] = ["--max-duration", "1h", "--max-iterations", "3", "--json"];

#[test]
fn a_jump_of_300_days_either_way_is_no_time_that_a_loop_was_run() {
    for jump in ["+300d", "-300d"] {
        let env = world();
        let Some(call) = jumping(&env, jump, &LIMITED) else { return };
        let result = call.run().code(1).json();
        assert_eq!(result["ending"]["type"], "max_iterations", "{jump}: {result}");
        let took = result["duration_ms"].as_u64().unwrap();
        assert!((600..60_000).contains(&took), "{jump}: {took}");
        // The clock is set, and says so to people.
        let months = env.sql("SELECT count(DISTINCT substr(at, 1, 7)) FROM events");
        assert_eq!(months, "2\n", "{jump}");
    }
}

#[test]
fn a_loop_that_goes_on_after_a_jump_goes_on_with_the_time_that_it_was_run() {
    let env = world();
    let args = ["--max-duration", "1h", "--max-iterations", "1", "--json"];
    let Some(call) = jumping(&env, "+300d", &args) else { return };
    let first = call.run().code(1).json()["duration_ms"].as_u64().unwrap();
    let resume = env.command(["resume", "--max-iterations", "2", "--json"]);
    let second = faked(&env, resume).unwrap().run().code(1).json();
    assert_eq!(second["ending"]["type"], "max_iterations", "{second}");
    let took = second["duration_ms"].as_u64().unwrap();
    assert!((first + 200..60_000).contains(&took), "{first} {took}");
    let measures = env.sql(
        "SELECT count(*) FROM events WHERE type <> 'agent_said' AND body ->> 'ran_ms' IS NULL",
    );
    assert_eq!(measures, "0\n");
}

#[test]
fn time_that_really_goes_by_still_ends_a_loop() {
    let env = world();
    let args = ["--max-duration", "500ms", "--max-iterations", "20", "--json"];
    let Some(call) = jumping(&env, "-300d", &args) else { return };
    let result = call.run().code(1).json();
    assert_eq!(result["ending"]["type"], "budget", "{result}");
    assert_eq!(result["ending"]["kind"], "duration", "{result}");
}

#[test]
fn a_wait_takes_as_long_as_it_was_to_take() {
    for jump in ["+300d", "-300d"] {
        let env = world();
        let args = ["--loop-delay", "2s", "--max-iterations", "2", "--jsonl"];
        let Some(call) = jumping(&env, "+0", &args) else { return };
        let begun = Instant::now();
        let mut running = call.spawn();
        running.wait_until(Duration::from_secs(10), |stdout, _| stdout.contains("\"wait\""));
        fs::write(hands(&env), jump).unwrap();
        running.wait().code(1);
        let took = begun.elapsed();
        assert!(
            took > Duration::from_secs(2) && took < Duration::from_secs(20),
            "{jump}: {took:?}"
        );
    }
}

#[test]
fn a_clock_that_was_put_back_does_not_keep_a_loop_from_its_sessions() {
    let env = world();
    let pace = ["--calls-per-hour", "3", "--max-iterations", "2", "-q"];
    fs::write(hands(&env), "+300d").unwrap();
    let Some(call) = jumping(&env, "+300d", &pace) else { return };
    call.run().code(1);
    fs::write(hands(&env), "+0").unwrap();
    jumping(&env, "+0", &pace).unwrap().limit(Duration::from_secs(20)).run().code(1);
}

#[test]
fn sessions_count_for_an_hour_though_the_clock_says_otherwise() {
    let env = world();
    let pace = ["--calls-per-hour", "2", "--max-iterations", "3", "--name", "w"];
    let Some(call) = jumping(&env, "+300d", &pace) else { return };
    let mut running = call.spawn();
    running.wait_until(Duration::from_secs(10), |stdout, _| stdout.contains("Waiting for room"));
    env.windlass(["cancel", "w"]).success();
    running.wait().code(143);
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "2\n");
}

#[test]
fn gc_takes_no_loop_for_old_that_was_run_since_the_machine_started() {
    let env = world();
    let Some(call) = jumping(&env, "+0", &["--max-iterations", "1", "-q"]) else { return };
    call.run().code(1);
    fs::write(hands(&env), "+300d").unwrap();
    faked(&env, env.command(["gc", "--older-than", "30d"])).unwrap().run().success();
    assert_eq!(env.sql("SELECT count(*) FROM loops"), "1\n");
}
