//! Mounts of a program's own, where there is no bubblewrap to make them: a process gives itself a
//! namespace and puts directories in the place of others, before it gives up its rights.

use std::{ffi::OsString, fs, io, path::Path, time::Duration};

use rustix::{
    fs::{StatVfsMountFlags, statvfs},
    mount::{MountFlags, MountPropagationFlags, mount_bind, mount_change, mount_remount},
    process::{getegid, geteuid},
    thread::UnshareFlags,
};
use windlass_core::process::ProcessSpec;

use super::{
    INSIDE,
    inside::{Orders, Way},
    request::GitMount,
};
use crate::process::Guardian;

/// How long the try may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// So much of what it says is read.
const MOST_SAID: usize = 4096;

/// Puts directories in the place of others, for this process and all that it starts. Must be called
/// while the process has one thread.
pub(super) fn mount(mounts: &[GitMount]) -> io::Result<()> {
    take_namespace()?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    for GitMount { at, from, writable } in mounts {
        mount_bind(from, at)?;
        if !writable {
            mount_remount(at, MountFlags::BIND | MountFlags::RDONLY | kept(at)?, c"")?;
        }
    }
    Ok(())
}

/// Whether a program can do so here, found out by trying.
pub(super) async fn works(guardian: &Guardian, windlass: &Path, directory: &Path) -> bool {
    let (at, from) = (directory.to_owned(), directory.to_owned());
    let orders = Orders {
        way: Way::Instead,
        variables: Vec::new(),
        mounts: vec![GitMount { at, from, writable: false }],
        copies: Vec::new(),
        written: Vec::new(),
        socket: None,
        forwarded: Vec::new(),
        confinement: None,
    };
    let Ok(orders) = serde_json::to_string(&orders) else { return false };
    let program = "/bin/true";
    let args: [OsString; 4] = [INSIDE.into(), orders.into(), program.into(), program.into()];
    let spec = ProcessSpec {
        program: windlass.into(),
        args: args.into(),
        env: Vec::new(),
        directory: "/".into(),
        stdin: Vec::new(),
    };
    let said = guardian.output(spec, PATIENCE, MOST_SAID).await;
    said.is_ok_and(|said| said.code == Some(0))
}

/// A namespace of mounts of its own, and one of users too where it takes that to have the right.
fn take_namespace() -> io::Result<()> {
    if unshare(UnshareFlags::NEWNS).is_ok() {
        return Ok(());
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

#[expect(
    deprecated,
    reason = "what became unsafe is to unshare the table of files, which this never does"
)]
fn unshare(flags: UnshareFlags) -> io::Result<()> {
    Ok(rustix::thread::unshare(flags)?)
}

/// What a mount has that it must keep, for a namespace of users cannot take it away.
fn kept(at: &Path) -> io::Result<MountFlags> {
    let found = statvfs(at)?.f_flag;
    let known = [
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let held = known.iter().filter(|(name, _)| found.contains(*name));
    Ok(held.fold(MountFlags::empty(), |flags, (_, flag)| flags | *flag))
}
