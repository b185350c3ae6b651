//! Links where windlass itself reads: what they lead to is in no prompt, event, output or store.

use super::{Scene, in_every_sandbox, in_sandboxes, treasure::NAME};
use crate::COMPLETE;

/// A loop over a task file that its agent replaces.
fn worked(scene: &Scene, sandbox: &str, file: &str, plants: &str) {
    scene.env.write(file, "- [ ] write a\n- [ ] write b\n");
    let agent = scene.planter(plants, "date +%N >> a.txt");
    let args = ["tasks", "--tasks", file, "--sandbox", sandbox, "--max-iterations", "2"];
    drop(scene.watch(scene.env.command(args).args(["--grace", "1s", "-c"]).arg(agent)));
}

#[test]
fn a_task_file_is_not_read_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        worked(scene, sandbox, "TASKS.md", "link TASKS.md ~/.ssh/id_rsa");
    });
}

#[test]
fn a_task_file_is_not_read_through_a_link_in_the_middle_of_its_path() {
    in_every_sandbox(|scene, sandbox| worked(scene, sandbox, "plan/.netrc", "link plan ~"));
}

#[test]
fn a_task_file_is_not_read_through_the_root_of_a_process() {
    in_every_sandbox(|scene, sandbox| {
        let key = scene.env.home().join(".netrc");
        let plants = format!("link TASKS.md /proc/self/root{}", key.display());
        worked(scene, sandbox, "TASKS.md", &plants);
    });
}

#[test]
fn a_task_file_that_is_developed_is_not_read_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("TASKS.md", "- [ ] write a\n- [ ] write b\n");
        let agent = scene.planter(
            "link TASKS.md ~/.ssh/id_rsa",
            "[ -e a.txt ] || echo x > a.txt; echo APPROVED",
        );
        let args = ["develop", "--tasks", "TASKS.md", "--sandbox", sandbox, "--grace", "1s", "-c"];
        drop(scene.watch(scene.env.command(args).arg(agent)));
    });
}

#[test]
fn a_plan_is_not_read_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("PLAN.md", "first a, then b\n");
        let agent = scene.planter("link PLAN.md ~/.ssh/id_rsa", "date +%N >> a.txt; echo hm");
        let args = ["develop", "-p", "x", "--plan", "PLAN.md", "--sandbox", sandbox];
        let call = scene.env.command(args).args(["--max-iterations", "2", "--grace", "1s", "-c"]);
        drop(scene.watch(call.arg(agent)));
    });
}

#[test]
fn a_kept_review_is_not_read_through_a_link() {
    for phase in ["parse", "fix"] {
        in_every_sandbox(|scene, sandbox| {
            scene.plant_now("link .review-output.md ~/.ssh/id_rsa");
            let agent = scene.env.agent_sh("echo '{\"findings\": []}'");
            let args = ["heal", "--start-at", phase, "--test", "true", "--sandbox", sandbox, "-c"];
            drop(scene.watch(scene.env.command(args).arg(agent)));
        });
    }
}

#[test]
fn a_kept_review_is_not_read_where_the_loops_own_directory_has_become_a_link() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("sub/.review-output.md", "Words.\n");
        // An earlier agent of a loop above has put the link there: it is not what it was.
        scene.plant_now("gone sub; link sub ~");
        let agent = scene.env.agent_sh("echo '{\"findings\": []}'");
        let args = ["heal", "--start-at", "parse", "--sandbox", sandbox, "-c"];
        drop(scene.watch(scene.env.command(args).arg(agent).args(["-C", "sub"])));
    });
}

#[test]
fn what_is_behind_a_protected_directory_that_became_a_link_is_not_named() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("tests/t.sh", "true\n");
        let agent = scene.planter("move tests .tests; link tests ~", &format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &["--protect", "tests/**"]));
    });
}

#[test]
fn what_is_behind_a_deeper_protected_directory_that_became_a_link_is_not_named() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("a/tests/t.sh", "true\n");
        let agent = scene.planter("gone a; link a ~", &format!("echo '{COMPLETE}'"));
        let protect = format!("a/{}/**", NAME.replace("-to-my-notary", "*"));
        drop(scene.iterate(sandbox, &agent, &["--protect", "a/**", "--protect", &protect]));
    });
}

