//! An agent without a sandbox that turns on what watches it: whatever it does to the guardian and to
//! windlass, what it started is ended, or named with exit code 8, within a bound.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use rustix::process::{Pid, kill_process};
use testkit::{Env, Ran, Signal, has, pass_by, processes, wait_until, zoo};

use crate::{
    another_user::User,
    oracle::{CLAIM, LIMIT, aside, assert_sound, has_store, standing, wait_until_quiet},
    shell, world,
};

/// A loop with an animal of the zoo as its agent, run until it ends.
fn let_loose(env: &Env, behaviour: &str, more: &[&str]) -> Ran {
    let agent = format!("{} {behaviour}", zoo().display());
    let args = ["iterate", "-p", "x", "--max-iterations", "1", "--name", "mine", "-c", &agent];
    env.command(args.iter().chain(more)).run()
}

/// The same for one that leaves a daemon, and notes its number.
fn let_loose_with_daemon(env: &Env, behaviour: &str) -> Ran {
    let_loose(env, &format!("{behaviour} {}", aside(env, "daemon").display()), &[])
}

/// The daemon that the agent has left, if it lives.
fn daemon(env: &Env) -> Option<i32> {
    let noted = fs::read_to_string(aside(env, "daemon")).expect("a daemon was left");
    let pid: i32 = noted.trim().parse().expect("a number");
    let mut all = processes::all().into_iter();
    all.any(|one| one.pid == pid && one.command.contains("leads-a-session")).then_some(pid)
}

#[test]
fn what_an_agent_leaves_that_kills_its_guardian_is_ended_and_told() {
    let env = world();
    let ran = let_loose_with_daemon(&env, "leave-one-and-kill-parent").code(4);
    assert!(ran.stdout.contains("the guardian process is gone: it was killed"), "{ran}");
    // The one that killed the guardian may still be on its way out.
    let ended = ["1 process that it left was ended", "2 processes that it left were ended"];
    assert!(ended.iter().any(|told| ran.stdout.contains(told)), "{ran}");
    assert_eq!(daemon(&env), None, "{ran}");
    wait_until_quiet(&env);
    assert_sound(&env);
}

/// A loop whose guardian is stopped and whose windlass is dead, and whose daemon lives.
fn astray() -> Env {
    let env = world();
    let ran = let_loose_with_daemon(&env, "stop-parent-and-kill-windlass");
    assert_eq!(ran.code, None, "{ran}");
    assert!(daemon(&env).is_some() && !env.processes().is_empty());
    env
}

fn assert_gone(env: &Env, ran: &Ran) {
    assert_eq!(daemon(env), None, "{ran}");
    wait_until_quiet(env);
    assert!(ran.duration < Duration::from_secs(8), "it took {:?}", ran.duration);
}

#[test]
fn a_loop_whose_guardian_is_stopped_and_whose_owner_is_dead_says_so_and_is_cancelled() {
    let env = astray();
    for command in ["status", "list"] {
        let ran = env.windlass([command]).success();
        assert!(ran.stdout.contains("interrupted"), "{ran}");
        assert!(ran.stderr.contains("is gone, but not all that it ran"), "{ran}");
        assert!(ran.stderr.contains("`windlass cancel mine` ends all of it"), "{ran}");
    }
    let ran = env.windlass(["doctor"]).success();
    assert!(ran.stdout.contains("is gone, but not all that it ran"), "{ran}");
    let ran = env.windlass(["cancel", "mine"]).success();
    assert!(ran.stdout.contains("it counts as cancelled now"), "{ran}");
    assert_gone(&env, &ran);
    assert_eq!(standing(&env), "cancelled");
    assert_eq!(env.windlass(["status"]).success().stderr, "");
    assert_sound(&env);
}

