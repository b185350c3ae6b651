//! One owner a loop and one loop a work tree, however many try at once, and whatever becomes of
//! the one that has it.

use std::{fs, time::Duration};

use testkit::{Background, Env, Ran, Signal, processes::descendants_of, wait_until};

use crate::{
    oracle::{CLAIM, LIMIT, aside, assert_sound, lines, number, wait_for_lines, wait_until_quiet},
    world,
};

/// An agent that notes each run, waits for a word before it goes on, and claims.
fn waiting_agent(env: &Env) -> String {
    let (ran, go) = (aside(env, "ran"), aside(env, "go"));
    let body = format!(
        "echo run >> {}; until [ -e {} ]; do sleep 0.05; done; echo '{CLAIM}'",
        ran.display(),
        go.display()
    );
    env.agent_sh(&body).display().to_string()
}

fn let_it_go_on(env: &Env) {
    fs::write(aside(env, "go"), "").expect("the folder is ours");
}

/// Those that were refused, once all but one have ended.
fn refused(crowd: &mut Vec<Background>) -> Vec<Ran> {
    let one_is_left = |crowd: &mut Vec<Background>| {
        crowd.iter_mut().map(Background::is_running).filter(|running| *running).count() == 1
    };
    wait_until("all but one are refused", LIMIT * 3, || one_is_left(crowd));
    let winner = crowd.iter_mut().position(Background::is_running).expect("one runs");
    let winner = crowd.remove(winner);
    let losers = std::mem::replace(crowd, vec![winner]);
    losers.into_iter().map(Background::wait).collect()
}

#[test]
fn of_a_hundred_that_start_at_once_one_runs_and_the_others_name_it() {
    let env = world();
    let agent = waiting_agent(&env);
    let start = || env.command(["iterate", "-p", "mend it", "-c", &agent]).limit(LIMIT * 3).spawn();
    let mut crowd: Vec<_> = (0..100).map(|_| start()).collect();
    let losers = refused(&mut crowd);
    let name = env.sql("SELECT name FROM loops").trim().to_owned();
    for loser in losers {
        let loser = loser.code(4);
        let told = format!("is in use by the loop {name}");
        assert!(loser.stderr.contains(&told) && loser.stdout.is_empty(), "{loser}");
    }
    let_it_go_on(&env);
    let winner = crowd.pop().expect("one is left").wait().success();
    assert!(winner.stdout.contains("done after 1 iteration"), "{winner}");
    assert_eq!(lines(&aside(&env, "ran")), 1);
    assert_eq!(number(&env, "SELECT count(*) FROM loops"), 1);
    assert_sound(&env);
}

#[test]
fn of_eight_that_resume_at_once_one_does() {
    let env = world();
    let agent = waiting_agent(&env);
    let running = env.command(["iterate", "-p", "mend it", "-c", &agent]).spawn();
    wait_for_lines(&aside(&env, "ran"), 1);
    drop(running.kill9());

    let mut crowd: Vec<_> = (0..8).map(|_| env.command(["resume"]).spawn()).collect();
    let losers = refused(&mut crowd);
    let name = env.sql("SELECT name FROM loops").trim().to_owned();
    for loser in losers {
        let loser = loser.code(4);
        assert!(loser.stderr.contains(&format!("the loop {name} is run by process")), "{loser}");
    }
    let_it_go_on(&env);
    drop(crowd.pop().expect("one is left").wait().success());
    assert_eq!(lines(&aside(&env, "ran")), 2);
    assert_eq!(number(&env, "SELECT epoch FROM loops"), 2);
    assert_sound(&env);
}

#[test]
fn a_second_loop_in_the_same_tree_is_refused_from_any_folder_of_it() {
    let env = world();
    let agent = waiting_agent(&env);
    let first = env.command(["iterate", "-p", "x", "-c", &agent, "--name", "first"]).spawn();
    wait_for_lines(&aside(&env, "ran"), 1);
    env.write("below/file", "");
    let second = env.command(["iterate", "-p", "x", "-c", &agent]);
    let second = second.directory(env.work().join("below")).run();
    insta::assert_snapshot!(second.snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/work` is in use by the loop first

    hint: wait for it, or end it with `windlass cancel first`
    hint: or give this loop a tree of its own with `--worktree BRANCH`
    ");
    let_it_go_on(&env);
    drop(first.wait().success());
    assert_eq!(number(&env, "SELECT count(*) FROM loops"), 1);
}

#[test]
fn an_owner_that_was_stopped_and_replaced_writes_nothing_more_and_goes() {
    let env = world();
    let agent = waiting_agent(&env);
    let mut old = env.command(["iterate", "-p", "x", "-c", &agent]).spawn();
    wait_for_lines(&aside(&env, "ran"), 1);
    let of_the_old: Vec<i32> = descendants_of(old.pid()).iter().map(|found| found.pid).collect();
    old.signal(Signal::STOP);

    let refused = env.windlass(["resume"]).code(4);
    assert!(refused.stderr.contains("--take-over"), "{refused}");
    assert_eq!(number(&env, "SELECT epoch FROM loops"), 1);

    let new = env.command(["resume", "--take-over", "--json"]).spawn();
    wait_for_lines(&aside(&env, "ran"), 2);
    let events = "SELECT count(*) FROM events";
    let before = number(&env, events);
    old.signal(Signal::CONT);
    wait_until("the old owner goes", LIMIT, || !old.is_running());
    let old = old.wait().code(4);
    assert!(old.stderr.contains("has been taken over by another process"), "{old}");
    assert_eq!(number(&env, events), before, "the old owner has written");
    let is_left = |pid: &i32| env.processes().iter().any(|found| found.pid == *pid);
    wait_until("its processes go with it", Duration::from_secs(5), || {
        !of_the_old.iter().any(is_left)
    });

    let_it_go_on(&env);
    let result = new.wait().success().json();
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!(lines(&aside(&env, "ran")), 2);
    wait_until_quiet(&env);
    assert_sound(&env);
}

#[test]
fn a_cancel_that_races_with_the_end_leaves_one_ending() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let agent = env.agent_sh(&format!("echo '{CLAIM}'")).display().to_string();
    let (mut done, mut cancelled) = (0, 0);
    for number in 0..50 {
        let name = format!("race-{number}");
        let running = env.command(["iterate", "-p", "x", "-c", &agent, "--name", &name]).spawn();
        let is_there = format!("SELECT count(*) FROM loops WHERE name = '{name}'");
        wait_until("the loop is there", LIMIT, || {
            env.windlass_home().join("windlass.db").exists() && env.sql(&is_there) == "1\n"
        });
        let cancel = env.windlass(["cancel", &name]).success();
        let ran = running.wait();
        match ran.code {
            Some(0) => done += 1,
            Some(143) => cancelled += 1,
            _ => panic!("{ran}\n{cancel}"),
        }
        let ending =
            format!("SELECT json_extract(ending, '$.type') FROM loops WHERE name = '{name}'");
        let told = if ran.code == Some(0) { "done\n" } else { "cancelled\n" };
        assert_eq!(env.sql(&ending), told);
    }
    let endings = "SELECT count(*) FROM events WHERE type = 'loop_finished'";
    assert_eq!(number(&env, endings), 50, "{done} done, {cancelled} cancelled");
    assert_sound(&env);
}
