//! `windlass merge`, killed at every turn: the branch is where it was or where it was to go, and the
//! next `merge` or `gc` leaves no lock and no worktree of it.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use testkit::{Env, has, pass_by};

use crate::{
    merging::{assert_tidy, commit, committed},
    oracle::{aside, wait_for_lines, wait_until_quiet, within_reach},
    world,
};

/// The calls that change something outside the process.
const CALLS: &str = "write,pwrite64,fdatasync,rename,unlink,unlinkat,mkdir,linkat,copy_file_range,\
                     sendmsg";

/// How many points are tried of a call that is made more often than `EACH` times.
const SLICE: usize = 3;
const EACH: usize = 6;

/// A world in which the work of `mine` is to be merged with a commit of the user's.
fn ready() -> Env {
    let env = world();
    commit(&env, "old.txt", "old\n");
    let body = "echo x > a.txt; echo loop >> README.md; rm old.txt; mkdir d; echo y > d/e.txt";
    committed(&env, "mine", body, &[]);
    commit(&env, "other.txt", "user\n");
    env
}

/// That the work is home, and nothing else is different.
#[track_caller]
fn assert_home(env: &Env) {
    assert_tidy(env);
    assert_eq!(env.git(["ls-files"]), "README.md\na.txt\nd/e.txt\nother.txt\n");
    assert_eq!(env.read("README.md"), "# A project\nloop\n");
    let log = env.git(["log", "--format=%s", "main"]);
    assert!(log.contains("loop: iteration 1") && log.contains("user: other.txt"), "{log}");
    env.git(["fsck", "--strict"]);
}

/// Brings what a kill left to its end, by the next merge or by `gc`.
#[track_caller]
fn mend(env: &Env, by_gc: bool, before: &str) {
    wait_until_quiet(env);
    let now = env.git(["rev-parse", "main"]);
    let merged = env.git(["log", "--format=%s", "main"]).contains("loop: iteration 1");
    assert!(now == before || merged, "the branch is neither here nor there");
    if by_gc {
        drop(env.windlass(["gc"]).success());
        assert_tidy(env);
    }
    drop(env.windlass(["merge", "mine"]).success());
    assert_home(env);
}

#[test]
fn a_kill_before_some_of_the_calls_of_the_system_leaves_nothing_behind() {
    if !has("strace") {
        return;
    }
    let env = ready();
    let log = aside(&env, "calls");
    let tracer = ["strace", "-o", &log.display().to_string(), "-e", &format!("trace={CALLS}")];
    let ran = env.command(["merge", "mine", "--check", "true"]).under(tracer).run();
    if ran.code != Some(0) && ran.stderr.contains("Operation not permitted") {
        pass_by("strace may not trace here, so merges were not killed");
        return;
    }
    drop(ran.success());
    assert_home(&env);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in fs::read_to_string(log).expect("strace writes it").lines() {
        if let Some((call, _)) = line.split_once('(') {
            *counts.entry(call.to_owned()).or_default() += 1;
        }
    }
    // Those that are made seldom are the ones that matter, and are all tried.
    let few = |count: usize| if count <= EACH { 1 } else { count.div_ceil(SLICE) };
    let points = counts
        .into_iter()
        .flat_map(|(call, count)| (1..=count).step_by(few(count)).map(move |n| (call.clone(), n)));
    let points: Vec<(String, usize)> = points.collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((call, n)) = points.get(number) else { break };
            kill_before(call, *n, number.is_multiple_of(2));
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

/// Kills a merge before its n-th call of that name, and looks what is left of it.
fn kill_before(call: &str, n: usize, by_gc: bool) {
    let env = ready();
    let before = env.git(["rev-parse", "main"]);
    let inject = format!("inject={call}:signal=KILL:when={n}");
    let tracer = ["strace", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject];
    let ran = env.command(["merge", "mine", "--check", "true"]).under(tracer).run();
    assert!(ran.signal.is_some() || ran.code == Some(0), "before {call} {n}: {ran}");
    mend(&env, by_gc, &before);
}

/// A git that stands still where `pattern` matches its arguments: after it has done its work, and
/// then `more`.
fn held_git(env: &Env, pattern: &str, more: &str) -> PathBuf {
    let held = within_reach(env, "held");
    let real = "PATH=/usr/local/bin:/usr/bin:/bin";
    env.install(
        "git",
        &format!(
            "case \"$*\" in {pattern}) [ -e {held}.over ] || {{ {real} git \"$@\"; {more}; \
             echo held >> {held}; sleep 300; }};; esac\n{real} exec git \"$@\"",
            held = held.display()
        ),
    );
    held
}

#[test]
fn a_kill_while_the_files_are_written_is_mended() {
    let half = "printf '# A project\\n' > README.md; rm -f a.txt";
    for (more, by_gc) in [("true", true), ("true", false), (half, true), (half, false)] {
        let env = ready();
        let before = env.git(["rev-parse", "main"]);
        let held = held_git(&env, "*read-tree*-m*-u*", more);
        let running = env.command(["merge", "mine"]).spawn();
        wait_for_lines(&held, 1);
        drop(running.kill9());
        fs::write(held.with_extension("over"), "").unwrap();
        assert_eq!(env.git(["rev-parse", "main"]), before);
        assert!(env.work().join(".git/index.lock").exists(), "other gits are kept out");
        mend(&env, by_gc, &before);
    }
}

#[test]
fn a_kill_between_the_files_and_the_branch_is_mended() {
    for by_gc in [true, false] {
        let env = ready();
        let before = env.git(["rev-parse", "main"]);
        // The first move of the branch is held, before it is made.
        let held = within_reach(&env, "held");
        env.install(
            "git",
            &format!(
                "case \"$*\" in *update-ref*windlass:*merge*) [ -e {held}.over ] || {{ \
                 echo held >> {held}; sleep 300; }};; esac\n\
                 PATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\"",
                held = held.display()
            ),
        );
        let running = env.command(["merge", "mine"]).spawn();
        wait_for_lines(&held, 1);
        drop(running.kill9());
        fs::write(held.with_extension("over"), "").unwrap();
        mend(&env, by_gc, &before);
    }
}

#[test]
fn what_the_user_wrote_after_a_kill_is_not_written_over() {
    let env = ready();
    let held = held_git(&env, "*read-tree*-m*-u*", "true");
    let running = env.command(["merge", "mine", "--name", "first"]).spawn();
    wait_for_lines(&held, 1);
    drop(running.kill9());
    fs::write(held.with_extension("over"), "").unwrap();
    wait_until_quiet(&env);
    // One that the move has written, and one that it has removed.
    env.write("a.txt", "the user's\n");
    env.write("old.txt", "the user's too\n");
    env.windlass(["gc"]).success();
    assert_eq!(env.read("a.txt"), "the user's\n");
    assert_eq!(env.read("old.txt"), "the user's too\n");
    assert!(!env.work().join(".git/index.lock").exists());
    let why = env.windlass(["why", "first"]);
    assert!(why.stdout.contains("has changes of yours in `a.txt`, `old.txt`"), "{why}");
}