#[test]
fn such_a_loop_can_be_removed_collected_and_resumed_and_its_tree_used() {
    let env = astray();
    assert_gone(&env, &env.windlass(["rm", "mine"]).success());

    let env = astray();
    let ran = env.windlass(["gc"]).success();
    assert!(ran.stdout.contains("ended what mine had left running"), "{ran}");
    assert_gone(&env, &ran);

    let env = astray();
    let ran = shell(&env, &format!("echo '{CLAIM}'"), &[]).run().success();
    assert!(ran.duration < Duration::from_secs(8), "{ran}");
    // Its own loop: the agent does the same once more.
    let env = astray();
    let ran = env.windlass(["resume", "mine"]);
    assert!(ran.code.is_none() && ran.duration < Duration::from_secs(8), "{ran}");
    assert_gone(&env, &env.windlass(["cancel", "mine"]).success());
}

#[test]
fn a_guardian_that_is_stopped_again_and_again_is_ended_from_outside() {
    let env = world();
    let ran = let_loose(&env, "keep-parent-stopped", &[]);
    assert_eq!(ran.code, None, "{ran}");
    let ran = env.windlass(["cancel", "mine"]).success();
    assert!(ran.duration < Duration::from_secs(15), "it took {:?}", ran.duration);
    wait_until_quiet(&env);
    assert_sound(&env);
}

#[test]
fn a_guardian_that_an_agent_stops_is_woken() {
    let env = world();
    let ran = let_loose(&env, "stop-parent", &["--timeout", "60s"]).success();
    assert!(ran.duration < Duration::from_secs(10), "it took {:?}", ran.duration);
}

#[test]
fn a_windlass_that_an_agent_stops_is_told_of_and_cancelled() {
    let env = world();
    let agent = format!("{} stop-windlass", zoo().display());
    let running = env.command(["iterate", "-p", "x", "--name", "mine", "-c", &agent]).spawn();
    let stopped = || has_store(&env) && env.windlass(["status"]).stderr.contains("is stopped");
    wait_until("it is stopped", LIMIT, stopped);
    let ran = env.windlass(["status"]).success();
    assert!(ran.stderr.contains("`windlass cancel mine` ends all of it; `kill -CONT "), "{ran}");
    env.windlass(["cancel", "mine"]).success();
    drop(running.wait().code(143));
    wait_until_quiet(&env);
}

#[test]
fn hundreds_of_orphans_that_fork_for_ever_are_ended_or_named_within_a_bound() {
    if !["perl", "prlimit"].into_iter().all(has) {
        return;
    }
    // They go on for longer than windlass may take, and end by themselves if a test fails.
    for behaviour in ["fork-for-ever 200 40", "fork-for-ever 200 40 sessions"] {
        let env = world();
        // Others need processes too: a user of its own has a limit of its own.
        let Some(user) = User::of(&env, 17) else { return };
        let begun = Instant::now();
        let agent = format!("{} {behaviour}", zoo().display());
        let call =
            ["iterate", "-p", "x", "--name", "mine", "--max-iterations", "1", "--grace", "1s"];
        let call = [&call[..], &["-c", &agent]].concat();
        let bounds = ["nice", "-n", "19", "prlimit", "--nproc=800:800"];
        let ran = user.windlass(&env, &call).under(bounds).run();
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(25), "{behaviour} took {took:?}: {ran}");
        match ran.code {
            Some(1) => wait_until_quiet(&env),
            Some(8) => {
                assert!(ran.stdout.contains("could not be ended: "), "{behaviour}: {ran}");
                // The machine of the test is not theirs.
                wait_until("they are gone", LIMIT, || {
                    let left = env.processes();
                    left.iter().filter_map(|one| Pid::from_raw(one.pid)).for_each(|pid| {
                        kill_process(pid, Signal::KILL).ok();
                    });
                    left.is_empty()
                });
            }
            _ => panic!("{behaviour}: {ran}"),
        }
        assert_sound(&env);
    }
}

