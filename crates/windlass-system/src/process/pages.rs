//! Memory that large amounts of output are copied to and from.

/// How large a page of memory is, or a multiple of it.
const PAGE: usize = 4096;

/// A piece of memory that begins where a page does; what of it is not used is not taken either.
///
/// Pipes and files are made of pages, and some processors copy many times slower where the one
/// side lies a few bytes further in its page than the other, as allocated memory usually does.
#[derive(Debug)]
pub(super) struct Pages {
    memory: Vec<u8>,
    start: usize,
    size: usize,
}

impl Pages {
    /// Memory of that many bytes, all zero.
    pub(super) fn new(size: usize) -> Self {
        let memory = vec![0; size + PAGE];
        // Where it cannot be told it does not matter either.
        let start = memory.as_ptr().align_offset(PAGE).min(PAGE);
        Self { memory, start, size }
    }

    /// All of it.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.size]
    }

    /// All of it, to be written to.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.size]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_begin_with_a_page_and_have_the_size_asked_for() {
        for size in [1, 100, PAGE, 300_000] {
            let mut pages = Pages::new(size);
            assert_eq!(pages.bytes().as_ptr().addr() % PAGE, 0);
            assert_eq!((pages.bytes().len(), pages.bytes_mut().len()), (size, size));
        }
    }
}
