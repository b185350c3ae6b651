//! The last bytes of a stream. Chunks that are full are kept as they are, in the place of the oldest
//! one, whose memory is used again: most of a flood is never copied.

use std::collections::VecDeque;

use super::Chunk;

/// So many bytes that came in small pieces are put together.
const CHUNK: usize = 256 * 1024;

/// Keeps as many of the last bytes as it is told, and not a whole chunk more.
#[derive(Debug)]
pub(super) struct Round {
    /// From the oldest to the newest.
    chunks: VecDeque<Chunk>,
    most: usize,
    /// How many bytes are in the chunks.
    held: usize,
}

impl Round {
    /// Keeps the last `most` bytes, and takes little more memory than bytes came.
    pub(super) fn new(most: usize) -> Self {
        Self { chunks: VecDeque::new(), most, held: 0 }
    }

    /// How many bytes it keeps.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Takes the next bytes; the oldest go.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let mut count = self.chunks.back_mut().map_or(0, |last| last.add(rest));
            if count == 0 {
                let mut chunk = self.spare().unwrap_or_else(|| self.small());
                count = chunk.add(rest);
                self.chunks.push_back(chunk);
            }
            self.held += count;
            rest = &rest[count..];
        }
    }

    /// Takes the next bytes; where they fill their chunk it takes that, and leaves another.
    pub(super) fn keep(&mut self, chunk: &mut Chunk) {
        if !chunk.is_full() {
            return self.push(chunk.bytes());
        }
        let size = chunk.size();
        let spare = self.spare().filter(|spare| spare.size() == size);
        let spare = spare.unwrap_or_else(|| Chunk::with_room(size));
        self.held += chunk.bytes().len();
        self.chunks.push_back(std::mem::replace(chunk, spare));
    }

    /// The last `count` bytes, or all that are kept, in order.
    pub(super) fn last(&self, count: u64) -> impl Iterator<Item = &[u8]> {
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(self.most);
        let mut before = self.held.saturating_sub(count);
        self.chunks.iter().filter_map(move |chunk| {
            let bytes = chunk.bytes();
            let passed = before.min(bytes.len());
            before -= passed;
            (passed < bytes.len()).then_some(&bytes[passed..])
        })
    }

    /// The oldest chunk, empty, where it is needed no more.
    fn spare(&mut self) -> Option<Chunk> {
        let oldest = self.chunks.front()?.bytes().len();
        if self.held - oldest < self.most {
            return None;
        }
        self.held -= oldest;
        let mut chunk = self.chunks.pop_front()?;
        chunk.clear();
        Some(chunk)
    }

    /// Memory for pieces that do not fill any.
    fn small(&self) -> Chunk {
        Chunk::with_room(CHUNK.min(self.most))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_last_bytes_are_there_in_order_whatever_the_pieces_they_came_in(
            sizes in prop::collection::vec(0_usize..20, 0..24),
            count in 0_u64..20,
        ) {
            let (mut round, mut all) = (Round::new(7), Vec::new());
            let mut chunk = Chunk::with_room(16);
            for size in sizes {
                let piece: Vec<u8> = (0..size).map(|n| (all.len() + n) as u8).collect();
                if size <= chunk.size() {
                    chunk.clear();
                    chunk.add(&piece);
                    round.keep(&mut chunk);
                    prop_assert_eq!(chunk.size(), 16);
                } else {
                    round.push(&piece);
                }
                all.extend(piece);
            }
            let last: Vec<u8> = round.last(count).flatten().copied().collect();
            let kept = all.len().min(7).min(usize::try_from(count).unwrap());
            prop_assert_eq!(last, &all[all.len() - kept..]);
        }
    }

    #[test]
    fn a_flood_takes_no_more_memory_than_what_is_kept_of_it() {
        let mut round = Round::new(100);
        let mut chunk = Chunk::with_room(10);
        for _ in 0..1000 {
            chunk.clear();
            chunk.add(b"0123456789");
            round.keep(&mut chunk);
        }
        assert_eq!((round.chunks.len(), round.held), (11, 110));
    }
}
