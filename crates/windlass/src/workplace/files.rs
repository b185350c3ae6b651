//! Single files of the place, asked of the helper; and those outside of it that the user named, which
//! no agent in a sandbox can write.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Component, Path, PathBuf},
};

use windlass_core::{step::Fingerprints, task_file::LARGEST};
use windlass_proof::CheckFiles;
use windlass_repo::{detect::Detected, tree::TASK_LIST};
use windlass_system::{
    below::{self, Root, TextError},
    worker::WorkerError,
};

use super::{
    Known, Line,
    call::{FileCall, RawPath},
    itself::{is_itself, still_meant},
    tree::Changes,
};

/// The files of a place.
#[derive(Clone)]
pub(crate) struct Files {
    pub(super) line: Line,
    pub(super) known: Known,
}

/// A text, and where it is.
pub(crate) struct Text {
    pub(crate) text: String,
    /// Its path below the top of the work tree, if it is in one.
    pub(crate) in_tree: Option<String>,
}

/// Where a file is.
enum Whereabouts {
    /// Below the root.
    Inside(RawPath),
    /// Elsewhere: its directory and its name.
    Outside(PathBuf, Vec<u8>),
}

impl Files {
    /// Whether the place did not answer the last question in time.
    pub(crate) fn is_silent(&self) -> bool {
        self.line.is_silent()
    }

    /// Whether the directory is still there, and still itself: an agent may have put a link in its
    /// place.
    pub(crate) fn is_there(&self) -> bool {
        is_itself(Path::new("/"), &self.known.directory)
    }

    /// Why it is not, in words.
    pub(crate) fn why_not_there(&self) -> String {
        let directory = &self.known.directory;
        match still_meant(Path::new("/"), directory) {
            Ok(_) => format!("the directory `{}` is not there any more", directory.display()),
            Err(error) => error.to_string(),
        }
    }

