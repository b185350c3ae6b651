//! How much room snapshots may take.

use std::path::Path;

use rustix::fs::statvfs;

/// No store is filled with more than this at once.
const MOST: u64 = 2 << 30;

/// Nor with more than one part in so many of what is free on the disk.
const PART: u64 = 5;

/// The most bytes that the store at `path` may be filled with now.
pub(super) fn most(path: &Path) -> u64 {
    // Where the disk cannot be asked, writing to it says what is wrong.
    let free = statvfs(path).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    MOST.min(free / PART)
}
