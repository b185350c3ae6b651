//! `kill -9` of windlass at any moment: nothing that was told is lost, nothing goes on running,
//! and `resume` does at most the step again that was under way.

use std::{fs, path::PathBuf, thread, time::Duration};

use rustix::process::{Pid, kill_process};
use testkit::{
    Background, Env, Ran, Signal, has, pass_by,
    processes::{Process, descendants_of},
    wait_until, zoo,
};

use crate::{
    oracle::{
        CLAIM, LIMIT, aside, assert_sound, has_store, lines, number, standing, wait_for_lines,
        wait_until_quiet, within_reach,
    },
    world,
};

/// An agent that notes each run, waits for a word before it goes on, and claims.
fn waiting_agent(env: &Env) -> (PathBuf, PathBuf, String) {
    let (ran, go) = (aside(env, "ran"), aside(env, "go"));
    let body = format!(
        "echo run >> {}; [ -e {} ] || sleep 300; echo '{CLAIM}'",
        ran.display(),
        go.display()
    );
    let agent = env.agent_sh(&body).display().to_string();
    (ran, go, agent)
}

/// Kills windlass, and sees that the loop is interrupted and that nothing of it runs.
fn cut_off(env: &Env, running: Background) {
    let killed = running.kill9();
    assert_eq!(killed.signal, Some(9), "{killed}");
    wait_until_quiet(env);
    assert_eq!(standing(env), "interrupted");
    assert_sound(env);
}

#[track_caller]
fn resume(env: &Env) -> Ran {
    let ran = env.windlass(["resume", "--json"]);
    assert_sound(env);
    ran.success()
}

#[test]
fn a_loop_that_is_killed_in_a_session_goes_on_with_that_session() {
    let env = world();
    let (ran, go, agent) = waiting_agent(&env);
    let running = env.command(["iterate", "-p", "mend it", "-c", &agent]).spawn();
    wait_for_lines(&ran, 1);
    cut_off(&env, running);
    let status = env.windlass(["status"]).success();
    let said = "interrupted in iteration 1: the process that ran it is gone";
    assert!(status.stdout.contains(said), "{status}");

    fs::write(go, "").unwrap();
    let result = resume(&env).json();
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!(result["iterations"], 1);
    assert_eq!(lines(&ran), 2);
    let sessions = env.sql("SELECT iteration, status FROM sessions ORDER BY id");
    assert_eq!(sessions, "1|interrupted\n1|finished\n");
}

#[test]
fn a_loop_that_is_killed_in_a_check_does_not_call_the_agent_again() {
    let env = world();
    let (ran, go, agent) = waiting_agent(&env);
    fs::write(&go, "").unwrap();
    let (checked, pass) = (aside(&env, "checked"), aside(&env, "pass"));
    let check =
        format!("echo run >> {}; [ -e {} ] || sleep 300", checked.display(), pass.display());
    let running =
        env.command(["iterate", "-p", "mend it", "-c", &agent, "--check", &check]).spawn();
    wait_for_lines(&checked, 1);
    cut_off(&env, running);

    fs::write(pass, "").unwrap();
    let result = resume(&env).json();
    assert_eq!((&result["ending"]["type"], &result["verified"]), (&"done".into(), &true.into()));
    assert_eq!((lines(&ran), lines(&checked)), (1, 2));
    assert_eq!(number(&env, "SELECT count(*) FROM sessions"), 1);
    assert_eq!(number(&env, "SELECT count(*) FROM events WHERE type = 'claimed'"), 1);
}

#[test]
fn a_loop_that_is_killed_between_a_session_and_the_next_does_not_call_the_agent_again() {
    let env = world();
    let (ran, go, agent) = waiting_agent(&env);
    let (held, hold) = (within_reach(&env, "held"), aside(&env, "hold"));
    // The snapshot after the session is what windlass waits for then.
    env.install(
        "git",
        &format!(
            "[ -e {hold} ] && {{ echo held >> {held}; sleep 300; }}\nPATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\"",
            hold = hold.display(),
            held = held.display()
        ),
    );
    let running = env.command(["iterate", "-p", "mend it", "-c", &agent]).spawn();
    wait_for_lines(&ran, 1);
    fs::write(&hold, "").unwrap();
    fs::write(go, "").unwrap();
    // The agent is in its long sleep; ending that lets it claim.
    end_the_sleep(&env);
    wait_for_lines(&held, 1);
    cut_off(&env, running);

    fs::remove_file(hold).unwrap();
    let result = resume(&env).json();
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!(lines(&ran), 1, "the session was over, and was paid for again");
    assert_eq!(env.sql("SELECT status FROM sessions"), "finished\n");
}

fn end_the_sleep(env: &Env) {
    let sleeps = env.processes().into_iter().filter(|process| process.command == "sleep 300");
    sleeps.for_each(|sleep| send(&sleep, Signal::TERM));
}

fn send(process: &Process, signal: Signal) {
    let pid = Pid::from_raw(process.pid).expect("a process has a number");
    kill_process(pid, signal).expect("it is there");
}

