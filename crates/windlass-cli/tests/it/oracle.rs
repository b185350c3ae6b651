//! What must hold of a loop after any fault, seen from outside: with plain SQL, `windlass status`
//! and `/proc`. It says what is wrong and mends nothing.

use std::{
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use testkit::{Env, processes, wait_until};

/// The line that claims.
pub(crate) const CLAIM: &str = "<promise>COMPLETE</promise>";

/// How long anything may take that takes a moment on a machine with nothing else to do.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);

/// How long processes of a loop may outlive it. It is told as one second; two cores that many
/// tests share are slower than that.
const GONE_WITHIN: Duration = Duration::from_secs(3);

/// A file outside the work tree that agents and tests talk over.
pub(crate) fn aside(env: &Env, name: &str) -> PathBuf {
    env.root().join("tmp").join(name)
}

/// A file that a program can write which windlass's helper of the work tree starts: it reaches
/// nothing outside of the tree and its git directory.
pub(crate) fn within_reach(env: &Env, name: &str) -> PathBuf {
    env.work().join(".git").join(name)
}

/// How many lines a file has; none if it is not there.
pub(crate) fn lines(path: &PathBuf) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// Waits until a file has so many lines.
#[track_caller]
pub(crate) fn wait_for_lines(path: &PathBuf, count: usize) {
    wait_until(&format!("{count} lines in {}", path.display()), LIMIT, || lines(path) >= count);
}

/// The word for how the newest loop stands, as `status --json` tells it.
#[track_caller]
pub(crate) fn standing(env: &Env) -> String {
    let status = env.windlass(["status", "--json"]).success().json();
    status["ending"]["type"].as_str().expect("every loop stands somehow").to_owned()
}

/// The number that a query gives.
#[track_caller]
pub(crate) fn number(env: &Env, query: &str) -> u64 {
    let said = env.sql(query);
    said.trim().parse().unwrap_or_else(|_| panic!("{query}: {said}"))
}

/// Waits until nothing of this world runs any more, nor a guardian of one of its loops.
#[track_caller]
pub(crate) fn wait_until_quiet(env: &Env) {
    let began = Instant::now();
    let mut left = still_there(env);
    while !left.is_empty() {
        assert!(began.elapsed() < GONE_WITHIN, "still there:\n  {}", left.join("\n  "));
        thread::sleep(Duration::from_millis(5));
        left = still_there(env);
    }
}

fn still_there(env: &Env) -> Vec<String> {
    let ids = if has_store(env) { env.sql("SELECT id FROM loops") } else { String::new() };
    let is_guardian = |command: &str| ids.lines().any(|id| command.contains(&guardian(id)));
    let guardians = processes::all().into_iter().filter(|process| is_guardian(&process.command));
    env.processes().into_iter().chain(guardians).map(|process| process.to_string()).collect()
}

fn guardian(id: &str) -> String {
    format!("__windlass-guardian {id}")
}

/// Whether windlass has made its store.
pub(crate) fn has_store(env: &Env) -> bool {
    env.windlass_home().join("windlass.db").exists()
}

/// The store is sound: nothing is lost, nothing is there twice, no loop has ended more often than
/// it was run, and no iteration began before the one before it was over.
#[track_caller]
pub(crate) fn assert_sound(env: &Env) {
    assert_eq!(env.sql("PRAGMA integrity_check"), "ok\n");
    let gaps = "SELECT loop, count(*), min(seq), max(seq) FROM events GROUP BY loop
                HAVING min(seq) <> 1 OR max(seq) <> count(*)";
    assert_eq!(env.sql(gaps), "", "events are missing");
    let unlike = "SELECT id, last_seq FROM loops
                  WHERE last_seq <> (SELECT count(*) FROM events WHERE loop = loops.id)";
    assert_eq!(env.sql(unlike), "", "a loop has another number of events than it knows of");
    let endings = "SELECT id, epoch, (SELECT count(*) FROM events
                                      WHERE loop = loops.id AND type = 'loop_finished') AS endings
                   FROM loops WHERE endings > epoch";
    assert_eq!(env.sql(endings), "", "a loop has ended twice");
    let early = "SELECT a.number FROM iterations a JOIN iterations b
                 ON a.loop = b.loop AND b.number = a.number + 1 WHERE a.duration_ms IS NULL";
    assert_eq!(env.sql(early), "", "an iteration began before the one before it was over");
}
