//! Pipes, devices and files without end at every path that windlass looks at: it says what is
//! wrong or goes on, and never waits for them.

use std::time::Duration;

use super::{Scene, has_bwrap};
use crate::COMPLETE;

/// What can stand at a path that should hold a small file.
const KINDS: [&str; 5] =
    ["fifo {}", "link {} /dev/zero", "link {} /proc/self/pagemap", "sparse {}", "dir {}"];

/// How long a loop of five seconds may take all in all.
const BOUND: Duration = Duration::from_secs(12);

/// An agent makes `path` everything that it should not be, each in a loop of its own; the loop
/// ends in time, and what is called afterwards answers.
#[track_caller]
fn nobody_waits_at(path: &str, more: &[&str]) {
    for kind in KINDS {
        let plant = kind.replace("{}", path);
        let scene = Scene::new();
        let agent = scene.planter(&plant, "date +%N >> a.txt");
        let sandbox = if has_bwrap() { "bwrap" } else { "none" };
        let args = [&["--auto-commit", "--max-duration", "5s"], more].concat();
        let ran = scene.iterate(sandbox, &agent, &args);
        assert!(ran.duration < BOUND, "{plant}: {ran}");
        for args in [&["status"][..], &["diff"]] {
            let ran = scene.call(args);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
        }
        scene.assert_untouched(&plant);
    }
}

#[test]
fn nobody_waits_at_the_head_of_git() {
    nobody_waits_at(".git/HEAD", &[]);
}

#[test]
fn nobody_waits_at_a_branch_of_git() {
    nobody_waits_at(".git/refs/heads/main", &[]);
}

#[test]
fn nobody_waits_at_packed_refs() {
    nobody_waits_at(".git/packed-refs", &[]);
}

#[test]
fn nobody_waits_at_the_lock_of_an_index() {
    nobody_waits_at(".git/index.lock", &[]);
}

#[test]
fn nobody_waits_at_the_lock_of_a_head() {
    nobody_waits_at(".git/HEAD.lock", &[]);
}

#[test]
fn nobody_waits_at_an_index() {
    nobody_waits_at(".git/index", &[]);
}

#[test]
fn nobody_waits_at_excludes() {
    nobody_waits_at(".git/info/exclude", &[]);
}

#[test]
fn nobody_waits_at_attributes() {
    nobody_waits_at(".git/info/attributes", &[]);
}

#[test]
fn nobody_waits_at_the_common_directory() {
    nobody_waits_at(".git/commondir", &[]);
}

#[test]
fn nobody_waits_at_alternates() {
    nobody_waits_at(".git/objects/info/alternates", &[]);
}

#[test]
fn nobody_waits_at_a_shared_index() {
    nobody_waits_at(".git/sharedindex.0123456789012345678901234567890123456789", &[]);
}

#[test]
fn nobody_waits_at_the_log_of_a_head() {
    nobody_waits_at(".git/logs/HEAD", &[]);
}

#[test]
fn nobody_waits_at_the_list_of_cut_off_commits() {
    nobody_waits_at(".git/shallow", &[]);
}

#[test]
fn nobody_waits_at_a_merge_under_way() {
    nobody_waits_at(".git/MERGE_HEAD", &[]);
}

#[test]
fn nobody_waits_at_the_rules_in_the_tree() {
    nobody_waits_at(".gitignore", &[]);
    nobody_waits_at(".gitattributes", &[]);
}

#[test]
fn nobody_waits_at_rules_deeper_in_the_tree() {
    nobody_waits_at("src/.gitignore", &[]);
}

#[test]
fn nobody_waits_at_a_protected_file() {
    nobody_waits_at("t.sh", &["--protect", "t.sh"]);
}

#[test]
fn nobody_waits_at_a_config_file() {
    nobody_waits_at("windlass.toml", &[]);
}

#[test]
fn nobody_waits_at_a_second_config_of_git() {
    nobody_waits_at(".git/config.worktree", &[]);
}

/// The same for a nested repository that the index names.
#[test]
fn nobody_waits_at_the_head_of_a_nested_repository() {
    for file in ["HEAD", "commondir", "packed-refs", "refs/heads/main"] {
        for kind in ["fifo {}", "link {} /dev/zero", "sparse {}"] {
            let scene = Scene::new();
            let start = scene.env.git(["rev-parse", "HEAD"]);
            let link = format!("160000,{},sub", start.trim());
            scene.env.git(["update-index", "--add", "--cacheinfo", &link]);
            let head = "text sub/.git/HEAD ref: refs/heads/main\\n; text sub/.git/objects/x x";
            let plant = kind.replace("{}", &format!("sub/.git/{file}"));
            let agent = scene.planter(&format!("{head}; {plant}"), "date +%N >> a.txt");
            let sandbox = if has_bwrap() { "bwrap" } else { "none" };
            let ran = scene.iterate(sandbox, &agent, &["--max-duration", "5s"]);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
            drop(scene.call(&["diff"]));
        }
    }
}