#[test]
fn a_protected_file_that_became_a_link_is_not_hashed() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("t.sh", "true\n");
        let agent = scene.planter("link t.sh ~/.netrc", &format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &["--protect", "t.sh", "--check", "sh t.sh"]));
        let sum = scene.env.other("sha256sum", [scene.env.home().join(".netrc")]).run().success();
        let sum = sum.stdout.split_whitespace().next().unwrap().to_owned();
        let told = scene.env.sql("SELECT body FROM events");
        assert!(!told.contains(&sum), "{sandbox}: the hash of a key is kept");
    });
}

/// An agent replaces a file that git keeps in the repository with a link to a secret; windlass commits
/// and shows the diff.
fn kept_by_git(plants: &str) {
    in_every_sandbox(|scene, sandbox| {
        let agent = scene.planter(plants, &format!("date +%N >> a.txt; echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &["--auto-commit"]));
        drop(scene.call(&["diff"]));
        drop(scene.call(&["rollback", "0"]));
    });
}

#[test]
fn the_excludes_of_git_are_not_copied_through_a_link() {
    kept_by_git("link .git/info/exclude ~/.ssh/id_rsa");
}

#[test]
fn the_attributes_of_git_are_not_copied_through_a_link() {
    kept_by_git("link .git/info/attributes ~/.ssh/id_rsa");
}

#[test]
fn the_folder_of_excludes_is_not_copied_through_a_link() {
    kept_by_git("link .git/info ~/letters");
}

#[test]
fn the_shared_part_of_an_index_is_not_copied_through_a_link() {
    kept_by_git("link .git/sharedindex.0123456789012345678901234567890123456789 ~/.ssh/id_rsa");
}

#[test]
fn packed_refs_that_are_a_link_are_not_quoted() {
    kept_by_git("link .git/packed-refs ~/.ssh/id_rsa");
}

#[test]
fn alternates_that_are_a_link_are_not_quoted() {
    kept_by_git("link .git/objects/info/alternates ~/.ssh/id_rsa");
}

#[test]
fn the_list_of_cut_off_commits_that_is_a_link_is_not_quoted() {
    kept_by_git("link .git/shallow ~/.ssh/id_rsa");
}

#[test]
fn a_head_that_is_a_link_is_not_quoted() {
    kept_by_git("link .git/HEAD ~/.ssh/id_rsa");
}

#[test]
fn a_branch_that_is_a_link_is_not_quoted() {
    kept_by_git("link .git/refs/heads/main ~/.ssh/id_rsa");
}

#[test]
fn the_index_of_another_repository_is_not_listed() {
    kept_by_git("link .git/index ~/private/.git/index");
}

#[test]
fn rules_of_git_in_the_tree_are_not_read_through_links() {
    kept_by_git(
        "link .gitignore ~/.netrc; link .gitattributes ~/.netrc; link .mailmap ~/.netrc; \
         link .gitmodules ~/.netrc",
    );
}

#[test]
fn a_config_of_git_that_is_a_link_is_not_quoted() {
    // With bwrap it is sealed.
    in_sandboxes(&["none", "landlock"], |scene, sandbox| {
        let agent = scene.planter("link .git/config ~/.netrc", &format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &["--auto-commit"]));
        drop(scene.call(&["diff"]));
        drop(scene.call(&["config", "--origin"]));
    });
}

#[test]
fn the_commit_of_another_repository_is_not_recorded_for_a_nested_one() {
    in_every_sandbox(|scene, sandbox| {
        let private = scene.env.home().join("private");
        let git = scene.env.other("git", ["rev-parse", "HEAD"]).directory(&private);
        let id = git.run().success().stdout.trim().to_owned();
        let start = scene.env.git(["rev-parse", "HEAD"]);
        let link = format!("160000,{},sub", start.trim());
        scene.env.git(["update-index", "--add", "--cacheinfo", &link]);
        let plants = format!("text sub/.git gitdir: {}/.git\\n", private.display());
        let agent = scene.planter(&plants, &format!("echo x > a.txt; echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]));
        let diff = scene.call(&["diff"]);
        assert!(!diff.stdout.contains(&id[..7]), "{sandbox}: {diff}");
    });
}

#[test]
fn what_the_user_names_in_the_tree_is_not_read_through_a_link_that_leads_out() {
    for (command, flag) in [
        ("iterate", "--prompt-file"),
        ("develop", "--task-file"),
        ("develop", "--plan"),
        ("heal", "--findings"),
    ] {
        in_sandboxes(&["bwrap"], |scene, sandbox| {
            scene.plant_now("link GIVEN.md ~/.netrc");
            let agent = scene.env.agent_sh("echo APPROVED; echo '{\"findings\": []}'");
            let mut args = vec![command, flag, "GIVEN.md", "--sandbox", sandbox];
            args.extend(["--max-iterations", "1"].iter().filter(|_| command != "heal"));
            args.extend(["-p", "x"].iter().filter(|_| flag == "--plan"));
            drop(scene.watch(scene.env.command(args).arg("-c").arg(agent)));
        });
    }
}

#[test]
fn a_config_file_that_is_a_link_is_not_quoted() {
    in_every_sandbox(|scene, sandbox| {
        scene.plant_now("link windlass.toml ~/.netrc");
        let agent = scene.env.agent_sh(&format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]));
        for args in [&["config"][..], &["trust"], &["doctor"], &["config", "--origin"]] {
            drop(scene.call(args));
        }
    });
}

#[test]
fn a_config_file_that_names_links_as_prompts_does_not_show_them() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("windlass.toml", "[prompts]\nreviewer = \"prompts/a.md\"\n");
        scene.plant_now("link prompts ~; link a.md ~/.netrc");
        let agent = scene.env.agent_sh(&format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]));
        for args in [&["trust"][..], &["config"], &["doctor"]] {
            drop(scene.call(args));
        }
    });
}

