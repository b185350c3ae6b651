//! Where a repository was cloned from, and what is checked out.

use std::{fs, os::unix::fs::PermissionsExt};

use windlass_repo::tree::{
    Repository, UserFiles,
    remote::{Pushed, Reach, push},
};

use super::Place;

#[tokio::test]
async fn the_origin_and_the_branch_are_told() {
    let place = Place::new();
    let tree = place.tree().await;
    assert_eq!(tree.origin().await.expect("read"), None);
    assert_eq!(tree.branch().await.expect("read").as_deref(), Some("main"));
    place.git(&["remote", "add", "origin", "git@github.com:ada/engine.git"]);
    place.git(&["checkout", "--quiet", "-b", "feature/größe"]);
    assert_eq!(
        tree.origin().await.expect("read").as_deref(),
        Some("git@github.com:ada/engine.git")
    );
    assert_eq!(tree.branch().await.expect("read").as_deref(), Some("feature/größe"));
    place.git(&["checkout", "--quiet", "--detach"]);
    assert_eq!(tree.branch().await.expect("read"), None);
}

/// A repository that an agent made in the work tree and calls `origin` has hooks of the agent's.
#[tokio::test]
async fn a_push_into_the_work_tree_runs_no_hooks_there() {
    let place = Place::new();
    let canary = place.dir.path().join("canary");
    place.git(&["init", "--quiet", "--bare", "evil.git"]);
    let hook = place.at("evil.git/hooks/pre-receive");
    fs::create_dir_all(hook.parent().expect("a parent")).expect("made");
    fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", canary.display())).expect("written");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("set");
    let path = place.at("evil.git").display().to_string();
    for address in [path.clone(), format!("file://{path}"), "./evil.git".to_owned()] {
        place.git(&["config", "remote.origin.url", &address]);
        let tree = place.tree().await;
        let commit = tree.head_commit().await.expect("read").expect("a commit");
        let repository = Repository::discover(&place.top()).expect("read").expect("there");
        let (home, files) = (place.home(), UserFiles::default());
        let (repository, files, from) = (&repository, &files, &*place.top());
        let reach = Reach { home: &home, repository, from, files, variables: &[] };
        let what =
            Pushed { to: &address, commit: &commit, full: "refs/heads/main", expected: None };
        let pushed = push(&place.runner_git(), reach, what).await;
        assert!(matches!(pushed, Ok(None)), "{address}: {pushed:?}");
        assert!(!canary.exists(), "{address}: the agent's hook ran");
        fs::remove_dir_all(place.at("evil.git/refs/heads")).expect("removed");
        fs::create_dir(place.at("evil.git/refs/heads")).expect("made");
    }
}
