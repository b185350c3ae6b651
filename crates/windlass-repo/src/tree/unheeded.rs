//! What git would do when its user commits, and windlass does not: it runs no hooks and signs nothing.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use super::Tree;

/// The hooks that git runs around a commit.
const HOOKS: [&str; 5] =
    ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push"];

impl Tree {
    /// What windlass's own commits pass over, in words; nothing where the user has set nothing up.
    pub fn unheeded_by_commits(&self) -> Option<String> {
        let hooks = self.hooks();
        let hooks = (!hooks.is_empty()).then(|| format!("run no hooks ({})", hooks.join(", ")));
        let signing = self.user.signs.then(|| "are not signed (`commit.gpgsign`)".to_owned());
        let both: Vec<String> = hooks.into_iter().chain(signing).collect();
        (!both.is_empty()).then(|| format!("commits of windlass {}", both.join(" and ")))
    }

    /// The names of the hooks that are there.
    fn hooks(&self) -> Vec<String> {
        let own = self.repository.common_dir.join("hooks");
        let named = self.user.hooks_path.as_ref().map(|path| self.repository.top.join(path));
        let directory = named.unwrap_or(own);
        let is_hook = |name: &&&str| is_program(&directory.join(name));
        HOOKS.iter().filter(is_hook).map(|name| format!("`{name}`")).collect()
    }
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
