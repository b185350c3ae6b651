//! Pipes, devices and files without end at every path that windlass looks at: it says what is
//! wrong or goes on, and never waits for them.

use std::time::Duration;

use super::{Scene, each};
use crate::sandboxes::has_bwrap;

/// What can stand at a path that should hold a small file.
const KINDS: [&str; 5] =
    ["fifo {}", "link {} /dev/zero", "link {} /proc/self/pagemap", "sparse {}", "dir {}"];

/// How long a loop of five seconds may take all in all.
pub(super) const BOUND: Duration = Duration::from_secs(20);

/// The strongest sandbox that this machine has.
pub(super) fn strongest() -> &'static str {
    if has_bwrap() { "bwrap" } else { "none" }
}

/// An agent makes `path` everything that it should not be, one kind per loop; the loop ends in time,
/// and commands that are called afterwards answer.
#[track_caller]
fn nobody_waits_at(path: &str, more: &[&str]) {
    nobody_waits(&KINDS, path, more);
}

#[track_caller]
fn nobody_waits(kinds: &[&str], path: &str, more: &[&str]) {
    each(kinds, |kind| {
        let plant = kind.replace("{}", path);
        let scene = Scene::new();
        let agent = scene.planter(&plant, "date +%N >> a.txt");
        let args = [&["--auto-commit", "--max-duration", "5s"], more].concat();
        let ran = scene.iterate(strongest(), &agent, &args);
        assert!(ran.duration < BOUND, "{plant}: {ran}");
        for args in [&["status"][..], &["diff"]] {
            let ran = scene.call(args);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
        }
        scene.assert_untouched(&plant);
    });
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
    // A lock is waited for, and then told; more kinds would only take longer.
    nobody_waits(&KINDS[..1], ".git/index.lock", &[]);
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
    if !testkit::has("prlimit") {
        return;
    }
    each(&["fifo {}", "link {} /dev/zero"], |kind| {
        let scene = Scene::new();
        let name = ".git/sharedindex.0123456789012345678901234567890123456789";
        let agent = scene.planter(&kind.replace("{}", name), "date +%N >> a.txt");
        let args = ["iterate", "-p", "x", "--max-iterations", "2", "--max-duration", "5s", "-c"];
        let call = scene.env.command(args).arg(agent);
        // An unbounded copy of it must not fill the disk of this machine.
        let ran = scene.watch(call.under(["prlimit", "--fsize=1000000000"]));
        assert!(ran.duration < BOUND, "{kind}: {ran}");
        drop(scene.watch(scene.env.command(["diff"]).under(["prlimit", "--fsize=1000000000"])));
    });
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
fn nobody_waits_at_what_git_ignores() {
    nobody_waits_at(".gitignore", &[]);
}

#[test]
fn nobody_waits_at_the_attributes_in_the_tree() {
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

/// The same for `.git` itself, where there was a file or nothing.
#[test]
fn nobody_waits_at_a_git_file() {
    each(&["fifo .git", "link .git /dev/zero", "sparse .git", "link .git .git"], |kind| {
        let scene = Scene::outside_git();
        let agent = scene.planter(kind, "date +%N >> a.txt");
        let ran = scene.iterate(strongest(), &agent, &["--max-duration", "5s"]);
        assert!(ran.duration < BOUND, "{kind}: {ran}");
        for args in [&["status"][..], &["diff"], &["doctor"], &["config"]] {
            drop(scene.call(args));
        }
        let ran = scene.iterate(strongest(), &agent, &["--max-duration", "5s"]);
        assert!(ran.duration < BOUND, "{kind}: {ran}");
    });
}

#[test]
fn nobody_waits_at_a_task_file() {
    each(&KINDS, |kind| {
        let scene = Scene::new();
        scene.env.write("TASKS.md", "- [ ] write a\n");
        let agent = scene.planter(&kind.replace("{}", "TASKS.md"), "date +%N >> a.txt");
        for command in [&["tasks"][..], &["develop"]] {
            let args = ["--tasks", "TASKS.md", "--sandbox", strongest(), "--max-duration", "5s"];
            let call = scene.env.command(command).args(args).args(["--grace", "1s", "-c"]);
            let ran = scene.watch(call.arg(&agent));
            assert!(ran.duration < BOUND, "{kind}: {ran}");
        }
    });
}
