//! Whether a task, or a finding, asks for prose: then writing it is work. Words that may mean something else
//! ask for nothing.

mod clauses;
mod orders;
mod request;
mod vocabulary;

use std::collections::BTreeSet;

use self::{request::Request, vocabulary::VOCABULARY};
use super::{
    files::{FileKind, FilesMark},
    prose::is_note,
};

/// Which prose is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedProse {
    /// Whether all prose is but notes and logs.
    all: bool,
    /// Words of names that are asked for although they are those of notes: `release notes`.
    nouns: BTreeSet<Vec<&'static str>>,
    /// Names of files without their ending.
    names: BTreeSet<String>,
    /// Paths of files and folders, in lower case.
    paths: BTreeSet<String>,
}

impl WantedProse {
    /// What these words ask for: a prompt, open tasks, or open findings with their paths.
    pub fn by(words: &str) -> Self {
        let mut asked = Self::default();
        for request in clauses::clauses(words).iter().flat_map(request::requests) {
            asked.add(request);
        }
        asked
    }

    fn add(&mut self, request: Request) {
        match request {
            Request::Prose { noun } => match noun.as_slice() {
                [name] if VOCABULARY.names.contains(name) => {
                    self.names.insert(name.trim_end_matches('s').to_owned());
                }
                _ => {
                    self.all = true;
                    self.nouns.insert(noun);
                }
            },
            Request::Path(path) => {
                let path = path.to_lowercase();
                // Of a pattern, the folder that it is about.
                let (path, is_pattern) = match path.find('*') {
                    Some(at) => (path[..at].rsplit_once('/').map_or("", |(it, _)| it), true),
                    None => (path.trim_end_matches('/'), false),
                };
                if path.is_empty() {
                    self.all |= is_pattern;
                } else {
                    self.paths.insert(path.to_owned());
                }
            }
        }
    }

    /// Whether this file of prose is asked for.
    pub fn wants(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path);
        let stem = name.split('.').next().unwrap_or(name);
        let words = stem.split(|c: char| !c.is_alphanumeric());
        let is_called = |noun: &Vec<&str>| {
            noun.len() > 1 && noun.iter().all(|word| words.clone().any(|it| it == *word))
        };
        self.names.contains(stem)
            || self.paths.iter().any(|asked| is_at(&path, asked))
            || (self.all && (!is_note(&path) || self.nouns.iter().any(is_called)))
    }
}

/// Whether a path is the one that is asked for, is in the folder that is, or has an ending besides.
fn is_at(path: &str, asked: &str) -> bool {
    let at = path.match_indices(asked).any(|(at, _)| {
        let begins = at == 0 || path.as_bytes()[at - 1] == b'/';
        let rest = &path[at + asked.len()..];
        begins && (rest.is_empty() || rest.starts_with('/') || is_ending(rest, asked))
    });
    // Somebody gave the whole path.
    at || asked.strip_suffix(path).is_some_and(|before| before.ends_with('/'))
}

/// Whether only an ending is missing that was not given.
fn is_ending(rest: &str, asked: &str) -> bool {
    let (_, name) = asked.rsplit_once('/').unwrap_or(("", asked));
    !name.contains('.') && rest.starts_with('.') && !rest.contains('/')
}

impl FilesMark {
    /// Tells prose that is asked for from other prose.
    pub fn mark_asked(&mut self, asked: &WantedProse) {
        for file in &mut self.changed {
            if file.kind == FileKind::Prose && asked.wants(&file.path) {
                file.kind = FileKind::AskedProse;
            }
        }
    }
}

#[cfg(test)]
mod tests;
