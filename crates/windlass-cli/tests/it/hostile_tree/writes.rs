//! Links where windlass itself writes: what they lead to stays as it is.

use std::path::Path;

use testkit::Ran;

use super::{Scene, in_every_sandbox, in_sandboxes, in_worlds};
use crate::{
    COMPLETE,
    pr_local::{finding, pump, report},
};

/// What an agent would like to have in a file of the user's.
const WANTED: &str = "alias sudo=sh";

/// A review by an agent that plants first; the review is kept by windlass.
fn reviewed(scene: &Scene, sandbox: &str, plants: &str) -> Ran {
    let said = format!("echo '{WANTED}'; echo '{{\"findings\": []}}'");
    let agent = scene.planter(plants, &said);
    heal(scene, sandbox, &agent)
}

fn heal(scene: &Scene, sandbox: &str, agent: &Path) -> Ran {
    let call = scene.env.command(["heal", "--sandbox", sandbox, "--grace", "1s", "-c"]);
    scene.watch(call.arg(agent))
}

#[test]
fn a_review_is_not_kept_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        drop(reviewed(scene, sandbox, "link .review-output.md ~/.bashrc"));
    });
}

#[test]
fn a_review_is_not_kept_through_a_link_that_leads_nowhere() {
    in_every_sandbox(|scene, sandbox| {
        drop(reviewed(scene, sandbox, "link .review-output.md ~/.ssh/authorized_keys"));
    });
}

#[test]
fn a_review_is_not_kept_through_a_link_of_its_temporary_name() {
    in_every_sandbox(|scene, sandbox| {
        drop(reviewed(scene, sandbox, "link .review-output.md.windlass-new ~/.bashrc"));
    });
}

#[test]
fn a_review_is_not_kept_through_a_temporary_name_that_leads_nowhere() {
    in_every_sandbox(|scene, sandbox| {
        let new = "link .review-output.md.windlass-new ~/.ssh/authorized_keys";
        drop(reviewed(scene, sandbox, new));
    });
}

#[test]
fn a_kept_review_does_not_pass_its_mode_on_to_a_file_of_the_users() {
    in_every_sandbox(|scene, sandbox| {
        // Both lead to the same: only the mode would be another.
        let plants = "text .review-output.md x; mode .review-output.md 777; \
                      link .review-output.md.windlass-new ~/.ssh/id_rsa";
        drop(reviewed(scene, sandbox, plants));
    });
}

#[test]
fn the_excludes_of_git_are_not_added_to_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        drop(reviewed(scene, sandbox, "link .git/info/exclude ~/.bashrc"));
    });
}

#[test]
fn the_excludes_of_git_are_not_made_through_a_link_that_leads_nowhere() {
    in_every_sandbox(|scene, sandbox| {
        drop(reviewed(scene, sandbox, "link .git/info/exclude ~/.hushlogin"));
    });
}

#[test]
fn the_folder_of_excludes_is_not_made_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        drop(reviewed(scene, sandbox, "link .git/info ~/.config"));
    });
}

#[test]
fn the_folder_of_a_list_is_not_followed_out_of_the_tree() {
    listed("link lists ~", "lists/list.md");
}

#[test]
fn the_folders_of_a_list_are_not_made_outside_of_the_tree() {
    listed("link lists ~/.config", "lists/deeper/list.md");
}

#[test]
fn a_list_is_not_written_through_a_link() {
    listed("link windlass-findings.md ~/.bashrc", "windlass-findings.md");
}

#[test]
fn a_list_is_not_written_through_a_link_of_its_temporary_name() {
    listed("link windlass-findings.md.windlass-new ~/.bashrc", "windlass-findings.md");
}

#[test]
fn a_list_is_not_written_through_a_temporary_name_that_leads_nowhere() {
    listed("link windlass-findings.md.windlass-new ~/.hushlogin", "windlass-findings.md");
}

