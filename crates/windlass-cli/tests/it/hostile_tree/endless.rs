//! Files, names and directories without end: time, memory and the room that windlass takes on the
//! disk stay bounded.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use super::{
    Scene,
    waits::{BOUND, strongest},
};
use crate::{COMPLETE, sandboxes::has_bwrap};

/// How much of the disk windlass may use for a tree whose real files are small.
const ROOM: u64 = 64 << 20;

/// An agent plants files; the loop, and commands that look at it later, stay within their limits.
#[track_caller]
fn bounded(plants: &str, more: &[&str]) {
    let scene = Scene::new();
    scene.env.write("t.sh", "true\n");
    let agent = scene.planter(plants, "date +%N >> a.txt");
    let ran = scene.iterate(strongest(), &agent, &[&["--max-duration", "5s"], more].concat());
    assert!(ran.duration < BOUND, "{plants}: {ran}");
    for args in [&["status"][..], &["diff"], &["show"], &["rollback", "0"]] {
        let ran = scene.call(args);
        assert!(ran.duration < BOUND, "{plants}: {ran}");
    }
    // What an agent writes to its own git directory is its own.
    let home = scene.env.windlass_home();
    let used = room(&home) - room(&home.join("git"));
    assert!(used <= ROOM, "{plants}: {} MiB are used", used >> 20);
    scene.assert_untouched(plants);
}

/// What a directory uses of the disk.
fn room(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.path().symlink_metadata() {
        Ok(found) if found.is_dir() => room(&entry.path()),
        Ok(found) => found.blocks() * 512,
        Err(_) => 0,
    });
    sizes.sum()
}

#[test]
fn a_new_file_of_eight_terabytes_costs_nothing() {
    bounded("sparse new", &[]);
    bounded("sparse new", &["--auto-commit"]);
}

#[test]
fn a_tracked_file_of_eight_terabytes_costs_nothing() {
    bounded("sparse README.md", &[]);
    bounded("sparse README.md", &["--auto-commit"]);
}

#[test]
fn a_protected_file_of_eight_terabytes_costs_nothing() {
    bounded("sparse t.sh", &["--protect", "t.sh"]);
    bounded("sparse t.sh", &["--check", "sh ./t.sh"]);
}

#[test]
fn an_index_of_eight_terabytes_costs_nothing() {
    bounded("sparse .git/index", &[]);
    bounded("sparse .git/index", &["--auto-commit"]);
}

#[test]
fn a_shared_index_of_three_gigabytes_is_not_copied() {
    let name = ".git/sharedindex.0123456789012345678901234567890123456789";
    bounded(&format!("sparse {name} 3221225472"), &[]);
}

#[test]
fn packed_refs_of_a_gigabyte_are_not_read_into_memory() {
    bounded("sparse .git/packed-refs 1073741824; gone .git/refs/heads/main", &[]);
}

#[test]
fn a_head_of_a_gigabyte_is_not_read_into_memory() {
    bounded("sparse .git/HEAD 1073741824", &[]);
    bounded("sparse .git/refs/heads/main 1073741824", &[]);
}

#[test]
fn excludes_of_a_gigabyte_are_not_read_into_memory() {
    bounded("sparse .git/info/exclude 1073741824", &[]);
}

#[test]
fn rules_of_a_gigabyte_are_not_read_into_memory() {
    bounded("sparse .gitignore 1073741824", &[]);
    bounded("sparse .gitattributes 1073741824", &["--auto-commit"]);
}

#[test]
fn a_git_file_of_a_gigabyte_is_not_read_into_memory() {
    let scene = Scene::outside_git();
    let agent = scene.planter("sparse .git 1073741824", "date +%N >> a.txt");
    for _ in 0..2 {
        drop(scene.iterate("none", &agent, &["--max-duration", "5s"]));
    }
}

#[test]
fn many_rules_do_not_hold_the_loop() {
    // Each of them is tried on each name: together they are half a billion.
    bounded("lines .gitignore 20000 *a*a*a*a*a*b; wide many 20000", &[]);
}

