//! What windlass knows is not for the agent: its environment, memory and open files cannot be read
//! by a program of the same user. For root this cannot hold, so the tests run as somebody else.

use testkit::zoo;

use crate::{another_user::User, world};

#[test]
fn an_agent_of_the_same_user_cannot_read_windlass_or_its_guardian() {
    let env = world();
    let Some(user) = User::of(&env, 0) else { return };
    let agent = format!("{} read-watchers ghp_canary", zoo().display());
    let args = ["iterate", "-p", "x", "-c", &agent, "--jsonl"];
    let ran = user.windlass(&env, &args).env("GITHUB_TOKEN", "ghp_canary").run().success();
    for who in ["guardian", "windlass"] {
        for what in ["environment", "secret", "memory", "open files", "descriptors"] {
            assert!(ran.stdout.contains(&format!("{who} {what}: blocked")), "{who} {what}: {ran}");
        }
    }
}

#[test]
fn as_an_ordinary_user_what_a_session_leaves_is_found_and_ended() {
    for behaviour in ["setsid-escapee", "double-fork", "unmarked-daemon", "stubborn-daemon"] {
        let env = world();
        let Some(user) = User::of(&env, 0) else { return };
        let agent = format!("{} {behaviour}", zoo().display());
        let args = ["iterate", "-p", "x", "-c", &agent, "--max-iterations", "1", "--jsonl"];
        let ran = user.windlass(&env, &args).run().code(1);
        assert!(ran.stdout.contains(r#""leftovers":["zoo"]"#), "{behaviour}: {ran}");
    }
}
