//! Bare `windlass`: what happened since the last visit.

use std::fs;

use testkit::Env;

use super::{bare, done};
use crate::{
    COMPLETE, change_store,
    oracle::{LIMIT, aside, wait_for_lines},
    scripted, shell, world,
};

#[test]
fn where_there_are_no_loops_three_lines_say_what_to_do_first() {
    let env = world();
    let ran = env.windlass::<&str>([]).success();
    assert_eq!(ran.stdout.lines().count(), 3, "{ran}");
    assert!(ran.stdout.contains("windlass iterate -p 'Make the tests pass.'"), "{ran}");
    assert_eq!(ran.stderr, "");
    assert!(!env.windlass_home().join("windlass.db").exists(), "looking leaves nothing behind");
    let help = env.windlass(["--help"]).success().stdout;
    assert!(help.contains("Usage: windlass"), "{help}");
    let elsewhere = done();
    let other = elsewhere.root().join("tmp");
    let ran = elsewhere.command::<&str>([]).directory(other).run().success();
    assert_eq!(ran.stdout.lines().count(), 3, "{ran}");
}

#[test]
fn only_the_bare_command_moves_the_last_visit_and_then_there_is_nothing_new() {
    let env = done();
    let visits = || env.sql("SELECT count(*) FROM visits");
    env.windlass(["status"]).success();
    env.windlass(["report"]).success();
    env.windlass(["list"]).success();
    assert_eq!(visits(), "0\n");
    let first = bare(&env);
    assert!(first.starts_with("In this repository: 1 loop ended\n\nmine  "), "{first}");
    assert_eq!(visits(), "1\n");
    let second = bare(&env);
    assert!(second.starts_with("Since your last visit (just now): nothing new;"), "{second}");
    assert!(second.contains("\n\nmine  "), "the newest loop is told all the same: {second}");
    let script = format!("say {COMPLETE}\n");
    scripted(&env, &script, &["--name", "other"]).run().success();
    let third = bare(&env);
    assert!(third.contains(": 1 loop ended\n\nother  "), "{third}");
    assert!(!third.contains("mine  "), "{third}");
}

#[test]
fn inside_a_loop_the_last_visit_stays() {
    let env = done();
    bare(&env);
    let before = env.sql("SELECT at FROM visits");
    let seen = aside(&env, "seen");
    let (home, program) = (env.windlass_home(), env.program());
    let look =
        format!("WINDLASS_HOME={} {} > {}", home.display(), program.display(), seen.display());
    let script = format!("say {COMPLETE}\n");
    scripted(&env, &script, &["--check", &look, "--name", "looks"]).run().success();
    let seen = fs::read_to_string(seen).unwrap();
    assert!(seen.contains("● running, iteration 1 of at most 20"), "{seen}");
    assert_eq!(env.sql("SELECT at FROM visits"), before);
}

#[test]
fn loops_of_folders_below_and_of_other_work_trees_belong_to_the_repository() {
    let env = done();
    let below = env.work().join("deep/er");
    fs::create_dir_all(&below).unwrap();
    let apart = env.root().join("apart");
    env.git(["worktree", "add", "--quiet", "-b", "apart", apart.to_str().unwrap()]);
    let script = format!("say {COMPLETE}\n");
    scripted(&env, &script, &["--name", "low"]).directory(&below).run().success();
    scripted(&env, &script, &["--name", "away"]).directory(&apart).run().success();
    scripted(&env, &script, &["--name", "tree", "--worktree", "wt"]).run().success();
    for place in [env.work(), below, apart] {
        let told = env.command::<&str>([]).directory(&place).run().success().stdout;
        for name in ["mine", "low", "away", "tree"] {
            assert!(told.contains(name), "{name} from {}: {told}", place.display());
        }
        change_store(&env, "DELETE FROM visits");
    }
}

#[test]
fn forty_lines_are_the_most_and_running_loops_are_always_told() {
    let env = world();
    let ran = aside(&env, "ran");
    let hang = format!("echo x >> {}; sleep 600", ran.display());
    let script = format!("write a.txt x\nsay {COMPLETE}\n");
    for n in 0..6 {
        scripted(&env, &script, &["--name", &format!("loop-{n}")]).run().success();
    }
    let running = shell(&env, &hang, &["--name", "busy"]).limit(LIMIT).spawn();
    wait_for_lines(&ran, 1);
    let first = bare(&env);
    assert!(first.lines().count() <= 40, "{} lines: {first}", first.lines().count());
    assert!(first.starts_with("In this repository: 6 loops ended, 1 running\n\nbusy  "), "{first}");
    let again = bare(&env);
    assert!(again.contains(": 1 loop running\n\nbusy  "), "{again}");
    assert!(again.contains("● running, iteration 1 of at most 20"), "{again}");
    assert!(!again.contains("undo"), "what runs cannot be rolled back: {again}");
    env.windlass(["cancel", "busy"]).success();
    drop(running);
}

#[test]
fn a_store_of_an_earlier_version_gets_the_new_table_and_the_end_times() {
    let env = done();
    let ended = env.sql("SELECT ended_at FROM loops");
    change_store(
        &env,
        "DROP TABLE visits; ALTER TABLE loops DROP COLUMN ended_at; DROP TABLE agent_trust;
         DROP TABLE agent_refused; DROP TABLE agent_seen; PRAGMA user_version = 7;",
    );
    assert!(bare(&env).contains("mine  "));
    assert_eq!(env.sql("SELECT ended_at FROM loops"), ended);
    assert_same_times(&env);
}

/// That `list --json` has the task and the time at which the loop ended.
#[track_caller]
fn assert_same_times(env: &Env) {
    let listed = env.windlass(["list", "--json"]).success().json();
    assert_eq!(listed[0]["task"], "mend it");
    let ended = listed[0]["ended_at"].as_str().expect("it ended");
    assert_eq!(format!("{ended}\n"), env.sql("SELECT ended_at FROM loops"));
}