#[test]
fn a_task_file_that_was_made_a_link_before_the_loop_is_not_read() {
    for command in ["tasks", "develop"] {
        in_every_sandbox(|scene, sandbox| {
            scene.plant_now("link TASKS.md ~/.netrc");
            let agent = scene.env.agent_sh("echo APPROVED");
            let args = [command, "--tasks", "TASKS.md", "--sandbox", sandbox];
            let call = scene.env.command(args).args(["--max-iterations", "1", "-c"]);
            drop(scene.watch(call.arg(agent)));
        });
    }
}

#[test]
fn what_windlass_was_started_with_is_not_copied_through_a_link() {
    for path in [".git/info/exclude", ".git/info/attributes", ".git/sharedindex.0", "TASKS.md"] {
        in_every_sandbox(|scene, sandbox| {
            scene.env.write("TASKS.md", "- [ ] write a\n");
            let plants = format!("link {path} /proc/self/environ");
            let agent = scene.planter(&plants, "date +%N >> a.txt");
            let args = ["tasks", "--tasks", "TASKS.md", "--sandbox", sandbox, "--auto-commit"];
            let call = scene.env.command(args).args(["--max-iterations", "2", "-c"]).arg(agent);
            drop(scene.watch(call.env("LETTERS", super::treasure::CANARY)));
        });
    }
}

#[test]
fn where_another_worktree_is_said_to_be_is_not_quoted_from_a_secret() {
    in_every_sandbox(|scene, sandbox| {
        let plants = "text .git/worktrees/x/HEAD ref: refs/heads/topic\\n; \
                      text .git/worktrees/x/commondir ../..\\n; \
                      link .git/worktrees/x/gitdir ~/.netrc";
        let agent = scene.planter(plants, &format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]));
        scene.env.git(["branch", "topic"]);
        let agent = scene.env.agent_sh(&format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &["--worktree", "topic"]));
        drop(scene.call(&["merge"]));
        drop(scene.call(&["gc"]));
    });
}
