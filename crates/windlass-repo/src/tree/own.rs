//! The git directory of windlass's own, one for each work tree: made, kept in step with the
//! repository, and mended. Snapshots are kept in the store that it names; what concerns the user's
//! own commits is done here, with the repository's objects borrowed.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};
use windlass_system::{
    below::{self, Links, Root, TooLarge},
    home,
};

use super::{
    TreeError, checked::INDEX, evidence::Evidence, object_id::ObjectFormat, repository::Repository,
    user::UserConfig,
};
use crate::git::Call;

/// More attributes than this are nobody's.
const MOST_MIRRORED: u64 = 8 << 20;

/// The file that names the store of the work tree's snapshots.
const EVIDENCE: &str = "evidence";

/// A git directory that no agent has a reason to know of.
#[derive(Clone, Debug)]
pub(super) struct OwnDir {
    path: PathBuf,
    format: ObjectFormat,
    /// Where the objects of snapshots are.
    pub(super) evidence: Evidence,
}

/// Where the snapshots of the work tree with that top are kept.
pub fn own_directory(home: &Path, top: &Path) -> PathBuf {
    home::trees(home).join(hex(&Sha256::digest(top.as_os_str().as_bytes())[..16]))
}

/// Where the objects are that the snapshots at `own` consist of; `None` where nothing says so.
pub fn evidence_of(home: &Path, own: &Path) -> Option<PathBuf> {
    let name = fs::read_to_string(own.join(EVIDENCE)).ok()?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_name.then(|| home::evidence(home).join(name))
}

impl OwnDir {
    /// The directory for `repository` under `home`, made or brought up to date.
    pub(super) fn open(
        home: &Path,
        repository: &Repository,
        user: &UserConfig,
    ) -> Result<Self, TreeError> {
        let path = own_directory(home, &repository.top);
        let evidence = Evidence::open(home, repository).map_err(TreeError::io("prepare", &path))?;
        let own = Self { path, format: user.format, evidence };
        own.make(repository).map_err(TreeError::io("prepare", &own.path))?;
        Ok(own)
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// An id that no object has.
    pub(super) fn zero_id(&self) -> String {
        self.format.zero_id()
    }

    /// How the repository's objects get their ids.
    pub(super) fn format(&self) -> ObjectFormat {
        self.format
    }

    /// A call that knows the objects of snapshots, and no others: what it writes goes there.
    pub(super) fn stored(&self) -> Call {
        Call::new(&self.path, &self.path).env("GIT_OBJECT_DIRECTORY", self.evidence.objects())
    }

    /// The same with the repository's objects, for snapshots of versions before the store stood
    /// alone. Only for what is verified when it is read.
    pub(super) fn stored_or_borrowed(&self) -> Call {
        self.with_borrowed(self.stored())
    }

    /// A call that also knows the repository's objects.
    pub(super) fn with_borrowed(&self, call: Call) -> Call {
        let mut others = Vec::new();
        quote(&mut others, self.path.join("objects").as_os_str().as_bytes());
        call.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", OsStr::from_bytes(&others))
    }

    /// Removes what a killed git left: whoever calls holds the work tree's lock, so no git of
    /// ours is at work here. Whoever only looks must not: a loop may be at work.
    pub(super) fn remove_stale_locks(&self) {
        for name in ["HEAD.lock", "config.lock", "packed-refs.lock", "refs/windlass/tree.lock"] {
            drop(fs::remove_file(self.path.join(name)));
        }
        if let Ok(entries) = fs::read_dir(&self.path) {
            for entry in entries.flatten() {
                let name = entry.file_name();
                let is_left = name.as_bytes().starts_with(b"index-")
                    || name.as_bytes().starts_with(b".merge_file_");
                if is_left || name.as_bytes().starts_with(b"fast_import_crash_") {
                    drop(fs::remove_file(entry.path()));
                }
            }
        }
    }

    /// Copies a file that git looks for in its own directory, or empties the copy.
    pub(super) fn mirror(&self, from: &Path, name: &str) -> Result<(), TreeError> {
        let to = self.path.join(name);
        let (folder, file) = (from.parent().unwrap_or(from), from.file_name().unwrap_or_default());
        let wanted = Root::open(folder)
            .map_err(io::Error::from)
            .and_then(|root| below::read(root, file.as_bytes(), Links::Refused, MOST_MIRRORED))
            .unwrap_or_default();
        if fs::read(&to).unwrap_or_default() == wanted {
            return Ok(());
        }
        write_private(&to, &wanted).map_err(TreeError::io("write", &to))
    }

    /// Brings over the shared part of a split index, which git looks for in its own directory.
    pub(super) fn mirror_shared_index(&self, repository: &Repository) -> Result<(), TreeError> {
        let Ok(entries) = fs::read_dir(&repository.git_dir) else { return Ok(()) };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let to = self.path.join(&name);
            if name.as_bytes().starts_with(b"sharedindex.") && !to.exists() {
                copy_bounded(&repository.git_dir, name.as_bytes(), &to)
                    .map_err(TreeError::io("copy", &entry.path()))?;
            }
        }
        Ok(())
    }

