//! What a container may take of the machine.

use testkit::engine::Engine;

use super::{assert_nothing_is_left, contained};
use crate::world;

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_agent_that_takes_too_much_memory_is_ended_and_told_so() {
    Engine::each(|engine| {
        let env = world();
        let args = ["--memory", "48m", "--max-iterations", "1", "--json"];
        let ran = contained(&env, engine, "exec tail /dev/zero", &args).run().code(1);
        let noted = env.sql("SELECT body FROM events WHERE type = 'noted'");
        let told = "the memory limit of the container, 48m, ended a process of the session; give it \
                    more with `--memory`";
        assert!(noted.contains(told), "{noted}{ran}");
        let shown = env.windlass(["show", "--json"]).success().json();
        assert_eq!(shown["sessions"][0]["outcome"]["signal"], 9, "{shown}");
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_agent_that_forks_without_end_does_not_take_the_machine_down() {
    Engine::each(|engine| {
        let env = world();
        let body = "bomb() { bomb | bomb & }; bomb; sleep 1; exit 5";
        let args = ["--pids-limit", "64", "--max-iterations", "2", "--failure-threshold", "0"];
        contained(&env, engine, body, &args).run().code(1);
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
fn a_limit_that_is_none_is_refused_before_anything_is_made() {
    let env = world();
    for (flag, value, said) in [
        ("--memory", "much", "expected a size such as `512m` or `2g`"),
        ("--cpus", "0", "expected a number of processors such as `2` or `1.5`"),
        ("--pids-limit", "few", "invalid digit"),
    ] {
        let ran = env.windlass(["iterate", "-p", "x", "-c", "true", flag, value]).code(2);
        assert!(ran.stderr.contains(said), "{ran}");
    }
}
