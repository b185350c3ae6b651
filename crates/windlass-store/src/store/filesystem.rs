//! Which file systems the store refuses: SQLite's write-ahead log needs memory that all processes
//! share, and over a network there is none.

use std::{fs, path::Path};

use rustix::fs::statfs;

/// Why a store must not lie in `directory`, if so.
pub(super) fn refusal(directory: &Path) -> Option<String> {
    // One that cannot be asked is tried: opening says more than this could.
    let magic = statfs(directory).ok()?.f_type;
    let magic = u64::try_from(magic).unwrap_or(0) & 0xffff_ffff;
    let mounted = if magic == FUSE { mounted_as(directory) } else { None };
    network(magic, mounted.as_deref()).map(|name| {
        format!(
            "it is on a network file system ({name}), where SQLite's write-ahead log can lose data"
        )
    })
}

const FUSE: u64 = 0x6573_5546;

const NETWORKS: [(u64, &str); 13] = [
    (0x6969, "nfs"),
    (0x517b, "smb"),
    (0xff53_4d42, "cifs"),
    (0xfe53_4d42, "smb2"),
    (0x0102_1997, "9p"),
    (0x00c3_6400, "ceph"),
    (0x5346_414f, "afs"),
    (0x6b41_4653, "afs"),
    (0x7375_7245, "coda"),
    (0x564c, "ncp"),
    (0x0bd0_0bd0, "lustre"),
    (0x0116_1970, "gfs2"),
    (0x7461_636f, "ocfs2"),
];

/// The file systems in user space that are known to be remote; others may well be local.
const REMOTE_FUSES: [&str; 8] = [
    "fuse.sshfs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.ceph-fuse",
    "fuse.davfs",
    "fuse.curlftpfs",
    "fuse.gcsfuse",
];

/// The name of the network file system that these two tell of.
fn network(magic: u64, mounted: Option<&str>) -> Option<String> {
    if magic == FUSE {
        return mounted.filter(|kind| REMOTE_FUSES.contains(kind)).map(str::to_owned);
    }
    NETWORKS.iter().find(|(number, _)| *number == magic).map(|(_, name)| (*name).to_owned())
}

/// The type of the mount that `directory` lies in, as the kernel's table of mounts has it.
fn mounted_as(directory: &Path) -> Option<String> {
    let directory = fs::canonicalize(directory).ok()?;
    let table = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mounts = table.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let point = before.split(' ').nth(4)?.replace("\\040", " ");
        let kind = after.split(' ').next()?;
        directory.starts_with(&point).then(|| (point.len(), kind.to_owned()))
    });
    mounts.max_by_key(|(length, _)| *length).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_file_systems_are_refused_and_local_ones_are_not() {
        assert_eq!(network(0x6969, None).as_deref(), Some("nfs"));
        assert_eq!(network(0x0102_1997, None).as_deref(), Some("9p"));
        assert_eq!(network(FUSE, Some("fuse.sshfs")).as_deref(), Some("fuse.sshfs"));
        assert_eq!(network(FUSE, Some("fuse.gocryptfs")), None);
        assert_eq!(network(0xef53, None), None, "ext4");
        assert_eq!(network(0x0102_1994, None), None, "tmpfs");
    }

    #[test]
    fn the_mount_of_a_directory_is_found() {
        assert_eq!(mounted_as(Path::new("/proc/self")).as_deref(), Some("proc"));
    }
}