/// The same for `.git` itself, where there was a file or nothing.
#[test]
fn nobody_waits_at_a_git_file() {
    for kind in ["fifo .git", "link .git /dev/zero", "sparse .git", "link .git .git"] {
        let scene = Scene::outside_git();
        let agent = scene.planter(kind, "date +%N >> a.txt");
        let sandbox = if has_bwrap() { "bwrap" } else { "none" };
        let ran = scene.iterate(sandbox, &agent, &["--max-duration", "5s"]);
        assert!(ran.duration < BOUND, "{kind}: {ran}");
        for args in [&["status"][..], &["diff"], &["doctor"], &["config"]] {
            drop(scene.call(args));
        }
        let ran = scene.iterate(sandbox, &agent, &["--max-duration", "5s"]);
        assert!(ran.duration < BOUND, "{kind}: {ran}");
    }
}

#[test]
fn nobody_waits_at_a_task_file() {
    for kind in KINDS {
        let scene = Scene::new();
        scene.env.write("TASKS.md", "- [ ] write a\n");
        let agent = scene.planter(&kind.replace("{}", "TASKS.md"), "date +%N >> a.txt");
        let sandbox = if has_bwrap() { "bwrap" } else { "none" };
        for command in [&["tasks"][..], &["develop"]] {
            let args = ["--tasks", "TASKS.md", "--sandbox", sandbox, "--max-duration", "5s"];
            let call = scene.env.command(command).args(args).args(["--grace", "1s", "-c"]);
            let ran = scene.watch(call.arg(&agent));
            assert!(ran.duration < BOUND, "{kind}: {ran}");
        }
    }
}

#[test]
fn nobody_waits_where_a_review_is_kept() {
    for path in [".review-output.md", ".review-output.md.windlass-new"] {
        for kind in KINDS {
            let plant = kind.replace("{}", path);
            let scene = Scene::new();
            let agent = scene.planter(&plant, "echo '{\"findings\": []}'");
            let sandbox = if has_bwrap() { "bwrap" } else { "none" };
            for phase in ["review", "parse"] {
                let args = ["heal", "--start-at", phase, "--sandbox", sandbox, "--grace", "1s"];
                let call = scene.env.command(args).args(["--max-duration", "5s", "-c"]);
                let ran = scene.watch(call.arg(&agent));
                assert!(ran.duration < BOUND, "{plant}: {ran}");
            }
        }
    }
}

#[test]
fn nobody_waits_where_tests_are_looked_for() {
    for name in ["package.json", "pyproject.toml", "Makefile", "setup.cfg", "Cargo.toml"] {
        for kind in ["fifo {}", "link {} /dev/zero", "sparse {}"] {
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

/// One SIGINT ends a loop that meets a trap, whatever it does just then.
#[test]
fn one_interrupt_ends_a_loop_that_has_met_a_trap() {
    for plant in [
        "fifo .git/HEAD",
        "fifo .git/refs/heads/main",
        "fifo .git/packed-refs; gone .git/refs/heads/main",
        "fifo .git/index.lock",
        "fifo .git/index",
        "fifo .git/info/exclude",
        "sparse t.sh",
        "sparse new",
        "sparse README.md",
        "sparse .git/index",
        "link .git/index /dev/zero",
        "link .git/HEAD /dev/zero",
    ] {
        let scene = Scene::new();
        scene.env.write("t.sh", "true\n");
        let agent = scene.planter(plant, &format!("touch .done; echo '{COMPLETE}'; sleep 0.2"));
        let sandbox = if has_bwrap() { "bwrap" } else { "none" };
        let args = ["iterate", "-p", "x", "--sandbox", sandbox, "--auto-commit", "--grace", "1s"];
        let call = scene.env.command(args).args(["--protect", "t.sh", "-c"]).arg(&agent);
        drop(scene.interrupt(call, &scene.env.work().join(".done")));
    }
}

/// `cancel` ends it too.
#[test]
fn a_cancel_ends_a_loop_that_has_met_a_trap() {
    for plant in ["fifo .git/HEAD", "sparse t.sh", "sparse README.md"] {
        let scene = Scene::new();
        scene.env.write("t.sh", "true\n");
        let agent = scene.planter(plant, &format!("touch .done; echo '{COMPLETE}'"));
        let sandbox = if has_bwrap() { "bwrap" } else { "none" };
        let args = ["iterate", "-p", "x", "--sandbox", sandbox, "--grace", "1s", "--name", "mine"];
        let call = scene.env.command(args).args(["--protect", "t.sh", "-c"]).arg(&agent);
        let mut running = call.limit(BOUND * 3).spawn();
        let done = scene.env.work().join(".done");
        testkit::wait_until("it is planted", BOUND, || done.exists() || !running.is_running());
        std::thread::sleep(Duration::from_millis(700));
        let ran = scene.watch(scene.env.command(["cancel", "mine"]));
        assert!(ran.duration < BOUND, "{plant}: {ran}");
        testkit::wait_until(plant, BOUND, || !running.is_running());
    }
}
