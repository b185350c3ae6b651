//! Takes the state of a whole place down: its repository, what is inside of it, and Jujutsu's part.

use std::{
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    fact::{About, State},
    git_dir::{self, Reach, Whose},
    index, inner, jj,
    look::{Dir, Known, Look},
    refs::{self, KnownRefs},
};
use crate::tree::{CONFIG_FILE, Repository, hex};

/// A larger config file is none.
const LARGEST_CONFIG: u64 = 1 << 20;

/// Where agents work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The top of the work tree, or the directory where there is no repository.
    #[serde(with = "crate::wire::path")]
    pub root: PathBuf,
    /// The directory of the loop, in it.
    #[serde(with = "crate::wire::path")]
    pub directory: PathBuf,
    /// The repository, where there is one.
    pub repository: Option<Repository>,
    /// windlass's own directory, where it keeps work trees of loops.
    #[serde(with = "crate::wire::path")]
    pub home: PathBuf,
}

/// What was read at the last look, so that only what changed is read at the next.
#[derive(Debug, Default)]
pub(super) struct Memory {
    known: Known,
    refs: KnownRefs,
}

impl Place {
    /// The state as it is now; `nested` are directories in the tree that are repositories.
    pub(super) fn look(&self, nested: &[Vec<u8>], memory: &mut Memory) -> State {
        let mut look = Look::new(&memory.known);
        let Some(top) = Dir::at(&self.root, String::new()) else { return State::default() };
        let reach = Reach { top: &top, top_path: &self.root };
        if let Some(mark) = top.mark(b".git") {
            let target = || top.target(b".git");
            let value = match mark.strange() {
                Some(_) if mark.kind.is_symlink() => format!("a link to `{}`", target()),
                Some(strange) => strange.to_owned(),
                None if mark.kind.is_dir() => "a directory".to_owned(),
                None => {
                    let text = top.read(b".git", 4096).unwrap_or_default();
                    let text = String::from_utf8_lossy(&text);
                    format!("a file that leads to `{}`", text.trim().trim_start_matches("gitdir: "))
                }
            };
            look.fact(".git".to_owned(), About::Git, "", value);
        }
        look.file(&top, CONFIG_FILE.as_bytes(), LARGEST_CONFIG, |text, leaf| {
            leaf.insert((About::Windlass, String::new()), hex(&Sha256::digest(text)));
        });
        let mut nested = nested.to_vec();
        if let Some(repository) = &self.repository {
            self.repository(&mut look, repository, &reach, &mut memory.refs);
        } else {
            nested.push(Vec::new());
        }
        nested.extend(self.between());
        nested.sort_unstable();
        nested.dedup();
        let common = self.repository.as_ref().map(|repository| repository.common_dir.as_path());
        inner::nested(&mut look, &nested, common, &reach);
        jj::look_at(&mut look, &top);
        for path in self.between() {
            top.dir(&path).iter().for_each(|dir| jj::look_at(&mut look, dir));
        }
        let (state, known) = look.end();
        memory.known = known;
        state
    }

    fn repository(
        &self,
        look: &mut Look<'_>,
        repository: &Repository,
        reach: &Reach<'_>,
        known: &mut KnownRefs,
    ) {
        let crate::tree::Repository { git_dir, common_dir, .. } = repository;
        if let Some(common) = Dir::at(common_dir, self.shown(common_dir)) {
            git_dir::shared(look, &common, common_dir, reach, Whose::User);
            git_dir::own(look, &common, Whose::User);
            index::look_at(look, &common);
            inner::worktrees(look, &common, &self.home);
            inner::modules(look, &common, common_dir, reach);
            refs::look_at(look, &common, known);
        }
        if git_dir != common_dir
            && let Some(own) = Dir::at(git_dir, self.shown(git_dir))
        {
            git_dir::own(look, &own, Whose::User);
            git_dir::lines(look, &own, b"commondir");
            index::look_at(look, &own);
        }
    }

    /// The directories from that of the loop up to the top, without the top: a repository that is
    /// made there is the one that the user meets.
    fn between(&self) -> Vec<Vec<u8>> {
        let inner = self.directory.strip_prefix(&self.root).unwrap_or(Path::new(""));
        let above = inner.ancestors().filter(|inner| !inner.as_os_str().is_empty());
        above.map(|inner| inner.as_os_str().as_bytes().to_vec()).collect()
    }

    /// A path as it is shown: from the top, where it is below it.
    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The path of the HEAD that the loop works on.
    pub(super) fn own_head(&self) -> Option<String> {
        let repository = self.repository.as_ref()?;
        Some(self.shown(&repository.git_dir.join("HEAD")))
    }
}
