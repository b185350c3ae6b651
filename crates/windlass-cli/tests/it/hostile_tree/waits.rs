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
    if !testkit::has("prlimit") {
        return;
    }
    for kind in ["fifo {}", "link {} /dev/zero"] {
        let scene = Scene::new();
        let name = ".git/sharedindex.0123456789012345678901234567890123456789";
        let agent = scene.planter(&kind.replace("{}", name), "date +%N >> a.txt");
        let args = ["iterate", "-p", "x", "--max-iterations", "2", "--max-duration", "5s", "-c"];
        let call = scene.env.command(args).arg(agent);
        // Whoever copies it without a bound must not fill the disk of this machine.
        let ran = scene.watch(call.under(["prlimit", "--fsize=1000000000"]));
        assert!(ran.duration < BOUND, "{kind}: {ran}");
        drop(scene.watch(scene.env.command(["diff"]).under(["prlimit", "--fsize=1000000000"])));
    }
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

/// Objects that git reads by name: an agent can replace those that it knows.
#[test]
fn nobody_waits_at_an_object_of_git() {
    for kind in ["fifo {}", "link {} /dev/zero", "sparse {}"] {
        for path in
            ["HEAD", "HEAD^{tree}", "objects/info/commit-graph", "objects/pack/multi-pack-index"]
        {
            let scene = Scene::new();
            let path = match path.strip_prefix("objects") {
                Some(_) => format!(".git/{path}"),
                None => {
                    let id = scene.env.git(["rev-parse", path]);
                    format!(".git/objects/{}/{}", &id[..2], id[2..].trim())
                }
            };
            let plant = kind.replace("{}", &path);
            let agent = scene.planter(&plant, "date +%N >> a.txt");
            let sandbox = if has_bwrap() { "bwrap" } else { "none" };
            let args = ["--auto-commit", "--max-duration", "5s"];
            let ran = scene.iterate(sandbox, &agent, &args);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
            let ran = scene.call(&["diff"]);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
        }
    }
}

/// What git reads of other worktrees.
#[test]
fn nobody_waits_at_other_worktrees() {
    for file in ["gitdir", "HEAD", "commondir", "locked"] {
        for kind in ["fifo {}", "link {} /dev/zero", "sparse {}"] {
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
        }
    }
}

/// A file that is a pipe by turns: whoever looks first and opens then is caught at times.
#[test]
fn nobody_waits_at_a_file_that_is_swapped_for_a_pipe_all_the_time() {
    for path in ["t.sh", ".git/HEAD", ".git/info/exclude", "README.md", "windlass.toml"] {
        let scene = Scene::new();
        scene.env.write("t.sh", "true\n");
        if path == "windlass.toml" {
            scene.env.write(path, "");
        }
        if path == ".git/info/exclude" {
            scene.env.write(path, "");
        }
        let (zoo, root) =
            (scene.env.root().join("bin/zoo"), scene.env.root().display().to_string());
        let plant = format!("swap {path} pipe");
        let swapping = scene.env.other(zoo, ["tree", &plant, &root]).spawn();
        testkit::wait_until("it swaps", BOUND, || swapping.stdout().contains("swapping"));
        let agent = scene.env.agent_sh("date +%N >> a.txt");
        let args = ["--max-iterations", "8", "--protect", "t.sh", "--max-duration", "5s"];
        let ran = scene.iterate("none", &agent, &args);
        assert!(ran.duration < BOUND, "{plant}: {ran}");
        drop(scene.call(&["diff"]));
        drop(swapping);
    }
}

/// Where a loop is cut off by SIGKILL in such a place, the next command still answers.
#[test]
fn a_loop_that_was_killed_at_a_trap_is_taken_up_or_removed() {
    for plant in ["fifo .git/HEAD", "fifo .git/index"] {
        let scene = Scene::new();
        let agent = scene.planter(plant, "touch .done; date +%N >> a.txt");
        let args = ["iterate", "-p", "x", "--max-iterations", "2", "--name", "mine", "-c"];
        let mut running = scene.env.command(args).arg(&agent).limit(BOUND * 3).spawn();
        let done = scene.env.work().join(".done");
        testkit::wait_until("it is planted", BOUND, || done.exists() || !running.is_running());
        std::thread::sleep(Duration::from_millis(500));
        drop(running.kill9());
        for args in [
            &["status", "mine"][..],
            &["diff", "mine"],
            &["resume", "mine", "--max-duration", "5s"],
            &["rollback", "0"],
            &["cancel", "mine"],
            &["rm", "mine"],
            &["gc"],
        ] {
            let ran = scene.call(args);
            assert!(ran.duration < BOUND, "{plant}: {ran}");
        }
    }
}
