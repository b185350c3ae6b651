//! The credentials of an agent in a sandbox: it gets a copy of each file, and what it renews there
//! comes back, checked. The agent never writes the user's own file.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, OpenOptionsExt, chown},
    },
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use windlass_core::agent_files::{AgentFiles, CredentialFields, Renewed};

use super::{SandboxError, notes::Notes};
use crate::{
    below::{self, Links, Root, replace_private},
    home,
};

/// So many bytes a credentials file may have.
const MOST: u64 = 256 * 1024;

/// The copies of one agent's credentials.
#[derive(Debug)]
pub(super) struct Credentials {
    agent: String,
    fields: Option<CredentialFields>,
    copies: Vec<Copied>,
    notes: Notes,
}

/// One file and its copy.
#[derive(Debug)]
struct Copied {
    /// Where the agent sees it.
    at: PathBuf,
    /// Where the user's own file really is.
    users: PathBuf,
    copy: PathBuf,
    /// What was copied last.
    text: Mutex<Vec<u8>>,
}

impl Credentials {
    /// Copies what is there into a directory, which is made for that.
    pub(super) fn copy(
        agent: &str,
        own: &AgentFiles,
        directory: &Path,
        notes: &Notes,
    ) -> Result<Self, SandboxError> {
        let failed = |source| SandboxError::Io { what: "copy the agent's credentials", source };
        let mut copies = Vec::new();
        for at in own.kept.iter().filter(|path| path.is_file()) {
            let users = at.canonicalize().map_err(failed)?;
            let copy = directory.join(copies.len().to_string());
            directory.parent().map_or(Ok(()), home::create_private).map_err(failed)?;
            home::create_private(directory).map_err(failed)?;
            let text = read(&users).map_err(failed)?;
            make(&copy, &users, &text).map_err(failed)?;
            copies.push(Copied { at: at.clone(), users, copy, text: Mutex::new(text) });
        }
        Ok(Self { agent: agent.to_owned(), fields: own.credentials, copies, notes: notes.clone() })
    }

    /// Where each copy stands for the agent, and where it is.
    pub(super) fn mounts(&self) -> impl Iterator<Item = (PathBuf, PathBuf)> {
        self.copies.iter().map(|copied| (copied.at.clone(), copied.copy.clone()))
    }

    /// Brings the copies up to date, for a session that is about to begin.
    pub(super) fn refresh(&self) {
        for copied in &self.copies {
            let Ok(now) = read(&copied.users) else { continue };
            let mut text = copied.text();
            if *text != now {
                self.tell_trouble(overwrite(&copied.copy, &now));
                *text = now;
            }
        }
    }

    /// Takes back what a session renewed, and makes the copies as the user's own files are.
    pub(super) fn bring_back(&self) {
        for copied in &self.copies {
            let mut text = copied.text();
            let left = read(&copied.copy);
            if left.as_ref().is_ok_and(|left| *left == *text) {
                continue;
            }
            match self.renewed(copied, &text, left) {
                Ok(Some(new)) => *text = new,
                Ok(None) => (),
                Err(why) => {
                    let agent = &self.agent;
                    let file = copied.at.display();
                    self.notes.say(format!(
                        "what {agent} left in its copy of `{file}` is not taken: {why}"
                    ));
                }
            }
            self.tell_trouble(overwrite(&copied.copy, &text));
        }
    }

    /// The user's file with what was renewed, once it is written.
    fn renewed(
        &self,
        copied: &Copied,
        before: &[u8],
        left: io::Result<Vec<u8>>,
    ) -> Result<Option<Vec<u8>>, String> {
        let left = left.map_err(|error| error.to_string())?;
        let Some(fields) = self.fields else { return Ok(None) };
        let new = match fields.renewed(before, &left) {
            Renewed::Nothing => return Ok(None),
            Renewed::Refused(why) => return Err(why.to_owned()),
            Renewed::Taken(new) => new,
        };
        if read(&copied.users).map_err(|error| error.to_string())? != before {
            return Err("the file itself has changed meanwhile".to_owned());
        }
        let (directory, name) = parts(&copied.users).map_err(|error| error.to_string())?;
        replace_private(directory, name, &new).map_err(|error| error.to_string())?;
        Ok(Some(new))
    }

    fn tell_trouble(&self, done: io::Result<()>) {
        if let Err(error) = done {
            let agent = &self.agent;
            self.notes.say(format!("the copy of {agent}'s credentials cannot be written: {error}"));
        }
    }
}

impl Copied {
    fn text(&self) -> MutexGuard<'_, Vec<u8>> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The directory that a file is in, and its name there.
fn parts(path: &Path) -> io::Result<(Root, &[u8])> {
    let missing = || io::Error::from(io::ErrorKind::InvalidInput);
    let parent = path.parent().ok_or_else(missing)?;
    // Where a link took the place of a directory on the way, this is another file.
    if parent.canonicalize()? != parent {
        return Err(io::Error::other("a link stands on the way to it"));
    }
    let name = path.file_name().ok_or_else(missing)?;
    Ok((Root::open(parent)?, name.as_bytes()))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let (directory, name) = parts(path)?;
    below::read(directory, name, Links::Refused, MOST)
}

/// Makes a copy with the owner of the original, for nobody else.
fn make(copy: &Path, users: &Path, text: &[u8]) -> io::Result<()> {
    match fs::remove_file(copy) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => (),
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(copy)?;
    file.write_all(text)?;
    let (owner, made) = (fs::metadata(users)?, file.metadata()?);
    if (owner.uid(), owner.gid()) != (made.uid(), made.gid()) {
        chown(copy, Some(owner.uid()), Some(owner.gid()))?;
    }
    Ok(())
}

/// Writes a copy in its place, for it is mounted where the agent sees it.
fn overwrite(copy: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).truncate(true).open(copy)?;
    file.write_all(text)
}
