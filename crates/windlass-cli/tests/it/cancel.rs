//! Calling a loop off, by `windlass cancel` or by a signal: whatever the agent is like, nothing of
//! it is left, and the store says how it ended.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use testkit::{Background, Env, Ran, Signal, wait_until, zoo};

use crate::{
    oracle::{
        CLAIM, LIMIT, aside, assert_sound, has_store, lines, standing, wait_for_lines,
        wait_until_quiet,
    },
    world,
};

/// Starts a loop whose agent first leaves a behaviour of the zoo behind, and then stays.
fn start(env: &Env, behaviour: &str, grace: &str) -> Background {
    let agent =
        env.agent_sh(&format!("{zoo} {behaviour} &\nwait\nexec {zoo} hang", zoo = zoo().display()));
    let agent = agent.display().to_string();
    env.command(["iterate", "-p", "x", "-c", &agent, "--grace", grace]).spawn()
}

/// Waits until so many processes of the newest loop are there.
fn wait_for_processes(env: &Env, count: usize) {
    wait_until(&format!("{count} processes of the loop"), LIMIT, || {
        let id = if has_store(env) { env.sql("SELECT id FROM loops") } else { String::new() };
        !id.is_empty() && env.marked_processes(id.trim()).len() >= count
    });
}

/// Cancels the newest loop; gives how the loop itself ended.
fn cancel(env: &Env, running: Background, limit: Duration) -> Ran {
    let id = env.sql("SELECT id FROM loops").trim().to_owned();
    let cancel = env.windlass(["cancel"]).success();
    assert!(cancel.stdout.contains("nothing of it runs any more"), "{cancel}");
    assert_eq!(env.marked_processes(&id), [], "{cancel}");
    assert!(cancel.duration < limit, "it took {:?}", cancel.duration);
    let ran = running.wait();
    assert_eq!(standing(env), "cancelled");
    assert_sound(env);
    ran
}

#[test]
fn cancel_returns_when_the_worst_agents_are_gone() {
    // How many processes there are before it is called off: the shell, and what it left.
    let behaviours = [
        ("setsid-escapee", 2),
        ("double-fork", 2),
        ("unmarked-daemon", 1),
        ("ignore-term-with-child", 3),
        ("hold-stdout", 2),
        ("stop-self", 2),
        ("stubborn-daemon", 2),
        ("respawner", 3),
        ("fork-storm 60", 61),
    ];
    for (behaviour, count) in behaviours {
        let env = world();
        let running = start(&env, behaviour, "1s");
        wait_for_processes(&env, count);
        let limit = Duration::from_secs(1 + 1 + 2);
        let ran = cancel(&env, running, limit).code(143);
        assert!(ran.stdout.contains("cancelled"), "{behaviour}: {ran}");
        wait_until_quiet(&env);
    }
}

#[test]
fn ctrl_c_ends_with_130_and_a_second_one_does_not_wait() {
    let env = world();
    let mut running = start(&env, "ignore-term-with-child", "60s");
    wait_for_processes(&env, 3);
    running.signal(Signal::INT);
    let began = Instant::now();
    // Two that come before the first was heard are one; so it is pressed until it is heard.
    while running.is_running() {
        running.signal(Signal::INT);
        thread::sleep(Duration::from_millis(100));
        assert!(began.elapsed() < LIMIT, "{}", running.stderr());
    }
    let ran = running.wait().code(130);
    assert!(began.elapsed() < Duration::from_secs(5), "{ran}");
    assert_eq!(standing(&env), "cancelled");
    wait_until_quiet(&env);
    assert_sound(&env);
}

#[test]
fn one_ctrl_c_is_enough_for_an_agent_that_listens() {
    let env = world();
    let running = start(&env, "silent", "60s");
    wait_for_processes(&env, 1);
    running.signal(Signal::INT);
    let ran = running.wait().code(130);
    assert!(ran.duration < Duration::from_secs(20), "{ran}");
    wait_until_quiet(&env);
}