    /// Makes what is missing and mends what is not as it should be. Objects are never thrown away:
    /// they are the way back.
    fn make(&self, repository: &Repository) -> io::Result<()> {
        for directory in ["objects/info", "objects/pack", "refs/windlass", "info"] {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(self.path.join(directory))?;
        }
        let mut alternates = b"".to_vec();
        quote(&mut alternates, repository.objects().as_os_str().as_bytes());
        alternates.push(b'\n');
        let evidence = self.evidence.objects().file_name().unwrap_or_default();
        let files: [(&str, &[u8]); 4] = [
            ("HEAD", b"ref: refs/windlass/none\n"),
            ("objects/info/alternates", &alternates),
            ("config", &self.config()),
            (EVIDENCE, evidence.as_bytes()),
        ];
        for (name, wanted) in files {
            let path = self.path.join(name);
            if fs::read(&path).ok().as_deref() != Some(wanted) {
                write_private(&path, wanted)?;
            }
        }
        Ok(())
    }

    /// The config of a git directory of ours without a work tree.
    pub(super) fn bare_config(&self) -> &'static str {
        if self.format == ObjectFormat::Sha256 {
            "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
        } else {
            "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
        }
    }

    fn config(&self) -> Vec<u8> {
        let mut config = b"[core]\n\trepositoryformatversion = 1\n\tbare = false\n\
            \thooksPath = /dev/null\n\tfsmonitor = false\n\tattributesFile = /dev/null\n\
            \tprotectNTFS = false\n\tprotectHFS = false\n\tsplitIndex = false\n\
            \tlogAllRefUpdates = false\n\tsafecrlf = false\n\texcludesFile = /dev/null\n\
            [gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"
            .to_vec();
        if self.format == ObjectFormat::Sha256 {
            config.extend(b"[extensions]\n\tobjectformat = sha256\n");
        }
        config
    }
}

/// Copies a file of a git directory with its time, if it is one and no larger than an index can be.
/// Git takes a file that is not older than the index for one that may have changed unseen, and looks
/// into it.
pub(super) fn copy_bounded(git_dir: &Path, name: &[u8], to: &Path) -> io::Result<()> {
    let from = below::open_file(Root::open(git_dir)?, name, Links::Refused)?;
    let found = from.metadata()?;
    if found.size() > INDEX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, TooLarge(INDEX)));
    }
    // Whatever is there is not ours: it is not written through.
    drop(fs::remove_file(to));
    let mut options = fs::OpenOptions::new();
    let mut copy = options.write(true).create_new(true).mode(found.mode() & 0o777).open(to)?;
    io::copy(&mut from.take(INDEX), &mut copy)?;
    copy.set_modified(found.modified()?)
}

/// Writes a file that only the user can read, whole or not at all. Loops that begin at once in the
/// same tree write the same file at once, so each has a name of its own for the new one.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(OsStr::new(&format!(".new-{:016x}", fastrand::u64(..))));
    let new = PathBuf::from(name);
    let mut options = fs::OpenOptions::new();
    let written = options.write(true).create_new(true).mode(0o600).open(&new);
    let written = written.and_then(|mut file| io::Write::write_all(&mut file, bytes));
    let written = written.and_then(|()| fs::rename(&new, path));
    written.inspect_err(|_| drop(fs::remove_file(&new)))
}

/// Adds a path in git's quoted form, which holds any name.
pub(super) fn quote(to: &mut Vec<u8>, path: &[u8]) {
    to.push(b'"');
    for byte in path {
        match byte {
            b'"' | b'\\' => to.extend([b'\\', *byte]),
            b' '..=b'~' => to.push(*byte),
            _ => to.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    to.push(b'"');
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
