//! Objects of the repository that an agent makes others: a list of repositories to borrow from, and
//! pipes that git would wait at.

use std::{fs, path::PathBuf, time::Instant};

use super::Scene;
use crate::COMPLETE;

/// The list of repositories that objects are borrowed from.
const LIST: &str = ".git/objects/info/alternates";

#[test]
fn a_list_of_other_repositories_that_an_agent_wrote_is_told_once() {
    let scene = Scene::new();
    let private = scene.env.home().join("private/.git/objects");
    let body = format!("echo {} > {LIST}; date +%N >> a.txt", private.display());
    let agent = scene.env.agent_sh(&body);
    let ran = scene.iterate("none", &agent, &["--name", "mine"]);
    let list = scene.env.work().join(LIST);
    let told = format!("`{}` is not what it was before the first loop here", list.display());
    assert_eq!(ran.stderr.matches(&told).count(), 1, "{ran}");
    assert!(ran.stderr.contains("if the change is yours, remove `"), "{ran}");
    // The next loop is told as well, before its agent acts; and removing the file is the way out.
    let again = scene.iterate("none", &scene.env.agent_sh(&format!("echo '{COMPLETE}'")), &[]);
    let kept = again.stderr.split("remove `").nth(1).and_then(|rest| rest.split('`').next());
    let kept = PathBuf::from(kept.expect("it is told"));
    fs::write(&list, "").unwrap();
    fs::remove_file(&kept).unwrap();
    let last = scene.iterate("none", &scene.env.agent_sh(&format!("echo '{COMPLETE}'")), &[]);
    assert!(!last.stderr.contains("before the first loop"), "{last}");
    scene.assert_untouched("a list of other repositories");
}

#[test]
fn a_list_that_stays_as_it_was_is_not_told() {
    let scene = Scene::new();
    let body = format!("mkdir -p .git/objects/info; touch -d yesterday {LIST}; echo '{COMPLETE}'");
    let ran = scene.iterate("none", &scene.env.agent_sh(&body), &[]);
    assert!(!ran.stderr.contains("before the first loop"), "{ran}");
}

/// Has the tree of the last commit be a pipe.
fn with_a_pipe(scene: &Scene) -> PathBuf {
    let id = scene.env.git(["rev-parse", "HEAD^{tree}"]);
    let (folder, name) = id.trim().split_at(2);
    let object = format!(".git/objects/{folder}/{name}");
    scene.plant_now(&format!("gone {object}; fifo {object}"));
    scene.env.work().join(object)
}

#[test]
fn an_object_that_is_a_pipe_is_named_soon() {
    let scene = Scene::new();
    let object = with_a_pipe(&scene);
    let began = Instant::now();
    let agent = scene.env.agent_sh(&format!("date +%N >> a.txt; echo '{COMPLETE}'"));
    let ran = scene.iterate("none", &agent, &["--auto-commit"]);
    assert!(began.elapsed() < super::scene::PATIENCE, "{ran}");
    let told = format!(
        "waits at `{}`, which is a pipe; remove it, or put back what was there",
        object.display()
    );
    assert!(format!("{}{}", ran.stdout, ran.stderr).contains(&told), "{ran}");
    assert_eq!(ran.code, Some(4), "{ran}");
}
