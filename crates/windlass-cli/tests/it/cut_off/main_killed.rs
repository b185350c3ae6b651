//! The process of windlass itself is killed between its own calls of the system: when the helper has
//! done its part, and the loop is not in the store yet, or only just.

use std::{collections::BTreeMap, fs};

use testkit::{has, pass_by};

use super::{
    killing::on_two_threads,
    scenes::{SCENES, Scene},
};
use crate::oracle::aside;

/// The calls that change something outside of the process.
const CALLS: &str = "pwrite64,fdatasync,rename,unlink,unlinkat,mkdir,rmdir,sendmsg";

/// How many points are tried of a call that is made more often than `EACH` times.
const SLICE: usize = 4;
const EACH: usize = 8;

#[test]
fn a_kill_between_the_worktree_and_its_loop_is_mended() {
    kill_main("worktree");
}

#[test]
fn a_kill_between_the_branch_and_its_loop_is_mended() {
    kill_main("branch");
}

#[test]
fn a_kill_between_the_removal_of_a_worktree_and_that_of_its_loop_is_mended() {
    kill_main("rm");
}

#[test]
fn a_kill_at_any_write_of_an_accept_lets_the_work_be_accepted() {
    kill_main_at("accept", usize::MAX);
}

fn kill_main(name: &str) {
    kill_main_at(name, EACH);
}

/// Kills at each call of those that are made so often at most, and at some of the others.
fn kill_main_at(name: &str, each: usize) {
    if !has("strace") {
        return;
    }
    let scene = SCENES.iter().find(|scene| scene.name == name).expect("there is such a scene");
    let Some(points) = points(scene, each) else {
        pass_by("strace may not trace here, so windlass was not killed");
        return;
    };
    on_two_threads(&points, |(call, nth)| {
        let env = (scene.set_up)();
        let inject = format!("inject={call}:signal=KILL:when={nth}");
        let tracer = ["strace", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject];
        drop(scene.call(&env).under(tracer).run());
        let what = format!("before {call} {nth} of windlass itself");
        scene.assert_recovers(&env, nth.is_multiple_of(2), &what);
    });
}

/// The calls of one run, as many as are tried; `None` where it cannot be traced.
fn points(scene: &Scene, each: usize) -> Option<Vec<(String, usize)>> {
    let env = (scene.set_up)();
    let log = aside(&env, "calls");
    let tracer = ["strace", "-o", &log.display().to_string(), "-e", &format!("trace={CALLS}")];
    let ran = scene.call(&env).under(tracer).run();
    if ran.code != Some(0) && ran.stderr.contains("Operation not permitted") {
        return None;
    }
    drop(ran.success());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in fs::read_to_string(log).expect("strace writes it").lines() {
        if let Some((call, _)) = line.split_once('(') {
            *counts.entry(call.to_owned()).or_default() += 1;
        }
    }
    let few = |count: usize| if count <= each { 1 } else { count.div_ceil(SLICE) };
    let points = counts
        .into_iter()
        .flat_map(|(call, count)| (1..=count).step_by(few(count)).map(move |n| (call.clone(), n)));
    Some(points.collect())
}
