//! Where init writes: the project's file and the user's own, as they are now.

use std::path::{Path, PathBuf};

use toml_edit::DocumentMut;

use crate::{
    config::{FILE_NAME, Origin, RepoFile, locate, setting_of, user_document},
    host::{app::App, failure::Failure},
};

/// Both files, as they are before anything is written.
#[derive(Debug)]
pub(super) struct Place {
    /// The top of the repository; outside of one, the directory itself.
    pub(super) root: PathBuf,
    /// Whether the user stands there.
    pub(super) is_at_root: bool,
    /// Whether `windlass` was started elsewhere, with `--directory`.
    pub(super) is_elsewhere: bool,
    /// The project's file.
    pub(super) project: ConfigFile,
    /// What may be done with it.
    pub(super) trust: Trust,
    /// The user's own file.
    pub(super) user: ConfigFile,
}

/// What may be done with a project's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// There is none yet.
    New,
    /// It is there and trusted.
    Trusted,
    /// It is there and not trusted: it may be somebody else's.
    Untrusted,
}

/// A config file and what stands in it.
#[derive(Debug)]
pub(super) struct ConfigFile {
    pub(super) path: PathBuf,
    /// Its text; `None` where there is no file.
    pub(super) text: Option<String>,
    /// Whether the file may be a link to another place.
    pub(super) may_be_link: bool,
    document: DocumentMut,
}

impl ConfigFile {
    fn new(path: PathBuf, text: Option<String>) -> Result<Self, Failure> {
        let document = text.as_deref().unwrap_or_default().parse();
        let document = document.map_err(|error: toml_edit::TomlError| {
            Failure::usage(format!("`{}` is not TOML: {}", path.display(), error.message()))
        })?;
        Ok(Self { path, text, may_be_link: false, document })
    }

    /// A file with this text.
    #[cfg(test)]
    pub(super) fn of(path: &str, text: Option<&str>) -> Self {
        let file = Self::new(path.into(), text.map(str::to_owned));
        file.unwrap_or_else(|failure| panic!("{}", failure.error))
    }

    /// The value of a setting outside of tables, by whichever of its names it goes.
    pub(super) fn get(&self, key: &str) -> Option<&toml_edit::Item> {
        let mut items = self.document.iter();
        items.find(|(name, _)| setting_of(name) == key).map(|(_, item)| item)
    }

    /// The text of a setting that is a string.
    pub(super) fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(toml_edit::Item::as_str)
    }

    /// A copy to change; everything that stands there stays as it is.
    pub(super) fn to_change(&self) -> DocumentMut {
        self.document.clone()
    }
}

impl Place {
    /// Looks where the user stands. A home directory and the file system's root are no projects.
    pub(super) fn of(app: &App) -> Result<Self, Failure> {
        let existing = locate(&app.directory);
        let root = existing.as_deref().and_then(Path::parent).map(Path::to_owned);
        let root = root.unwrap_or_else(|| repository(&app.directory));
        refuse_home(app, &root)?;
        let path = existing.unwrap_or_else(|| root.join(FILE_NAME));
        let (text, trust) = match RepoFile::read(&app.home, &path)? {
            None => (None, Trust::New),
            Some(file) => {
                // What cannot act is told with its line.
                file.document.layer(&Origin::Repo(path.clone()))?;
                let trust = if file.trusted { Trust::Trusted } else { Trust::Untrusted };
                (Some(file.document.text), trust)
            }
        };
        let user = app.user_config().ok_or_else(|| {
            Failure::usage(
                "there is no place for your config: neither XDG_CONFIG_HOME nor HOME is set",
            )
            .hint("set HOME to your home directory")
        })?;
        let document = user_document(app)?;
        if let Some(document) = &document {
            document.layer(&Origin::User(user.clone()))?;
        }
        let here = Path::new(".").canonicalize().ok();
        Ok(Self {
            is_at_root: root == app.directory,
            is_elsewhere: here.as_ref() != Some(&app.directory),
            project: ConfigFile::new(path, text)?,
            trust,
            user: ConfigFile {
                may_be_link: true,
                ..ConfigFile::new(user, document.map(|document| document.text))?
            },
            root,
        })
    }
}

/// The top of the repository that a directory is in; outside of one, the directory itself.
fn repository(directory: &Path) -> PathBuf {
    let has_git = |place: &&Path| place.join(".git").symlink_metadata().is_ok();
    directory.ancestors().find(has_git).unwrap_or(directory).to_owned()
}

fn refuse_home(app: &App, root: &Path) -> Result<(), Failure> {
    let home = app.environment.all().get(std::ffi::OsStr::new("HOME")).map(PathBuf::from);
    let home = home.and_then(|home| home.canonicalize().ok());
    let what = [app.directory.as_path(), root].into_iter().find_map(|place| match place {
        place if place == Path::new("/") => Some("the root of the file system"),
        place if Some(place) == home.as_deref() => Some("your home directory"),
        _ => None,
    });
    match what {
        None => Ok(()),
        Some(what) => {
            Err(Failure::usage(format!("{what} is no project: agents would work on all of it"))
                .hint("go to the directory of a project, and type `windlass init` there"))
        }
    }
}
