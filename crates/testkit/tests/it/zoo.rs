//! The animals do what their labels say.

use std::{collections::BTreeSet, time::Duration};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use testkit::{Env, Ran, wait_until};

fn world() -> Env {
    Env::new(env!("CARGO_BIN_EXE_zoo"))
}

/// The number of the process that an animal says it leaves behind.
fn left_behind(ran: &Ran) -> Pid {
    let number = ran.stdout.trim().strip_prefix("ready ").unwrap().parse().unwrap();
    Pid::from_raw(number).unwrap()
}

#[test]
fn every_animal_has_a_label_of_its_own() {
    let list = world().windlass(["--list"]).success().stdout;
    let names: Vec<_> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert!(names.len() > 40, "{} animals", names.len());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    let unknown = world().windlass(["unicorn"]).code(99);
    assert!(unknown.stderr.contains("there is no `unicorn`"));
}

#[test]
fn the_zoo_is_found_beside_the_tests() {
    assert_eq!(
        testkit::zoo().canonicalize().unwrap(),
        std::path::Path::new(env!("CARGO_BIN_EXE_zoo")).canonicalize().unwrap()
    );
}

#[test]
fn they_end_as_they_say() {
    let env = world();
    assert_eq!(env.windlass(["exit", "7"]).code, Some(7));
    assert_eq!(env.windlass(["segv"]).signal, Some(11));
    assert_eq!(env.windlass(["abort"]).signal, Some(6));
    assert_eq!(env.windlass(["kill9-self"]).signal, Some(9));
    assert_eq!(env.windlass(["claim-then-crash"]).code(1).stdout, "<promise>COMPLETE</promise>\n");
}

#[test]
fn they_say_what_they_say() {
    let env = world();
    assert_eq!(env.windlass(["flood", "100001"]).success().stdout.len(), 100_001);
    assert_eq!(env.windlass(["one-line", "70000"]).success().stdout.len(), 70_001);
    assert_eq!(env.windlass(["stderr-flood", "5000"]).success().stderr.len(), 5000);
    assert_eq!(env.windlass(["split-code-points"]).success().stdout, "grüße → 🦦 née\n");
    assert!(String::from_utf8(env.windlass(["bad-utf8"]).success().raw_stdout).is_err());
    let echo = env.command(["echo-prompt", "the prompt"]).stdin("more\n").run().success();
    assert_eq!(echo.stdout, "the prompt\nmore\n");
}

#[test]
fn they_leave_behind_what_they_say() {
    let env = world();
    for animal in
        ["setsid-escapee", "double-fork", "unmarked-daemon", "hold-stdout", "stubborn-daemon"]
    {
        let pid = left_behind(&env.windlass([animal]).success());
        assert!(test_kill_process(pid).is_ok(), "{animal} left nothing behind");
        kill_process(pid, Signal::KILL).unwrap();
    }
    wait_until("all are gone", Duration::from_secs(5), || env.processes().is_empty());
}

#[test]
fn stubborn_ones_do_not_go_when_they_are_told() {
    let env = world();
    let mut animal = env.command(["ignore-term"]).spawn();
    wait_until("it has become itself", Duration::from_secs(5), || {
        // The shell that ignores the signals first has the same words at its end.
        let is_itself = |command: &str| command.ends_with("zoo hang") && !command.contains("trap");
        env.processes().iter().any(|process| is_itself(&process.command))
    });
    animal.signal(Signal::TERM);
    animal.signal(Signal::INT);
    std::thread::sleep(Duration::from_millis(100));
    assert!(animal.is_running());
    assert_eq!(animal.kill9().signal, Some(9));
}

#[test]
fn they_destroy_nothing_outside_a_test() {
    let env = world();
    let ran = env.command(["delete-cwd"]).directory("/usr").run().code(99);
    assert!(ran.stderr.contains("is no test's folder"));
    assert_eq!(env.windlass(["delete-cwd"]).success().stdout, "deleted\n");
    assert!(!env.work().exists());
}
