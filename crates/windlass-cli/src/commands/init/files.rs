//! Writes both files, or neither.

use std::{
    fs::{self, Permissions},
    io::{self, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;
use windlass_store::store::Store;

use super::plan::{Change, Plan};
use crate::{
    config::RepoFile,
    host::{
        app::App,
        failure::{Failure, Kind},
    },
};

/// What a new file may be read by.
const MODE: u32 = 0o644;

/// Writes what changes, and trusts the project's file.
pub(super) fn write_both(app: &App, plan: &Plan) -> Result<(), Failure> {
    let changes = [&plan.project, &plan.user].into_iter().flatten();
    let changes: Vec<&Change> =
        changes.filter(|change| change.before.as_ref() != Some(&change.after)).collect();
    // All that can fail is tried before the first file is moved into its place.
    let mut staged = Vec::new();
    for change in changes {
        staged.push((change, stage(change).map_err(|error| unwritable(&change.path, error))?));
    }
    let mut done: Vec<&Change> = Vec::new();
    for (change, (file, target)) in staged {
        if let Err(error) = file.persist(&target) {
            for change in done {
                take_back(change);
            }
            return Err(unwritable(&change.path, error.error));
        }
        done.push(change);
    }
    let Some(project) = &plan.project else { return Ok(()) };
    if let Some(file) = RepoFile::read(&app.home, &project.path)? {
        Store::open(&app.home)?.trust(&project.path, &file.hash)?;
    }
    Ok(())
}

/// A file with the new text next to the one whose place it takes. Where a link may stand, its target is
/// replaced; elsewhere the link itself would be.
fn stage(change: &Change) -> io::Result<(NamedTempFile, PathBuf)> {
    let target = match change.path.canonicalize() {
        Ok(target) if change.may_be_link => target,
        _ => change.path.clone(),
    };
    let directory = target.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(directory)?;
    let permissions = match fs::metadata(&target) {
        Ok(metadata) if !metadata.is_file() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) => metadata.permissions(),
        Err(_) => Permissions::from_mode(MODE),
    };
    if permissions.mode() & 0o222 == 0 {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut file = tempfile::Builder::new().prefix(".windlass-").tempfile_in(directory)?;
    file.write_all(change.after.as_bytes())?;
    file.as_file().set_permissions(permissions)?;
    file.as_file().sync_all()?;
    Ok((file, target))
}

/// Puts back what was there. What fails here cannot be helped: the first error is told.
fn take_back(change: &Change) {
    let Some(before) = &change.before else {
        drop(fs::remove_file(&change.path));
        return;
    };
    let back = Change { after: before.clone(), added: Vec::new(), before: None, ..change.clone() };
    if let Ok((file, target)) = stage(&back) {
        drop(file.persist(target));
    }
}

fn unwritable(path: &Path, error: io::Error) -> Failure {
    let what = format!("`{}` cannot be written, so nothing was", path.display());
    Failure::because(Kind::Usage, what, error)
        .hint("make it writable, and type `windlass init` again")
}
