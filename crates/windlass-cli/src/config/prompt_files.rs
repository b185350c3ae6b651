//! The prompts that a config file puts in place of windlass's own: read together with it and once,
//! so that what is trusted is what is used.

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use toml::{Table, Value};
use windlass_core::prompts::PromptName;

use super::{
    auditor_table,
    file::{self, Links, ReadError},
};

/// The table of a config file that names them.
pub(crate) const TABLE: &str = "prompts";

/// A prompt that stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PromptFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// The files that a config file names, by their paths as it writes them.
#[derive(Debug, Default)]
pub(crate) struct PromptFiles(BTreeMap<String, Result<PromptFile, Refused>>);

/// Why a file cannot be a prompt.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("a path is needed: that of a file with the text")]
    Empty,
    #[error("`~` is not understood here: write the path from the config file, or the whole path")]
    Home,
    #[error("a repository's prompts stand in the repository, below its `windlass.toml`")]
    Outside,
    #[error("there is no `{}`", .0.display())]
    Missing(PathBuf),
    #[error("`{}` cannot be read: {source}", .path.display())]
    Unreadable { path: PathBuf, source: ReadError },
}

impl PromptFiles {
    /// Reads what the text of the config file at `config` names. A text that is not TOML names
    /// nothing; somebody else complains of that.
    pub(super) fn read(config: &Path, text: &str, links: Links) -> Self {
        let table: Option<Table> = text.parse().ok();
        let prompts = tables(table.as_ref(), TABLE);
        // Only what can be a prompt: nobody has looked yet at what a repository's file names.
        let prompts = prompts.filter(|(key, _)| key.parse::<PromptName>().is_ok());
        let auditors = tables(table.as_ref(), auditor_table::TABLE);
        let auditors = auditors.filter(|(name, _)| windlass::kind::pr::auditors::is_name(name));
        let briefs = auditors.filter_map(|(_, auditor)| auditor.get(auditor_table::PROMPT));
        let names = prompts.map(|(_, path)| path).chain(briefs).filter_map(Value::as_str);
        let directory = config.parent().unwrap_or(Path::new(""));
        Self(names.map(|name| (name.to_owned(), read(directory, name, links))).collect())
    }

    /// What was read from the path that the config file writes so.
    pub(super) fn get(&self, written: &str) -> Result<&PromptFile, &Refused> {
        self.0.get(written).map_or(Err(&Refused::Empty), Result::as_ref)
    }

    /// Whether the config file names none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What a hash of the config file covers besides its text.
    pub(super) fn hashed(&self) -> String {
        let line = |(written, file): (&String, &Result<PromptFile, Refused>)| {
            let text = file.as_ref().map_or("", |file| &file.text);
            format!("\0{written}\0{}\0{text}", text.len())
        };
        self.0.iter().map(line).collect()
    }
}

/// What stands in a table of a config file.
fn tables<'t>(
    config: Option<&'t Table>,
    name: &str,
) -> impl Iterator<Item = (&'t String, &'t Value)> {
    let table = config.and_then(|config| config.get(name)?.as_table());
    table.into_iter().flatten()
}

fn read(directory: &Path, written: &str, links: Links) -> Result<PromptFile, Refused> {
    if written.trim().is_empty() {
        return Err(Refused::Empty);
    }
    if written == "~" || written.starts_with("~/") {
        return Err(Refused::Home);
    }
    let path = directory.join(written);
    if links == Links::Refuse {
        let mut parts = Path::new(written).components();
        if !parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(Refused::Outside);
        }
    }
    match file::read(directory, Path::new(written), links) {
        Ok(Some(text)) => Ok(PromptFile { path, text }),
        Ok(None) => Err(Refused::Missing(path)),
        Err(source) => Err(Refused::Unreadable { path, source }),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn a_file_is_looked_for_beside_the_config_and_a_repositorys_nowhere_else() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("repo/prompts")).unwrap();
        fs::write(at("repo/prompts/a.md"), "A").unwrap();
        fs::write(at("outside.md"), "O").unwrap();
        symlink("..", at("repo/up")).unwrap();
        symlink("../outside.md", at("repo/link.md")).unwrap();
        fs::create_dir(at("repo/folder.md")).unwrap();
        let whole = at("outside.md").display().to_string();
        let told = |links: Links| {
            let names = ["prompts/a.md", "./prompts/a.md", "../outside.md", &whole]
                .into_iter()
                .chain(["up/outside.md", "link.md", "missing.md", "folder.md", "~/a.md", " "]);
            let lines = names.map(|name| {
                let found = match read(&at("repo"), name, links) {
                    Ok(file) => file.text,
                    Err(refused) => refused.to_string(),
                };
                format!("{name}: {found}")
            });
            lines.collect::<Vec<_>>().join("\n").replace(&root.path().display().to_string(), "ROOT")
        };
        insta::assert_snapshot!(told(Links::Refuse), @"
        prompts/a.md: A
        ./prompts/a.md: A
        ../outside.md: a repository's prompts stand in the repository, below its `windlass.toml`
        ROOT/outside.md: a repository's prompts stand in the repository, below its `windlass.toml`
        up/outside.md: `ROOT/repo/up/outside.md` cannot be read: it is a symbolic link, and windlass reads only a plain file there
        link.md: `ROOT/repo/link.md` cannot be read: it is a symbolic link, and windlass reads only a plain file there
        missing.md: there is no `ROOT/repo/missing.md`
        folder.md: `ROOT/repo/folder.md` cannot be read: it is a directory, and not a file
        ~/a.md: `~` is not understood here: write the path from the config file, or the whole path
         : a path is needed: that of a file with the text
        ");
        insta::assert_snapshot!(told(Links::Follow), @"
        prompts/a.md: A
        ./prompts/a.md: A
        ../outside.md: O
        ROOT/outside.md: O
        up/outside.md: O
        link.md: O
        missing.md: there is no `ROOT/repo/missing.md`
        folder.md: `ROOT/repo/folder.md` cannot be read: it is a directory, and not a file
        ~/a.md: `~` is not understood here: write the path from the config file, or the whole path
         : a path is needed: that of a file with the text
        ");
    }

    #[test]
    fn a_changed_prompt_changes_what_is_hashed() {
        let root = tempfile::tempdir().unwrap();
        let config = root.path().join("windlass.toml");
        let hashed = |text: &str| PromptFiles::read(&config, text, Links::Refuse).hashed();
        let text = "[prompts]\ndevelop = 'a.md'\nodd = 1\n";
        let missing = hashed(text);
        fs::write(root.path().join("a.md"), "A").unwrap();
        let there = hashed(text);
        fs::write(root.path().join("a.md"), "B").unwrap();
        assert!(missing != there && there != hashed(text));
        let auditor = "[auditors.mine]\nprompt = 'a.md'\n";
        let hash = hashed(auditor);
        fs::write(root.path().join("a.md"), "C").unwrap();
        assert!(hash.ends_with("\0B") && hashed(auditor) != hash);
        assert_eq!(hashed("auditors.'a/b'.prompt = 'a.md'\n[auditors]\nmine = 'a.md'\n"), "");
        assert_eq!(hashed("max_iterations = 5"), "");
        assert_eq!(hashed("not toml"), "");
    }
}
