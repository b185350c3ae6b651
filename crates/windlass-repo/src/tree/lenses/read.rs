//! Reads contents that are not known yet: one call of git, or a few where files among them are large.

use std::collections::BTreeMap;

use windlass_core::evidence::{Lenses, Named};

use super::{
    super::Tree,
    contents::{Contents, Wanted},
};
use crate::git::GitError;

/// So much is read at once. Where it is more, sizes are asked for first.
const MOST_BYTES: usize = 32 << 20;

impl Tree {
    /// Has all these contents known; whether that could be done.
    pub(super) async fn read_contents(&self, wanted: Wanted, contents: &mut Contents) -> bool {
        let unknown = wanted.unknown(contents);
        if unknown.is_empty() {
            return true;
        }
        let ids: Vec<&String> = unknown.keys().collect();
        match self.read_at_once(&ids, &unknown, contents).await {
            Err(GitError::TooMuch { .. }) => {
                self.read_small(&ids, &unknown, contents).await.is_ok()
            }
            read => read.is_ok(),
        }
    }

    async fn read_at_once(
        &self,
        ids: &[&String],
        names: &BTreeMap<String, Vec<Named>>,
        contents: &mut Contents,
    ) -> Result<(), GitError> {
        let output = self.cat_file("--batch", ids).await?;
        let mut rest = output.as_slice();
        for id in ids {
            let (content, after) = first_object(rest).unwrap_or_default();
            contents.add(id, &names[*id], content);
            rest = after;
        }
        Ok(())
    }

    /// Reads those that are not too large, in parts.
    async fn read_small(
        &self,
        ids: &[&String],
        names: &BTreeMap<String, Vec<Named>>,
        contents: &mut Contents,
    ) -> Result<(), GitError> {
        let output = self.cat_file("--batch-check=%(objectsize)", ids).await?;
        let output = String::from_utf8_lossy(&output);
        let is_small = |line: &str| line.parse().is_ok_and(|size: usize| size <= Lenses::LARGEST);
        let (mut small, mut sizes) = (Vec::new(), output.lines());
        for id in ids {
            match sizes.next().is_some_and(is_small) {
                true => small.push(*id),
                false => contents.add(id, &names[*id], None),
            }
        }
        // Each is a line of its own besides its content.
        for part in small.chunks(MOST_BYTES / (Lenses::LARGEST + 100)) {
            self.read_at_once(part, names, contents).await?;
        }
        Ok(())
    }

    async fn cat_file(&self, how: &str, ids: &[&String]) -> Result<Vec<u8>, GitError> {
        let question: String = ids.iter().map(|id| format!("{id}\n")).collect();
        let call = self.own.stored().args(["cat-file", how]).at_most(MOST_BYTES);
        Ok(self.git.run(call.stdin(question.into_bytes())).await?.stdout)
    }
}

/// The first object of what git gave out, `None` where the repository has lost it; and what follows.
fn first_object(output: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    let (head, after) = output.split_at_checked(memchr::memchr(b'\n', output)? + 1)?;
    let head = std::str::from_utf8(head).ok()?;
    let Some(size) = head.split(' ').nth(2).and_then(|size| size.trim().parse().ok()) else {
        return Some((None, after));
    };
    let (content, after) = after.split_at_checked(size)?;
    Some((Some(content), after.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_stand_one_after_the_other() {
        let output = b"aa blob 3\na\nb\nbb missing\ncc blob 0\n\n";
        let (first, rest) = first_object(output).unwrap();
        let (second, rest) = first_object(rest).unwrap();
        let (third, rest) = first_object(rest).unwrap();
        assert_eq!([first, second, third], [Some(&b"a\nb"[..]), None, Some(b"")]);
        assert_eq!((rest.len(), first_object(rest)), (0, None));
    }
}
