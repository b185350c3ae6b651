//! Paths that are what they were and a link by turns, as fast as a program can swap them, while
//! windlass works: what an agent does that got away, or one of another loop.

use std::fs;

use testkit::Env;

use super::{Scene, treasure::CANARY};
use crate::pr_local::{finding, pump, report};

#[test]
fn a_task_file_that_is_swapped_for_a_link_is_never_read_through_it() {
    let scene = Scene::new();
    scene.env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
    let swapping = scene.swap("swap TASKS.md ~/.netrc");
    let agent = scene.env.agent_sh("date +%N >> a.txt");
    for _ in 0..4 {
        let args = ["tasks", "--tasks", "TASKS.md", "--max-iterations", "5", "-c"];
        drop(scene.watch(scene.env.command(args).arg(&agent)));
    }
    drop(swapping);
    scene.assert_untouched("swapping");
    scene.assert_unseen("swapping");
}

/// The names of what is behind the link may be known; what it holds must not.
#[test]
fn a_directory_that_is_swapped_for_a_link_is_never_read_through_it() {
    let env: Env = crate::world();
    fs::create_dir(env.home().join("many")).unwrap();
    // So many that git reads the files itself.
    for number in 0..300 {
        env.write(format!("tests/{number}"), "ours\n");
        fs::write(env.home().join(format!("many/{number}")), format!("{CANARY}\n")).unwrap();
    }
    let scene = Scene::of(env);
    let swapping = scene.swap("swap tests ~/many");
    let agent = scene.env.agent_sh("date +%N >> a.txt");
    for _ in 0..8 {
        drop(scene.iterate("none", &agent, &["--auto-commit"]));
        drop(scene.call(&["diff"]));
    }
    drop(scene.call(&["rollback", "0"]));
    drop(swapping);
    scene.assert_untouched("swapping");
    scene.assert_canary_unseen("swapping");
}

#[test]
fn a_protected_directory_that_is_swapped_for_a_link_is_never_looked_into_through_it() {
    let scene = Scene::new();
    scene.env.write("tests/t.sh", "true\n");
    let swapping = scene.swap("swap tests ~");
    let agent = scene.env.agent_sh("echo '<promise>COMPLETE</promise>'");
    for _ in 0..4 {
        drop(scene.iterate("none", &agent, &["--protect", "tests/**"]));
    }
    drop(swapping);
    scene.assert_untouched("swapping");
    scene.assert_unseen("swapping");
}

#[test]
fn a_folder_that_is_swapped_for_a_link_is_never_written_through_it() {
    let scene = Scene::of(pump());
    scene.env.write("lists/x", "x");
    let swapping = scene.swap("swap lists ~");
    let said = report(&[finding("HIGH", 2, "it is wrong")]);
    let agent = scene.env.agent_sh(&format!("cat <<'END'\n{said}\nEND"));
    for _ in 0..6 {
        let args = ["pr", "--local", "--base", "main", "--output", "lists/list.md", "-c"];
        drop(scene.watch(scene.env.command(args).arg(&agent)));
    }
    drop(swapping);
    scene.assert_untouched("swapping");
}

#[test]
fn directories_that_are_swapped_for_links_are_never_rolled_back_through_them() {
    let scene = Scene::new();
    for number in 0..100 {
        scene.env.write(format!("src/{number}"), "ours\n");
    }
    scene.env.git(["add", "--all"]);
    scene.env.git(["commit", "-qm", "all"]);
    let agent = scene.env.agent_sh("for n in $(seq 0 99); do echo x > src/$n; done");
    drop(scene.iterate("none", &agent, &["--max-iterations", "1"]));
    let swapping = scene.swap("swap src ~/.config");
    for number in ["0", "1", "0", "1"] {
        drop(scene.call(&["rollback", number]));
    }
    drop(swapping);
    scene.assert_untouched("swapping");
}

#[test]
fn a_git_directory_that_is_swapped_for_another_is_never_committed_to() {
    let scene = Scene::new();
    let swapping = scene.swap("swap .git ~/private/.git");
    let agent = scene.env.agent_sh("date +%N >> a.txt");
    for _ in 0..4 {
        drop(scene.iterate("none", &agent, &["--auto-commit"]));
    }
    drop(swapping);
    scene.assert_untouched("swapping");
    scene.assert_canary_unseen("swapping");
}
