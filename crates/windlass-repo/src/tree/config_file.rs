//! One config file as git reads it: data, without the files that it includes, and nothing in it acts.

use std::path::Path;

use super::TreeError;
use crate::git::{Call, Git};

/// The entries of a config file, in their order. One that is no file, or that git cannot read, has
/// none.
pub(super) async fn config_entries(
    git: &Git,
    file: &Path,
) -> Result<Vec<(String, Vec<u8>)>, TreeError> {
    if !file.is_file() {
        return Ok(Vec::new());
    }
    // `--file` reads this one file; the git directory is a place where there is no repository. An
    // include is not followed, for it may be a pipe that never ends.
    let call = Call::new(Path::new("/dev/null"), Path::new("/"))
        .args(["config", "--no-includes", "-z", "--list", "--file"])
        .arg(file)
        .accepting(&[0, 1, 128]);
    let output = git.run(call).await?.stdout;
    let entries = output.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    let entries = entries.map(|entry| {
        let mut parts = entry.splitn(2, |byte| *byte == b'\n');
        let key = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
        // A key without a value means true.
        (key, parts.next().unwrap_or(b"true").to_vec())
    });
    Ok(entries.collect())
}
