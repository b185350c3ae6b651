//! The files of a directory outside git, as they were when a loop began. What the checks change before
//! the first session is put back from here, and inline tests are compared with it.
//!
//! One file has the bytes of all of them, and a list says where each begins. Both are written once.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{FileExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use windlass_core::step::RestoreReport;
use windlass_system::below::{self, Content, Links, Root, Stood};

use super::{look::Touched, manifest};
use crate::workplace::hex;

const BYTES: &str = "files";
const LIST: &str = "files.list";

/// How many bytes are kept at most, the smallest files first.
const MOST: u64 = 64 << 20;

/// How many files are kept at most.
const MOST_FILES: usize = 100_000;

/// The files of a start.
pub(super) struct StartFiles {
    bytes: File,
    files: Vec<One>,
}

#[derive(Serialize, Deserialize)]
struct One {
    #[serde(with = "windlass_repo::wire::path")]
    path: PathBuf,
    mode: u32,
    held: Held,
}

#[derive(Serialize, Deserialize)]
enum Held {
    Bytes {
        at: u64,
        length: usize,
        digest: String,
    },
    Link(Vec<u8>),
    /// It was not kept; how it is seen that it was not touched.
    LeftOut(Touched),
}

impl StartFiles {
    /// Keeps the files that are there now, unless that was done before.
    pub(super) fn keep(root: &Root, folder: &Path) -> io::Result<()> {
        if folder.join(LIST).exists() {
            return Ok(());
        }
        let mut found: Vec<(Vec<u8>, Stood)> = Vec::new();
        for path in below::walk(root)?.files {
            if let Ok(Some(stood)) = below::stood(root, &path) {
                found.push((path, stood));
            }
        }
        found.sort_by(|one, other| (one.1.size, &one.0).cmp(&(other.1.size, &other.0)));
        let path = folder.join(BYTES);
        drop(fs::remove_file(&path));
        let mut to = File::options().write(true).create_new(true).mode(0o600).open(&path)?;
        let (mut files, mut at) = (Vec::new(), 0);
        for (path, stood) in found {
            if let Some(held) = keep_one(root, &path, &stood, files.len(), (&mut to, &mut at))? {
                let path = PathBuf::from(OsStr::from_bytes(&path));
                files.push(One { path, mode: stood.mode & 0o7777, held });
            }
        }
        to.sync_all()?;
        let text = serde_json::to_vec(&files)?;
        let new = folder.join(format!("{LIST}.new"));
        manifest::write(&new, &[hex(&Sha256::digest(&text)).as_bytes(), b"\n", &text].concat())?;
        fs::rename(&new, folder.join(LIST))?;
        File::open(folder)?.sync_all()
    }

