//! Keeps a file of windlass's out of git, in the repository's own `info/exclude`.

use std::{
    fs::{self, OpenOptions},
    io::{ErrorKind, Write},
};

use super::{Tree, TreeError};

impl Tree {
    /// Adds a pattern to `info/exclude`, unless it is there.
    pub fn exclude(&self, pattern: &str) -> Result<(), TreeError> {
        let folder = self.repository.common_dir.join("info");
        let path = folder.join("exclude");
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(TreeError::io("read", &path)(error)),
        };
        let mut lines = text.split(|byte| *byte == b'\n');
        if lines.any(|line| line.trim_ascii() == pattern.as_bytes()) {
            return Ok(());
        }
        let begin = if text.is_empty() || text.ends_with(b"\n") { "" } else { "\n" };
        fs::create_dir_all(&folder).map_err(TreeError::io("create", &folder))?;
        let file = OpenOptions::new().append(true).create(true).open(&path);
        file.and_then(|mut file| file.write_all(format!("{begin}{pattern}\n").as_bytes()))
            .map_err(TreeError::io("write", &path))
    }
}
