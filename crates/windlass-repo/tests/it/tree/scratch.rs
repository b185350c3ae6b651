//! What an agent keeps for itself in the work tree is no work.

use super::Place;

#[tokio::test]
async fn what_an_agent_keeps_for_itself_is_no_change_unless_it_is_tracked() {
    let place = Place::new();
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    place.write(".aider.chat.history.md", "# aider chat started\n");
    place.write(".aider.tags.cache.v4/cache.db", "x\n");
    assert_eq!(tree.snapshot().await.expect("taken"), before);
    place.write(".aider.conf.yml", "model: x\n");
    let configured = tree.snapshot().await.expect("taken");
    assert_ne!(configured, before, "a file of the user's counts");
    place.git(&["add", "-f", ".aider.chat.history.md"]);
    assert_ne!(tree.snapshot().await.expect("taken"), configured);
}

#[tokio::test]
async fn a_user_who_wants_it_counted_says_so_in_the_excludes() {
    let place = Place::new();
    place.write(".git/info/exclude", "!.aider.chat.history.md\n");
    let tree = place.tree().await;
    let before = tree.snapshot().await.expect("taken");
    place.write(".aider.chat.history.md", "# aider chat started\n");
    assert_ne!(tree.snapshot().await.expect("taken"), before);
}
