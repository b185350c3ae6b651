//! Kills windlass around one of its git commands: a `git` on its path counts them, and stands still
//! before or after the one that is meant.

use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use testkit::{Background, Env, wait_until};

use super::scenes::Scene;
use crate::oracle::{LIMIT, lines, within_reach};

/// The git that is meant, which the tests' own stands before.
pub(super) const REAL: &str = "PATH=/usr/local/bin:/usr/bin:/bin";

/// Git commands that change refs, the index, worktrees or files.
const CHANGES: [&str; 8] = [
    "fetch",
    "update-ref",
    "symbolic-ref",
    "worktree",
    "read-tree",
    "update-index",
    "checkout-index",
    "commit-tree",
];

/// Where windlass is killed.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) number: usize,
    pub(super) when: When,
    pub(super) command: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Before,
    After,
}

impl Point {
    pub(super) fn changes_something(&self) -> bool {
        let first = self.command.split(' ').next().unwrap_or_default();
        CHANGES.contains(&first) && !self.command.starts_with("worktree list")
    }
}

/// Every point of a scene, found by one run of it.
pub(super) fn every_point(scene: &Scene) -> Vec<Point> {
    let env = (scene.set_up)();
    counting_git(&env, "");
    drop(scene.call(&env).run().success());
    remove_git(&env);
    let calls = fs::read_to_string(calls(&env)).expect("git was called");
    fs::remove_file(self::calls(&env)).expect("it is ours");
    scene.assert_recovers(&env, false, "not killed");
    let point = |(number, command): (usize, &str)| {
        [When::Before, When::After].map(|when| Point { number, when, command: command.to_owned() })
    };
    (1..).zip(calls.lines()).flat_map(point).collect()
}

/// Kills the command of a scene at a point; says whether it came to it.
pub(super) fn kill_at(env: &Env, scene: &Scene, point: &Point) -> bool {
    let stand_still = "echo held > $held; exec sleep 300";
    let act = match point.when {
        When::Before => stand_still.to_owned(),
        When::After => format!("{REAL} git \"$@\"; {stand_still}"),
    };
    counting_git(env, &format!("if [ $n = {} ]; then {act}; fi", point.number));
    let mut running = scene.call(env).spawn();
    let is_held = wait_for_it(env, &mut running);
    end(env, running);
    is_held
}

/// Waits until git stands still, or the command is over; says which.
pub(super) fn wait_for_it(env: &Env, running: &mut Background) -> bool {
    let held = within_reach(env, "held");
    wait_until("git stands still", LIMIT * 2, || held.exists() || !running.is_running());
    held.exists()
}

/// Kills windlass, and takes the git away that counts.
pub(super) fn end(env: &Env, running: Background) {
    drop(running.kill9());
    remove_git(env);
    for file in [calls(env), within_reach(env, "held"), within_reach(env, "go")] {
        drop(fs::remove_file(file));
    }
}

/// Puts a git on the path that writes down each of its calls and then does as `body` says; `$n` is
/// the number of the call.
pub(super) fn counting_git(env: &Env, body: &str) {
    let (calls, held) = (calls(env), within_reach(env, "held"));
    let go = within_reach(env, "go");
    env.install(
        "git",
        &format!(
            "calls={} held={} go={}\nprintf '%s %s %s\\n' \"$1\" \"$2\" \"$3\" | tr -d '\\0' \
             >> $calls\nn=$(wc -l < $calls)\n{body}\n{REAL} exec git \"$@\"",
            calls.display(),
            held.display(),
            go.display()
        ),
    );
}

fn remove_git(env: &Env) {
    drop(fs::remove_file(env.root().join("bin/git")));
}

/// Where the calls of git are written down.
pub(super) fn calls(env: &Env) -> PathBuf {
    within_reach(env, "calls")
}

/// How often git was called so far.
pub(super) fn count(env: &Env) -> usize {
    lines(&calls(env))
}

/// Does the same with all, two at a time.
pub(super) fn on_two_threads<T: Sync>(all: &[T], act: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            act(one);
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}
