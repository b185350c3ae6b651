//! Guarded tests in a container: the baseline and the originals run inside, and the agent's files are
//! back outside.

use serde_json::json;
use testkit::{Env, engine::Engine};

use super::{assert_nothing_is_left, contained};
use crate::{COMPLETE, world};

/// A project whose test fails until `answer` says 42.
fn project() -> Env {
    let env = world().with_baselines();
    env.write("answer", "41\n");
    env.write("tests/answer.sh", "grep -qx 42 answer\n");
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message=project"]);
    env
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_weakened_test_is_refused_and_honest_work_is_proven() {
    Engine::each(|engine| {
        let args = ["--check", "sh tests/answer.sh", "--json", "--max-iterations", "1"];
        let env = project();
        let work = format!("echo true > tests/answer.sh; echo '{COMPLETE}'");
        let result = contained(&env, engine, &work, &args).run().code(1).json();
        assert_eq!(result["proof"]["baseline"], "failed", "{result}");
        assert_eq!(result["proof"]["originals"], "failed", "{result}");
        assert_eq!(env.read("tests/answer.sh"), "true\n");
        assert_nothing_is_left(&env, engine);

        let env = project();
        let work = format!(
            "echo 42 > answer; echo 'test -f answer' >> tests/answer.sh; echo '{COMPLETE}'"
        );
        let result = contained(&env, engine, &work, &args).run().success().json();
        let found = (&result["verified"], &result["proof"]["originals"]);
        assert_eq!(found, (&json!(true), &json!("passed")), "{result}");
        assert_eq!(env.read("tests/answer.sh"), "grep -qx 42 answer\ntest -f answer\n");
        assert_nothing_is_left(&env, engine);
    });
}
