//! What belongs to a tree: a `.git` that leads elsewhere does not bring the user's other
//! repositories into a sandbox, nor commits into them; those that lead back still work.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::fs;

use testkit::Env;

use super::{Scene, in_every_sandbox, in_sandboxes, in_worlds};
use crate::{
    COMPLETE,
    oracle::{assert_sound, has_store},
};

/// What an agent does to see the user's other repository, and to change it.
fn curious(env: &Env) -> String {
    let private = env.home().join("private");
    format!(
        "cat {private}/.git/HEAD {private}/.git/config && echo SEEN\n\
         echo planted > {private}/.git/description && echo WRITTEN\n\
         date +%N >> a.txt; echo '{COMPLETE}'",
        private = private.display()
    )
}

/// No agent has said that it saw or wrote what it should not.
#[track_caller]
fn assert_in_the_dark(scene: &Scene) {
    if !has_store(&scene.env) {
        return;
    }
    let said = scene.env.sql("SELECT content FROM messages");
    assert!(!said.contains("SEEN") && !said.contains("WRITTEN"), "{said}");
}

/// Plants where there is no repository, then runs a second loop in `directory`.
fn second_loop(plants: &str, directory: &str) {
    in_worlds(Scene::outside_git, &["none", "landlock", "bwrap"], |scene, sandbox| {
        fs::create_dir(scene.env.work().join("sub")).unwrap();
        let private = scene.env.home().join("private");
        let plants = plants.replace("PRIVATE", &private.to_string_lossy());
        let first = scene.planter(&plants, &format!("echo '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &first, &[]));
        let curious = match sandbox {
            // Without a sandbox it can do all of this itself.
            "none" => scene.env.agent_sh(&format!("date +%N >> a.txt; echo '{COMPLETE}'")),
            _ => scene.env.agent_sh(&curious(&scene.env)),
        };
        let args = ["iterate", "-p", "x", "--sandbox", sandbox, "--auto-commit", "-c"];
        let call = scene.env.command(args).arg(curious).args(["-C", directory]);
        drop(scene.watch(call));
        assert_in_the_dark(scene);
        for args in [&["diff"][..], &["rollback", "0"], &["status"], &["gc"]] {
            drop(scene.call(args));
        }
    });
}

#[test]
fn a_git_file_that_leads_to_another_repository_does_not_count() {
    second_loop("text .git gitdir: PRIVATE/.git\\n", ".");
}

#[test]
fn a_link_to_another_repository_does_not_count() {
    second_loop("link .git PRIVATE/.git", ".");
}

#[test]
fn a_git_directory_whose_parts_lie_in_another_repository_does_not_count() {
    second_loop("text .git/HEAD ref: refs/heads/main\\n; text .git/commondir PRIVATE/.git\\n", ".");
}

#[test]
fn a_git_directory_whose_parts_are_links_into_another_repository_does_not_count() {
    second_loop(
        "text .git/HEAD ref: refs/heads/main\\n; link .git/objects PRIVATE/.git/objects; \
         link .git/refs PRIVATE/.git/refs; text .git/config x",
        ".",
    );
}

#[test]
fn a_git_file_above_the_directory_does_not_count() {
    second_loop("text .git gitdir: PRIVATE/.git\\n", "sub");
}

#[test]
fn a_git_file_that_leads_there_by_way_of_a_git_directory_of_the_agents_does_not_count() {
    second_loop(
        "text .git gitdir: own\\n; text own/HEAD ref: refs/heads/main\\n; \
         text own/commondir PRIVATE/.git\\n; text own/gitdir PRIVATE/.git\\n",
        ".",
    );
}

#[test]
fn a_git_file_that_leads_to_the_entry_of_another_worktree_does_not_count() {
    let make = || Scene::of(with_linked_worktree());
    in_worlds(make, &["landlock", "bwrap"], |scene, sandbox| {
        let entry = scene.env.home().join("second/.git/worktrees/linked");
        scene.plant_now(&format!("text .git gitdir: {}\\n", entry.display()));
        let body = format!("cat {}/HEAD && echo SEEN; echo '{COMPLETE}'", entry.display());
        let agent = scene.env.agent_sh(&body);
        drop(scene.iterate(sandbox, &agent, &["--auto-commit"]));
        assert_in_the_dark(scene);
    });
}

/// A world that is no repository, and another repository in the home that has a worktree there.
fn with_linked_worktree() -> Env {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let second = env.home().join("second");
    fs::create_dir(&second).unwrap();
    let calls: [&[&str]; 3] = [
        &["init", "-q", "-b", "main"],
        &["commit", "-q", "--allow-empty", "-m", "x"],
        &["worktree", "add", "-q", "../linked"],
    ];
    for call in calls {
        drop(env.other("git", call).directory(&second).run().success());
    }
    env
}

/// Parts of a repository that sandboxes put up again inside, made links by an earlier agent.
#[track_caller]
fn sealed(plants: &str, look: &str) {
    in_worlds(nameless, &["bwrap"], |scene, sandbox| {
        scene.plant_now(plants);
        let home = scene.env.home();
        let look = look.replace('~', &home.to_string_lossy());
        let agent = scene.env.agent_sh(&format!("{look} && echo SEEN\necho '{COMPLETE}'"));
        drop(scene.iterate(sandbox, &agent, &[]));
        assert_in_the_dark(scene);
    });
}

/// A world whose user has told git no name: then windlass writes nothing into the home inside,
/// which would fail where that is the user's own, and so hide that it is.
fn nameless() -> Scene {
    let env = crate::world();
    fs::remove_file(env.home().join(".gitconfig")).unwrap();
    Scene::of(env)
}

#[test]
fn hooks_of_a_module_that_are_a_link_show_nothing_of_the_home() {
    sealed("text .git/modules/x/HEAD x; way .git/modules/x/hooks ~", "ls ~/.ssh");
    sealed("text .git/modules/x/HEAD x; link .git/modules/x/hooks ~", "ls ~/.ssh");
}

#[test]
fn a_config_of_a_module_that_is_a_link_shows_nothing_of_the_home() {
    sealed("text .git/modules/x/HEAD x; way .git/modules/x/config ~/.netrc", "cat ~/.netrc");
    let by_way = "cat .git/modules/x/config";
    sealed("text .git/modules/x/HEAD x; link .git/modules/x/config ~/.netrc", by_way);
}

#[test]
fn hooks_that_are_a_link_show_nothing_of_the_home() {
    sealed("gone .git/hooks; way .git/hooks ~", "ls ~/.ssh");
    sealed("gone .git/hooks; link .git/hooks ~/.ssh", "cat .git/hooks/id_rsa");
}

#[test]
fn worktrees_that_are_a_link_show_nothing_of_the_home() {
    sealed("way .git/worktrees ~", "ls ~/.ssh");
    sealed("link .git/worktrees ~/.ssh", "cat .git/worktrees/id_rsa");
}

#[test]
fn a_second_config_that_is_a_link_shows_nothing_of_the_home() {
    sealed("way .git/config.worktree ~/.netrc", "cat ~/.netrc");
}

#[test]
fn a_config_of_jj_that_is_a_link_shows_nothing_of_the_home() {
    sealed("text .jj/repo/store/x x; way .jj/repo/config.toml ~/.netrc", "cat ~/.netrc");
    sealed("way .jj/repo ~", "ls ~/.ssh");
    sealed("way .jj ~", "ls ~/.ssh");
}

#[test]
fn a_pinned_directory_that_is_a_link_lets_nothing_be_written() {
    in_worlds(nameless, &["bwrap"], |scene, sandbox| {
        scene.plant_now("way .jj ~");
        let home = scene.env.home();
        let agent = scene.env.agent_sh(&format!(
            "touch {}/.hushlogin; echo x > .jj/.hushlogin; echo '{COMPLETE}'",
            home.display()
        ));
        drop(scene.iterate(sandbox, &agent, &[]));
    });
}

#[test]
fn modules_of_git_that_cannot_be_sealed_are_told_and_named() {
    in_sandboxes(&["bwrap"], |scene, sandbox| {
        scene.plant_now("text .git/modules/x/HEAD x; fifo .git/modules/x/hooks");
        let agent = scene.env.agent_sh(&format!("echo '{COMPLETE}'"));
        let ran = scene.iterate(sandbox, &agent, &[]);
        assert!(ran.code == Some(0) || ran.stderr.contains("hooks"), "{ran}");
    });
}

#[test]
fn a_linked_worktree_still_works_in_every_sandbox() {
    in_every_sandbox(|scene, sandbox| {
        let linked = scene.env.root().join("linked");
        let path = linked.to_string_lossy().into_owned();
        scene.env.git(["worktree", "add", "-q", "-b", "topic", &path]);
        let body = format!(
            "echo x > a.txt; git add a.txt; git commit -qm a; echo x > b.txt; echo '{COMPLETE}'"
        );
        let agent = scene.env.agent_sh(&body);
        let args = ["iterate", "-p", "x", "--sandbox", sandbox, "--auto-commit", "-c"];
        let call = scene.env.command(args).arg(agent).directory(&linked);
        drop(scene.watch(call).success());
        let log = scene.env.git(["log", "--format=%s", "topic"]);
        assert_eq!(log, "loop: iteration 1\na\nstart\n", "{sandbox}");
        assert_sound(&scene.env);
    });
}

#[test]
fn a_submodule_still_works_in_every_sandbox() {
    in_every_sandbox(|scene, sandbox| {
        let source = scene.env.root().join("source");
        fs::create_dir(&source).unwrap();
        let calls: [&[&str]; 2] =
            [&["init", "-q", "-b", "main"], &["commit", "-q", "--allow-empty", "-m", "x"]];
        for call in calls {
            drop(scene.env.other("git", call).directory(&source).run().success());
        }
        let source = source.to_string_lossy().into_owned();
        let add = ["-c", "protocol.file.allow=always", "submodule", "add", "-q", &source, "mod"];
        scene.env.git(add);
        scene.env.git(["commit", "-qm", "module"]);
        let agent = scene.env.agent_sh(&format!("echo x > a.txt; echo '{COMPLETE}'"));
        let args = ["iterate", "-p", "x", "--sandbox", sandbox, "--auto-commit", "-c"];
        let module = scene.env.work().join("mod");
        let call = scene.env.command(args).arg(agent).directory(&module);
        drop(scene.watch(call).success());
        let log = scene.env.git(["-C", "mod", "log", "-1", "--format=%s"]);
        assert_eq!(log, "loop: iteration 1\n", "{sandbox}");
    });
}

#[test]
fn a_submodule_whose_git_file_was_turned_does_not_count() {
    in_sandboxes(&["landlock", "bwrap"], |scene, sandbox| {
        let private = scene.env.home().join("private").display().to_string();
        fs::create_dir(scene.env.work().join("mod")).unwrap();
        let first = scene.planter(
            &format!("text mod/.git gitdir: {private}/.git\\n"),
            &format!("echo '{COMPLETE}'"),
        );
        drop(scene.iterate(sandbox, &first, &["--auto-commit"]));
        let agent = scene.env.agent_sh(&curious(&scene.env));
        let args = ["iterate", "-p", "x", "--sandbox", sandbox, "--auto-commit", "-c"];
        let call = scene.env.command(args).arg(agent).directory(scene.env.work().join("mod"));
        drop(scene.watch(call));
        assert_in_the_dark(scene);
    });
}
