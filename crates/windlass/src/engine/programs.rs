//! Where windlass finds the programs that it starts itself: not where agents can write.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use windlass_core::options::SandboxOptions;
use windlass_store::store::Store;
use windlass_system::{
    home,
    process::{GuardianProgram, Programs, StartError},
};

use crate::workplace::Opening;

/// The programs for work in these directories, of which the first is where relative paths begin.
pub(super) fn programs(
    env: &BTreeMap<OsString, OsString>,
    windlass_home: &Path,
    directories: &[&Path],
    options: Option<&SandboxOptions>,
) -> Programs {
    let mut also = where_agents_write(windlass_home, env);
    let here = directories.first().copied().unwrap_or(Path::new("/"));
    let written = options.into_iter().flat_map(|options| &options.sandbox_write);
    also.extend(written.map(|path| here.join(path)));
    Programs::new(env, directories, &also)
}

/// What opens places to look at or to change what loops did there: with programs that no agent of
/// these directories could have put there.
pub(super) fn opening(
    guardian: &GuardianProgram,
    windlass_home: &Path,
    env: &BTreeMap<OsString, OsString>,
    directories: &[&Path],
) -> Result<Opening, StartError> {
    let programs = programs(env, windlass_home, directories, None);
    Opening::start(guardian, windlass_home, env, &programs)
}

/// Where agents of any loop can write or could: the worktrees that windlass makes for them, and where
/// loops have worked. `PATH` may lead to another project than the one that one works in.
///
/// A place that holds the whole home is left out: it would leave its user no program, for one loop
/// there. Where the store cannot be read, other commands say so.
pub fn where_agents_write(
    windlass_home: &Path,
    env: &BTreeMap<OsString, OsString>,
) -> Vec<PathBuf> {
    let store = Store::open_existing(windlass_home).ok().flatten();
    let mut places = store.and_then(|store| store.workplaces().ok()).unwrap_or_default();
    let user = env.get(OsStr::new("HOME")).map(PathBuf::from);
    let user = user.map(|home| home.canonicalize().unwrap_or(home));
    places.retain(|place| user.as_ref().is_none_or(|home| !home.starts_with(place)));
    places.retain(|place| place != Path::new("/"));
    places.extend([home::worktrees(windlass_home), home::merging(windlass_home)]);
    places
}
