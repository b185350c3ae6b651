//! `kill -9` at every step of the loops with a reviewer, and `resume`: each ends as the loop that
//! nobody killed, and no session that was over is run again.
//!
//! Whatever windlass starts (agents, checks, git) passes a hook, which counts and kills windlass at
//! the chosen point. What it does by itself is killed at its calls of the system, by strace.

use std::{
    collections::BTreeMap,
    fs, panic,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use testkit::{Env, has, pass_by};

use crate::{
    oracle::{aside, assert_sound, has_store, number, wait_until_quiet},
    user_config, world,
};

/// Where a loop is killed.
#[derive(Clone, Debug)]
enum Point {
    /// When the n-th thing of that name passes the hook.
    Hook(String, usize),
    /// At the n-th call of that name.
    Call(&'static str, usize),
}

/// A loop that is killed.
#[derive(Clone, Copy)]
struct Scene {
    args: &'static [&'static str],
    set_up: fn(&Env),
}

/// The calls by which windlass itself changes files of the work tree, and makes its store safe.
const CALLS: &[&str] = &["rename", "fdatasync"];

/// The calls of git of which each stands for a step.
const STEPS_OF_GIT: &[&str] = &["git ls-files", "git commit-tree", "git merge-base"];

/// So many points of each call are tried.
const MOST_CALLS: usize = 6;

const DEVELOP: Scene = Scene {
    args: &[
        "develop",
        "--tasks",
        "TASKS.md",
        "--developer",
        "dev",
        "--reviewer",
        "rev",
        "--check",
        "hook check; test -e 'write a.txt'",
        "--auto-commit",
    ],
    set_up: |env| {
        env.write("TASKS.md", "# Plan\n- [ ] write a\n- [ ] write b\n");
        env.git(["add", "--all"]);
        env.git(["commit", "--quiet", "--message=tasks"]);
        let developer = "hook start\nfile=$(printf '%s\\n' \"$1\" | head -1).txt\nword=first\n\
             case \"$1\" in *'reviewer wants changed'*) word=better;; esac\n\
             echo $word > \"$file\"\nhook end";
        let reviewer = "hook start\nif grep -q first 'write a.txt'; then echo FEEDBACK: better\n\
             else echo APPROVED; fi\nhook end";
        agents(env, &[("dev", developer), ("rev", reviewer)]);
    },
};

const HEAL: Scene = Scene {
    args: &[
        "heal",
        "--all",
        "--loop",
        "--reviewer",
        "rev",
        "--fixer",
        "fix",
        "--test",
        "hook check; test -e mended",
    ],
    set_up: |env| {
        let reviewer = "hook start\n\
             finding() { printf '{\"title\": \"%s\", \"file\": \"%s\"}' $1 $1; }\n\
             if ! test -e fixed-two; then found=\"$(finding one), $(finding two)\"\n\
             elif ! test -e fixed-three; then found=\"$(finding three)\"\nelse found=; fi\n\
             echo \"{\\\"findings\\\": [$found]}\"\nhook end";
        let fixer = "hook start\ncase \"$1\" in *'The tests of this repository'*) echo > mended;;\n\
             *) echo > fixed-$(printf '%s' \"$1\" | sed -n 's/^title: //p');; esac\nhook end";
        agents(env, &[("rev", reviewer), ("fix", fixer)]);
    },
};

/// Puts shell programs into the config, and the hook in the way of all that is started.
fn agents(env: &Env, programs: &[(&str, &str)]) {
    let (log, at, pid) = (aside(env, "log"), aside(env, "at"), aside(env, "pid"));
    let hook = format!(
        "echo \"$1\" >> {log}\n\
         [ \"$1 $(grep -cx -e \"$1\" {log})\" = \"$(cat {at} 2> /dev/null)\" ] || exit 0\n\
         until [ -s {pid} ]; do sleep 0.01; done\nkill -9 $(cat {pid})",
        log = log.display(),
        at = at.display(),
        pid = pid.display()
    );
    fs::write(&log, "").expect("the folder is ours");
    let hook = env.install("hook", &hook);
    let git =
        format!("{} \"git $1\"\nPATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\"", hook.display());
    env.install("git", &git);
    let agent = |(name, body): &(&str, &str)| {
        format!("[agents.{name}]\ncommand = [{:?}]\n", env.install(name, body))
    };
    user_config(env, &programs.iter().map(agent).collect::<String>());
}

/// What must be the same, whoever was killed on the way.
fn outcome(env: &Env) -> String {
    let tables = [
        "SELECT ending FROM loops",
        "SELECT number, title, status, standing, first_iteration, last_iteration FROM findings
         ORDER BY number",
        "SELECT task, status, attempts FROM tasks ORDER BY task",
        "SELECT iteration, fixes, trajectory, tasks_completed, files_modified, verified FROM loops",
        "SELECT place, count(*) FROM sessions WHERE status = 'finished' GROUP BY place ORDER BY 1",
        "SELECT type, count(*) FROM events WHERE type IN ('phase', 'findings_seen', 'fix_tried',
             'tasks_moved', 'claimed', 'claim_accepted', 'claim_rejected', 'iteration_started',
             'iteration_finished', 'noted') GROUP BY type ORDER BY type",
        "SELECT number, claim, files_changed FROM iterations ORDER BY number",
    ];
    let mut told = String::new();
    tables.iter().for_each(|table| told += &env.sql(table));
    for of_git in [&["log", "--format=%s %T"][..], &["status", "--porcelain"]] {
        told += &env.git(of_git);
    }
    if env.work().join("TASKS.md").exists() {
        told += &env.read("TASKS.md");
    }
    told
}

