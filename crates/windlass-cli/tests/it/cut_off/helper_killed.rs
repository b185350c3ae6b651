//! The helper that does the work stands still after one of its own renames, links or removals, and
//! all is killed then.

use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
};

use testkit::{Env, Invocation, has, pass_by, wait_until};

use super::{
    killing::{REAL, count, counting_git, end, every_point, on_two_threads, wait_for_it},
    scenes::{SCENES, Scene},
};
use crate::oracle::{LIMIT, aside, within_reach};

/// The calls of the system that put files in place, and take them away.
pub(super) const RENAMES: &str = "rename,renameat,renameat2,link,linkat,unlink,unlinkat";

/// More than any change has between two git commands.
const MOST: usize = 40;

/// What became of an attempt.
#[derive(PartialEq, Eq)]
enum Came {
    /// The helper stood still there.
    ToIt,
    /// It did not rename so often before the next git command.
    PastIt,
    /// Tracing is not allowed here.
    Nowhere,
}

#[test]
fn a_kill_after_any_rename_of_a_commit_is_mended() {
    after_renames("commit", |command| {
        command.starts_with("ls-files -z --stage") || command.starts_with("update-")
    });
}

#[test]
fn a_kill_after_any_rename_while_a_branch_or_a_worktree_is_made_is_mended() {
    let is_one =
        |command: &str| command.starts_with("symbolic-ref") || command.starts_with("worktree add");
    after_renames("branch", is_one);
    after_renames("worktree", is_one);
}

#[test]
fn a_kill_after_any_rename_while_an_agents_commits_are_brought_over_is_mended() {
    after_renames("bring", |command| {
        ["fetch", "ls-files -z --stage", "update-ref"]
            .iter()
            .any(|begin| command.starts_with(begin))
    });
}

#[test]
fn a_kill_after_any_rename_of_a_merge_is_mended() {
    after_renames("merge", |command| {
        command.starts_with("read-tree -m") || command.starts_with("update-ref -m")
    });
}

#[test]
fn a_kill_before_any_rename_while_the_tree_is_put_back_leaves_no_half_written_file() {
    around_renames("rollback", "KILL", |command| command.starts_with("cat-file --batch"));
}

fn after_renames(name: &str, is_meant: impl Fn(&str) -> bool) {
    around_renames(name, "STOP", is_meant);
}

/// Kills a scene at each rename that the helper does after those git commands: `STOP` has it stand
/// still after the rename, and `KILL` ends it before.
fn around_renames(name: &str, signal: &str, is_meant: impl Fn(&str) -> bool) {
    if !has("strace") {
        return;
    }
    let scene = SCENES.iter().find(|scene| scene.name == name).expect("there is such a scene");
    let mut numbers: Vec<(usize, String)> = every_point(scene)
        .into_iter()
        .filter(|point| is_meant(&point.command))
        .map(|point| (point.number, point.command))
        .collect();
    numbers.dedup();
    assert!(!numbers.is_empty(), "`{name}` has no such git command");
    let reached = AtomicUsize::new(0);
    on_two_threads(&numbers, |(number, command)| {
        for nth in 1..=MOST {
            let env = (scene.set_up)();
            match stop_at(&env, scene, *number, (signal, nth)) {
                Came::ToIt => {
                    reached.fetch_add(1, Ordering::Relaxed);
                    let what = format!("rename {nth} after git command {number}: {command}");
                    scene.assert_recovers(&env, nth.is_multiple_of(2), &what);
                }
                Came::PastIt => break,
                Came::Nowhere => {
                    reached.fetch_add(1, Ordering::Relaxed);
                    pass_by("strace may not trace here, so no helper was stopped");
                    break;
                }
            }
        }
    });
    assert!(reached.into_inner() > 0, "`{name}` renames nothing there");
}

/// Sends the helper a signal at its n-th rename after a git command, and kills all.
fn stop_at(env: &Env, scene: &Scene, number: usize, (signal, nth): (&str, usize)) -> Came {
    let act = format!(
        "if [ $n = {number} ]; then {REAL} git \"$@\"; code=$?; echo $PPID > $held.new; \
         mv $held.new $held; while [ ! -e $go ]; do sleep 0.02; done; exit $code; fi"
    );
    counting_git(env, &act);
    let mut running = scene.call(env).spawn();
    if !wait_for_it(env, &mut running) {
        end(env, running);
        return Came::PastIt;
    }
    let helper = fs::read_to_string(within_reach(env, "held")).expect("it was written whole");
    let helper = helper.trim().to_owned();
    let log = aside(env, "trace");
    let inject = format!("inject={RENAMES}:signal={signal}:when={nth}");
    let mut tracing = attach(env, &helper, &log.display().to_string(), &inject).spawn();
    wait_until("strace is attached", LIMIT, || {
        tracing.stderr().contains("attached") || !tracing.is_running()
    });
    let may_trace = tracing.is_running();
    fs::write(within_reach(env, "go"), "").expect("the folder is ours");
    let signs = ["stopped by SIGSTOP", "killed by SIGKILL"];
    let is_stopped =
        || fs::read_to_string(&log).is_ok_and(|log| signs.iter().any(|sign| log.contains(sign)));
    wait_until("it stands still, or goes on", LIMIT, || {
        is_stopped() || count(env) > number || !running.is_running()
    });
    let came = match (may_trace, is_stopped()) {
        (false, _) => Came::Nowhere,
        (_, true) => Came::ToIt,
        (_, false) => Came::PastIt,
    };
    end(env, running);
    // What is being traced goes when it is killed, whoever traces it.
    drop(env.other("sh", ["-c", &format!("kill -9 {helper}")]).run());
    drop(tracing.wait());
    came
}

fn attach<'a>(env: &'a Env, pid: &str, log: &str, inject: &str) -> Invocation<'a> {
    let trace = format!("trace={RENAMES}");
    env.other("strace", ["-f", "-p", pid, "-o", log, "-e", &trace, "-e", inject])
}
