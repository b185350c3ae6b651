//! Takes a lock, also one that the guardian of a dead owner keeps.

use std::{path::Path, time::Duration};

use windlass_system::{
    ownership::{Holder, Lock, LockError, LockKey},
    process::end_guardians,
};

/// How long a guardian that is just ending the processes of a dead owner is waited for.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);

/// Where its owner is dead, a lock is held by a guardian for this long at the most before it is seen
/// to.
const A_MOMENT: Duration = Duration::from_secs(1);

/// Takes a lock. Where its owner is dead, and the guardian does not get to its end, as when somebody
/// has stopped it, it is helped to it: nobody else ever would.
pub(super) fn acquire(home: &Path, key: &LockKey, holder: &Holder) -> Result<Lock, LockError> {
    match Lock::acquire(home, key, holder, A_MOMENT) {
        Err(LockError::Held { holder: Some(other) }) if !other.owner.is_alive() => {
            // What survives keeps its lock, or does not: the next try tells.
            end_guardians(home, &other.loop_id);
            Lock::acquire(home, key, holder, LOCK_PATIENCE)
        }
        Err(LockError::Held { holder: None }) => Lock::acquire(home, key, holder, LOCK_PATIENCE),
        acquired => acquired,
    }
}
