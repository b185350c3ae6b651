//! Links where git writes on behalf of windlass: logs, refs, the index, objects, worktrees.

use super::{Scene, in_every_sandbox, in_sandboxes};
use crate::COMPLETE;

/// A loop whose work windlass commits after its agent has planted.
fn committed(scene: &Scene, sandbox: &str, plants: &str) {
    let agent = scene.planter(plants, &format!("date +%N >> a.txt; echo '{COMPLETE}'"));
    drop(scene.iterate(sandbox, &agent, &["--auto-commit"]));
}

#[test]
fn a_commit_is_not_logged_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        committed(scene, sandbox, "link .git/logs/HEAD ~/.bashrc");
    });
}

#[test]
fn a_commit_is_not_logged_through_a_link_that_leads_nowhere() {
    in_every_sandbox(|scene, sandbox| {
        committed(scene, sandbox, "link .git/logs/refs/heads/main ~/.hushlogin");
    });
}

#[test]
fn a_commit_is_not_logged_in_a_folder_that_is_a_link() {
    in_every_sandbox(|scene, sandbox| committed(scene, sandbox, "link .git/logs ~/.config"));
}

#[test]
fn an_index_is_not_written_through_a_link() {
    in_every_sandbox(|scene, sandbox| committed(scene, sandbox, "link .git/index ~/.hushlogin"));
}

#[test]
fn an_index_is_not_locked_outside_of_the_tree() {
    in_every_sandbox(|scene, sandbox| {
        let plants = "move .git/index .git/was; link .git/index ~/private/.git/index";
        committed(scene, sandbox, plants);
    });
}

#[test]
fn a_branch_is_not_moved_in_a_folder_that_is_a_link() {
    in_every_sandbox(|scene, sandbox| {
        committed(scene, sandbox, "link .git/refs/heads ~/private/.git/refs/heads");
    });
}

#[test]
fn objects_are_not_written_into_folders_that_are_links() {
    in_every_sandbox(|scene, sandbox| {
        let plants: Vec<String> = (0..256)
            .filter(|number| !scene.env.work().join(format!(".git/objects/{number:02x}")).exists())
            .map(|number| format!("link .git/objects/{number:02x} ~/.config"))
            .collect();
        committed(scene, sandbox, &plants.join(";"));
    });
}

#[test]
fn a_pack_is_not_written_into_a_folder_that_is_a_link() {
    in_every_sandbox(|scene, sandbox| {
        let agent = scene.planter(
            "link .git/objects/pack ~/.config",
            &format!("for n in $(seq 300); do echo $n > f$n; done; echo '{COMPLETE}'"),
        );
        drop(scene.iterate(sandbox, &agent, &["--auto-commit"]));
    });
}

#[test]
fn a_worktree_is_not_registered_in_a_folder_that_is_a_link() {
    in_every_sandbox(|scene, sandbox| {
        let agent = scene.planter("link .git/worktrees ~/.config", &format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]));
        let agent = scene.env.agent_sh(&format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &["--worktree", "topic"]));
        drop(scene.call(&["gc"]));
    });
}

/// A loop in its own worktree, which plants files in the shared git directory, and is merged
/// afterwards.
fn merged(scene: &Scene, sandbox: &str, plants: &[&str]) {
    let common = scene.env.work().join(".git");
    let plants: Vec<String> =
        plants.iter().map(|plant| plant.replace(".git", &common.to_string_lossy())).collect();
    let agent = scene.planter(
        &plants.join(";"),
        &format!("echo x > a.txt; git add a.txt; git commit -qm a; echo '{COMPLETE}'"),
    );
    drop(scene.iterate(sandbox, &agent, &["--worktree", "topic", "--name", "mine"]));
    drop(scene.call(&["merge", "mine"]));
}

#[test]
fn a_merge_does_not_write_its_mark_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        merged(scene, sandbox, &["link .git/windlass-mark ~/.bashrc"]);
    });
}

#[test]
fn a_merge_does_not_write_its_index_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        merged(scene, sandbox, &["link .git/windlass-index ~/.bashrc"]);
    });
}

#[test]
fn a_merge_does_not_log_through_a_link() {
    in_every_sandbox(|scene, sandbox| {
        let plants = ["link .git/logs/refs/heads/main ~/.bashrc", "link .git/logs/HEAD ~/.netrc"];
        merged(scene, sandbox, &plants);
    });
}

#[test]
fn a_merge_does_not_check_out_through_directories_that_are_links() {
    in_every_sandbox(|scene, sandbox| {
        let work = scene.env.work();
        let body = format!(
            "mkdir -p {name}; echo x > {name}/a.txt; git add {name}; git commit -qm a\n\
             echo '{COMPLETE}'",
            name = super::treasure::NAME.replace("letters", "links"),
        );
        let agent = scene.env.agent_sh(&body);
        drop(scene.iterate(sandbox, &agent, &["--worktree", "topic", "--name", "mine"]));
        // Another loop, in the user's own tree, has put a link where the merge would write.
        let name = super::treasure::NAME.replace("letters", "links");
        scene.plant_now(&format!("link {name} ~/.config"));
        drop(scene.call(&["merge", "mine"]));
        assert!(work.join(&name).symlink_metadata().is_ok());
    });
}

#[test]
fn a_worktree_whose_link_was_turned_is_removed_nowhere_else() {
    // With bwrap that file is sealed.
    in_sandboxes(&["none", "landlock"], |scene, sandbox| {
        let private = scene.env.home().join("private");
        let plants = format!("text .git gitdir: {}/.git\\n", private.display());
        let agent = scene.planter(&plants, &format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &["--worktree", "topic", "--name", "mine"]));
        for args in [&["merge", "mine", "--commit"][..], &["gc"], &["rm", "mine"]] {
            drop(scene.call(args));
        }
    });
}
