//! Guarded files, looked at and swapped in the helper: what is guarded (`record`), what became of it
//! (`compare`), and the originals in its place for a while (`swap`).
//!
//! What they are to the tests is decided by `windlass-proof`; how files change places, and come back
//! after a kill, by `windlass-repo`.

mod added;
mod asked;
mod compare;
mod free_paths;
mod inline;
mod kept;
mod levels;
mod look;
mod machine;
mod manifest;
mod named;
mod record;
mod start_files;
mod swap;

#[cfg(test)]
mod tests;

pub(crate) use self::asked::Asked;

use std::path::{Path, PathBuf};

use windlass_core::{
    step::{
        RestoreReport,
        guarded::{GuardChanges, GuardReport, LaterOriginals},
    },
    text::causes::with_causes,
};
use windlass_repo::tree::{Intended, Intent, PutBack, Swap, Tree, TreeError};
use windlass_system::below::Root;

use self::{manifest::Manifest, start_files::StartFiles};

/// The helper's side of guarded files.
pub(super) struct Sentry {
    /// What paths are resolved below.
    root: PathBuf,
    /// Where the checks run.
    directory: PathBuf,
    /// windlass's home.
    home: PathBuf,
    /// What intents are kept by: the directory that work trees share, or the root outside git.
    common_dir: PathBuf,
    /// Where the originals of this loop are kept that no snapshot has; `None` where no loop runs.
    folder: Option<PathBuf>,
    /// What was recorded, once it was read.
    manifest: Option<Manifest>,
    /// The originals that are in place now.
    swap: Option<(Intent, Swap)>,
}

impl Sentry {
    pub(super) fn new(
        root: &Path,
        directory: &Path,
        home: &Path,
        common_dir: Option<&Path>,
        folder: Option<PathBuf>,
    ) -> Self {
        Self {
            root: root.to_owned(),
            directory: directory.to_owned(),
            home: home.to_owned(),
            common_dir: common_dir.unwrap_or(root).to_owned(),
            folder,
            manifest: None,
            swap: None,
        }
    }

    /// Records what is guarded. What was recorded for the loop before stays.
    pub(super) async fn record(
        &mut self,
        tree: Option<&Tree>,
        asked: &Asked,
    ) -> Result<GuardReport, String> {
        let folder = self.folder()?.to_owned();
        let mut recorder = record::Recorder::new(&self.root, &self.directory, asked)?;
        let found = recorder.look(tree).await?;
        let report = found.report.clone();
        if !Manifest::is_in(&folder) {
            recorder.keep(&folder, found)?;
        }
        if tree.is_none() {
            self.keep_start()?;
        }
        self.manifest = Some(Manifest::read(&folder)?);
        Ok(report)
    }

    /// Keeps the files as they are when the loop begins, where no snapshot has them.
    pub(super) fn keep_start(&self) -> Result<(), String> {
        let root = Root::open(&self.root).map_err(|errno| errno.to_string())?;
        StartFiles::keep(&root, self.folder()?).map_err(|error| error.to_string())
    }

    /// Puts files back that were kept so and differ. What was added since stays.
    pub(super) fn put_start_back(&self) -> Result<RestoreReport, String> {
        let Some(files) = StartFiles::read(self.folder()?)? else {
            return Ok(RestoreReport::default());
        };
        files.put_back(&Root::open(&self.root).map_err(|errno| errno.to_string())?)
    }

    /// What became of guarded files.
    pub(super) async fn compare(
        &mut self,
        tree: Option<&Tree>,
        asked: &Asked,
        now: Option<String>,
        later: &[LaterOriginals],
    ) -> Result<GuardChanges, String> {
        let now = now.filter(|_| tree.is_some());
        Ok(self.comparison(tree, asked, now, later).await?.changes())
    }

    async fn comparison(
        &mut self,
        tree: Option<&Tree>,
        asked: &Asked,
        now: Option<String>,
        later: &[LaterOriginals],
    ) -> Result<compare::Comparison, String> {
        self.load()?;
        let manifest = self.manifest.as_ref().ok_or("what was guarded is not known")?;
        let guard = asked.guard(&self.root, &self.directory, manifest)?;
        let root = Root::open(&self.root).map_err(|error| error.to_string())?;
        let unreleased = asked.unreleased(&self.root, &self.directory, manifest)?;
        let comparer = compare::Comparer {
            root: &root,
            guard: &guard,
            unreleased: unreleased.as_ref(),
            manifest,
            folder: self.folder()?,
            top: &self.root,
            locks: asked.step.locks,
        };
        comparer.compare(tree.zip(now.as_deref()), later).await
    }

    /// Puts the originals in place; `Err` says why that cannot be done.
    pub(super) async fn put_in(
        &mut self,
        tree: Option<&Tree>,
        asked: &Asked,
        later: &[LaterOriginals],
    ) -> Result<bool, String> {
        let now = match tree {
            Some(tree) => Some(tree.snapshot().await.map_err(|error| with_causes(&error))?.tree),
            None => None,
        };
        let comparison = self.comparison(tree, asked, now, later).await?;
        let folder = self.folder()?.to_owned();
        let free = self.manifest.as_ref().map_or(&[][..], |manifest| &manifest.free);
        let written = [&*asked.step.written_by_checks, free].concat();
        let wanted = swap::wanted(comparison, &folder, &written)?;
        let places = (&*self.common_dir, &*self.root);
        let of_loop = folder.file_name().and_then(|name| name.to_str());
        let (intent, swap) = windlass_repo::tree::put_in(&self.home, places, of_loop, wanted)?;
        let has_second = swap.has_second();
        self.swap = Some((intent, swap));
        Ok(has_second)
    }

    /// Sets the agent's new tests aside, too.
    pub(super) fn set_aside(&self) -> Result<(), String> {
        match &self.swap {
            Some((_, swap)) => swap.set_aside(&self.root),
            None => Err("the originals are not in place".to_owned()),
        }
    }

    /// Puts the agent's files back.
    pub(super) fn put_back(&mut self) -> Result<PutBack, String> {
        let Some((intent, swap)) = &self.swap else { return Ok(PutBack::default()) };
        let back = swap.undo(&self.root).map_err(|error| error.to_string())?;
        intent.forget(&self.home);
        self.swap = None;
        Ok(back)
    }

    /// Undoes what a process left that was killed; the caller removes the intent.
    pub(super) fn settle(&self, intent: &Intent) -> Result<PutBack, TreeError> {
        match &intent.change {
            Intended::Originals { swap, .. } if intent.top == self.root => {
                swap.undo(&self.root).map_err(|source| TreeError::Io {
                    what: "put the agent's files back in".into(),
                    path: self.root.clone(),
                    source,
                })
            }
            _ => Err(TreeError::Gone { path: intent.top.clone() }),
        }
    }

    fn folder(&self) -> Result<&Path, String> {
        self.folder.as_deref().ok_or_else(|| "no loop runs here".to_owned())
    }

    fn load(&mut self) -> Result<(), String> {
        if self.manifest.is_none() {
            self.manifest = Some(Manifest::read(self.folder()?)?);
        }
        Ok(())
    }
}
