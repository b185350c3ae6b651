//! A loop `mine` of every ending, with the scripted agent wherever it can play that.

use testkit::{Env, Ran};

use crate::{
    COMPLETE,
    budgets::metered,
    develop::develop,
    heal::{heal, heal_branch, one_finding, review},
    limits::{limited_claude, seconds_from_now},
    merging::{committed, in_worktree},
    oracle::{LIMIT, aside, wait_for_lines},
    originals::{CLAIM, in_git},
    pr_loop::{TOKEN, pr, pulled, rounds},
    scripted, shell,
    suggesting::Scene,
    tasks::tasks,
    world,
};

/// The name of an ending, and what brings a loop to it.
pub(super) type Ended = (&'static str, fn() -> Scene);

/// All of them.
pub(super) const ENDINGS: [Ended; 26] = [
    ("done", || finished(world(), &[])),
    ("done_outside_git", || finished(Env::outside_git(env!("CARGO_BIN_EXE_windlass")), &[])),
    ("done_in_a_worktree", || finished(world(), &["--worktree", "topic"])),
    ("done_and_committed_in_a_worktree", || {
        finished(world(), &["--worktree", "topic", "--auto-commit"])
    }),
    ("done_on_a_branch", || finished(world(), &["--create-branch"])),
    ("stopped_in_a_worktree", || {
        let args = ["--check", "false", "--name", "mine", "--worktree", "topic"];
        let script = "write a.txt x\nsay on it\nnext\nsay on it\n";
        ran(world(), |env| scripted(env, script, &args).run().code(3))
    }),
    ("tests_changed", || {
        let scene = tests_changed();
        let ran = scene.env.windlass(["accept", "mine"]).success();
        Scene::after(scene.env, &ran)
    }),
    ("undecided", tests_changed),
    ("rule", || {
        let args = ["--check", "false", "--name", "mine"];
        ran(world(), |env| scripted(env, "say on it\n", &args).run().code(3))
    }),
    ("blocked", || {
        let script = "say <blocked>no key; ask Ann</blocked>\n";
        ran(world(), |env| scripted(env, script, &["--name", "mine"]).run().code(3))
    }),
    ("max_iterations", || {
        let script = "append a.txt x\\n\nsay on it\n";
        let args = ["--check", "false", "--name", "mine", "--max-iterations", "2"];
        ran(world(), |env| scripted(env, script, &args).run().code(1))
    }),
    ("budget", || {
        let env = world();
        metered(&env, 1000, "0.60");
        let call = ["iterate", "-p", "x", "--agent", "metered", "--name", "mine"];
        ran(env, |env| env.command(call).args(["--max-cost", "2"]).run().code(1))
    }),
    ("limit", || {
        let env = world();
        limited_claude(&env, 4_000_000_000, 1);
        let call = ["iterate", "-p", "x", "--agent", "claude", "--name", "mine"];
        ran(env, |env| env.command(call).args(["--on-limit", "stop"]).run())
    }),
    ("agent_failed", || {
        let args = ["--name", "mine", "--failure-threshold", "1"];
        ran(world(), |env| scripted(env, "exit 7\n", &args).run().code(5))
    }),
    ("cancelled", || {
        let (env, running) = at_work();
        env.windlass(["cancel", "mine"]).success();
        let ran = running.wait();
        Scene::after(env, &ran)
    }),
    ("interrupted", || {
        let (env, running) = at_work();
        drop(running.kill9());
        Scene::new(env, "")
    }),
    ("tasks_left", || {
        let env = world();
        env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
        let script =
            "write a.txt x\nreplace TASKS.md [ ] write a => [x] write a\nnext\nsay on it\n";
        let args = ["--name", "mine", "--max-iterations", "2"];
        ran(env, |env| tasks(env, "TASKS.md", script, &args).run().code(1))
    }),
    ("approved", || {
        let script = "as developer\nwrite a.txt x\nas reviewer\nsay APPROVED\n";
        let args = ["--check", "test -e a.txt", "--name", "mine"];
        ran(world(), |env| develop(env, script, &args).run().success())
    }),
    ("escalated", || {
        let script = "as developer\nappend a.txt x\\n\nas reviewer\nsay FEEDBACK: more\n";
        let args = ["--max-iterations", "2", "--name", "mine"];
        ran(world(), |env| develop(env, script, &args).run().code(1))
    }),
    ("clean", || {
        let script =
            format!("{}next\nas reviewer\n{}\n", one_finding("append a.txt x\\n"), review(&[]));
        let args = ["--loop", "--test", "true", "--name", "mine"];
        ran(world(), |env| heal(env, &script, &args).run().success())
    }),
    ("findings_left", || {
        let script = one_finding("say I cannot fix that");
        ran(world(), |env| heal(env, &script, &["--test", "true", "--name", "mine"]).run().code(1))
    }),
    ("tests_failed", || {
        let script = one_finding("append a.txt x\\n");
        let args = ["--test", "false", "--heal-attempts", "1", "--name", "mine"];
        ran(world(), |env| heal(env, &script, &args).run().code(1))
    }),
    ("nothing_to_review", || {
        let script = format!("as reviewer\n{}\n", review(&[]));
        ran(world(), |env| heal_branch(env, &script, &["--name", "mine"]).run().code(1))
    }),
    ("pr_stalled", || {
        let script = rounds(&[&["one"], &["another"], &[]]);
        pulled_to(&script, 1)
    }),
    ("pr_clean", || pulled_to(&rounds(&[&["one"], &[]]), 0)),
    ("merge_failed", || {
        let env = world();
        committed(&env, "work", "echo x > a.txt", &["--check", "test ! -e b.txt"]);
        crate::merging::commit(&env, "b.txt", "in the way");
        ran(env, |env| env.windlass(["merge", "work", "--name", "mine"]).code(1))
    }),
];

/// What a loop printed that ran in this world.
fn ran(env: Env, run: impl Fn(&Env) -> Ran) -> Scene {
    let ran = run(&env);
    Scene::after(env, &ran)
}

/// A loop that wrote `a.txt` and is proven done.
fn finished(env: Env, args: &[&str]) -> Scene {
    let script = format!("write a.txt x\nsay {COMPLETE}\n");
    let args = [&["--check", "test -e a.txt", "--name", "mine"], args].concat();
    ran(env, |env| scripted(env, &script, &args).run().success())
}

/// A loop over a pull request. Its user has an agent, a token and a clone of the repository.
fn pulled_to(script: &str, code: i32) -> Scene {
    let (env, github) = pulled();
    env.git(["remote", "add", "origin", "git@github.com:ada/engine.git"]);
    let ran = pr(&env, &github, script, &["--loop", "--name", "mine", "--jobs", "1"]).run();
    let ran = ran.code(code);
    let agent = env.agent_sh("cat > /dev/null");
    let variables = vec![
        ("GITHUB_API_URL", github.url()),
        ("GITHUB_TOKEN", TOKEN.to_owned()),
        ("WINDLASS_COMMAND", agent.display().to_string()),
    ];
    Scene { variables, _github: Some(github), ..Scene::after(env, &ran) }
}

/// A loop whose agent made a test pass by changing it.
fn tests_changed() -> Scene {
    let body = format!("echo true > tests/answer.sh; {CLAIM}");
    let args = ["--check", "run-tests", "--name", "mine"];
    ran(in_git(), |env| shell(env, &body, &args).run().code(3))
}

/// A loop that runs: its first session does not end, and those after it do.
pub(crate) fn at_work() -> (Env, testkit::Background) {
    let env = world();
    let ran = aside(&env, "ran");
    let ran = ran.display();
    let body = format!(
        "if [ -e {ran} ]; then echo '{COMPLETE}'; exit; fi; echo x > a.txt; echo x >> {ran}; sleep 600"
    );
    let running = shell(&env, &body, &["--name", "mine"]).limit(LIMIT).spawn();
    wait_for_lines(&aside(&env, "ran"), 1);
    (env, running)
}

/// A loop that waits for a limit to reset.
pub(super) fn waiting() -> (Env, testkit::Background) {
    let env = world();
    limited_claude(&env, seconds_from_now(1800), 1);
    let call = ["iterate", "-p", "mend it", "--agent", "claude", "--name", "mine"];
    let running = env.command(call).args(["--on-limit", "wait"]).limit(LIMIT).spawn();
    let waits = || env.windlass(["status"]).stdout.contains("claude's limit");
    testkit::wait_until("the loop waits", LIMIT, waits);
    (env, running)
}

/// A loop in a worktree that does not fit its branch any more, and what merging it says.
pub(super) fn in_conflict() -> Scene {
    let env = world();
    crate::merging::commit(&env, "a.txt", "one\ntwo\nthree\n");
    let body = "sed -i s/two/loop/ a.txt";
    drop(in_worktree(&env, "mine", body, &["--auto-commit"]).run().success());
    crate::merging::commit(&env, "a.txt", "one\nuser\nthree\n");
    ran(env, |env| env.windlass(["merge", "mine"]).code(1))
}

/// A test for each of them, which calls a function with its name; and one that fails where one is left out.
macro_rules! each_ending {
    ($check:ident) => {
        $crate::morning::endings::each_ending! { $check:
            done, done_outside_git, done_in_a_worktree, done_and_committed_in_a_worktree,
            done_on_a_branch, stopped_in_a_worktree, tests_changed, undecided, rule, blocked,
            max_iterations, budget, limit, agent_failed, cancelled, interrupted, tasks_left, approved,
            escalated, clean, findings_left, tests_failed, nothing_to_review, pr_stalled, pr_clean,
            merge_failed,
        }
    };
    ($check:ident: $($ending:ident),* $(,)?) => {
        $(
            #[test]
            fn $ending() {
                $check(stringify!($ending));
            }
        )*

        #[test]
        fn no_ending_is_left_out() {
            let tried = [$(stringify!($ending)),*];
            assert_eq!($crate::morning::endings::ENDINGS.map(|(name, _)| name), tried);
        }
    };
}
pub(super) use each_ending;

/// What a loop of this ending left.
#[track_caller]
pub(super) fn ended(name: &str) -> Scene {
    let (_, bring) = ENDINGS.iter().find(|(ending, _)| *ending == name).expect("it is one of them");
    bring()
}