#[test]
fn a_pause_after_a_failure_ends_at_the_same_time_whoever_waits() {
    let env = world();
    let ran = aside(&env, "ran");
    let agent = env.agent_sh(&format!(
        "echo run >> {ran}; [ $(wc -l < {ran}) -gt 2 ] || exit 7; echo '{CLAIM}'",
        ran = ran.display()
    ));
    let agent = agent.display().to_string();
    let running = env.command(["iterate", "-p", "mend it", "-c", &agent]).spawn();
    // The second pause takes two seconds and more.
    wait_for_lines(&ran, 2);
    let until = "SELECT json_extract(body, '$.step.until') FROM events
                 WHERE json_extract(body, '$.place') = '2/backoff' AND type = 'step_started'";
    wait_until("the second pause", LIMIT, || !env.sql(until).is_empty());
    cut_off(&env, running);

    let result = resume(&env).json();
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!((lines(&ran), &result["iterations"]), (3, &3.into()));
    let told = env.sql(until);
    let times: Vec<&str> = told.lines().collect();
    assert!(times.len() == 2 && times[0] == times[1], "{told}");
    let third = env.sql("SELECT started_at FROM sessions WHERE iteration = 3");
    assert!(third.trim() >= times[0], "the third session began at {third}, not after {told}");
}

#[test]
fn where_the_guardian_is_killed_too_the_next_owner_ends_what_is_left_first() {
    let env = world();
    let (ran, go, agent) = waiting_agent(&env);
    let running = env.command(["iterate", "-p", "mend it", "-c", &agent]).spawn();
    wait_for_lines(&ran, 1);
    let guardian = descendants_of(running.pid()).into_iter();
    let guardian = guardian.filter(|found| found.command.contains("__windlass-guardian"));
    let left: Vec<i32> = env.processes().iter().map(|found| found.pid).collect();
    // Stopped, so that it has no time to notice.
    running.signal(Signal::STOP);
    guardian.for_each(|guardian| send(&guardian, Signal::KILL));
    drop(running.kill9());
    let is_left = || env.processes().iter().any(|found| left.contains(&found.pid));
    assert!(is_left(), "somebody has ended what nobody was there to end");

    assert_eq!(standing(&env), "interrupted");
    fs::write(go, "").unwrap();
    let result = resume(&env).json();
    assert_eq!(result["ending"]["type"], "done");
    assert!(!is_left(), "the old agent worked beside the new one");
    assert_eq!(lines(&ran), 2);
}

#[test]
fn a_guardian_that_an_agent_kills_takes_nothing_with_it_but_the_loop() {
    let env = world();
    let agent = format!("{} kill-parent", zoo().display());
    let ran = env.windlass(["iterate", "-p", "x", "-c", &agent]).code(4);
    assert!(ran.stdout.contains("the guardian process is gone"), "{ran}");
    wait_until_quiet(&env);
    assert_sound(&env);
}

#[test]
fn a_word_that_does_not_reach_the_guardian_ends_the_loop_at_once() {
    if !has("strace") {
        return;
    }
    for n in [2, 6, 12, 18] {
        let env = world();
        let script = env.script(&format!("say one\nnext\nsay {CLAIM}\n")).display().to_string();
        let start = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script];
        let inject = format!("inject=sendmsg:error=ENOMEM:when={n}");
        let ran = env.command(start).under(["strace", "-o", "/dev/null", "-e", &inject]).run();
        if ran.stderr.contains("Operation not permitted") {
            return pass_by("strace may not trace here");
        }
        // The last words only say that all is over.
        assert!(matches!(ran.code, Some(0 | 4)), "{ran}");
        wait_until_quiet(&env);
        if number(&env, "SELECT count(*) FROM loops") > 0 && standing(&env) != "done" {
            drop(resume(&env));
        }
    }
}

/// So many iterations the loop needs.
const ITERATIONS: usize = 10;
const KILLS: usize = 25;

#[test]
fn twenty_five_kills_at_random_moments_lose_nothing() {
    let env = world();
    let mut script = String::new();
    for iteration in 1..=ITERATIONS {
        let word = if iteration == ITERATIONS { CLAIM } else { "on it" };
        script += &format!("append log {iteration}\\n\nsay {word}\nsleep 20ms\nnext\n");
    }
    let script = env.script(script.trim_end_matches("next\n")).display().to_string();
    let start = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script, "--json"];
    let is_there = || has_store(&env) && number(&env, "SELECT count(*) FROM loops") > 0;
    let mut kills = 0;
    let mut seen = 0;
    while kills < KILLS && !(is_there() && standing(&env) == "done") {
        let args = if is_there() { vec!["resume", "--json"] } else { start.to_vec() };
        let mut running = env.command(args).spawn();
        // Any moment will do: this is what is tested, and nothing waits for it.
        thread::sleep(Duration::from_millis(fastrand::u64(0..200)));
        kills += usize::from(running.is_running());
        drop(running.kill9());
        wait_until_quiet(&env);
        if is_there() {
            assert_sound(&env);
            let events = number(&env, "SELECT count(*) FROM events");
            assert!(events >= seen, "{seen} events became {events}");
            seen = events;
        }
    }
    let result = match standing(&env).as_str() {
        "done" => env.windlass(["show", "--json"]).success().json()["result"].clone(),
        _ => resume(&env).json(),
    };
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!(result["iterations"], ITERATIONS);
    let log: Vec<usize> = env.read("log").lines().map(|line| line.parse().unwrap()).collect();
    assert!(log.is_sorted(), "an iteration went back: {log:?}");
    assert!(log.len() <= ITERATIONS + kills, "{kills} kills: {log:?}");
    let sessions = number(&env, "SELECT count(*) FROM sessions");
    assert!(sessions <= (ITERATIONS + kills) as u64, "{sessions} sessions, {kills} kills");
    let finished = "SELECT count(*) FROM sessions WHERE status = 'finished'";
    assert_eq!(number(&env, finished), ITERATIONS as u64);
}
