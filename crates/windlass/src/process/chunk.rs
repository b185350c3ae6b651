//! The memory that output is read into.

/// How large a page of memory is, or a multiple of it.
const PAGE: usize = 4096;

/// A buffer that begins where a page of memory does. A pipe is made of pages, and some processors
/// copy from one many times slower to a place that lies a few bytes behind in its own page, where
/// large pieces of memory usually begin.
#[derive(Debug)]
pub(super) struct Chunk {
    memory: Vec<u8>,
    start: usize,
    size: usize,
}

impl Chunk {
    pub(super) fn new(size: usize) -> Self {
        let memory = vec![0; size + PAGE];
        // Where it cannot be told it does not matter either.
        let start = memory.as_ptr().align_offset(PAGE).min(PAGE);
        Self { memory, start, size }
    }

    /// All of it.
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.size]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_begins_with_a_page_and_has_its_size() {
        for size in [1, 100, PAGE, 300_000] {
            let mut chunk = Chunk::new(size);
            assert_eq!(chunk.bytes().as_ptr().addr() % PAGE, 0);
            assert_eq!(chunk.bytes().len(), size);
        }
    }
}
