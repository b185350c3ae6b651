//! Commands that are called in a tree, or about a loop, after an agent has laid its traps: each
//! answers in time, tells nothing that is not the tree's, and writes nothing outside of it.

use super::Scene;
use crate::{COMPLETE, sandboxes::has_sandbox};

/// What is asked about a loop; none of it changes one.
const LOOKS: [&[&str]; 12] = [
    &["status"],
    &["list"],
    &["show"],
    &["log"],
    &["why"],
    &["findings"],
    &["diff"],
    &["agents"],
    &["config", "--origin"],
    &["trust"],
    &["doctor"],
    &["replay"],
];

/// What is done to a loop, in an order in which each has something to do.
const DEEDS: [&[&str]; 8] = [
    &["rollback", "0"],
    &["merge"],
    &["resume"],
    &["reset"],
    &["cancel"],
    &["gc", "--dry-run"],
    &["rm", "mine"],
    &["gc"],
];

/// A loop that ended, whose tree is not what it was.
fn trapped(plants: &str) -> Scene {
    let scene = Scene::new();
    let agent = scene.env.agent_sh("date +%N >> a.txt");
    let args = ["iterate", "-p", "x", "--max-iterations", "1", "--name", "mine", "-c"];
    drop(scene.watch(scene.env.command(args).arg(agent)));
    scene.plant_now(plants);
    scene
}

#[track_caller]
fn all_answer(plants: &str) {
    let scene = trapped(plants);
    for args in LOOKS.iter().chain(&DEEDS) {
        drop(scene.call(args));
        scene.assert_untouched(&format!("{plants}: {args:?}"));
    }
    scene.assert_unseen(plants);
}

#[test]
fn every_command_answers_where_the_head_is_a_pipe() {
    all_answer("fifo .git/HEAD");
}

#[test]
fn every_command_answers_where_the_index_is_a_pipe() {
    all_answer("fifo .git/index; fifo .git/index.lock");
}

#[test]
fn every_command_answers_where_the_config_of_git_is_a_pipe() {
    all_answer("fifo .git/config");
}

#[test]
fn every_command_answers_where_the_config_of_git_is_endless() {
    all_answer("link .git/config /dev/zero");
}

#[test]
fn every_command_answers_where_git_is_a_pipe() {
    all_answer("gone .git; fifo .git");
}

#[test]
fn every_command_answers_where_git_is_endless() {
    all_answer("gone .git; link .git /dev/zero");
}

#[test]
fn every_command_answers_where_git_is_another_repository() {
    all_answer("gone .git; link .git ~/private/.git");
}

#[test]
fn every_command_answers_where_a_config_file_is_a_pipe() {
    all_answer("fifo windlass.toml");
}

#[test]
fn every_command_answers_where_a_config_file_is_a_link_to_a_secret() {
    all_answer("link windlass.toml ~/.netrc");
}

#[test]
fn every_command_answers_where_refs_are_secrets() {
    all_answer("link .git/packed-refs ~/.netrc; link .git/refs/heads/main ~/.netrc");
}

#[test]
fn every_command_answers_where_objects_lead_to_a_secret() {
    all_answer("link .git/objects/info/alternates ~/.netrc; link .git/shallow ~/.netrc");
}

#[test]
fn every_command_answers_where_rules_are_copied_from_a_secret() {
    all_answer("link .git/info/exclude ~/.netrc; link .git/info/attributes ~/.netrc");
}

#[test]
fn every_command_answers_where_a_file_has_no_end() {
    all_answer("sparse README.md; sparse new; sparse .git/packed-refs 1073741824");
}

#[test]
fn every_command_answers_where_the_tree_is_gone() {
    let scene = trapped("gone none");
    let work = scene.env.work();
    let aside = scene.env.root().join("aside");
    std::fs::rename(&work, &aside).unwrap();
    std::os::unix::fs::symlink(scene.env.home(), &work).unwrap();
    for args in [&["diff", "mine"][..], &["resume", "mine"], &["merge", "mine"], &["rm", "mine"]] {
        let call = scene.env.command(args).directory(scene.env.root());
        drop(scene.watch(call));
        scene.assert_untouched(&format!("{args:?}"));
    }
    std::fs::remove_file(&work).unwrap();
    std::fs::rename(&aside, &work).unwrap();
}

#[test]
fn a_loop_that_was_cut_off_is_not_taken_up_through_a_link() {
    let scene = Scene::new();
    scene.env.write("sub/file", "x");
    let agent = scene.env.agent_sh(&format!("touch ran; echo '{COMPLETE}'"));
    let first = scene.env.agent_sh("exit 1");
    let args = ["iterate", "-p", "x", "--name", "mine", "--max-iterations", "1", "-c"];
    let call = scene.env.command(args).arg(&first).directory(scene.env.work().join("sub"));
    drop(scene.watch(call));
    std::fs::copy(&agent, &first).unwrap();
    scene.plant_now("gone sub; link sub ~");
    let args = ["resume", "mine", "--max-iterations", "3"];
    drop(scene.watch(scene.env.command(args)));
    scene.assert_untouched("resume");
}

#[test]
fn names_that_steer_a_terminal_are_shown_as_what_they_are() {
    let scene = Scene::new();
    let body = "printf x > \"$(printf 'a\\033]0;owned\\007b')\"; printf x > \"$(printf 'c\\nd')\"\n\
                printf x > \"$(printf 'e\\342\\200\\256f')\"";
    let agent = scene.env.agent_sh(&format!("{body}; echo '{COMPLETE}'"));
    drop(scene.iterate("none", &agent, &["--auto-commit"]));
    for args in LOOKS.iter().chain(&[&["rollback", "0"][..]]) {
        let ran = scene.call(args);
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!told.contains('\u{1b}') && !told.contains('\u{202e}'), "{args:?}: {ran}");
    }
}

#[test]
fn the_name_of_a_branch_that_steers_a_terminal_is_shown_as_what_it_is() {
    let scene = Scene::new();
    let body = "printf 'ref: refs/heads/a\\033]0;owned\\007b\\n' > .git/HEAD";
    let agent = scene.env.agent_sh(&format!("{body}; date +%N >> a.txt"));
    drop(scene.iterate("none", &agent, &["--auto-commit"]));
    for args in LOOKS.iter().chain(&[&["rollback", "0"][..], &["merge"]]) {
        let ran = scene.call(args);
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!told.contains('\u{1b}') && !told.contains('\u{7}'), "{args:?}: {ran}");
    }
}

#[test]
fn a_worktree_of_a_branch_that_has_a_link_for_the_directory_is_not_worked_in() {
    for sandbox in ["none", "landlock", "bwrap"] {
        let scene = Scene::new();
        if !has_sandbox(&scene.env, sandbox) {
            continue;
        }
        // An earlier agent has committed a link to its own branch.
        scene.env.git(["checkout", "-q", "-b", "topic"]);
        scene.plant_now("link sub ~");
        scene.env.git(["add", "sub"]);
        scene.env.git(["commit", "-qm", "sub"]);
        scene.env.git(["checkout", "-q", "main"]);
        scene.env.write("sub/file", "x");
        let agent = scene.env.agent_sh(&format!("touch ran; echo '{COMPLETE}'"));
        let args = ["iterate", "-p", "x", "--sandbox", sandbox, "--worktree", "topic", "-c"];
        let call = scene.env.command(args).arg(agent).directory(scene.env.work().join("sub"));
        drop(scene.watch(call));
        scene.assert_untouched(sandbox);
    }
}
