//! The crash loop: a loop, and the resuming of one that was cut off, killed before its n-th call of
//! the system, for every n. After each kill nothing runs, nothing that was told is lost, and
//! `resume` brings it to its end.
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
    oracle::{
        CLAIM, aside, assert_sound, has_store, number, standing, wait_for_lines, wait_until_quiet,
    },
    world,
};

/// The calls that change something outside the process.
const CALLS: &str = "write,pwrite64,fdatasync,fsync,ftruncate,rename,renameat,renameat2,unlink,\
                     unlinkat,mkdir,mknodat,sendmsg";

/// How many points the test of every day tries.
const SLICE: usize = 36;

/// What is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A loop from its start.
    Start,
    /// A loop that was cut off in its second session, from its resuming.
    Resume,
}

/// One place to be killed at: before the n-th call of that name.
#[derive(Clone, Debug)]
struct Point {
    part: Part,
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

/// Writes the script of three sessions, of which the second may hang.
fn write_script(path: &Path, hangs: bool) {
    let second = if hangs { "hang" } else { "say two" };
    let script = format!(
        "say one\nappend log 1\\n\nnext\nappend log 2\\n\n{second}\nnext\n\
         append log 3\\n\nsay {CLAIM}\n"
    );
    fs::write(path, script).expect("the folder is ours");
}

/// The arguments of the part that is killed, in a world where all that goes before it is done.
fn set_out(env: &Env, part: Part) -> Vec<String> {
    let script = aside(env, "script");
    write_script(&script, part == Part::Resume);
    let script_path = script.display().to_string();
    let start = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script_path];
    let start = start.into_iter().chain(["--check", "test -e log"]).map(str::to_owned).collect();
    if part == Part::Start {
        return start;
    }
    let running = env.command(start).spawn();
    wait_for_lines(&env.work().join("log"), 2);
    drop(running.kill9());
    wait_until_quiet(env);
    // The agent reads it anew for each session.
    write_script(&script, false);
    vec!["resume".to_owned()]
}

/// Every point, found by one run of each part. `None` where strace cannot be used, which is said
/// aloud.
fn points() -> Option<Vec<Point>> {
    if !has("strace") {
        return None;
    }
    let mut points = points_of(Part::Start)?;
    points.extend(points_of(Part::Resume)?);
    Some(points)
}

fn points_of(part: Part) -> Option<Vec<Point>> {
    let env = world();
    let args = set_out(&env, part);
    let log = aside(&env, "calls");
    let tracer = ["strace", "-o", &log.display().to_string(), "-e", &format!("trace={CALLS}")]
        .map(str::to_owned);
    let ran = env.command(args).under(tracer).run();
    if ran.code != Some(0) && ran.stderr.contains("Operation not permitted") {
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
        (1..=count).map(move |n| Point { part, call: call.clone(), n }).collect::<Vec<_>>()
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
                violations.push(format!("{:?}, {} {}: {why}", point.part, point.call, point.n));
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
    let args = set_out(&env, point.part);
    let (call, n) = (&point.call, point.n);
    let inject = format!("inject={call}:signal=SIGKILL:when={n}");
    let tracer = ["strace", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject]
        .map(str::to_owned);
    let killed = env.command(&args).under(tracer).run();
    // A run now and then makes a call less, and then ends in peace.
    assert!(killed.code == Some(0) || killed.code.is_none(), "{killed}");
    wait_until_quiet(&env);
    bring_to_its_end(&env, &args);
    wait_until_quiet(&env);

    // At most the session that was under way was called once more, by each kill.
    let most = if point.part == Part::Start { 4 } else { 5 };
    let sessions = number(&env, "SELECT count(*) FROM sessions");
    assert!((3..=most).contains(&sessions), "{sessions} sessions");
    let log = env.read("log");
    let log: Vec<&str> = log.lines().collect();
    assert!(log.is_sorted() && (3..=most).contains(&(log.len() as u64)), "{log:?}");
    assert_eq!(env.git(["status", "--porcelain", "--ignored"]), "?? log\n");
    assert_eq!(env.git(["stash", "list"]) + env.git(["branch", "--all"]).as_str(), "* main\n");
    assert_eq!(files_below(&env.work().join(".git")), before, "something was left in .git");
}

/// Takes the loop up where it is; starts it anew where it was not there yet.
fn bring_to_its_end(env: &Env, args: &[String]) {
    let is_there = has_store(env) && {
        assert_sound(env);
        number(env, "SELECT count(*) FROM loops") > 0
    };
    match is_there {
        false => drop(env.windlass(args).success()),
        true if standing(env) == "done" => {}
        true => {
            assert_eq!(standing(env), "interrupted");
            drop(env.windlass(["resume"]).success());
        }
    }
    assert_eq!(standing(env), "done");
    assert_sound(env);
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
