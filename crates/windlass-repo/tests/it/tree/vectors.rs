//! Every known way by which a repository makes git start a program, and none that does here.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use super::{Place, user_git};

/// Sets every trap; each leaves a mark in the canary file when it goes off.
fn set_traps(place: &Place) {
    let trap = place.dir.path().join("trap");
    let canary = place.dir.path().join("canary");
    let script = format!("#!/bin/sh\necho \"EXEC $0 $*\" >> '{}'\ncat\n", canary.display());
    write_program(&trap, &script);
    let trap = trap.display().to_string();
    for hook in HOOKS {
        write_program(&place.at(".git/hooks").join(hook), &script);
        write_program(&place.at("hooks").join(hook), &script);
    }
    place.write(
        ".gitattributes",
        "* filter=evil diff=evil merge=evil ident text=auto\n*.proc filter=process\n",
    );
    place.write(".git/info/attributes", "* filter=evil diff=evil merge=evil\n");
    let hooks = place.at("hooks").display().to_string();
    let config = format!(
        "[core]\n\tfsmonitor = {trap}\n\thooksPath = {hooks}\n\tsshCommand = {trap}\n\
         \teditor = {trap}\n\tpager = {trap}\n\taskPass = {trap}\n\tgitProxy = {trap}\n\
         \talternateRefsCommand = {trap}\n\tattributesFile = {hooks}/attributes\n\
         [filter \"evil\"]\n\tclean = {trap}\n\tsmudge = {trap}\n\trequired = true\n\
         [filter \"process\"]\n\tprocess = {trap}\n\trequired = true\n\
         [diff]\n\texternal = {trap}\n[diff \"evil\"]\n\tcommand = {trap}\n\ttextconv = {trap}\n\
         [merge \"evil\"]\n\tdriver = {trap}\n[gpg]\n\tprogram = {trap}\n\
         [commit]\n\tgpgSign = true\n[credential]\n\thelper = {trap}\n\
         [sequence]\n\teditor = {trap}\n[uploadpack]\n\tpackObjectsHook = {trap}\n\
         [remote \"origin\"]\n\turl = ext::{trap}\n\tuploadpack = {trap}\n\tpromisor = true\n\
         \tpartialclonefilter = blob:none\n\tvcs = evil\n\
         [protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n\
         [submodule]\n\trecurse = true\n[status]\n\tsubmoduleSummary = true\n\
         [gc]\n\tauto = 1\n[trailer \"x\"]\n\tcommand = {trap}\n\tifmissing = add\n\
         [interactive]\n\tdiffFilter = {trap}\n[alias]\n"
    );
    let aliases: String =
        VERBS.iter().map(|verb| format!("\t{verb} = !{trap}\n")).collect::<Vec<_>>().concat();
    fs::write(place.dir.path().join("included"), format!("{config}{aliases}")).expect("written");
    let include = format!("[include]\n\tpath = {}/included\n", place.dir.path().display());
    let base = fs::read_to_string(place.at(".git/config")).expect("there");
    let extension = "[extensions]\n\tworktreeConfig = true\n\tpartialClone = origin\n";
    place.write(".git/config", format!("{base}{config}{aliases}{include}{extension}"));
    place.write(".git/config.worktree", format!("{config}{aliases}{include}"));
    for config in [".git/modules/sub/config", "sub/.git/config", "nested/.git/config"] {
        if place.at(config).exists() {
            place.write(config, format!("{base}{config}{aliases}", config = config_of(&trap)));
        }
    }
}

fn config_of(trap: &str) -> String {
    format!("[core]\n\tfsmonitor = {trap}\n[filter \"evil\"]\n\tclean = {trap}\n")
}

fn write_program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
    fs::write(path, script).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
}

const HOOKS: [&str; 14] = [
    "reference-transaction",
    "post-checkout",
    "pre-commit",
    "post-commit",
    "commit-msg",
    "prepare-commit-msg",
    "post-index-change",
    "fsmonitor-watchman",
    "pre-auto-gc",
    "post-rewrite",
    "post-merge",
    "pre-push",
    "post-update",
    "update",
];

const VERBS: [&str; 6] = ["status", "update-ref", "diff-tree", "fast-import", "worktree", "config"];

#[tokio::test]
async fn git_vectors() {
    let place = Place::new();
    let other = Place::new();
    let url = other.top().display().to_string();
    place.git(&["-c", "protocol.file.allow=always", "submodule", "add", "-q", &url, "sub"]);
    place.git(&["commit", "-qm", "sub"]);
    fs::create_dir(place.at("nested")).expect("made");
    user_git(&place.at("nested"), &["init", "-q"]);
    let canary = place.dir.path().join("canary");
    let tree = place.tree().await;
    let start = tree.snapshot().await.expect("taken");
    set_traps(&place);
    // The traps are live: the user's own git springs them.
    assert!(!place.try_git(&["status"]).stdout.is_empty());
    assert!(canary.exists(), "a trap that never goes off proves nothing");
    fs::remove_file(&canary).expect("removed");

    for tree in [tree, place.tree().await] {
        place.write("a.txt", format!("changed {}\n", fastrand::u64(..)));
        place.write("new.proc", format!("{}\n", fastrand::u64(..)));
        let after = tree.snapshot().await.expect("taken");
        tree.changes(&start, &after).await.expect("changes");
        tree.diff(&start, &after, true).await.expect("a diff");
        tree.existing_changed(&start, &start, &after).await.expect("told");
        tree.dirty_paths(&after).await.expect("told");
        tree.commit("all", &Default::default()).await.expect("committed");
        place.write(".gitattributes", "* diff=evil merge=evil\n");
        place.write(".git/info/attributes", "* diff=evil merge=evil\n");
        place.write("a.txt", format!("changed {}\n", fastrand::u64(..)));
        let done = tree.commit("some", &Default::default()).await.expect("committed");
        assert!(done.id.is_some());
        place.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
        let name = format!("loop/{}", fastrand::u64(..));
        tree.create_branch(&name, "x").await.expect("made");
        let path = place.dir.path().join(&name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        tree.add_worktree(&format!("{name}-w"), None, &path).await.expect("made");
        tree.remove_worktree(&path).await.expect("removed");
        let base = Some("refs/remotes/origin/x");
        tree.add_worktree(&format!("{name}-v"), base, &path).await.expect_err("no such base");
        tree.restore(&start, &Default::default()).await.expect("restored");
        set_traps(&place);
        assert!(!canary.exists(), "{}", fs::read_to_string(&canary).unwrap_or_default());
    }
}

#[tokio::test]
async fn a_missing_object_of_a_partial_clone_is_not_fetched() {
    let place = Place::new();
    let tree = place.tree().await;
    set_traps(&place);
    let head = place.git(&["-c", "core.fsmonitor=false", "rev-parse", "HEAD"]);
    fs::remove_dir_all(place.at(".git/objects")).expect("removed");
    fs::create_dir_all(place.at(".git/objects/info")).expect("made");
    let canary = place.dir.path().join("canary");
    drop(fs::remove_file(&canary));
    tree.snapshot().await.expect("taken");
    assert!(tree.commit("x", &Default::default()).await.is_err());
    assert!(tree.create_branch("x", "x").await.is_err());
    assert!(tree.add_worktree("y", Some(head.trim()), &place.dir.path().join("y")).await.is_err());
    assert!(!canary.exists(), "{}", fs::read_to_string(&canary).unwrap_or_default());
}
