//! Keeps a file of windlass's out of git, in the repository's own `info/exclude`.

use std::io::{self, ErrorKind};

use windlass_system::below::{self, Links, Root};

use super::{Tree, TreeError};

/// The review that windlass keeps in the work tree, and out of git.
pub const REVIEW_FILE: &str = ".review-output.md";

/// The file in a work tree that lists what a loop of auditors left, unless the user names another.
pub const TASK_LIST: &str = "windlass-findings.md";

/// The project's config at the top of a work tree. Only people commit it.
pub const CONFIG_FILE: &str = "windlass.toml";

/// More rules than this are nobody's.
const MOST: u64 = 8 << 20;

impl Tree {
    /// Adds a pattern to `info/exclude`, unless it is there.
    pub async fn exclude(&self, pattern: &str) -> Result<(), TreeError> {
        let common = &self.repository.common_dir;
        add_line(common, pattern).map_err(TreeError::io("write", &common.join("info/exclude")))?;
        self.add_rule(pattern).await
    }
}

fn add_line(common_dir: &std::path::Path, pattern: &str) -> io::Result<()> {
    let root = Root::open(common_dir)?;
    let mut text = match below::read(&root, b"info/exclude", Links::Refused, MOST) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        text => text?,
    };
    let mut lines = text.split(|byte| *byte == b'\n');
    if lines.any(|line| line.trim_ascii() == pattern.as_bytes()) {
        return Ok(());
    }
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(pattern.as_bytes());
    text.push(b'\n');
    below::replace(root, b"info/exclude", &text)
}
