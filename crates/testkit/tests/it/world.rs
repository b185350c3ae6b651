//! A test's world: what is in it, what is not, and what it does with those who stay behind.

use std::{panic, time::Duration};

use testkit::{Env, Signal, wait_until};

/// A world in which `windlass` is a shell.
fn world() -> Env {
    Env::new("/bin/sh")
}

#[test]
fn a_world_is_a_repository_with_one_commit() {
    let env = world();
    assert_eq!(env.git(["log", "--format=%s"]), "start\n");
    assert_eq!(env.git(["status", "--porcelain", "--ignored"]), "");
    assert_eq!(env.git(["rev-parse", "HEAD"]), world().git(["rev-parse", "HEAD"]));
    let outside = Env::outside_git("/bin/sh").windlass(["-c", "git rev-parse 2>&1"]);
    assert!(outside.code(128).stdout.contains("not a git repository"));
}

#[test]
fn nothing_of_the_host_comes_in() {
    let env = world();
    let ran = env.windlass(["-c", "env | cut -d= -f1 | sort | tr '\\n' ' '"]).success();
    assert_eq!(
        ran.stdout,
        "COLUMNS GIT_CONFIG_NOSYSTEM HOME LANG NO_COLOR PATH PWD TESTKIT_ENV TMPDIR TZ USER \
         WINDLASS_HOME WINDLASS_INHIBIT_SLEEP WINDLASS_NO_BASELINE WINDLASS_POWER_SUPPLY XDG_CACHE_HOME \
         XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME "
    );
}

#[test]
fn all_that_was_printed_is_shown() {
    let env = world();
    let ran = env.windlass(["-c", "echo one; printf two >&2; pwd; exit 3"]).code(3);
    let shown =
        "exit: 3\n--- stdout\none\n/tmp/windlass-XXXXXX/work\n--- stderr\ntwo[no newline]\n";
    assert_eq!(ran.snapshot(), shown);
}

#[test]
fn a_call_can_be_changed() {
    let env = world();
    let ran = env
        .command(["-c", "cat; echo $WHO $USER; pwd"])
        .stdin("in\n")
        .env("WHO", "me")
        .without_env("USER")
        .directory(env.home())
        .run()
        .success();
    assert_eq!(ran.masked_stdout(), "in\nme\n/tmp/windlass-XXXXXX/home\n");
    let under = env.command(["-c", "echo $0 $1", "a", "b"]).under(["env", "-i"]).run().success();
    assert_eq!(under.stdout, "a b\n");
}

#[test]
#[should_panic(expected = "took longer than")]
fn a_call_that_takes_too_long_fails_the_test() {
    let env = world();
    env.command(["-c", "exec sleep 60"]).limit(Duration::from_millis(200)).run().success();
}

#[test]
#[should_panic(expected = "exit: 0")]
fn a_wrong_exit_code_fails_the_test() {
    world().windlass(["-c", ""]).code(1);
}

#[test]
fn a_program_in_the_background_can_be_watched_and_ended() {
    let env = world();
    let mut program = env.command(["-c", "echo ready; exec sleep 60"]).spawn();
    program.wait_until(Duration::from_secs(10), |out, _| out.contains("ready"));
    assert!(program.is_running());
    // For a moment the process that started it still has its directory.
    wait_until("it alone is there", Duration::from_secs(5), || env.processes().len() == 1);
    program.signal(Signal::TERM);
    assert_eq!(program.wait().signal, Some(15));

    let program = env.command(["-c", "exec sleep 60"]).spawn();
    assert_eq!(program.kill9().signal, Some(9));
    wait_until("nothing is left", Duration::from_secs(1), || env.processes().is_empty());
}

#[test]
#[should_panic(expected = "it ended before")]
fn a_program_that_ends_is_not_waited_for() {
    let env = world();
    let mut program = env.command(["-c", "echo no"]).spawn();
    program.wait_until(Duration::from_secs(30), |out, _| out.contains("yes"));
}

#[test]
fn whoever_stays_behind_fails_the_test() {
    let env = world();
    let leave = "setsid sleep 60 >/dev/null 2>&1 & echo $!";
    let pid: i32 = env.windlass(["-c", leave]).success().stdout.trim().parse().unwrap();
    let dropped = panic::catch_unwind(panic::AssertUnwindSafe(|| drop(env)));
    let message = *dropped.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("outlived the test") && message.contains("sleep 60"), "{message}");
    wait_until("it is gone", Duration::from_secs(5), || {
        testkit::processes::all().iter().all(|process| process.pid != pid)
    });
}

#[test]
fn marked_processes_are_found() {
    let env = world();
    let program = env.command(["-c", "exec sleep 60"]).env("WINDLASS_LOOP", "abc").spawn();
    wait_until("it is found", Duration::from_secs(5), || !env.marked_processes("abc").is_empty());
    let mut found = env.marked_processes("abc");
    found.retain(|process| process.command == "sleep 60" || process.command.contains("sh"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pid, program.pid());
    assert!(env.marked_processes("ab").is_empty());
    assert_eq!(program.kill9().code, None);
}

#[test]
fn agents_can_be_written_down() {
    let env = world();
    let agent = env.agent_sh("echo \"agent got $1\"");
    assert_eq!(env.other(agent, ["x"]).run().success().stdout, "agent got x\n");
    env.install("claude", "echo claude 1.0");
    assert_eq!(env.windlass(["-c", "claude"]).success().stdout, "claude 1.0\n");
    let (first, second) = (env.script("say a"), env.script("say b"));
    assert_ne!(first, second);
    assert_eq!(env.git(["status", "--porcelain"]), "");
}
