//! The id that git gives to an object, computed from its content: no git is asked.

use std::io::{self, Read};

use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::own::hex;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectKind {
    Blob,
    Tree,
}

impl ObjectKind {
    /// As git spells it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Blob => "blob",
            Self::Tree => "tree",
        }
    }
}

/// The hash function of a repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ObjectFormat {
    #[default]
    Sha1,
    Sha256,
}

impl ObjectFormat {
    /// The id of an object with this content.
    pub(super) fn id_of(self, kind: ObjectKind, content: &[u8]) -> String {
        let head = format!("{} {}\0", kind.word(), content.len());
        match self {
            Self::Sha1 => hex(&Sha1::new_with_prefix(head).chain_update(content).finalize()),
            Self::Sha256 => hex(&Sha256::new_with_prefix(head).chain_update(content).finalize()),
        }
    }

    /// The id of a blob of `size` bytes that is read from a stream; `None` where the stream has
    /// another length, because a file grew or shrank meanwhile.
    pub(super) fn id_of_stream(self, size: u64, from: impl Read) -> io::Result<Option<String>> {
        let head = format!("blob {size}\0");
        match self {
            Self::Sha1 => stream(Sha1::new_with_prefix(head), size, from),
            Self::Sha256 => stream(Sha256::new_with_prefix(head), size, from),
        }
    }

    /// An id that no object has.
    pub(super) fn zero_id(self) -> String {
        "0".repeat(match self {
            Self::Sha1 => 40,
            Self::Sha256 => 64,
        })
    }
}

fn stream<D: Digest>(mut digest: D, size: u64, from: impl Read) -> io::Result<Option<String>> {
    let mut from = from.take(size.saturating_add(1));
    let mut buffer = vec![0; 256 << 10];
    let mut seen = 0;
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok((seen == size).then(|| hex(&digest.finalize()))),
            count => {
                digest.update(&buffer[..count]);
                seen += count as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_that_git_gives() {
        // `git hash-object` says so, in a repository of each format.
        let id = |format: ObjectFormat| format.id_of(ObjectKind::Blob, b"hello\n");
        assert_eq!(id(ObjectFormat::Sha1), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(
            id(ObjectFormat::Sha256),
            "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"
        );
        assert_eq!(
            ObjectFormat::Sha1.id_of(ObjectKind::Tree, b""),
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        );
    }

    #[test]
    fn a_stream_has_the_id_of_its_content_unless_its_length_is_another() {
        let of = |size| ObjectFormat::Sha1.id_of_stream(size, &b"hello\n"[..]).unwrap();
        assert_eq!(of(6).as_deref(), Some("ce013625030ba8dba906f756967f9e9ca394464a"));
        assert_eq!((of(5), of(7)), (None, None));
    }
}
