//! All that is below a root, by name: links are not followed, and git directories not entered.

use rustix::{
    fs::{FileType, RawDir},
    io::Errno,
};

use super::{Root, Stood, open_dir, stood_in};

/// More files than this are not walked.
const MOST_FILES: usize = 4_000_000;

/// What a walk came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Files and links, from the root, in no order.
    pub files: Vec<Vec<u8>>,
    /// Directories below the root that are other repositories: they have a `.git`.
    pub nested: Vec<Vec<u8>>,
    /// Directories that cannot be read.
    pub closed: Vec<Vec<u8>>,
}

/// The names of all files below a root.
///
/// # Errors
/// There are too many, or the root itself cannot be read.
pub fn walk(root: &Root) -> Result<Walked, Errno> {
    let mut walked = Walked::default();
    each(root, &mut walked, |_, _| Ok(()))?;
    Ok(walked)
}

/// The second in which the newest file below a root was modified.
///
/// # Errors
/// There are too many, or the root itself cannot be read.
pub fn newest(root: &Root) -> Result<i64, Errno> {
    let mut newest = i64::MIN;
    each(root, &mut Walked::default(), |dir, name| {
        if let Some(Stood { modified: (second, _), .. }) = stood_in(dir, name)? {
            newest = newest.max(second);
        }
        Ok(())
    })?;
    Ok(newest)
}

fn each(
    root: &Root,
    walked: &mut Walked,
    mut see: impl FnMut(&std::os::fd::OwnedFd, &[u8]) -> Result<(), Errno>,
) -> Result<(), Errno> {
    let mut todo = vec![Vec::new()];
    let mut buffer = Vec::with_capacity(64 << 10);
    while let Some(path) = todo.pop() {
        let dir = match open_dir(root, &path) {
            Ok(dir) => dir,
            Err(error) if path.is_empty() => return Err(error),
            // It went away meanwhile, or another thing is in its place.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => continue,
            Err(_) => {
                walked.closed.push(path);
                continue;
            }
        };
        let mut entries = RawDir::new(&dir, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            if name == b".git" {
                if !path.is_empty() {
                    walked.nested.push(path.clone());
                }
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => match stood_in(&dir, name)? {
                    Some(stood) => stood.kind(),
                    None => continue,
                },
                kind => kind,
            };
            let whole = join(&path, name);
            if kind.is_dir() {
                todo.push(whole);
            } else {
                see(&dir, name)?;
                walked.files.push(whole);
            }
            if walked.files.len() + todo.len() > MOST_FILES {
                return Err(Errno::TOOBIG);
            }
        }
    }
    Ok(())
}

fn join(parent: &[u8], name: &[u8]) -> Vec<u8> {
    match parent {
        b"" => name.to_vec(),
        parent => [parent, b"/", name].concat(),
    }
}
