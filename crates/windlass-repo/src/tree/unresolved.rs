//! Looks for what a merge left undecided.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
};

use windlass_system::below::{self, Links, Root};

use super::{Tree, TreeError, shown};

impl Tree {
    /// Which of the files still have a line that begins with one of the marks, and which files the
    /// index holds as undecided.
    pub async fn unresolved(
        &self,
        files: &[String],
        marks: &[String],
    ) -> Result<Vec<String>, TreeError> {
        let top = Root::open(self.top())
            .map_err(|errno| TreeError::io("open", self.top())(errno.into()))?;
        let mut left = BTreeSet::new();
        for path in files {
            // One that is gone, or is something else now, was decided on.
            let Ok(file) = below::open_file(&top, path.as_bytes(), Links::Refused) else {
                continue;
            };
            let has_mark =
                |line: Vec<u8>| marks.iter().any(|mark| line.starts_with(mark.as_bytes()));
            if BufReader::new(file).split(b'\n').map_while(Result::ok).any(has_mark) {
                left.insert(path.clone());
            }
        }
        let index = self.repository.index();
        let call = self.with_index(&index).args(["ls-files", "-z", "--unmerged", "--full-name"]);
        for line in self.git.run(call).await?.stdout.split(|byte| *byte == 0) {
            if let Some(tab) = line.iter().position(|byte| *byte == b'\t') {
                left.insert(shown(&line[tab + 1..]));
            }
        }
        Ok(left.into_iter().collect())
    }
}
