//! The config of a private git directory: what of the user's is data, and nothing that runs.

use std::{
    os::unix::ffi::OsStringExt,
    path::{Component, Path, PathBuf},
};

use super::super::{Repository, Tree, TreeError, config_file::config_entries};

/// Keys that say how files and commits are written, and what commands do unless told otherwise.
const PLAIN: &[&str] = &[
    "core.repositoryformatversion",
    "core.filemode",
    "core.ignorecase",
    "core.symlinks",
    "core.precomposeunicode",
    "core.autocrlf",
    "core.eol",
    "core.safecrlf",
    "core.quotepath",
    "core.abbrev",
    "core.logallrefupdates",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "extensions.objectformat",
    "extensions.partialclone",
    "fetch.prune",
    "i18n.commitencoding",
    "i18n.logoutputencoding",
    "index.version",
    "merge.conflictstyle",
    "merge.ff",
    "pull.ff",
    "pull.rebase",
    "push.autosetupremote",
    "push.default",
    "rebase.autostash",
    "submodule.active",
    "submodule.recurse",
    "user.email",
    "user.name",
    "user.useconfigonly",
];

/// Keys of what has a name: remotes, branches and submodules.
const NAMED: &[(&str, &[&str])] = &[
    ("branch", &["remote", "merge", "rebase", "pushremote", "description"]),
    (
        "remote",
        &["url", "pushurl", "fetch", "push", "tagopt", "prune", "promisor", "partialclonefilter"],
    ),
    ("submodule", &["url", "active", "branch", "update", "ignore", "shallow"]),
];

/// What `submodule.NAME.update` can be without running a command.
const WAYS_TO_UPDATE: &[&[u8]] = &[b"checkout", b"rebase", b"merge", b"none"];

impl Tree {
    /// The config of a private git directory.
    pub(super) async fn private_config(&self) -> Result<Vec<u8>, TreeError> {
        let mut text = self.data_config(|_| true).await?;
        let Repository { top, git_dir, common_dir } = &self.repository;
        if git_dir == common_dir && *git_dir != top.join(".git") && self.is_checked_out() {
            write_entry(&mut text, "core.worktree", &path_from(git_dir, top));
        }
        Ok(text)
    }

    /// What of the repository's config is data and has one of the wanted keys.
    pub(in super::super) async fn data_config(
        &self,
        is_wanted: fn(&str) -> bool,
    ) -> Result<Vec<u8>, TreeError> {
        let mut text = b"[core]\n\tbare = false\n".to_vec();
        let Repository { git_dir, common_dir, .. } = &self.repository;
        let files = [common_dir.join("config"), git_dir.join("config.worktree")];
        for file in &files {
            for (key, value) in config_entries(&self.git, file).await? {
                if is_wanted(&key) && is_data(&key, &value) {
                    write_entry(&mut text, &key, &value);
                }
            }
        }
        Ok(text)
    }
}

/// Whether an entry is data.
fn is_data(key: &str, value: &[u8]) -> bool {
    if PLAIN.contains(&key) {
        return true;
    }
    let Some((section, rest)) = key.split_once('.') else { return false };
    let Some((_, last)) = rest.rsplit_once('.') else { return false };
    let known = NAMED.iter().find(|(name, _)| *name == section);
    let is_known = known.is_some_and(|(_, keys)| keys.contains(&last));
    match last {
        // An address with `::` in it names a program.
        "url" | "pushurl" => is_known && !value.windows(2).any(|two| two == b"::"),
        // Anything else is a command.
        "update" => is_known && WAYS_TO_UPDATE.contains(&value),
        _ => is_known,
    }
}

/// A path as it is from a directory, as submodules have it.
fn path_from(directory: &Path, path: &Path) -> Vec<u8> {
    let same = directory.components().zip(path.components()).take_while(|(one, two)| one == two);
    let same = same.count();
    let up = directory.components().skip(same).map(|_| Component::ParentDir);
    let from: PathBuf = up.chain(path.components().skip(same)).collect();
    from.into_os_string().into_vec()
}

fn write_entry(text: &mut Vec<u8>, key: &str, value: &[u8]) {
    let Some((section, rest)) = key.split_once('.') else { return };
    let quoted = |text: &mut Vec<u8>, value: &[u8]| {
        for byte in value {
            match byte {
                b'\n' => text.extend(b"\\n"),
                b'"' | b'\\' => text.extend([b'\\', *byte]),
                _ => text.push(*byte),
            }
        }
    };
    text.extend(format!("[{section}").bytes());
    let key = match rest.rsplit_once('.') {
        Some((name, key)) => {
            text.extend(b" \"");
            quoted(text, name.as_bytes());
            text.push(b'"');
            key
        }
        None => rest,
    };
    text.extend(format!("]\n\t{key} = \"").bytes());
    quoted(text, value);
    text.extend(b"\"\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_and_settings_of_files_are_data_and_what_runs_is_not() {
        let entries: &[(&str, &str)] = &[
            ("core.filemode", "true"),
            ("core.fsmonitor", "run me"),
            ("core.hookspath", ".husky"),
            ("core.sshcommand", "ssh -i key"),
            ("core.worktree", "/elsewhere"),
            ("remote.origin.url", "https://example.org/a\"b.git"),
            ("remote.evil.url", "ext::sh -c run"),
            ("remote.origin.uploadpack", "run me"),
            ("branch.feature/a.b.merge", "refs/heads/main"),
            ("submodule.libs/one.url", "https://example.org/one.git"),
            ("submodule.libs/one.active", "true"),
            ("submodule.libs/one.update", "rebase"),
            ("submodule.evil.update", "!run me"),
            ("submodule.evil.url", "ext::sh -c run"),
            ("filter.lfs.process", "git-lfs"),
            ("alias.st", "!run me"),
            ("include.path", "../evil"),
        ];
        let mut text = Vec::new();
        for (key, value) in entries {
            if is_data(key, value.as_bytes()) {
                write_entry(&mut text, key, value.as_bytes());
            }
        }
        insta::assert_snapshot!(String::from_utf8(text).unwrap(), @r#"
        [core]
        	filemode = "true"
        [remote "origin"]
        	url = "https://example.org/a\"b.git"
        [branch "feature/a.b"]
        	merge = "refs/heads/main"
        [submodule "libs/one"]
        	url = "https://example.org/one.git"
        [submodule "libs/one"]
        	active = "true"
        [submodule "libs/one"]
        	update = "rebase"
        "#);
    }

    #[test]
    fn a_work_tree_is_named_from_its_git_directory() {
        let from = |directory: &str, path: &str| {
            String::from_utf8(path_from(Path::new(directory), Path::new(path))).unwrap()
        };
        assert_eq!(from("/w/.git/modules/libs/one", "/w/vendor/one"), "../../../../vendor/one");
        assert_eq!(from("/git", "/w"), "../w");
    }
}