/// Each wait takes five seconds: a loop that stops does not begin another.
#[test]
fn a_tree_that_does_not_answer_is_not_recorded_again_when_the_loop_stops() {
    let scene = Scene::new();
    scene.plant_now("wide many 20000");
    let agent = scene.planter("lines .gitignore 20000 *a*a*a*a*a*b", "true");
    let ran = scene.iterate(strongest(), &agent, &["--max-duration", "5s", "--jsonl"]);
    let begun = |line: &&str| line.contains(r#""type":"step_started""#);
    let steps: Vec<&str> = ran.stdout.lines().filter(begun).collect();
    let session = steps.iter().rposition(|line| line.contains(r#""type":"session""#)).unwrap();
    let looks = steps[session..].iter().filter(|line| line.contains(r#""type":"snapshot""#));
    assert_eq!(looks.count(), 1, "{ran}");
}

#[test]
fn rules_that_take_for_ever_to_try_do_not_hold_the_loop() {
    let rule = format!("lines .gitignore 50 {}b", "*a".repeat(60));
    let name = "a".repeat(240);
    bounded(&format!("{rule}; text {name} x"), &[]);
}

#[test]
fn a_path_of_six_thousand_bytes_does_not_hold_the_loop() {
    bounded("long long 6000", &[]);
    bounded("long long 6000", &["--auto-commit", "--protect", "**/file"]);
}

#[test]
fn a_thousand_directories_in_each_other_do_not_hold_the_loop() {
    bounded("deep deep 2000", &["--auto-commit", "--protect", "**/file"]);
}

#[test]
fn two_hundred_thousand_names_in_a_directory_do_not_hold_the_loop() {
    let scene = Scene::new();
    scene.plant_now("wide many 200000");
    let agent = scene.env.agent_sh("date +%N >> a.txt");
    let ran = scene.iterate(strongest(), &agent, &["--max-duration", "5s"]);
    assert!(ran.duration < BOUND, "{ran}");
    assert!(room(&scene.env.windlass_home()) <= ROOM);
}

#[test]
fn very_many_names_where_all_is_protected_do_not_hold_the_loop() {
    let scene = Scene::new();
    scene.env.write("many/t.sh", "true\n");
    let agent = scene.planter("wide many 8000", &format!("echo '{COMPLETE}'"));
    let more = ["--protect", "many/**", "--check", "true", "--max-duration", "5s"];
    let ran = scene.iterate(strongest(), &agent, &more);
    assert!(ran.duration < BOUND, "{ran}");
    let prompts = scene.env.sql("SELECT max(length(prompt)) FROM sessions");
    let longest: u64 = prompts.trim().parse().unwrap();
    assert!(longest < 100_000, "a prompt of {longest} bytes");
}

#[test]
fn very_many_branches_do_not_hold_the_loop() {
    let scene = Scene::new();
    let id = scene.env.git(["rev-parse", "HEAD"]);
    drop(scene);
    let plant = format!("refs .git/refs/heads/many 30000 {}", id.trim());
    bounded(&plant, &["--auto-commit"]);
}

#[test]
fn a_task_file_without_end_does_not_fill_the_store() {
    let scene = Scene::new();
    scene.env.write("TASKS.md", "- [ ] write a\n");
    let agent = scene.planter("lines TASKS.md 60000 - [ ] a", "date +%N >> a.txt");
    let args = ["tasks", "--tasks", "TASKS.md", "--max-iterations", "3", "--max-duration", "5s"];
    let ran = scene.watch(scene.env.command(args).arg("-c").arg(agent));
    assert!(ran.duration < BOUND, "{ran}");
    assert!(room(&scene.env.windlass_home()) <= ROOM);
}

/// A snapshot that changes by ten megabytes each time must not be for ever in the store's way.
#[test]
fn files_that_change_each_time_do_not_fill_the_store_without_a_word() {
    let scene = Scene::new();
    let agent = scene.env.agent_sh(
        "for n in $(seq 12); do head -c 9000000 /dev/urandom > big$n; done; date +%N >> a.txt",
    );
    let args = ["--max-iterations", "3", "--max-duration", "8s"];
    let ran = scene.iterate("none", &agent, &args);
    let used = room(&scene.env.windlass_home());
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(used <= 256 << 20 || told.contains("disk"), "{} MiB are used\n{told}", used >> 20);
}

#[test]
fn directories_that_nobody_may_read_do_not_hold_the_loop() {
    bounded("dir shut; mode shut 000; dir src/shut; mode src/shut 000", &["--auto-commit"]);
    bounded("mode .git/objects 000; mode .git/refs 000", &["--auto-commit"]);
}

#[test]
fn a_claim_is_judged_in_time_though_protected_files_have_no_end() {
    let scene = Scene::new();
    scene.env.write("t.sh", "true\n");
    let agent = scene.planter("sparse t.sh", &format!("echo '{COMPLETE}'"));
    let ran = scene.iterate(strongest(), &agent, &["--protect", "t.sh", "--check", "true"]);
    assert!(ran.duration < BOUND, "{ran}");
    assert_ne!(ran.code, Some(0), "a protected file was changed, and that is no proof\n{ran}");
}

#[test]
fn a_protected_directory_that_is_a_link_to_the_root_is_not_walked() {
    let scene = Scene::new();
    scene.env.write("tests/t.sh", "true\n");
    let agent = scene.planter("move tests .tests; link tests /", &format!("echo '{COMPLETE}'"));
    let args = ["--protect", "tests/**", "--max-duration", "5s"];
    let ran = scene.iterate(strongest(), &agent, &args);
    assert!(ran.duration < BOUND, "{ran}");
    let told = scene.env.sql("SELECT body FROM events");
    assert!(!told.contains("tests/etc/passwd"), "the root was walked");
}

#[test]
fn a_protected_directory_that_is_a_link_to_itself_is_not_walked_for_ever() {
    bounded("move t.sh .t.sh; link tests .", &["--protect", "tests/**", "--check", "true"]);
}

#[test]
fn very_many_pipes_are_told_in_few_words() {
    let scene = Scene::new();
    let agent = scene.planter("pipes many 20000", "date +%N >> a.txt");
    let ran = scene.iterate("none", &agent, &["--max-duration", "8s"]);
    assert!(ran.stdout.len() + ran.stderr.len() < 1 << 20, "{} bytes", ran.stderr.len());
    assert!(room(&scene.env.windlass_home()) <= 16 << 20);
}

#[test]
fn very_many_modules_do_not_keep_a_sandbox_from_starting() {
    if !has_bwrap() {
        return;
    }
    let scene = Scene::new();
    scene.plant_now("modules .git/modules 5000");
    let agent = scene.env.agent_sh(&format!("echo '{COMPLETE}'"));
    let ran = scene.iterate("bwrap", &agent, &["--max-duration", "8s"]);
    assert!(ran.duration < BOUND, "{ran}");
    let is_told = ran.code == Some(0) || ran.stderr.contains("modules");
    assert!(is_told, "nobody learns what is wrong\n{ran}");
}

#[test]
fn a_diff_of_very_many_names_stays_small() {
    let scene = Scene::new();
    let agent = scene.planter("wide many 20000", "date +%N >> a.txt; echo hm");
    let args = ["develop", "-p", "x", "--max-iterations", "2", "--max-duration", "8s", "-c"];
    let ran = scene.watch(scene.env.command(args).arg(agent));
    assert!(ran.duration < BOUND, "{ran}");
    let prompts = scene.env.sql("SELECT max(length(prompt)) FROM sessions");
    let longest: u64 = prompts.trim().parse().unwrap();
    assert!(longest < 1 << 20, "a prompt of {longest} bytes");
    assert!(room(&scene.env.windlass_home()) <= ROOM);
}