    /// Those that were kept; `None` where none were.
    ///
    /// # Errors
    /// They are not as they were written.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, String> {
        let shown = folder.join(LIST).display().to_string();
        let unreadable = |why: String| {
            format!(
                "what the files were when the loop began is not known any more: `{shown}` {why}"
            )
        };
        let damaged = || unreadable("is damaged".to_owned());
        let list = match fs::read(folder.join(LIST)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            list => list.map_err(|error| unreadable(format!("cannot be read ({error})")))?,
        };
        let (digest, text) = list.split_at_checked(64).ok_or_else(damaged)?;
        let text = text.strip_prefix(b"\n").ok_or_else(damaged)?;
        if hex(&Sha256::digest(text)).as_bytes() != digest {
            return Err(damaged());
        }
        let files = serde_json::from_slice(text).map_err(|_| damaged())?;
        let bytes = File::open(folder.join(BYTES)).map_err(|_| damaged())?;
        Ok(Some(Self { bytes, files }))
    }

    /// The files that can be read as text by their names, with what they held, if `wanted` says so.
    pub(super) fn each(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut see: impl FnMut(&str, &[u8]),
    ) -> Result<(), String> {
        for one in &self.files {
            let Some(path) = one.path.to_str().filter(|path| wanted(path)) else { continue };
            if let Some(bytes) = self.held(one)? {
                see(path, &bytes);
            }
        }
        Ok(())
    }

    /// Puts back what differs. What was added since stays.
    pub(super) fn put_back(&self, root: &Root) -> Result<RestoreReport, String> {
        let mut report = RestoreReport::default();
        for one in &self.files {
            let path = one.path.as_os_str().as_bytes();
            let shown = one.path.to_string_lossy().into_owned();
            let stood = below::stood(root, path).ok().flatten();
            if let Held::LeftOut(touched) = &one.held {
                if stood.map(|stood| Touched::of(&stood)) != Some(*touched) {
                    report.left.push(format!("{shown} (it was too large to be kept)"));
                }
                continue;
            }
            match self.put_one_back(root, one, stood) {
                Ok(false) => (),
                Ok(true) => report.changed.push(shown),
                Err(why) => report.left.push(format!("{shown} ({why})")),
            }
        }
        report.changed.sort();
        Ok(report)
    }

    /// Puts a file back if it differs; says whether it did.
    fn put_one_back(&self, root: &Root, one: &One, now: Option<Stood>) -> Result<bool, String> {
        let path = one.path.as_os_str().as_bytes();
        let words = |error: io::Error| error.to_string();
        if let Held::Link(target) = &one.held {
            let is_same = now.is_some_and(|now| now.kind().is_symlink())
                && below::read_link(root, path).is_ok_and(|now| now == *target);
            if !is_same {
                below::write(root, path, Content::Link(target)).map_err(words)?;
            }
            return Ok(!is_same);
        }
        let Some(bytes) = self.held(one)? else { return Ok(false) };
        let is_file = now.is_some_and(|now| now.kind().is_file());
        let most = bytes.len() as u64;
        let holds = is_file
            && below::read(root, path, Links::Refused, most).is_ok_and(|held| held == bytes);
        if !holds {
            let executable = one.mode & 0o100 != 0;
            below::write(root, path, Content::File(&bytes, executable)).map_err(words)?;
        }
        let has_mode = holds && now.is_some_and(|now| now.mode & 0o7777 == one.mode);
        if !has_mode {
            below::set_mode(root, path, one.mode).map_err(|errno| words(errno.into()))?;
        }
        Ok(!holds || !has_mode)
    }

    /// What a file held; `None` where it was none, or was not kept.
    fn held(&self, one: &One) -> Result<Option<Vec<u8>>, String> {
        let Held::Bytes { at, length, digest } = &one.held else { return Ok(None) };
        let mut bytes = vec![0; *length];
        let read = self.bytes.read_exact_at(&mut bytes, *at);
        match read.is_ok() && hex(&Sha256::digest(&bytes)) == *digest {
            true => Ok(Some(bytes)),
            false => Err("what was kept of it is damaged".to_owned()),
        }
    }
}

/// Keeps one file; `None` for what is neither a file nor a link, and for what cannot be read, which could
/// not be put back either.
fn keep_one(
    root: &Root,
    path: &[u8],
    stood: &Stood,
    number: usize,
    (to, at): (&mut File, &mut u64),
) -> io::Result<Option<Held>> {
    if stood.kind().is_symlink() {
        return Ok(below::read_link(root, path).ok().map(Held::Link));
    }
    if !stood.kind().is_file() {
        return Ok(None);
    }
    if at.saturating_add(stood.size) > MOST || number >= MOST_FILES {
        return Ok(Some(Held::LeftOut(Touched::of(stood))));
    }
    let Ok(bytes) = below::read(root, path, Links::Refused, stood.size) else {
        return Ok(None);
    };
    to.write_all(&bytes)?;
    let (length, digest) = (bytes.len(), hex(&Sha256::digest(&bytes)));
    let held = Held::Bytes { at: *at, length, digest };
    *at += length as u64;
    Ok(Some(held))
}
