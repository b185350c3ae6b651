//! How long a loop that is stopped waits for work that is under way: whatever hangs is given up.

use std::time::Duration;

use tokio::time::sleep;
use windlass_core::stop::StopLevel;
use windlass_system::stop::Stop;

/// How long a cancelled loop waits.
const LAST_LOOK: Duration = Duration::from_secs(5);

/// What the work gives; `None` where the loop is cancelled and it takes too long, or where it is
/// killed and it takes longer than `after_kill`.
pub(super) async fn unless_stopped<T>(
    stop: &Stop,
    after_kill: Duration,
    work: impl Future<Output = T>,
) -> Option<T> {
    let waited = async |level, patience: Duration| {
        stop.reached(level).await;
        if !patience.is_zero() {
            sleep(patience).await;
        }
    };
    tokio::select! {
        done = work => Some(done),
        () = waited(StopLevel::End, LAST_LOOK) => None,
        () = waited(StopLevel::Kill, after_kill) => None,
    }
}
