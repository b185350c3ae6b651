//! A loop that has met a trap ends when it is told to: by one SIGINT, by `cancel`, and after SIGKILL
//! when it is resumed. A file that turns into a pipe and back blocks nothing.

use std::{fs, thread, time::Duration};

use testkit::wait_until;

use super::{
    Scene, each,
    waits::{BOUND, strongest},
};
use crate::COMPLETE;

/// One SIGINT ends a loop that meets a trap, whatever it does just then.
#[track_caller]
fn one_interrupt_ends(plants: &[&str]) {
    each(plants, |plant| {
        let scene = Scene::new();
        scene.env.write("t.sh", "true\n");
        let agent = scene.planter(plant, &format!("touch .done; echo '{COMPLETE}'; sleep 0.2"));
        let args = ["iterate", "-p", "x", "--sandbox", strongest(), "--auto-commit"];
        let call = scene.env.command(args).args(["--grace", "1s", "--protect", "t.sh", "-c"]);
        drop(scene.interrupt(call.arg(&agent), &scene.env.work().join(".done")));
    });
}

#[test]
fn one_interrupt_ends_a_loop_that_has_met_a_pipe_for_a_branch() {
    let packed = "fifo .git/packed-refs; gone .git/refs/heads/main";
    one_interrupt_ends(&["fifo .git/HEAD", "fifo .git/refs/heads/main", packed]);
}

#[test]
fn one_interrupt_ends_a_loop_that_has_met_a_pipe_for_an_index() {
    one_interrupt_ends(&["fifo .git/index", "fifo .git/index.lock", "fifo .git/info/exclude"]);
}

#[test]
fn one_interrupt_ends_a_loop_that_has_met_a_file_without_end() {
    one_interrupt_ends(&["sparse t.sh", "sparse new", "sparse README.md"]);
}

#[test]
fn one_interrupt_ends_a_loop_that_has_met_a_device() {
    let head = "link .git/HEAD /dev/zero";
    one_interrupt_ends(&["sparse .git/index", "link .git/index /dev/zero", head]);
}

#[test]
fn a_cancel_ends_a_loop_that_has_met_a_trap() {
    each(&["fifo .git/HEAD", "sparse t.sh", "sparse README.md"], |plant| {
        let scene = Scene::new();
        scene.env.write("t.sh", "true\n");
        let agent = scene.planter(plant, &format!("touch .done; echo '{COMPLETE}'"));
        let args = ["iterate", "-p", "x", "--sandbox", strongest(), "--grace", "1s"];
        let call = scene.env.command(args).args(["--name", "mine", "--protect", "t.sh", "-c"]);
        let mut running = call.arg(&agent).limit(BOUND * 3).spawn();
        let done = scene.env.work().join(".done");
        wait_until("it is planted", BOUND, || done.exists() || !running.is_running());
        thread::sleep(Duration::from_millis(700));
        let ran = scene.watch(scene.env.command(["cancel", "mine"]));
        assert!(ran.duration < BOUND, "{plant}: {ran}");
        wait_until(plant, BOUND, || !running.is_running());
    });
}

#[test]
fn a_loop_that_was_killed_at_a_trap_is_taken_up_or_removed() {
    each(&["fifo .git/HEAD", "fifo .git/index"], |plant| {
        let scene = Scene::new();
        let agent = scene.planter(plant, "touch .done; date +%N >> a.txt");
        let args = ["iterate", "-p", "x", "--max-iterations", "2", "--name", "mine", "-c"];
        let mut running = scene.env.command(args).arg(&agent).limit(BOUND * 3).spawn();
        let done = scene.env.work().join(".done");
        wait_until("it is planted", BOUND, || done.exists() || !running.is_running());
        thread::sleep(Duration::from_millis(500));
        if running.is_running() {
            drop(running.kill9());
        }
        for args in [
            &["status", "mine"][..],
            &["diff", "mine"],
            &["resume", "mine", "--max-duration", "5s"],
            &["rollback", "0"],
            &["cancel", "mine"],
            &["rm", "mine"],
            &["gc"],
        ] {
            let ran = scene.call(args);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
        }
    });
}

/// A file that is sometimes a pipe: code that checks first and opens afterwards hangs now and then.
#[track_caller]
fn nobody_is_caught_at(path: &str) {
    let scene = Scene::new();
    scene.env.write("t.sh", "true\n");
    if !scene.env.work().join(path).exists() {
        scene.env.write(path, "");
    }
    let swapping = scene.swap(&format!("swap {path} pipe"));
    let agent = scene.env.agent_sh("date +%N >> a.txt");
    let args = ["--max-iterations", "8", "--protect", "t.sh", "--max-duration", "5s"];
    let ran = scene.iterate("none", &agent, &args);
    assert!(ran.duration < BOUND, "{path}: {ran}");
    drop(scene.call(&["diff"]));
    drop(swapping);
    drop(fs::remove_file(scene.env.work().join(path)));
}

#[test]
fn nobody_is_caught_at_a_protected_file_that_is_a_pipe_by_turns() {
    nobody_is_caught_at("t.sh");
}

#[test]
fn nobody_is_caught_at_a_head_that_is_a_pipe_by_turns() {
    nobody_is_caught_at(".git/HEAD");
}

#[test]
fn nobody_is_caught_at_excludes_that_are_a_pipe_by_turns() {
    nobody_is_caught_at(".git/info/exclude");
}

#[test]
fn nobody_is_caught_at_a_tracked_file_that_is_a_pipe_by_turns() {
    nobody_is_caught_at("README.md");
}

#[test]
fn nobody_is_caught_at_an_index_that_is_a_pipe_by_turns() {
    nobody_is_caught_at(".git/index");
}
