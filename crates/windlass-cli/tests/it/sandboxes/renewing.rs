//! Credentials that an agent renews in a sandbox come back, and nothing else of its copy does.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
};

use serde_json::{Value, json};
use testkit::Env;

use super::has_sandbox;
use crate::world;

/// The sandboxes that are tried here; containers have tests of their own.
const SANDBOXES: [&str; 2] = ["bwrap", "landlock"];

const DONE: &str = r#"{"type":"result","is_error":false,"result":"<promise>COMPLETE</promise>"}"#;

/// What Claude Code keeps.
fn credentials(token: &str, expires: u64) -> Value {
    json!({"claudeAiOauth": {"accessToken": format!("access-{token}"),
        "refreshToken": format!("refresh-{token}"), "expiresAt": expires, "scopes": ["user"]},
        "organizationUuid": "org-1"})
}

/// Whether a sandbox works here. That is asked in another home: to look for it, agents are started
/// outside of any sandbox.
fn works(sandbox: &str) -> bool {
    has_sandbox(&world(), sandbox)
}

/// A user who is signed in, and a `claude` that does this with its credentials.
fn signed_in(body: &str) -> Env {
    let env = world();
    fs::create_dir_all(env.home().join(".claude")).expect("the folder is ours");
    let file = env.home().join(".claude/.credentials.json");
    fs::write(&file, credentials("old", 1000).to_string()).expect("the folder is ours");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("the file is ours");
    env.install(
        "claude",
        &format!("cat > /dev/null\ncd ~/.claude\n{body}\ncat <<'END'\n{DONE}\nEND"),
    );
    env
}

/// What the user's file holds after a loop of one session, and what the loop told.
fn after(env: &Env, sandbox: &str) -> (Value, String) {
    let call =
        ["iterate", "-p", "x", "--agent", "claude", "--skip-permissions", "--sandbox", sandbox];
    let ran = env.windlass(call).success();
    let text =
        fs::read_to_string(env.home().join(".claude/.credentials.json")).expect("it is there");
    (serde_json::from_str(&text).expect("it is whole"), ran.stderr)
}

/// Tries each sandbox with an agent that leaves this in its copy.
fn each_leaving(left: &str, looks: impl Fn(&str, Value, String)) {
    for sandbox in SANDBOXES {
        let env = signed_in(&format!("cat > .credentials.json <<'END'\n{left}\nEND"));
        if works(sandbox) {
            let (found, told) = after(&env, sandbox);
            looks(sandbox, found, told);
        }
    }
}

#[test]
fn renewed_tokens_come_back_and_nothing_else_does() {
    let mut left = credentials("new", 2000);
    left["claudeAiOauth"]["scopes"] = json!(["all"]);
    left["hooks"] = json!("evil");
    each_leaving(&left.to_string(), |sandbox, found, told| {
        assert_eq!(found, credentials("new", 2000), "{sandbox}: {told}");
        assert!(!told.contains("is not taken"), "{sandbox}: {told}");
    });
}

#[test]
fn the_file_keeps_its_mode_and_the_next_session_has_what_was_renewed() {
    let env = signed_in(&format!(
        "grep -q access-new .credentials.json && echo again > ~/.claude.json\n\
         cat > .credentials.json <<'END'\n{}\nEND",
        credentials("new", 2000)
    ));
    if !works("bwrap") {
        return;
    }
    let call =
        ["iterate", "-p", "x", "--agent", "claude", "--skip-permissions", "--sandbox", "bwrap"];
    let args = ["--check", "false", "--max-iterations", "2", "-q"];
    env.windlass([call.as_slice(), &args].concat()).code(1);
    let file = env.home().join(".claude/.credentials.json");
    let found = fs::metadata(&file).expect("it is there");
    assert_eq!(found.mode() & 0o7777, 0o600);
    let text = fs::read_to_string(&file).expect("it is there");
    assert_eq!(
        serde_json::from_str::<Value>(&text).expect("it is whole"),
        credentials("new", 2000)
    );
}

#[test]
fn tokens_of_another_account_are_refused_and_told() {
    let mut left = credentials("eve", 2000);
    left["organizationUuid"] = json!("org-2");
    each_leaving(&left.to_string(), |sandbox, found, told| {
        assert_eq!(found, credentials("old", 1000), "{sandbox}");
        assert!(told.contains("is not taken: it is of another account"), "{sandbox}: {told}");
    });
}

#[test]
fn an_expiry_that_is_not_later_is_ignored() {
    for expires in [999, 1000] {
        each_leaving(&credentials("new", expires).to_string(), |sandbox, found, told| {
            assert_eq!(found, credentials("old", 1000), "{sandbox}");
            assert!(!told.contains("is not taken"), "{sandbox}: {told}");
        });
    }
}

#[test]
fn garbage_is_refused_and_told() {
    each_leaving("garbage", |sandbox, found, told| {
        assert_eq!(found, credentials("old", 1000), "{sandbox}");
        assert!(told.contains("is not taken: it is no JSON any more"), "{sandbox}: {told}");
    });
}

#[test]
fn a_huge_file_and_a_link_do_no_harm() {
    for body in [
        "head -c 9000000 /dev/zero | tr '\\0' x > .credentials.json",
        "ln -sf ~/.claude.json .credentials.json; rm -f .credentials.json; mv .credentials.json x",
    ] {
        for sandbox in SANDBOXES {
            let env = signed_in(body);
            if works(sandbox) {
                let (found, told) = after(&env, sandbox);
                assert_eq!(found, credentials("old", 1000), "{sandbox}: {body}: {told}");
            }
        }
    }
}

#[test]
fn a_file_that_changed_meanwhile_is_left_alone() {
    let env = signed_in("");
    if !works("bwrap") {
        return;
    }
    // The agent says when it has renewed its token, and goes on once the user has signed in again.
    let work = env.work();
    let work = work.display();
    let left = credentials("new", 2000);
    env.install(
        "claude",
        &format!(
            "cat > /dev/null\ncat > ~/.claude/.credentials.json <<'END'\n{left}\nEND\n\
             touch {work}/renewed\nwhile ! test -e {work}/changed; do sleep 0.1; done\n\
             cat <<'END'\n{DONE}\nEND"
        ),
    );
    let call =
        ["iterate", "-p", "x", "--agent", "claude", "--skip-permissions", "--sandbox", "bwrap"];
    let running = env.command(call).spawn();
    testkit::wait_until("the token is renewed", std::time::Duration::from_secs(20), || {
        env.work().join("renewed").exists()
    });
    let file = env.home().join(".claude/.credentials.json");
    fs::write(&file, credentials("mine", 1500).to_string()).expect("the file is ours");
    env.write("changed", "");
    let ran = running.wait().success();
    let found: Value = serde_json::from_str(&fs::read_to_string(&file).expect("it is there"))
        .expect("it is whole");
    assert_eq!(found, credentials("mine", 1500));
    assert!(ran.stderr.contains("is not taken: the file itself has changed meanwhile"), "{ran}");
}

#[test]
fn a_link_that_the_user_made_stays_and_what_it_leads_to_is_renewed() {
    let env =
        signed_in(&format!("cat > .credentials.json <<'END'\n{}\nEND", credentials("new", 2000)));
    if !works("bwrap") {
        return;
    }
    let (link, real) =
        (env.home().join(".claude/.credentials.json"), env.home().join("secret.json"));
    fs::rename(&link, &real).expect("both are ours");
    symlink(&real, &link).expect("the folder is ours");
    let (found, _) = after(&env, "bwrap");
    assert_eq!(found, credentials("new", 2000));
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
}