    /// What changed since the loop began.
    pub(crate) fn changes(&self) -> Changes<'_> {
        Changes(&self.line)
    }

    /// The text of a file. Links are followed as long as they stay below the root.
    pub(crate) async fn read_text(&self, path: &str) -> Result<Text, TextError> {
        match self.whereabouts(path) {
            Whereabouts::Inside(path) => {
                let read: Result<_, Trouble<TextError>> =
                    self.line.ask(FileCall::ReadText { path }).await;
                let (text, in_tree) = read.map_err(Trouble::into_text)?;
                Ok(Text { text, in_tree })
            }
            Whereabouts::Outside(folder, name) => {
                let root = Root::open(&folder).map_err(|_| TextError::Missing)?;
                let text = below::read_text(root, &name, LARGEST)?;
                Ok(Text { text, in_tree: None })
            }
        }
    }

    /// Puts a text in the place of a file, all of it or nothing, with the folders that it needs.
    pub(crate) async fn replace(&self, path: &str, text: &str) -> Result<(), String> {
        match self.whereabouts(path) {
            Whereabouts::Inside(path) => {
                let call = FileCall::Replace { path, text: text.to_owned() };
                let done: Result<(), Trouble<String>> = self.line.ask(call).await;
                done.map_err(|trouble| trouble.to_string())
            }
            Whereabouts::Outside(folder, name) => {
                let root = Root::open(&folder).map_err(|errno| errno.to_string())?;
                below::replace(root, &name, text.as_bytes()).map_err(|error| error.to_string())
            }
        }
    }

    /// The pattern that means one file, for those that git is to leave out; `None` for a file that is
    /// not in the work tree.
    pub(crate) fn pattern_of(&self, path: &str) -> Option<String> {
        let Whereabouts::Inside(RawPath(inner)) = self.whereabouts(path) else { return None };
        let inner = inner.to_str().filter(|inner| !inner.contains('\n'))?;
        if inner == TASK_LIST {
            return Some(inner.to_owned());
        }
        let mut pattern = "/".to_owned();
        for c in inner.chars() {
            if "*?[\\ ".contains(c) {
                pattern.push('\\');
            }
            pattern.push(c);
        }
        Some(pattern)
    }

    /// Keeps a file of windlass's out of git.
    pub(crate) async fn exclude(&self, pattern: &str) -> Result<(), String> {
        let call = FileCall::Exclude { pattern: pattern.to_owned() };
        let done: Result<(), Trouble<String>> = self.line.ask(call).await;
        done.map_err(|trouble| trouble.to_string())
    }

    /// Which files that checks depend on are in the directory, by their order.
    pub(crate) async fn existing(&self, named: CheckFiles) -> Result<Vec<String>, String> {
        let CheckFiles { files, programs } = named;
        let programs = programs.into_iter().filter(|path| !files.contains(path)).collect();
        let call = FileCall::Existing { files: files.into_iter().collect(), programs };
        let found: Result<_, Trouble<String>> = self.line.ask(call).await;
        found.map_err(|trouble| trouble.to_string())
    }

    /// What the protected files hold now.
    pub(crate) async fn fingerprint(
        &self,
        globs: &[String],
        files: &[String],
    ) -> Result<Fingerprints, String> {
        let call = FileCall::Fingerprint { globs: globs.to_vec(), files: files.to_vec() };
        let prints: Result<_, Trouble<String>> = self.line.ask(call).await;
        prints.map_err(|trouble| trouble.to_string())
    }

    /// The programs in directories of `PATH` that an agent can write, and what each holds.
    pub(crate) async fn path_programs(
        &self,
        directories: &[PathBuf],
    ) -> Result<Fingerprints, String> {
        let directories = directories.iter().map(|path| RawPath::of(path)).collect();
        let prints: Result<_, Trouble<String>> =
            self.line.ask(FileCall::PathPrograms { directories }).await;
        prints.map_err(|trouble| trouble.to_string())
    }

    /// A directory below the root.
    pub(crate) fn place(&self, below: &str) -> PathBuf {
        self.known.root.join(below).components().collect()
    }

    /// Whether a directory below the root is there and no link leads to it.
    pub(crate) fn has_place(&self, below: &str) -> bool {
        is_itself(Path::new("/"), &self.place(below))
    }

    /// Which of these globs match no file.
    pub(crate) async fn unmatched(&self, globs: &[String]) -> Result<Vec<String>, String> {
        let call = FileCall::Unmatched { globs: globs.to_vec() };
        let unmatched: Result<_, Trouble<String>> = self.line.ask(call).await;
        unmatched.map_err(|trouble| trouble.to_string())
    }

    /// The commands that run the project's tests, as far as any can be told, the best first.
    pub(crate) async fn detect_tests(&self) -> Result<Vec<Detected>, String> {
        let found: Result<_, Trouble<String>> = self.line.ask(FileCall::DetectTests).await;
        found.map_err(|trouble| trouble.to_string())
    }

    /// The commands that lint and check the types of the project.
    pub(crate) async fn detect_checks(&self) -> Result<Vec<Detected>, String> {
        let found: Result<_, Trouble<String>> = self.line.ask(FileCall::DetectChecks).await;
        found.map_err(|trouble| trouble.to_string())
    }

    /// Where the agent works, below the root; empty for the root itself.
    pub(crate) fn directory_in_root(&self) -> String {
        let inner = self.known.directory.strip_prefix(&self.known.root);
        inner.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn whereabouts(&self, path: &str) -> Whereabouts {
        let whole = plain(&self.known.directory.join(path));
        match whole.strip_prefix(&self.known.root) {
            Ok(inner) => Whereabouts::Inside(RawPath::of(inner)),
            Err(_) => {
                let folder = whole.parent().unwrap_or(Path::new("/")).to_owned();
                let name = whole.file_name().unwrap_or(OsStr::new("."));
                Whereabouts::Outside(folder, name.as_bytes().to_vec())
            }
        }
    }
}

/// A path without `.` and `..`, by its words alone.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// What the helper said, or that it said nothing.
#[derive(Debug, serde::Deserialize)]
#[serde(untagged)]
pub(super) enum Trouble<E> {
    Told(E),
    #[serde(skip)]
    NoAnswer(WorkerError),
}

impl<E> From<WorkerError> for Trouble<E> {
    fn from(error: WorkerError) -> Self {
        Self::NoAnswer(error)
    }
}

impl Trouble<TextError> {
    fn into_text(self) -> TextError {
        match self {
            Self::Told(error) => error,
            Self::NoAnswer(error) => TextError::Io(error.to_string()),
        }
    }
}

impl std::fmt::Display for Trouble<String> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Told(why) => to.write_str(why),
            Self::NoAnswer(error) => error.fmt(to),
        }
    }
}
