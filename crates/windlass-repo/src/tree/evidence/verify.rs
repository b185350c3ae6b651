//! Reads objects back, and holds each against its id.
//!
//! Git does not do that: it takes what stands under an id for what it says it is.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{
    Tree, TreeError,
    object_id::{ObjectFormat, ObjectKind},
};

/// So much content is read in one call.
pub(in super::super) const BATCH: u64 = 32 << 20;

/// What is verified of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Depth {
    /// Which paths differ.
    Trees,
    /// What they hold, too.
    Contents,
}

/// Objects that were read.
#[derive(Debug, Default)]
pub(in super::super) struct Verified {
    /// What is as it was recorded, by id.
    pub(in super::super) contents: BTreeMap<String, Vec<u8>>,
    /// The ids under which something else stands now.
    pub(in super::super) altered: BTreeSet<String>,
}

impl Tree {
    /// Reads objects, in one call. What is nowhere is in neither part of the answer.
    pub(in super::super) async fn read_verified<'a>(
        &self,
        ids: impl IntoIterator<Item = &'a String>,
    ) -> Result<Verified, TreeError> {
        let ids: BTreeSet<&String> = ids.into_iter().collect();
        if ids.is_empty() {
            return Ok(Verified::default());
        }
        let question: String = ids.iter().map(|id| format!("{id}\n")).collect();
        // What an earlier version recorded is not in the store; whatever is found is verified.
        let call = self.own.stored_or_borrowed().args(["cat-file", "--batch"]);
        let output = self.git.run(call.stdin(question.into_bytes())).await?.stdout;
        Ok(parse(self.own.format(), &output))
    }

    /// Says which objects are not what was recorded under their ids, of those that lead from one tree
    /// to another: the trees themselves, and what differs.
    pub(in super::super) async fn verify_between(
        &self,
        from: &str,
        to: &str,
        depth: Depth,
    ) -> Result<(), TreeError> {
        let changes = self.changes_with_trees(from, to).await?;
        let mut ids: BTreeSet<String> = [from, to].map(str::to_owned).into();
        for change in changes {
            for (mode, id) in [(change.old_mode, change.old_id), (change.new_mode, change.new_id)] {
                let is_verified = match mode.as_str() {
                    "000000" | "160000" => false,
                    "040000" => true,
                    _ => depth == Depth::Contents,
                };
                if is_verified {
                    ids.insert(id);
                }
            }
        }
        let sizes = self.sizes(&ids).await?;
        let mut batch: Vec<&String> = Vec::new();
        let mut bytes = 0;
        for (id, size) in &sizes {
            // What is larger is not shown, and is verified when it is put back.
            if *size > BATCH {
                continue;
            }
            if bytes + size > BATCH {
                self.refuse_altered(std::mem::take(&mut batch)).await?;
                bytes = 0;
            }
            batch.push(id);
            bytes += size;
        }
        self.refuse_altered(batch).await
    }

    async fn refuse_altered(&self, ids: Vec<&String>) -> Result<(), TreeError> {
        match self.read_verified(ids).await?.altered.pop_first() {
            Some(id) => Err(TreeError::Altered { id }),
            None => Ok(()),
        }
    }

    /// The sizes of objects; those that are nowhere are not in the answer.
    pub(in super::super) async fn sizes(
        &self,
        ids: &BTreeSet<String>,
    ) -> Result<BTreeMap<String, u64>, TreeError> {
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let question: String = ids.iter().map(|id| format!("{id}\n")).collect();
        let call = self.own.stored_or_borrowed();
        let call = call.args(["cat-file", "--batch-check=%(objectname) %(objectsize)"]);
        let output = self.git.run(call.stdin(question.into_bytes())).await?.stdout;
        let size = |line: &str| {
            let (id, size) = line.split_once(' ')?;
            Some((id.to_owned(), size.parse().ok()?))
        };
        Ok(String::from_utf8_lossy(&output).lines().filter_map(size).collect())
    }
}

/// `<id> blob <size>\n<bytes>\n` for each.
fn parse(format: ObjectFormat, mut output: &[u8]) -> Verified {
    let mut found = Verified::default();
    while let Some(end) = memchr::memchr(b'\n', output) {
        let (head, rest) = (String::from_utf8_lossy(&output[..end]), &output[end + 1..]);
        let words: Vec<&str> = head.split(' ').collect();
        let (id, kind, size) = match words.as_slice() {
            [id, "blob", size] => (id, ObjectKind::Blob, size),
            [id, "tree", size] => (id, ObjectKind::Tree, size),
            // `<id> missing`
            _ => {
                output = rest;
                continue;
            }
        };
        let Some((content, after)) =
            size.parse().ok().and_then(|size: usize| rest.split_at_checked(size))
        else {
            break;
        };
        if format.id_of(kind, content) == *id {
            found.contents.insert((*id).to_owned(), content.to_vec());
        } else {
            found.altered.insert((*id).to_owned());
        }
        output = after.get(1..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_under_the_id_of_something_else_is_altered() {
        let hello = "ce013625030ba8dba906f756967f9e9ca394464a";
        let other = "0000000000000000000000000000000000000001";
        let output = format!("{hello} blob 6\nhello\n\n{other} missing\n{other} blob 6\nhello\n\n");
        let found = parse(ObjectFormat::Sha1, output.as_bytes());
        assert_eq!(found.contents[hello], b"hello\n");
        assert_eq!(found.altered, [other.to_owned()].into());
    }
}