/// Has auditors find something while one of them plants; the list of it is windlass's to write.
#[track_caller]
fn listed(plants: &str, output: &str) {
    in_worlds(
        || Scene::of(pump()),
        &["none", "landlock", "bwrap"],
        |scene, sandbox| {
            let said = report(&[finding("HIGH", 2, WANTED)]);
            let agent = scene.planter(plants, &format!("cat <<'END'\n{said}\nEND"));
            let args = ["pr", "--local", "--base", "main", "--sandbox", sandbox, "--jobs", "2"];
            let call = scene.env.command(args).args(["--output", output, "--grace", "1s", "-c"]);
            drop(scene.watch(call.arg(agent)));
        },
    );
}

/// Tasks that are developed by an agent which plants, and ticked by windlass.
fn ticked(scene: &Scene, sandbox: &str, file: &str, plants: &str) -> Ran {
    scene.env.write(file, "- [ ] write a\n");
    let agent = scene.planter(plants, "[ -e a.txt ] || echo x > a.txt; echo APPROVED");
    let args = ["develop", "--tasks", file, "--sandbox", sandbox, "--grace", "1s"];
    scene.watch(scene.env.command(args).args(["--max-iterations", "2", "-c"]).arg(agent))
}

#[test]
fn a_task_is_not_ticked_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        drop(ticked(scene, sandbox, "TASKS.md", "link TASKS.md ~/errands.md"));
    });
}

#[test]
fn a_task_is_not_ticked_through_a_link_of_the_temporary_name() {
    in_every_sandbox(|scene, sandbox| {
        drop(ticked(scene, sandbox, "TASKS.md", "link TASKS.md.windlass-new ~/.bashrc"));
    });
}

#[test]
fn a_task_is_not_ticked_through_a_link_in_the_middle_of_its_path() {
    in_every_sandbox(|scene, sandbox| {
        drop(ticked(scene, sandbox, "plan/errands.md", "link plan ~"));
    });
}

#[test]
fn a_task_is_not_ticked_through_a_hard_link() {
    // In a sandbox no such link can be made: it would cross a mount, or the kernel refuses it.
    // What the agent links into its tree is a file of the tree, and in the diff like others.
    let scene = Scene::new();
    drop(ticked(&scene, "none", "TASKS.md", "hard TASKS.md.windlass-new ~/.bashrc"));
    scene.assert_untouched("none");
}

#[test]
fn a_loop_does_not_go_on_where_its_own_directory_has_become_a_link() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("sub/file", "x");
        let plants = "move ../sub ../aside; link ../sub ~";
        let agent = scene.planter(plants, "echo '{\"findings\": [{\"title\": \"it is wrong\"}]}'");
        let call = scene.env.command(["heal", "--sandbox", sandbox, "--grace", "1s", "-c"]);
        let call = call.arg(agent).directory(scene.env.work().join("sub"));
        drop(scene.watch(call));
    });
}

#[test]
fn a_rollback_does_not_write_through_directories_that_have_become_links() {
    in_every_sandbox(|scene, sandbox| {
        scene.env.write("src/.bashrc", "ours\n");
        scene.env.write("src/deep/errands.md", "ours\n");
        scene.env.git(["add", "src"]);
        scene.env.git(["commit", "-qm", "src"]);
        let plants = "gone src; link src ~";
        let agent = scene.planter(plants, &format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]).success());
        drop(scene.call(&["rollback", "0"]));
        assert_eq!(scene.env.read("src/.bashrc"), "ours\n");
    });
}

#[test]
fn a_rollback_does_not_remove_through_directories_that_have_become_links() {
    in_every_sandbox(|scene, sandbox| {
        let agent =
            scene.env.agent_sh(&format!("mkdir -p new; touch new/.bashrc; echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]).success());
        scene.plant_now("gone new; link new ~");
        drop(scene.call(&["rollback", "0"]));
    });
}

#[test]
fn a_second_config_of_git_is_not_made_through_a_link() {
    in_sandboxes(&["bwrap"], |scene, sandbox| {
        scene.env.git(["config", "extensions.worktreeConfig", "true"]);
        scene.plant_now("link .git/config.worktree ~/.hushlogin");
        let agent = scene.env.agent_sh(&format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]));
    });
}
