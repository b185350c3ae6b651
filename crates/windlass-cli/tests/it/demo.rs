//! `windlass demo`, as somebody sees it who has never run a loop.

use std::time::Duration;

use testkit::Env;

use crate::world;

fn left_in_tmp(env: &Env) -> Vec<String> {
    let names = std::fs::read_dir(env.root().join("tmp")).expect("there is a directory");
    let names = names.map(|entry| entry.expect("it can be read").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("windlass-demo")).collect()
}

#[test]
fn the_demo_explains_a_claim_its_rejection_a_guarded_test_the_proof_and_shows_the_report() {
    let env = world().with_baselines();
    let tmp = env.root().join("tmp");
    std::fs::create_dir_all(&tmp).expect("a directory can be made");
    let ran = env.command(["demo", "--fast"]).env("TMPDIR", &tmp).run().success();
    assert!(ran.duration < Duration::from_secs(5), "{ran}");
    let shown = ran.snapshot();
    let masked =
        |part: &str| part.split_once('/').map_or(String::new(), |(_, rest)| rest.to_owned());
    let mut parts = shown.split("windlass-demo-");
    let first = parts.next().unwrap_or_default().to_owned();
    let shown =
        parts.fold(first, |all, part| format!("{all}windlass-demo-XXXXXX/{}", masked(part)));
    insta::assert_snapshot!(shown);
    assert_eq!(left_in_tmp(&env), Vec::<String>::new());
    assert!(!env.windlass_home().join("windlass.db").exists(), "the user's store is not touched");
}

#[test]
fn the_demo_ends_with_a_loop_for_the_agent_that_is_installed() {
    let env = world();
    drop(env.install("claude", "echo '2.0.0 (Claude Code)'"));
    let ran = env.command(["demo", "--fast"]).run().success();
    let last = ran.stdout.lines().last().unwrap_or_default();
    assert_eq!(last.trim(), "windlass iterate -p 'Make the tests pass.' --agent claude");
}

#[test]
fn programs_get_the_demos_result_and_no_command_for_a_loop_that_is_gone() {
    let env = world();
    let ran = env.command(["demo", "--fast", "--json"]).run().success();
    assert_eq!(ran.json()["ending"]["type"], "done");
    assert!(!ran.stderr.contains("next:"), "{ran}");
}
