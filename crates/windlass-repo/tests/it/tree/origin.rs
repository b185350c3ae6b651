//! Where a repository was cloned from, and what is checked out.

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
