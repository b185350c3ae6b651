//! Repositories inside the work tree, and directories that become one.

use std::fs;

use testkit::Env;

use super::{after, leaves, lines, world};

const NESTED: &str =
    "is a separate repository: git uses its settings there, and yours does not have its files";

#[test]
fn a_nested_repository_with_a_trap_that_is_added_to_the_index() {
    let env = world();
    let body = "git init -q lib; git -C lib commit -q --allow-empty -m x\n\
                git -C lib config core.fsmonitor ./evil; git add lib 2>&1";
    let trap = "config lib/.git/config: `core.fsmonitor` runs `./evil` at your next `git status`";
    leaves(&env, body, &[trap, &format!("nested lib: {NESTED}")]);
}

#[test]
fn a_repository_in_the_loops_own_directory() {
    let env = world();
    env.write(".gitignore", "sub\n");
    let sub = env.work().join("sub");
    fs::create_dir(&sub).unwrap();
    let agent = env.agent_sh(&format!("git init -q; echo '{}'", crate::COMPLETE));
    let ran = env.command(["iterate", "-p", "x", "--json", "-c"]).arg(agent).directory(&sub).run();
    assert_eq!(lines(&ran.json()), [format!("nested sub: {NESTED}")], "{ran}");
}

#[test]
fn a_repository_where_there_was_none() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let left = lines(&after(&env, "git init -q; git config core.pager ./p").json());
    for told in [
        "nested .: is a repository now: git runs by its settings",
        "config .git/config: `core.pager` runs `./p` at your next `git log` or `git diff`",
    ] {
        assert!(left.iter().any(|line| line == told), "{told}\n{left:#?}");
    }
}

#[test]
fn a_bare_repository_among_the_files() {
    let env = world();
    let body = "git init -q --bare fixtures; git -C fixtures config core.fsmonitor ./evil";
    let left = lines(&after(&env, body).json());
    let told = "nested fixtures: is a bare repository: git runs by its settings in there";
    assert!(left.iter().any(|line| line == told), "{left:#?}");
    assert!(left.iter().any(|line| line.starts_with("config fixtures/config: ")), "{left:#?}");
}

#[test]
fn the_settings_of_a_submodule_in_a_submodule() {
    let env = world();
    for path in [".git/modules/a", ".git/modules/a/modules/deep/b"] {
        env.write(format!("{path}/HEAD"), "ref: refs/heads/main\n");
        env.write(format!("{path}/config"), "[remote \"origin\"]\n\turl = x\n");
    }
    let body = "git config -f .git/modules/a/modules/deep/b/config core.fsmonitor ./evil\n\
                git config -f .git/modules/a/config remote.origin.url y";
    let told = "config .git/modules/a/modules/deep/b/config: `core.fsmonitor` runs `./evil` at your next `git status`";
    leaves(&env, body, &[told]);
}

#[test]
fn nested_repositories_that_were_there_are_not_told() {
    let env = world();
    let lib = env.work().join("lib");
    fs::create_dir(&lib).unwrap();
    drop(env.other("git", ["init", "-q", "lib"]).run().success());
    drop(env.other("git", ["-C", "lib", "config", "core.pager", "./p"]).run().success());
    leaves(&env, "echo x > a", &[]);
}
