//! The config of a private git directory: what of the user's is data, and nothing that runs.

use std::os::unix::ffi::OsStrExt;

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
    "user.email",
    "user.name",
    "user.useconfigonly",
];

/// Keys of what has a name: remotes and branches.
const NAMED: &[(&str, &[&str])] = &[
    ("branch", &["remote", "merge", "rebase", "pushremote", "description"]),
    (
        "remote",
        &["url", "pushurl", "fetch", "push", "tagopt", "prune", "promisor", "partialclonefilter"],
    ),
];

impl Tree {
    /// The config of a private git directory.
    pub(super) async fn private_config(&self) -> Result<Vec<u8>, TreeError> {
        let mut text = b"[core]\n\tbare = false\n".to_vec();
        let Repository { top, git_dir, common_dir } = &self.repository;
        if git_dir == common_dir && *git_dir != top.join(".git") {
            write_entry(&mut text, "core.worktree", top.as_os_str().as_bytes());
        }
        let files = [common_dir.join("config"), git_dir.join("config.worktree")];
        for file in &files {
            for (key, value) in config_entries(&self.git, file).await? {
                if is_data(&key, &value) {
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
    // An address with `::` in it names a program.
    is_known && !(last.ends_with("url") && value.windows(2).any(|two| two == b"::"))
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
        "#);
    }
}
