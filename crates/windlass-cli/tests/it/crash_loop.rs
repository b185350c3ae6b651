//! The crash loop: one scenario, killed before its n-th call of the system, for every n. After
//! each kill nothing runs, nothing that was told is lost, and `resume` brings it to its end.
//!
//! strace kills the process of windlass alone; its guardian and the agents are not traced.

use std::{
    collections::BTreeMap,
    fs, panic,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use testkit::{Env, has, pass_by};

use crate::{
    oracle::{CLAIM, assert_sound, has_store, number, standing, wait_until_quiet},
    world,
};

/// The calls that change something outside the process.
const CALLS: &str = "write,pwrite64,fdatasync,fsync,ftruncate,rename,renameat,renameat2,unlink,\
                     unlinkat,mkdir,mknodat,sendmsg";

/// How many points the test of every day tries.
const SLICE: usize = 36;

/// One place to be killed at: before the n-th call of that name.
#[derive(Clone, Debug)]
struct Point {
    call: String,
    n: usize,
}

#[test]
fn a_kill_before_some_of_the_calls_of_the_system_loses_nothing() {
    let Some(points) = points() else { return };
    let step = points.len() / SLICE;
    let some: Vec<_> = points.into_iter().step_by(step.max(1)).collect();
    let violations = crash_at(&some);
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

/// All of them take minutes; `scripts/crash-loop` runs this.
#[test]
#[ignore = "takes minutes: scripts/crash-loop runs it"]
fn a_kill_before_any_call_of_the_system_loses_nothing() {
    let points = points().expect("strace is there and may trace");
    let violations = crash_at(&points);
    println!("{} points, {} violations", points.len(), violations.len());
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

/// The arguments of the scenario: three iterations and one check.
fn scenario(env: &Env) -> Vec<String> {
    let script = format!(
        "say one\nappend log 1\\n\nnext\nsay two\nappend log 2\\n\nnext\nappend log 3\\n\nsay {CLAIM}\n"
    );
    let script = env.script(&script).display().to_string();
    let args = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script];
    args.into_iter().chain(["--check", "test -e log"]).map(str::to_owned).collect()
}

/// Every point of the scenario, found by one run of it. `None` where strace cannot be used, which
/// is said aloud.
fn points() -> Option<Vec<Point>> {
    if !has("strace") {
        return None;
    }
    let env = world();
    let log = env.root().join("tmp/calls");
    let tracer = ["strace", "-o", &log.display().to_string(), "-e", &format!("trace={CALLS}")]
        .map(str::to_owned);
    let ran = env.command(scenario(&env)).under(tracer).run();
    if ran.stderr.contains("Operation not permitted") && !has_store(&env) {
        pass_by("strace may not trace here, so the crash loop was not run");
        return None;
    }
    drop(ran.success());
    let log = fs::read_to_string(log).expect("strace writes it");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in log.lines() {
        if let Some((call, _)) = line.split_once('(') {
            *counts.entry(call).or_default() += 1;
        }
    }
    let of = |(call, count): (&str, usize)| {
        let call = call.to_owned();
        (1..=count).map(move |n| Point { call: call.clone(), n }).collect::<Vec<_>>()
    };
    Some(counts.into_iter().flat_map(of).collect())
}

/// Runs the scenario once a point, and gives what was wrong at which.
fn crash_at(points: &[Point]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut violations = Vec::new();
        while let Some(point) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(why) = panic::catch_unwind(|| crash(point)) {
                let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
                violations.push(format!("{} {}: {why}", point.call, point.n));
            }
        }
        violations
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("it catches")).collect()
    })
}

fn crash(point: &Point) {
    let env = world();
    let before = files_below(&env.work().join(".git"));
    let args = scenario(&env);
    let (call, n) = (&point.call, point.n);
    let inject = format!("inject={call}:signal=SIGKILL:when={n}");
    let tracer = ["strace", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject]
        .map(str::to_owned);
    let killed = env.command(&args).under(tracer).run();
    // A run now and then makes a call less, and then ends in peace.
    assert!(killed.code == Some(0) || killed.code.is_none(), "{killed}");
    wait_until_quiet(&env);

    let is_there = has_store(&env) && {
        assert_sound(&env);
        number(&env, "SELECT count(*) FROM loops") > 0
    };
    match is_there {
        false => drop(env.windlass(&args).success()),
        true if standing(&env) == "done" => {}
        true => {
            assert_eq!(standing(&env), "interrupted");
            drop(env.windlass(["resume"]).success());
        }
    }
    assert_eq!(standing(&env), "done");
    assert_sound(&env);
    wait_until_quiet(&env);

    let sessions = number(&env, "SELECT count(*) FROM sessions");
    assert!((3..=4).contains(&sessions), "{sessions} sessions");
    let log = env.read("log");
    let log: Vec<&str> = log.lines().collect();
    assert!(log.is_sorted() && (3..=4).contains(&log.len()), "{log:?}");
    assert_eq!(env.git(["status", "--porcelain", "--ignored"]), "?? log\n");
    assert_eq!(env.git(["stash", "list"]) + &env.git(["branch", "--all"]), "* main\n");
    assert_eq!(files_below(&env.work().join(".git")), before, "something was left in .git");
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}
