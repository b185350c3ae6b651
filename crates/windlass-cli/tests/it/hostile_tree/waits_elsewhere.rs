//! Pipes, devices and files without end where git or a reader of a project looks, each met by the
//! command that goes there.

use std::time::Duration;

use testkit::{Signal, wait_until};

use super::{
    Scene, each,
    waits::{BOUND, strongest},
};

/// What can stand at a path and never ends.
const ENDLESS: [&str; 3] = ["fifo {}", "link {} /dev/zero", "sparse {}"];

/// A nested repository that the index names.
#[track_caller]
fn nobody_waits_at_nested(file: &str) {
    each(&ENDLESS, |kind| {
        let scene = Scene::new();
        let start = scene.env.git(["rev-parse", "HEAD"]);
        let link = format!("160000,{},sub", start.trim());
        scene.env.git(["update-index", "--add", "--cacheinfo", &link]);
        let head = "text sub/.git/HEAD ref: refs/heads/main\\n; text sub/.git/objects/x x";
        let plant = kind.replace("{}", &format!("sub/.git/{file}"));
        let agent = scene.planter(&format!("{head}; {plant}"), "date +%N >> a.txt");
        let ran = scene.iterate(strongest(), &agent, &["--max-duration", "5s"]);
        assert!(ran.duration < BOUND, "{plant}: {ran}");
        drop(scene.call(&["diff"]));
    });
}

#[test]
fn nobody_waits_at_the_head_of_a_nested_repository() {
    nobody_waits_at_nested("HEAD");
}

#[test]
fn nobody_waits_at_a_branch_of_a_nested_repository() {
    nobody_waits_at_nested("refs/heads/main");
}

#[test]
fn nobody_waits_at_packed_refs_of_a_nested_repository() {
    nobody_waits_at_nested("packed-refs");
}

#[test]
fn nobody_waits_at_the_common_directory_of_a_nested_repository() {
    nobody_waits_at_nested("commondir");
}

/// An object that git reads by name: an agent can replace those that it knows.
#[track_caller]
fn nobody_waits_at_object(revision: &str) {
    each(&ENDLESS, |kind| {
        let scene = Scene::new();
        let id = scene.env.git(["rev-parse", revision]);
        let path = format!(".git/objects/{}/{}", &id[..2], id[2..].trim());
        let plant = kind.replace("{}", &path);
        let agent = scene.planter(&plant, "date +%N >> a.txt");
        let args = ["--auto-commit", "--max-duration", "5s"];
        let ran = scene.iterate(strongest(), &agent, &args);
        assert!(ran.duration < BOUND, "{plant}: {ran}");
        // A git that waits is given up after a minute; nobody has to wait for that.
        let mut running = scene.env.command(["diff"]).spawn();
        std::thread::sleep(Duration::from_millis(700));
        if running.is_running() {
            running.signal(Signal::INT);
        }
        wait_until("one SIGINT ends it", BOUND, || !running.is_running());
        drop(running.wait());
    });
}

#[test]
fn nobody_waits_at_a_commit() {
    nobody_waits_at_object("HEAD");
}

#[test]
fn nobody_waits_at_a_tree() {
    nobody_waits_at_object("HEAD^{tree}");
}

#[test]
fn nobody_waits_at_a_blob() {
    nobody_waits_at_object("HEAD:README.md");
}

/// What git reads of other worktrees.
#[track_caller]
fn nobody_waits_at_worktree(file: &str) {
    each(&ENDLESS, |kind| {
        let scene = Scene::new();
        let plant = kind.replace("{}", &format!(".git/worktrees/x/{file}"));
        let whole = "text .git/worktrees/x/HEAD ref: refs/heads/x\\n; \
                     text .git/worktrees/x/commondir ../..\\n; \
                     text .git/worktrees/x/gitdir /nowhere/.git\\n";
        scene.plant_now(&format!("{whole}; {plant}"));
        let agent = scene.env.agent_sh("echo x > a.txt; git add a.txt; git commit -qm a");
        let args = ["--worktree", "topic", "--max-duration", "5s"];
        let ran = scene.iterate("none", &agent, &args);
        assert!(ran.duration < BOUND, "{plant}: {ran}");
        for args in [&["merge"][..], &["gc"]] {
            let ran = scene.call(args);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
        }
    });
}

#[test]
fn nobody_waits_at_the_place_of_another_worktree() {
    nobody_waits_at_worktree("gitdir");
}

#[test]
fn nobody_waits_at_the_head_of_another_worktree() {
    nobody_waits_at_worktree("HEAD");
}

#[test]
fn nobody_waits_at_the_lock_of_another_worktree() {
    nobody_waits_at_worktree("locked");
}

#[track_caller]
fn nobody_waits_for_tests_at(names: &[&str]) {
    for name in names {
        for kind in ENDLESS {
            let plant = kind.replace("{}", name);
            let scene = Scene::new();
            scene.plant_now(&plant);
            let agent = scene.env.agent_sh("echo '{\"findings\": []}'");
            let call = scene.env.command(["heal", "--max-duration", "5s", "-c"]).arg(agent);
            let ran = scene.watch(call);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
        }
    }
}

#[test]
fn nobody_waits_where_tests_of_a_package_are_looked_for() {
    nobody_waits_for_tests_at(&["package.json", "Makefile"]);
}

#[test]
fn nobody_waits_where_tests_of_a_project_are_looked_for() {
    nobody_waits_for_tests_at(&["pyproject.toml", "Cargo.toml"]);
}

/// Where a review is kept, and where it is read again.
#[track_caller]
fn nobody_waits_for_a_review_at(path: &str) {
    each(&["fifo {}", "link {} /dev/zero", "sparse {}", "dir {}"], |kind| {
        let plant = kind.replace("{}", path);
        let scene = Scene::new();
        let agent = scene.planter(&plant, "echo '{\"findings\": []}'");
        for phase in ["review", "parse"] {
            let args = ["heal", "--start-at", phase, "--sandbox", strongest(), "--grace", "1s"];
            let call = scene.env.command(args).args(["--max-duration", "5s", "-c"]);
            let ran = scene.watch(call.arg(&agent));
            assert!(ran.duration < BOUND, "{plant}: {ran}");
        }
    });
}

#[test]
fn nobody_waits_where_a_review_is_kept() {
    nobody_waits_for_a_review_at(".review-output.md");
}

#[test]
fn nobody_waits_where_a_review_is_written() {
    nobody_waits_for_a_review_at(".review-output.md.windlass-new");
}
