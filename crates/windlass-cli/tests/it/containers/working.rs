//! Loops that come to a proven end in a container.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{fs, os::unix::fs::MetadataExt};

use testkit::{Env, engine::Engine};

use super::{assert_nothing_is_left, contained, in_container};
use crate::{COMPLETE, oracle::wait_until_quiet, world};

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_loop_in_a_container_commits_and_is_proven_done() {
    Engine::each(|engine| {
        let env = world();
        let body = format!(
            "git config --get user.name; git add . && git commit -qm start --allow-empty || exit 1\n\
             echo work > done.txt; git add done.txt; git commit -qm 'by the agent' || exit 1\n\
             echo planted > ~/.profile; touch /tmp/planted; echo '{COMPLETE}'"
        );
        let check = "test -f done.txt && ! test -e ~/.profile && git log -1 --format=%an";
        let ran = contained(&env, engine, &body, &["--check", check, "--json"]).run().success();
        let result = ran.json();
        assert_eq!(result["verified"], true, "{ran}");
        assert_eq!(env.git(["log", "-1", "--format=%s by %an"]), "by the agent by Tester\n");
        let told = format!("{} container of `windlass-test:latest`", engine.name());
        let log = env.windlass(["log"]).success();
        assert!(log.stdout.contains(&told), "{log}");
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn what_goes_in_and_comes_out_is_passed_on_as_it_is() {
    Engine::each(|engine| {
        let env = world();
        // Every byte there is, several times what pipes hold.
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
        env.write("bytes", &bytes);
        let body = "cat bytes; cat bytes >&2; wc -c; echo \"$1:$EXTRA\"; exit 3";
        let args = ["--env", "EXTRA=more", "--max-iterations", "1", "--prompt-mode", "stdin"];
        contained(&env, engine, body, &args).run().code(1);
        let outputs = env.windlass_home().join("output");
        let found = walk(&outputs);
        let of = |end: &str| {
            let path = found.iter().find(|path| path.to_string_lossy().ends_with(end)).unwrap();
            fs::read(path).unwrap()
        };
        let (out, err) = (of(".stdout"), of(".stderr"));
        assert!(out.starts_with(&bytes), "standard output is another");
        assert_eq!(err, bytes, "standard error is another");
        assert_eq!(String::from_utf8_lossy(&out[bytes.len()..]), "7\n:more\n");
        let shown = env.windlass(["show", "--json"]).success().json();
        assert_eq!(shown["sessions"][0]["outcome"]["code"], 3, "{shown}");
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_prompt_in_a_file_is_read_inside() {
    Engine::each(|engine| {
        let env = world();
        let agent = env.agent_sh(&format!("cat \"$1\"; echo; echo '{COMPLETE}'"));
        let command = format!("{} {{prompt_file}}", agent.display());
        let call = in_container(&env, engine, &["iterate", "-p", "a prompt of its own"]);
        let ran = call.args(["--prompt-mode", "file", "--json", "-c", &command]).run().success();
        let text = ran.json()["final_text"].as_str().unwrap().to_owned();
        assert!(text.starts_with("a prompt of its own"), "{text}");
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn a_loop_in_a_worktree_commits_from_its_container() {
    Engine::each(|engine| {
        let env = world();
        let body = format!(
            "echo work > done.txt; git add done.txt; git commit -qm 'by the agent' || exit 1\n\
             mv .git aside 2> /dev/null && exit 2; echo >> .git && exit 3; echo '{COMPLETE}'"
        );
        let args = ["--worktree", "feature", "--check", "git status --short"];
        contained(&env, engine, &body, &args).run().success();
        assert_eq!(env.git(["log", "-1", "--format=%s", "feature"]), "by the agent\n");
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_agent_runs_as_the_owner_of_the_work_tree() {
    Engine::each(|engine| {
        let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
        std::os::unix::fs::chown(env.work(), Some(1234), Some(2345)).unwrap();
        let command = "sh -c 'id -u > mine; id -g >> mine; cat {prompt_file} >> mine'";
        let call = in_container(&env, engine, &["iterate", "-p", "read by him", "--promise", ""]);
        call.args(["--prompt-mode", "file", "-c", command]).run().success();
        assert_eq!(env.read("mine"), "1234\n2345\nread by him");
        let made = fs::metadata(env.work().join("mine")).unwrap();
        assert_eq!((made.uid(), made.gid()), (1234, 2345));
        wait_until_quiet(&env);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn an_agent_reads_its_own_credentials_and_nothing_else_of_the_home() {
    Engine::each(|engine| {
        let env = world();
        for path in [".claude/.credentials.json", ".claude.json", ".codex/auth.json"] {
            let path = env.home().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}").unwrap();
        }
        env.write(
            "claude.sh",
            "cd ~; { find . | sort; cat .claude/.credentials.json; } > $OLDPWD/seen 2>&1\n\
             echo x >> .claude/.credentials.json && echo written >> $OLDPWD/seen\n\
             echo x >> .claude.json && echo copied >> $OLDPWD/seen\n",
        );
        let call = in_container(&env, engine, &["iterate", "-p", "x", "--agent", "claude"]);
        call.args(["--max-iterations", "1"]).run().code(1);
        insta::allow_duplicates! { insta::assert_snapshot!(env.read("seen"), @r"
        .
        ./.claude
        ./.claude.json
        ./.claude/.credentials.json
        ./.gitconfig
        {}written
        copied
        "); }
        for path in [".claude/.credentials.json", ".claude.json"] {
            assert_eq!(fs::read_to_string(env.home().join(path)).unwrap(), "{}", "{path}");
        }
        assert_nothing_is_left(&env, engine);
    });
}

#[test]
#[ignore = "starts Docker and Podman: scripts/nightly runs it"]
fn several_sessions_are_in_one_container_at_once_and_end_each_for_itself() {
    Engine::each(|engine| {
        let env = world();
        env.git(["checkout", "--quiet", "-b", "feature"]);
        env.write("src/pump.rs", "fn pump() {}\n");
        env.git(["add", "."]);
        env.git(["commit", "--quiet", "--message=pump"]);
        // Each leaves a process behind, and the first ends long before the others. They wait for
        // one another, so they are there at the same time.
        let agent = env.agent_sh(
            "mkdir -p /tmp/here; touch /tmp/here/$$\n\
             for i in $(seq 100); do [ $(ls /tmp/here | wc -l) -ge 3 ] && break; sleep 0.1; done\n\
             ls /tmp/here | wc -l > /dev/null; sleep 1000 &\n\
             mkdir /tmp/first 2>/dev/null || sleep 1\n\
             echo '{\"findings\": []}'",
        );
        let call = in_container(&env, engine, &["pr", "--local", "--base", "main", "--json"]);
        let ran = call.arg("-c").arg(agent).run().success();
        let shown = env.windlass(["show", "--json"]).success().json();
        let sessions = shown["sessions"].as_array().unwrap();
        assert!(sessions.len() >= 3, "{shown}");
        for session in sessions {
            assert_eq!(session["outcome"]["type"], "finished", "{ran}\n{session}");
        }
        assert_nothing_is_left(&env, engine);
    });
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
