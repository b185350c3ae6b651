//! A loop `mine` of every ending, with the scripted agent wherever it can play that.

use testkit::{Env, Ran};

use crate::{
    COMPLETE,
    budgets::metered,
    limits::limited_claude,
    oracle::{LIMIT, aside, wait_for_lines},
    originals::{CLAIM, in_git},
    scripted, shell, world,
};

/// The name of an ending, and what brings a loop to it.
pub(super) type Ended = (&'static str, fn() -> (Env, Option<Ran>));

/// All of them.
pub(super) const ENDINGS: [Ended; 11] = [
    ("done", || {
        let env = world();
        let script = format!("write a.txt x\nsay {COMPLETE}\n");
        let call = scripted(&env, &script, &["--check", "test -e a.txt", "--name", "mine"]);
        let ran = call.run().success();
        (env, Some(ran))
    }),
    ("done_outside_git", || {
        let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
        let script = format!("write a.txt x\nsay {COMPLETE}\n");
        let call = scripted(&env, &script, &["--check", "test -e a.txt", "--name", "mine"]);
        let ran = call.run().success();
        (env, Some(ran))
    }),
    ("tests_changed", || {
        let (env, _) = tests_changed();
        env.windlass(["accept", "mine"]).success();
        (env, None)
    }),
    ("undecided", tests_changed),
    ("rule", || {
        let env = world();
        let ran = scripted(&env, "say on it\n", &["--check", "false", "--name", "mine"]).run();
        (env, Some(ran.code(3)))
    }),
    ("blocked", || {
        let env = world();
        let script = "say <blocked>no key; ask Ann</blocked>\n";
        let ran = scripted(&env, script, &["--name", "mine"]).run().code(3);
        (env, Some(ran))
    }),
    ("budget", || {
        let env = world();
        metered(&env, 1000, "0.60");
        let call = ["iterate", "-p", "x", "--agent", "metered", "--name", "mine"];
        let ran = env.command(call).args(["--max-cost", "2"]).run().code(1);
        (env, Some(ran))
    }),
    ("limit", || {
        let env = world();
        limited_claude(&env, 4_000_000_000, 1);
        let call = ["iterate", "-p", "x", "--agent", "claude", "--name", "mine"];
        let ran = env.command(call).args(["--on-limit", "stop"]).run();
        (env, Some(ran))
    }),
    ("agent_failed", || {
        let env = world();
        let ran = scripted(&env, "exit 7\n", &["--name", "mine"]).run();
        (env, Some(ran))
    }),
    ("cancelled", || {
        let (env, running) = at_work();
        env.windlass(["cancel", "mine"]).success();
        let ran = running.wait();
        (env, Some(ran))
    }),
    ("interrupted", || {
        let (env, running) = at_work();
        drop(running.kill9());
        (env, None)
    }),
];

/// A loop whose agent made a test pass by changing it.
fn tests_changed() -> (Env, Option<Ran>) {
    let env = in_git();
    let body = format!("echo true > tests/answer.sh; {CLAIM}");
    let ran = shell(&env, &body, &["--check", "run-tests", "--name", "mine"]).run().code(3);
    (env, Some(ran))
}

/// A loop that runs: its first session does not end, and those after it do.
fn at_work() -> (Env, testkit::Background) {
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
