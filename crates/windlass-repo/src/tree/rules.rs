//! The rules that decide what of a work tree counts, as they were when the loop began: later changes
//! of them outside of the tree, which no diff shows, hide nothing.
//!
//! They are what the user ignores everywhere, what the repository's `info/exclude` says, and what the
//! index names. `.gitignore` files count as they are, for they are part of every snapshot.

use std::{
    fs::{self, File},
    io::{self, Read},
};

use windlass_system::below::{self, Links, Root};

use super::{
    Tree, TreeError,
    own::{copy_bounded, write_private},
    scan::Scan,
};

/// How the frozen rules begin, by which they are told from those of earlier versions.
const FIRST_LINE: &str = "# The rules as they were when the last loop began here.\n";

/// What agents keep for themselves in the work tree. It changes with every session, and is no
/// work: counted as such, no loop with that agent would ever be found to stand still.
const SCRATCH: &str = "/.aider.chat.history.md\n/.aider.input.history\n/.aider.tags.cache.v*/\n";

/// More rules in one file than this are nobody's.
const MOST: u64 = 8 << 20;

/// Where git looks for rules in a git directory.
const EXCLUDE: &str = "info/exclude";

/// The index as it was.
pub(super) const START_INDEX: &str = "index-at-start";

impl Tree {
    /// Has the rules of now count from now on. Only for the start of a loop.
    pub async fn begin_loop(&self) -> Result<(), TreeError> {
        self.freeze_rules()?;
        self.memory.lock().await.scan = Scan::default();
        Ok(())
    }

    /// Adds a rule of windlass's own to those that count.
    pub(super) async fn add_rule(&self, pattern: &str) -> Result<(), TreeError> {
        self.have_rules()?;
        let path = self.own.path().join(EXCLUDE);
        let mut rules = fs::read(&path).map_err(TreeError::io("read", &path))?;
        if rules.split(|byte| *byte == b'\n').any(|line| line == pattern.as_bytes()) {
            return Ok(());
        }
        rules.extend(format!("{pattern}\n").bytes());
        write_private(&path, &rules).map_err(TreeError::io("write", &path))?;
        self.memory.lock().await.scan = Scan::default();
        Ok(())
    }

    fn freeze_rules(&self) -> Result<(), TreeError> {
        let own = self.own.path();
        let mut rules = format!("{FIRST_LINE}{SCRATCH}").into_bytes();
        // What comes later has the last word, as it has with git.
        for text in [self.users_rules(), self.repositorys_rules()] {
            rules.extend(text.unwrap_or_default());
            rules.push(b'\n');
        }
        let index = own.join(START_INDEX);
        drop(fs::remove_file(&index));
        let frozen = || -> io::Result<()> {
            write_private(&own.join(EXCLUDE), &rules)?;
            match copy_bounded(&self.repository.git_dir, b"index", &index) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                copied => copied,
            }
        };
        frozen().map_err(TreeError::io("write to", own))
    }

    /// Freezes the rules where none are kept.
    pub(super) fn have_rules(&self) -> Result<(), TreeError> {
        let kept = fs::read(self.own.path().join(EXCLUDE)).unwrap_or_default();
        if kept.starts_with(FIRST_LINE.as_bytes()) { Ok(()) } else { self.freeze_rules() }
    }

    /// What the user ignores everywhere: a file of their own, which may be a link.
    fn users_rules(&self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let file = File::open(self.user.excludes.as_deref()?).ok()?;
        file.take(MOST).read_to_end(&mut text).ok()?;
        Some(text)
    }

    fn repositorys_rules(&self) -> Option<Vec<u8>> {
        let root = Root::open(&self.repository.common_dir).ok()?;
        below::read(root, EXCLUDE.as_bytes(), Links::Refused, MOST).ok()
    }
}
