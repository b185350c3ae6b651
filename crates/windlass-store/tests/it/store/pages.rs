//! A loop read page by page is the same as read whole.

use windlass_store::store::{Durability, Store};

use super::script::{new_loop, stamp, whole_loop};

#[test]
fn pages_of_iterations_and_their_sessions_make_up_the_whole() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let new = new_loop("brave-otter", home.path());
    store.create_loop(&new).unwrap();
    let events = stamp(&new.id, 0, whole_loop());
    store.append(&new.id, 1, &events, Durability::Process).unwrap();
    let (all, sessions) = (store.iterations(&new.id).unwrap(), store.sessions(&new.id).unwrap());
    assert_eq!((all.len(), sessions.len()), (2, 2));

    assert_eq!(store.iterations_after(&new.id, 0, 1).unwrap(), all[..1]);
    assert_eq!(store.iterations_after(&new.id, 1, 9).unwrap(), all[1..], "with their checks");
    assert_eq!(store.iterations_after(&new.id, 2, 9).unwrap(), []);
    assert_eq!(store.iterations_before(&new.id, u32::MAX, 1).unwrap(), all[1..], "the newest");
    assert_eq!(store.iterations_before(&new.id, 2, 9).unwrap(), all[..1]);
    assert_eq!(store.iterations_before(&new.id, u32::MAX, 9).unwrap(), all);
    assert_eq!(store.sessions_between(&new.id, 0, 1).unwrap(), sessions[..1]);
    assert_eq!(store.sessions_between(&new.id, 2, u32::MAX).unwrap(), sessions[1..]);
    assert_eq!(store.sessions_between(&new.id, 3, 9).unwrap(), []);
}
