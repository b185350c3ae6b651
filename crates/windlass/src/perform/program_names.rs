//! The names of the programs that checks find on their `PATH`. Nothing is run, and no program is chosen.

use std::{
    collections::BTreeSet,
    env,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// How many names are kept at most.
const MOST: usize = 50_000;

/// The names of all programs in the directories of a `PATH`.
pub(super) fn program_names(path: Option<&OsString>) -> Vec<String> {
    let Some(path) = path else { return Vec::new() };
    let directories: BTreeSet<PathBuf> =
        env::split_paths(path).filter(|directory| directory.is_absolute()).collect();
    let names: BTreeSet<String> =
        directories.iter().flat_map(|directory| programs_in(directory)).collect();
    names.into_iter().take(MOST).collect()
}

/// The names of what can be executed in a directory.
fn programs_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let programs = entries.filter(|entry| {
        let known = fs::metadata(entry.path());
        known.is_ok_and(|known| known.is_file() && known.permissions().mode() & 0o111 != 0)
    });
    programs.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
