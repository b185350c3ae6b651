//! Puts originals in place.

use std::{fs::DirBuilder, io, os::unix::fs::DirBuilderExt, path::Path};

use rustix::io::Errno;
use windlass_system::{
    below::{self, Content, Root},
    clock,
};

use super::{COMPLETE, Entry, Original, Put, Swap, Wanted, plan::Plan, shown};
use crate::tree::{Intended, Intent, own_directory};

/// Puts originals in place; gives what it takes to put the agent's files back.
///
/// # Errors
/// Why that cannot be done, in a clause; what was done is undone. Where even that fails, the intent
/// stays, and the next command that uses the work tree undoes it.
pub fn put_in(
    home: &Path,
    (common_dir, top): (&Path, &Path),
    of_loop: Option<&str>,
    wanted: Vec<Wanted>,
) -> Result<(Intent, Swap), String> {
    let intent = |swap: &Swap| Intent {
        common_dir: common_dir.to_owned(),
        top: top.to_owned(),
        change: Intended::Originals { swap: swap.clone(), of_loop: of_loop.map(str::to_owned) },
    };
    let intend = |swap: &Swap| intent(swap).write(home);
    let root = Root::open(top).map_err(|error| io::Error::from(error).to_string())?;
    let mut swap = Swap::new(&own_directory(home, top));
    let put = prepare(&mut swap, &root, wanted, &intend).and_then(|originals| {
        let all = swap.entries.iter().zip(&originals).enumerate();
        for (number, (entry, original)) in all.filter(|(_, (entry, _))| !entry.only_second) {
            let put = swap.put_one(&root, number, entry, original.as_ref());
            put.map_err(|error| about(&entry.path, &error))?;
        }
        swap.mark_complete().map_err(|error| error.to_string())
    });
    match put {
        Ok(()) => Ok((intent(&swap), swap)),
        Err(why) => Err(match swap.undo(top) {
            Ok(_) => {
                intent(&swap).forget(home);
                why
            }
            Err(error) => format!("{why}; and what was done could not be undone: {error}"),
        }),
    }
}

/// Opens directories, decides on every path, and writes that down.
fn prepare(
    swap: &mut Swap,
    root: &Root,
    wanted: Vec<Wanted>,
    intend: &dyn Fn(&Swap) -> io::Result<()>,
) -> Result<Vec<Option<Original>>, String> {
    let words = |error: io::Error| error.to_string();
    for one in &wanted {
        while let Some(closed) = swap.closed_on_the_way(root, &one.path) {
            if swap.opened.iter().any(|(opened, _)| opened.0 == closed.0) {
                return Err(format!("`{}` cannot be opened", shown(&closed.0)));
            }
            swap.open(closed);
            intend(swap).map_err(words)?;
            swap.open_all(root).map_err(words)?;
        }
    }
    let newest = below::newest(root).map_err(|error| words(error.into()))?;
    let now = clock::now().0.div_euclid(1000);
    let plan = Plan::of(swap.clone(), root, wanted).map_err(words)?;
    *swap = plan.swap;
    let out_of_range = || "a file below has a time that no later one can be made of".to_owned();
    swap.modified = newest.max(now).checked_add(1).ok_or_else(out_of_range)?;
    intend(swap).map_err(words)?;
    DirBuilder::new().mode(0o700).create(&swap.aside).map_err(words)?;
    Ok(plan.originals)
}

impl Swap {
    /// Sets aside what is only set aside for a second run.
    ///
    /// # Errors
    /// Why that cannot be done, in a clause.
    pub fn set_aside(&self, top: &Path) -> Result<(), String> {
        let root = Root::open(top).map_err(|error| io::Error::from(error).to_string())?;
        let all = self.entries.iter().enumerate().filter(|(_, entry)| entry.only_second);
        for (number, entry) in all {
            let put = self.put_one(&root, number, entry, None);
            put.map_err(|error| about(&entry.path, &error))?;
        }
        Ok(())
    }

    /// Notes that every original is in its place.
    fn mark_complete(&self) -> io::Result<()> {
        let aside = Root::open(&self.aside)?;
        below::write(aside, COMPLETE, Content::File(b"", false))
    }

    fn put_one(
        &self,
        root: &Root,
        number: usize,
        entry: &Entry,
        original: Option<&Original>,
    ) -> io::Result<()> {
        if entry.found.is_some() {
            self.move_aside(root, number, entry)?;
        }
        match (&entry.put, original) {
            (Put::Directory, _) => drop(below::make_dir(root, entry.bytes())?),
            (_, None) => {}
            (_, Some(original)) => {
                below::make_dir(root, below::split(entry.bytes()).0)?;
                let (content, mode) = match original {
                    Original::File { bytes, mode, executable } => {
                        (Content::File(bytes, *executable), *mode)
                    }
                    Original::Link(target) => (Content::Link(target), None),
                };
                let times = (mode, self.modified);
                below::write_nowhere(root, entry.bytes(), content, times)?.place(entry.bytes())?;
            }
        }
        Ok(())
    }

    /// Moves aside what stands at a path, if it is still what was found there.
    fn move_aside(&self, root: &Root, number: usize, entry: &Entry) -> io::Result<()> {
        let stood = below::stood(root, entry.bytes())?;
        if stood.map(|stood| (stood.device, stood.inode)) != entry.found {
            return Err(io::Error::other("it was changed by somebody else meanwhile"));
        }
        let name = number.to_string();
        let aside = Root::open(&self.aside)?;
        match below::move_to(root, entry.bytes(), &aside, name.as_bytes()) {
            Err(Errno::XDEV) => {
                self.make_inside(root)?;
                let to = format!("{}/{number}", self.inside);
                Ok(below::move_to(root, entry.bytes(), root, to.as_bytes())?)
            }
            moved => Ok(moved?),
        }
    }

    /// Makes the folder for what cannot leave the file system. Git and snapshots pass it over.
    fn make_inside(&self, root: &Root) -> io::Result<()> {
        let rules = format!("{}/.gitignore", self.inside);
        match below::stood(root, rules.as_bytes())? {
            Some(_) => Ok(()),
            None => below::write(root, rules.as_bytes(), Content::File(b"*\n", false)),
        }
    }
}

fn about(path: &Path, error: &io::Error) -> String {
    format!("`{}`: {error}", shown(path))
}
