//! The pace of a loop: sessions an hour over all loops, and the pause between iterations.

use std::time::{Duration, Instant};

use crate::{shell, world};

#[test]
fn sessions_an_hour_are_shared_by_all_loops_and_the_wait_is_seen_and_called_off() {
    let env = world();
    let pace = ["--calls-per-hour", "3"];
    shell(&env, "true", &[pace.as_slice(), &["-q", "--max-iterations", "2"]].concat())
        .run()
        .code(1);
    let mut running = shell(&env, "true", &[pace.as_slice(), &["--name", "w"]].concat()).spawn();
    running.wait_until(Duration::from_secs(10), |stdout, _| stdout.contains("Waiting for room"));
    let line = running.stdout().lines().find(|line| line.contains("room")).map(str::to_owned);
    let line = line.expect("it was just seen");
    assert!(line.starts_with("Waiting for room under 3 sessions an hour at "), "{line}");
    assert!(
        line.contains("(1 h") || line.contains("(59 min") || line.contains("(60 min"),
        "{line}"
    );
    let status = env.windlass(["status", "w"]).success().stdout;
    assert!(status.contains("Waiting for room under 3 sessions an hour"), "{status}");
    let began = Instant::now();
    env.windlass(["cancel", "w"]).success();
    assert!(began.elapsed() < Duration::from_secs(2));
    running.wait().code(143);
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "3\n");
}

#[test]
fn commands_have_no_pace_unless_one_is_given() {
    let env = world();
    let args = ["-q", "--max-iterations", "105", "--stagnation-threshold", "0"];
    shell(&env, "true", &args).run().code(1);
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "105\n");
}

#[test]
fn a_pause_stands_between_iterations_and_not_after_the_last() {
    let env = world();
    let began = Instant::now();
    let args = ["-q", "--max-iterations", "2", "--loop-delay", "700ms"];
    shell(&env, "true", &args).run().code(1);
    let waits = "SELECT count(*) FROM events WHERE type = 'step_started'
                 AND json_extract(body, '$.step.type') = 'wait'";
    assert_eq!(env.sql(waits), "1\n");
    assert!(began.elapsed() >= Duration::from_millis(700));
}
