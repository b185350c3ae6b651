//! A piece of output, and the memory that it lies in.

use super::pages::Pages;

/// How much is read at once. A process cannot write while we read: many small reads would keep both
/// waiting for each other.
pub(super) const CHUNK: usize = 512 * 1024;

/// A piece of output as it came, cut anywhere. Whoever wants to keep it may take the memory that it
/// lies in and leave other memory in its place: of a flood nothing needs to be copied.
#[derive(Debug)]
pub struct Chunk {
    pages: Pages,
    length: usize,
}

impl Chunk {
    /// Nothing yet, with room for so many bytes.
    pub(super) fn with_room(size: usize) -> Self {
        Self { pages: Pages::new(size), length: 0 }
    }

    /// What came.
    pub fn bytes(&self) -> &[u8] {
        &self.pages.bytes()[..self.length]
    }

    /// How many bytes it has room for.
    pub(super) fn size(&self) -> usize {
        self.pages.bytes().len()
    }

    /// Whether there is no room left that would be worth a word.
    pub(super) fn is_full(&self) -> bool {
        self.length >= self.size() - self.size() / 8
    }

    /// Replaces what it has with what `read` puts there, which says how much that is.
    pub(super) fn fill<E>(
        &mut self,
        read: impl FnOnce(&mut [u8]) -> Result<usize, E>,
    ) -> Result<usize, E> {
        self.length = 0;
        self.length = read(self.pages.bytes_mut())?;
        Ok(self.length)
    }

    /// Adds as many of the bytes as there is room for; says how many.
    pub(super) fn add(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.size() - self.length);
        let place = self.length..self.length + count;
        self.pages.bytes_mut()[place].copy_from_slice(&bytes[..count]);
        self.length += count;
        count
    }

    /// Forgets what it has.
    pub(super) fn clear(&mut self) {
        self.length = 0;
    }
}
