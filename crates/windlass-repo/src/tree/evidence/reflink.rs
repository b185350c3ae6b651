//! Takes over the repository's packs where the file system can share their blocks: that takes neither
//! time nor room. The copy is a file of its own, so what becomes of the original does not matter.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    os::unix::{ffi::OsStrExt, fs::OpenOptionsExt},
    path::Path,
};

use rustix::{fs::ioctl_ficlone, io::Errno};
use windlass_system::below::{self, Links, Root};

/// Of more packs than this some are left out.
const MOST_PACKS: usize = 10_000;

/// Clones the packs at `from` that are not at `to`; says whether the file system can do that.
pub(super) fn clone_packs(from: &Path, to: &Path) -> io::Result<bool> {
    let root = Root::open(from)?;
    let entries = fs::read_dir(from)?.flatten().take(2 * MOST_PACKS);
    let names = entries.map(|entry| entry.file_name());
    for pack in names.filter(|name| is_pack(name.as_bytes())) {
        // The index comes last: git takes a pack for there when its index is.
        for name in [pack.clone(), Path::new(&pack).with_extension("idx").into()] {
            match clone_file(&root, &name, &to.join(&name)) {
                Ok(()) => {}
                Err(Errno::EXIST) => {}
                // Removed by a `git gc` at the same time, or something that no git writes.
                Err(Errno::NOENT | Errno::LOOP | Errno::NODEV | Errno::ISDIR) => break,
                Err(Errno::OPNOTSUPP | Errno::XDEV | Errno::NOTTY | Errno::INVAL) => {
                    return Ok(false);
                }
                Err(errno) => return Err(errno.into()),
            }
        }
    }
    Ok(true)
}

fn is_pack(name: &[u8]) -> bool {
    let id = name.strip_prefix(b"pack-").and_then(|name| name.strip_suffix(b".pack"));
    id.is_some_and(|id| !id.is_empty() && id.iter().all(u8::is_ascii_hexdigit))
}

fn clone_file(root: &Root, name: &OsStr, to: &Path) -> Result<(), Errno> {
    let from = below::open_file(root, name.as_bytes(), Links::Refused)?;
    let mut options = File::options();
    let made = options.write(true).create_new(true).mode(0o400).open(to);
    let made = made.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
    ioctl_ficlone(&made, &from).inspect_err(|_| drop(fs::remove_file(to)))
}
