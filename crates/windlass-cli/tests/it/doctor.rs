//! `windlass doctor`: what is well, what is not, and what to do.

use std::{fs, os::unix::fs::PermissionsExt};

use testkit::Ran;

use crate::{
    sandboxes::{has_bwrap, has_landlock},
    user_config, world,
};

/// The report without what differs from machine to machine.
fn report(ran: &Ran) -> String {
    let lines = ran.snapshot();
    let lines = lines.lines().map(|line| match line {
        line if line.contains("space") => "✓ space     …",
        line if line.contains(" git ") => "✓ git       …",
        line if line.contains(" sandbox ") => "✓ sandbox   …",
        line if line.contains(" container ") => "✓ container …",
        line if line.contains("is sound") => "✓ store     is sound: …",
        line => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_new_machine_is_well() {
    let env = world();
    let ran = env.windlass(["doctor"]).success();
    insta::assert_snapshot!(report(&ran), @"
    exit: 0
    --- stdout
    ✓ git       …
    ✓ sandbox   …
    ✓ container …
    ✓ home      /tmp/windlass-XXXXXX/state does not exist yet; the first loop creates it
    ✓ space     …
    ✓ sleep     not inhibited: WINDLASS_INHIBIT_SLEEP is `false`
    ✓ store     none yet; the first loop creates it
    ✓ user      no config file (optional)
    ! agent     no coding agent found
                → `windlass agents` shows how to install one; or use any program with `--command CMD`
    --- stderr
    ");
    assert!(!env.windlass_home().exists(), "a question made a home");
}

#[test]
fn what_is_set_up_is_told_line_by_line() {
    let env = world();
    user_config(&env, "[agents.lost]\ncommand = ['no-such-program']\n");
    env.write("windlass.toml", "max_iterations = 7\n");
    env.windlass(["trust"]).success();
    fs::set_permissions(env.windlass_home(), fs::Permissions::from_mode(0o755)).unwrap();
    env.write("windlass.toml", "max_iterations = 8\n");
    let ran = env.command(["doctor"]).env("WINDLASS_GRASE", "1s").run().success();
    insta::assert_snapshot!(report(&ran), @"
    exit: 0
    --- stdout
    ✓ git       …
    ✓ sandbox   …
    ✓ container …
    ! home      /tmp/windlass-XXXXXX/state has mode 755, and others may look into it
                → chmod 700 /tmp/windlass-XXXXXX/state
    ✓ space     …
    ✓ sleep     not inhibited: WINDLASS_INHIBIT_SLEEP is `false`
    ✓ store     is sound: …
    ✓ user      /tmp/windlass-XXXXXX/home/.config/windlass/config.toml
    ! repo      /tmp/windlass-XXXXXX/work/windlass.toml is not trusted: loops do not start here
                → read the file, then type `windlass trust /tmp/windlass-XXXXXX/work/windlass.toml`
    ! variable  WINDLASS_GRASE is no setting of windlass and is ignored; did you mean WINDLASS_GRACE?
                → unset it
    ! agent     lost: `no-such-program` was not found
                → install it, or take the agent out of the config
    --- stderr
    ");
    let json = env.windlass(["doctor", "--json"]).success().json();
    assert_eq!(json[0]["what"], "git");
    assert_eq!(json[0]["state"], "good");
}

#[test]
fn a_broken_config_is_exit_code_4() {
    let env = world();
    user_config(&env, "max_iteration = 1\n");
    insta::assert_snapshot!(report(&env.windlass(["doctor"]).code(4)), @"
    exit: 4
    --- stdout
    ✓ git       …
    ✓ sandbox   …
    ✓ container …
    ✓ home      /tmp/windlass-XXXXXX/state does not exist yet; the first loop creates it
    ✓ space     …
    ✓ sleep     not inhibited: WINDLASS_INHIBIT_SLEEP is `false`
    ✓ store     none yet; the first loop creates it
    ✗ user      `/tmp/windlass-XXXXXX/home/.config/windlass/config.toml` line 1: there is no setting `max_iteration`
                → did you mean `max_iterations`?
                → `windlass config --default` shows all settings
    --- stderr
    ");
}

#[test]
fn a_machine_without_a_git_that_works_is_exit_code_4() {
    let env = world();
    env.install("git", "exit 3");
    let ran = env.windlass(["doctor"]).code(4);
    let git = ran.masked_stdout().lines().next().unwrap_or_default().to_owned();
    assert_eq!(git, "✗ git       /tmp/windlass-XXXXXX/bin/git: `--version` fails");
    let ran = env.command(["doctor"]).env("PATH", "/nowhere").run().code(4);
    let git = ran.stdout.lines().next().unwrap_or_default();
    assert_eq!(git, "✗ git       `git` was not found in PATH, so progress cannot be measured");
}

#[test]
fn where_landlock_has_no_private_git_directory_is_told_with_what_follows() {
    let env = world();
    if !has_landlock(&env) || !has_bwrap() {
        return;
    }
    let place = ["--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"];
    let program = env.program().display().to_string();
    let said = env.other("bwrap", place).args(["--", &program, "doctor"]).run().success().stdout;
    let lines: Vec<&str> = said.lines().collect();
    let at = lines.iter().position(|line| line.contains("your git directory")).unwrap_or(0);
    insta::assert_snapshot!(lines[at..at + 2].join("\n"), @"
    ! sandbox   landlock alone leaves your git directory open to agents: users have no namespaces here, so no private one can stand in its place
                → let users have namespaces: `sysctl -w kernel.unprivileged_userns_clone=1`, and on Ubuntu `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`
    ");
    assert!(lines[at - 2].starts_with("! sandbox   landlock version"), "{said}");
}

#[test]
fn a_damaged_store_is_exit_code_6_and_stays_as_it_is() {
    let env = world();
    env.write("windlass.toml", "max_iterations = 7\n");
    env.windlass(["trust"]).success();
    let database = env.windlass_home().join("windlass.db");
    let damaged = b"this was a database".repeat(100);
    fs::write(&database, &damaged).unwrap();
    let ran = env.windlass(["doctor"]).code(6);
    insta::assert_snapshot!(report(&ran), @"
    exit: 6
    --- stdout
    ✓ git       …
    ✓ sandbox   …
    ✓ container …
    ✓ home      /tmp/windlass-XXXXXX/state, for you only
    ✓ space     …
    ✓ sleep     not inhibited: WINDLASS_INHIBIT_SLEEP is `false`
    ✗ store     /tmp/windlass-XXXXXX/state/windlass.db is damaged: file is not a database
                → `windlass doctor --repair` saves what can be read, and keeps the damaged file
                → or put a copy of it back in its place
    ✓ user      no config file (optional)
    --- stderr
    ");
    assert_eq!(fs::read(&database).unwrap(), damaged);
}

#[test]
fn a_damaged_store_is_rebuilt_from_what_can_be_read() {
    let env = world();
    let call = ["iterate", "-p", "x", "-c", "true", "--max-iterations", "1", "--name", "mine"];
    env.windlass(call).code(1);
    let database = env.windlass_home().join("windlass.db");
    env.sql("PRAGMA wal_checkpoint(TRUNCATE)");
    // The head of the last page, which belongs to some table or index.
    let mut bytes = fs::read(&database).unwrap();
    let page = bytes.len() - 4096;
    bytes[page..page + 8].fill(0xff);
    fs::write(&database, &bytes).unwrap();
    env.windlass(["doctor"]).code(6);
    let ran = env.windlass(["doctor", "--repair"]).success();
    assert!(ran.stdout.contains("! repair    1 loop with "), "{ran}");
    assert!(env.windlass(["list"]).success().stdout.contains("mine"));
    env.windlass(["doctor"]).success();
}

#[test]
fn an_agent_cannot_repair() {
    let env = world();
    let call = env.command(["doctor", "--repair"]).env("WINDLASS_LOOP", "0123456789abcdef");
    assert!(call.run().code(4).stderr.contains("is refused inside a loop"));
}
