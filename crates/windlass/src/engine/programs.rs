//! Where windlass finds the programs that it starts itself: not where agents can write.

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use windlass_core::options::SandboxOptions;
use windlass_system::{home, process::Programs};

/// The programs for work in these directories, of which the first is where relative paths begin.
pub(super) fn programs(
    env: &BTreeMap<OsString, OsString>,
    windlass_home: &Path,
    directories: &[&Path],
    options: Option<&SandboxOptions>,
) -> Programs {
    let mut also = vec![home::worktrees(windlass_home), home::merging(windlass_home)];
    let here = directories.first().copied().unwrap_or(Path::new("/"));
    let written = options.into_iter().flat_map(|options| &options.sandbox_write);
    also.extend(written.map(|path| here.join(path)));
    Programs::new(env, directories, &also)
}
