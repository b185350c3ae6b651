//! Which originals are wanted for a run of the checks.

use std::{fs, path::Path};

use sha2::{Digest, Sha256};
use windlass_repo::tree::{Original, Wanted};

use super::{
    compare::{Comparison, Source},
    record::COPIES,
};
use crate::workplace::hex;

/// The originals of all that differs, and the new tests, which go only for a second run.
pub(super) fn wanted(
    comparison: Comparison,
    folder: &Path,
    written_by_checks: &[String],
) -> Result<Vec<Wanted>, String> {
    let mut wanted = Vec::new();
    for (change, source) in comparison.differing {
        let original = match source {
            Source::Nothing => None,
            Source::Known(original) => Some(original),
            Source::Copy { number, digest, mode } => {
                let bytes = copy(folder, number, &digest)
                    .map_err(|why| format!("the original of `{}` {why}", change.path))?;
                let executable = mode & 0o100 != 0;
                Some(Original::File { bytes, mode: Some(mode), executable })
            }
        };
        let is_written_by_checks = written_by_checks.contains(&change.path);
        let path = change.path.into();
        wanted.push(Wanted { path, original, only_second: false, is_written_by_checks });
    }
    let new = comparison.new_tests.into_iter();
    wanted.extend(new.map(|path| Wanted {
        path: path.into(),
        original: None,
        only_second: true,
        is_written_by_checks: false,
    }));
    Ok(wanted)
}

/// The copy of that number, if it is as it was made.
pub(super) fn copy(folder: &Path, number: usize, digest: &str) -> Result<Vec<u8>, String> {
    let held = fs::read(folder.join(COPIES).join(number.to_string()));
    let held = held.map_err(|error| format!("cannot be read any more: {error}"))?;
    match hex(&Sha256::digest(&held)) == digest {
        true => Ok(held),
        false => Err("is damaged".to_owned()),
    }
}
