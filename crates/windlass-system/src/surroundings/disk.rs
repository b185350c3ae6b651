//! How much room a file system has.

use std::path::Path;

use rustix::fs::statvfs;

/// The bytes that are free for this user where a path is, or will be; `None` where nobody can tell.
pub fn free_bytes(path: &Path) -> Option<u64> {
    let there = path.ancestors().find(|place| place.exists())?;
    let disk = statvfs(there).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}
