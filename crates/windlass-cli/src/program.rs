//! Finds programs as the system would, without running them.

use std::{
    env,
    path::{Path, PathBuf},
};

use rustix::fs::Access;

use crate::{app::App, environment::Variable};

/// The file that would be run for `program`, if there is one.
pub(crate) fn find(app: &App, program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        let path = app.directory.join(program);
        return is_executable(&path).then_some(path);
    }
    let path = app.environment.get(Variable::Path)?;
    // A relative entry is meant from where the program runs.
    env::split_paths(path)
        .map(|directory| app.directory.join(directory).join(program))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok()
}