#[test]
fn sigterm_ends_with_143_and_sighup_with_129() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let env = world();
        let running = start(&env, "setsid-escapee", "1s");
        wait_for_processes(&env, 2);
        running.signal(signal);
        drop(running.wait().code(code));
        assert_eq!(standing(&env), "cancelled");
        let named = env.windlass(["status"]).success().stdout.contains("SIGHUP");
        assert_eq!(named, signal == Signal::HUP);
        wait_until_quiet(&env);
        assert_sound(&env);
    }
}

#[test]
fn a_storm_of_signals_ends_the_loop_once_and_leaves_the_store_whole() {
    let env = world();
    let mut running = start(&env, "ignore-term-with-child", "1s");
    wait_for_processes(&env, 3);
    let storm = [Signal::WINCH, Signal::USR1, Signal::USR2, Signal::INT, Signal::TERM, Signal::HUP];
    for signal in storm.iter().cycle().take(100) {
        if !running.is_running() {
            break;
        }
        running.signal(*signal);
        thread::sleep(Duration::from_millis(5));
    }
    let ran = running.wait();
    assert!(matches!(ran.code, Some(129 | 130 | 143)), "{ran}");
    assert_eq!(standing(&env), "cancelled");
    assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'loop_finished'"), "1\n");
    wait_until_quiet(&env);
    assert_sound(&env);
}

#[test]
fn signals_that_mean_nothing_to_windlass_do_not_end_a_loop() {
    let env = world();
    let (ran, go) = (aside(&env, "ran"), aside(&env, "go"));
    let agent = env.agent_sh(&format!(
        "echo run >> {}; until [ -e {} ]; do sleep 0.05; done; echo '{CLAIM}'",
        ran.display(),
        go.display()
    ));
    let agent = agent.display().to_string();
    let running = env.command(["iterate", "-p", "x", "-c", &agent]).spawn();
    wait_for_lines(&ran, 1);
    for signal in [Signal::WINCH, Signal::USR1, Signal::USR2, Signal::PIPE] {
        running.signal(signal);
    }
    fs::write(go, "").unwrap();
    drop(running.wait().success());
}

#[test]
fn a_cancel_after_the_iteration_lets_it_come_to_its_end() {
    let env = world();
    let (ran, go) = (aside(&env, "ran"), aside(&env, "go"));
    let agent = env.agent_sh(&format!(
        "echo run >> {}; until [ -e {} ]; do sleep 0.05; done; echo more to do",
        ran.display(),
        go.display()
    ));
    let agent = agent.display().to_string();
    let running = env.command(["iterate", "-p", "x", "-c", &agent]).spawn();
    wait_for_lines(&ran, 1);
    let said = env.windlass(["cancel", "--after-iteration"]).success();
    assert!(said.stdout.contains("will stop when its iteration is over"), "{said}");
    assert_eq!(standing(&env), "running");
    wait_until("it was heard", LIMIT, || env.sql("SELECT count(*) FROM requests") == "0\n");
    let asked = "SELECT count(*) FROM events WHERE type = 'stop_requested'";
    fs::write(&go, "").unwrap();
    drop(running.wait().code(143));
    assert_eq!(lines(&ran), 1);
    assert_eq!(env.sql(asked), "1\n");
    assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'iteration_finished'"), "1\n");
    assert_sound(&env);
}

#[test]
fn a_loop_that_was_cut_off_can_be_cancelled_and_one_that_ended_stays_as_it_is() {
    let env = world();
    let running = start(&env, "setsid-escapee", "1s");
    wait_for_processes(&env, 2);
    drop(running.kill9());
    let said = env.windlass(["cancel"]).success();
    assert!(said.stdout.contains("had been cut off; it counts as cancelled now"), "{said}");
    wait_until_quiet(&env);
    assert_eq!(standing(&env), "cancelled");
    let said = env.windlass(["cancel"]).success();
    assert!(said.stdout.contains("had ended before"), "{said}");
    assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'loop_finished'"), "1\n");
    assert_sound(&env);
}

#[test]
fn a_loop_whose_owner_is_stopped_is_cancelled_all_the_same() {
    let env = world();
    let running = start(&env, "ignore-term-with-child", "1s");
    wait_for_processes(&env, 3);
    running.signal(Signal::STOP);
    drop(cancel(&env, running, Duration::from_secs(5)).code(143));
    wait_until_quiet(&env);
}