#[test]
fn one_that_moves_into_the_guardians_group_is_ended_alone() {
    let env = world();
    let agent = format!("{} join-parents-group", zoo().display());
    let running = env.command(["iterate", "-p", "x", "--grace", "1s", "-c", &agent]).spawn();
    let ready = || has_store(&env) && env.sql("SELECT content FROM messages").contains("ready");
    wait_until("it has moved", LIMIT, ready);
    let ran = env.windlass(["cancel"]).success();
    assert!(ran.duration < Duration::from_secs(8), "{ran}");
    drop(running.wait().code(143));
    wait_until_quiet(&env);
}

#[test]
fn one_that_kills_all_of_its_user_is_found_by_cancel() {
    let env = world();
    let Some(user) = User::of(&env, 1) else { return };
    if user.number().is_none() {
        return pass_by(
            "this would kill the user's own processes: only root can run it as another user",
        );
    }
    let agent = format!("{} kill-everyone", zoo().display());
    let args = ["iterate", "-p", "x", "--name", "mine", "-c", &agent];
    let ran = user.windlass(&env, &args).run();
    assert_eq!(ran.code, None, "{ran}");
    assert!(env.processes().iter().any(|one| one.command == "sleep 300"), "{:?}", env.processes());
    user.windlass(&env, &["cancel", "mine"]).run().success();
    wait_until_quiet(&env);
}

#[test]
fn a_process_that_cannot_be_ended_is_named_with_exit_code_8() {
    let env = world();
    let Some(user) = User::of(&env, 2) else { return };
    if user.number().is_none() {
        return pass_by("only root can make a program that another user cannot end");
    }
    // A program of root's that takes all rights: nobody but root may signal it.
    let rooted = env.root().join("bin/rooted");
    fs::copy("/usr/bin/setpriv", &rooted).unwrap();
    fs::set_permissions(&rooted, fs::Permissions::from_mode(0o4755)).unwrap();
    let note = aside(&env, "pid");
    let agent = env.agent_sh(&format!(
        "{rooted} --reuid=0 --regid=0 --clear-groups sleep 301 > /dev/null 2>&1 & echo $! > {note}; sleep 1",
        rooted = rooted.display(),
        note = note.display()
    ));
    let agent = agent.display().to_string();
    let args = ["iterate", "-p", "x", "--max-iterations", "1", "-c", &agent];
    let ran = user.windlass(&env, &args).run();
    let pid: i32 = fs::read_to_string(note).unwrap().trim().parse().unwrap();
    let lives = processes::all().iter().any(|one| one.pid == pid && one.command == "sleep 301");
    if let Some(pid) = Pid::from_raw(pid).filter(|_| lives) {
        kill_process(pid, Signal::KILL).ok();
    }
    if !lives {
        return pass_by("programs of root's do not gain rights here");
    }
    let ran = ran.code(8);
    let named = format!("1 process could not be ended: {pid} (sleep)");
    assert!(ran.stdout.contains(&named), "{ran}");
    assert!(ran.duration < LIMIT, "{ran}");
}

#[test]
fn whoever_poses_as_a_guardian_harms_nobody_but_itself() {
    let env = world();
    // It names this very home and a loop that is there, and another home.
    shell(&env, &format!("echo '{CLAIM}'"), &["--name", "mine"]).run().success();
    let id = env.sql("SELECT id FROM loops").trim().to_owned();
    let home = env.windlass_home().display().to_string();
    let zoo = zoo().display().to_string();
    let pose = |home: &str| env.other(&zoo, ["pose-as-guardian", &id, home]).spawn();
    let (mut other, mut same) = (pose("/elsewhere"), pose(&home));
    // A stranger whose words are nearly those.
    let mut stranger = env.other("sleep", ["302"]).env("WINDLASS_SESSION", "1.1").spawn();
    let posing = || processes::all().iter().filter(|one| one.command.contains(&id)).count() == 2;
    wait_until("both pose", LIMIT, posing);
    let ran = env.windlass(["cancel", "mine"]).success();
    assert!(ran.stdout.contains("had ended before"), "{ran}");
    assert!(other.is_running() && stranger.is_running(), "{ran}");
    wait_until("the one of this home is gone", LIMIT, || !same.is_running());
    drop((other.kill9(), stranger.kill9(), same.wait()));
}