/// What the loop comes to that nobody kills, and all points at which one can be killed.
fn uninterrupted(scene: Scene) -> (String, Vec<Point>) {
    let env = world();
    (scene.set_up)(&env);
    env.windlass(scene.args).success();
    let log = fs::read_to_string(aside(&env, "log")).expect("the hook writes it");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut points = Vec::new();
    for line in log.lines() {
        let n = counts.entry(line).or_default();
        *n += 1;
        // Of what git does in a step, one call stands for the step.
        if !line.starts_with("git ") || STEPS_OF_GIT.contains(&line) {
            points.push(Point::Hook(line.to_owned(), *n));
        }
    }
    (outcome(&env), points)
}

/// The points at calls of the system; none where strace cannot be used.
fn calls(scene: Scene) -> Vec<Point> {
    if !has("strace") {
        return Vec::new();
    }
    let env = world();
    (scene.set_up)(&env);
    let log = aside(&env, "calls");
    let trace = format!("trace={}", CALLS.join(","));
    let tracer = ["strace", "-o", log.to_str().expect("it is text"), "-e", &trace];
    let ran = env.command(scene.args).under(tracer).run();
    if ran.code != Some(0) && ran.stderr.contains("Operation not permitted") {
        pass_by("strace may not trace here");
        return Vec::new();
    }
    let log = fs::read_to_string(log).expect("strace writes it");
    let points = CALLS.iter().flat_map(|call| {
        let count = log.lines().filter(|line| line.starts_with(&format!("{call}("))).count();
        let step = count.div_ceil(MOST_CALLS).max(1);
        (1..=count).step_by(step).map(|n| Point::Call(call, n))
    });
    points.collect()
}

/// Kills a loop at a point, takes it up again, and gives what it came to; and whether it was killed.
fn killed_at(scene: Scene, point: &Point) -> (String, bool) {
    let env = world();
    (scene.set_up)(&env);
    let ran = match point {
        Point::Hook(line, n) => {
            fs::write(aside(&env, "at"), format!("{line} {n}")).expect("the folder is ours");
            let running = env.command(scene.args).spawn();
            fs::write(aside(&env, "pid"), running.pid().to_string()).expect("the folder is ours");
            running.wait()
        }
        Point::Call(call, n) => {
            let (trace, inject) =
                (format!("trace={call}"), format!("inject={call}:signal=SIGKILL:when={n}"));
            let tracer = ["strace", "-o", "/dev/null", "-e", &trace, "-e", &inject];
            env.command(scene.args).under(tracer).run()
        }
    };
    let was_killed = ran.code.is_none();
    assert!(was_killed || ran.code == Some(0), "{ran}");
    fs::remove_file(aside(&env, "at")).ok();
    wait_until_quiet(&env);
    if !has_store(&env) || number(&env, "SELECT count(*) FROM loops") == 0 {
        env.windlass(scene.args).success();
    } else if was_killed {
        assert_sound(&env);
        if env.sql("SELECT ending FROM loops") == "\n" {
            env.windlass(["resume"]).success();
        }
    }
    assert_sound(&env);
    (outcome(&env), was_killed)
}

/// Walks all points, two at a time.
fn walk(scene: Scene) {
    let (expected, mut points) = uninterrupted(scene);
    points.extend(calls(scene));
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut wrong, mut alive) = (Vec::new(), Vec::new());
        while let Some(point) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
            match panic::catch_unwind(|| killed_at(scene, point)) {
                Ok((outcome, _)) if outcome != expected => {
                    wrong.push(format!("{point:?}:\n{outcome}"));
                }
                Ok((_, was_killed)) => alive.extend((!was_killed).then(|| format!("{point:?}"))),
                Err(why) => {
                    let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
                    wrong.push(format!("{point:?}: {why}"));
                }
            }
        }
        (wrong, alive)
    };
    let (wrong, alive): (Vec<_>, Vec<_>) = thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("it catches")).unzip()
    });
    let (wrong, alive) = (wrong.concat(), alive.concat());
    assert!(wrong.is_empty(), "expected:\n{expected}\nbut\n{}", wrong.join("\n"));
    // A run may call git or the system less often than the first one.
    let must = |point: &&String| !point.contains("git ") && !point.starts_with("Call");
    assert_eq!(alive.iter().find(must), None);
    assert!(alive.len() * 4 <= points.len(), "not killed at {alive:?}");
}

#[test]
fn a_develop_loop_that_is_killed_at_any_step_ends_as_it_would_have() {
    walk(DEVELOP);
}

#[test]
fn a_heal_loop_that_is_killed_at_any_step_ends_as_it_would_have() {
    walk(HEAL);
}

#[test]
fn a_loop_that_is_killed_amid_its_fixes_repeats_only_the_fix_in_flight() {
    let env = world();
    (HEAL.set_up)(&env);
    // The reviewer is the first that starts, and then the two fixers.
    fs::write(aside(&env, "at"), "start 3").unwrap();
    let running = env.command(HEAL.args).spawn();
    fs::write(aside(&env, "pid"), running.pid().to_string()).unwrap();
    assert_eq!(running.wait().signal, Some(9));
    wait_until_quiet(&env);
    fs::remove_file(aside(&env, "at")).unwrap();
    env.windlass(["resume"]).success();
    assert_eq!(
        env.sql("SELECT place, status FROM sessions WHERE iteration = 1 ORDER BY id"),
        "1/reviewer|finished\n1/fixer/1|finished\n1/fixer/2|interrupted\n1/fixer/2|finished\n\
         1/fixer/tests/1|finished\n"
    );
}
