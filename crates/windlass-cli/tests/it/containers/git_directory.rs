//! In a container, too, an agent has its own git directory, and the user's stays as it was.

use testkit::engine::Engine;

use super::{assert_nothing_is_left, contained};
use crate::{
    private_git::planting::{PLANT, assert_only_loops_refs_are_new, files, prepare},
    world,
};

const TWICE: [&str; 4] = ["--max-iterations", "2", "--stagnation-threshold", "0"];

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_hostile_session_in_a_container_leaves_the_users_git_directory_as_it_was_byte_by_byte() {
    Engine::each(|engine| {
        let env = world();
        prepare(&env);
        let git = env.work().join(".git");
        let before = files(&git);
        let out = env.work().display().to_string();
        // That it came to its end shows that it planted all of it.
        let body = format!("OUT={out}\n{PLANT}\necho planted >> {out}/planted");
        contained(&env, engine, &body, &TWICE).run().code(1);
        assert_eq!(env.read("planted"), "planted\nplanted\n");
        assert_only_loops_refs_are_new(&before, &files(&git));
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn commits_of_an_agent_in_a_container_come_over_with_only_refs_and_objects() {
    Engine::each(|engine| {
        let env = world();
        prepare(&env);
        let git = env.work().join(".git");
        let before = files(&git);
        let out = env.work().display().to_string();
        let commit = "echo x >> x; git add x; git commit -qm 'by the agent' -- x";
        contained(&env, engine, &format!("OUT={out}\n{commit}\n{PLANT}"), &TWICE).run().code(1);
        let is_expected = |name: &str| {
            let begins = ["refs/windlass/", "objects/", "logs/refs/heads/main", "logs/HEAD"];
            begins.iter().any(|begin| name.starts_with(begin))
                || ["refs/heads/main", "index"].contains(&name)
        };
        let after = files(&git);
        let changed = after.iter().filter(|(name, bytes)| before.get(*name) != Some(*bytes));
        let changed: Vec<&String> =
            changed.map(|(name, _)| name).filter(|name| !is_expected(name)).collect();
        assert!(changed.is_empty(), "{changed:?}");
        assert!(before.keys().all(|name| after.contains_key(name)), "something is gone");
        assert_eq!(env.git(["log", "-1", "--format=%s"]), "by the agent\n");
        assert_eq!(env.git(["fsck", "--strict", "--no-dangling"]), "");
        assert_nothing_is_left(&env, engine);
    });
}
