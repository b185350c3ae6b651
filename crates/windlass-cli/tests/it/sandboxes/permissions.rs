//! `skip_permissions = "sandboxed"`: decided for every session by the sandbox that it really runs in.

use testkit::Env;

use super::{has_bwrap, has_landlock};
use crate::{user_config, world};

/// A Claude Code that keeps its arguments in the work tree, and is not done yet.
fn claude(env: &Env) {
    env.install(
        "claude",
        "cat > /dev/null; echo \"$*\" > called
         echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"not yet\"}'",
    );
}

/// Whether the last session skipped permissions.
fn skipped(env: &Env) -> bool {
    env.read("called").contains("--dangerously-skip-permissions")
}

const ONE: [&str; 5] = ["iterate", "-p", "x", "--max-iterations", "1"];

#[test]
fn permissions_are_skipped_only_in_sessions_that_are_confined() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    claude(&env);
    user_config(&env, "sandbox = 'auto'\nskip_permissions = 'sandboxed'\n");
    env.windlass(ONE).code(1);
    assert!(skipped(&env));
    let frozen = env.sql("SELECT json_extract(options, '$.skip_permissions') FROM loop_options");
    assert_eq!(frozen.trim(), "sandboxed", "it is kept as it is");

    // A loop that is resumed decides again.
    env.windlass(["resume", "--max-iterations", "2", "--sandbox", "none"]).code(1);
    assert!(!skipped(&env));
    env.windlass(["resume", "--max-iterations", "3", "--sandbox", "bwrap"]).code(1);
    assert!(skipped(&env));

    env.windlass([ONE.as_slice(), &["--sandbox", "none"]].concat()).code(1);
    assert!(!skipped(&env));
    env.windlass([ONE.as_slice(), &["--sandbox", "none", "--skip-permissions"]].concat()).code(1);
    assert!(skipped(&env), "the flag means always");
    env.windlass([ONE.as_slice(), &["--no-skip-permissions"]].concat()).code(1);
    assert!(!skipped(&env), "its opposite means never");
}

#[test]
fn landlock_counts_as_a_sandbox() {
    let env = world();
    if !has_landlock(&env) {
        return;
    }
    claude(&env);
    let args = [ONE.as_slice(), &["--sandbox", "landlock"]].concat();
    env.command(args).env("WINDLASS_SKIP_PERMISSIONS", "sandboxed").run().code(1);
    assert!(skipped(&env));
}

#[test]
fn without_a_sandbox_nothing_is_skipped_and_other_words_are_refused() {
    let env = world();
    claude(&env);
    user_config(&env, "skip_permissions = 'sandboxed'\n");
    env.windlass(ONE).code(1);
    assert!(!skipped(&env));
    user_config(&env, "skip_permissions = 'sometimes'\n");
    let ran = env.windlass(ONE).code(2);
    assert!(ran.stderr.contains("expected `false`, `true` or `\"sandboxed\"`"), "{ran}");
}
