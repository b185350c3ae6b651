//! The last bytes of a stream. Chunks that are full are kept as they are, in the place of the oldest
//! one, whose memory is used again: most of a flood is never copied.

use std::collections::VecDeque;

use super::{Chunk, chunk::CHUNK};

/// Keeps as many of the last bytes as it is told, and not a whole chunk more.
#[derive(Debug)]
pub(super) struct Round {
    /// From the oldest to the newest.
    chunks: VecDeque<Chunk>,
    /// How large each of them is.
    size: usize,
    most: usize,
    /// How many bytes are in the chunks.
    held: usize,
}

impl Round {
    /// Keeps the last `most` bytes, and takes little more memory than bytes came.
    pub(super) fn new(most: usize) -> Self {
        Self { chunks: VecDeque::new(), size: CHUNK.min(most), most, held: 0 }
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
                let mut chunk = self.spare();
                count = chunk.add(rest);
                self.chunks.push_back(chunk);
            }
            self.held += count;
            rest = &rest[count..];
        }
    }

    /// Takes the next bytes; where they fill their chunk it takes that, and leaves another.
    pub(super) fn keep(&mut self, chunk: &mut Chunk) {
        if chunk.size() != self.size || !chunk.is_full() || self.is_crowded() {
            return self.push(chunk.bytes());
        }
        self.held += chunk.bytes().len();
        let spare = self.spare();
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

    /// Whether there are more chunks than what is kept needs: full ones that come between small
    /// pieces would leave most of the memory empty.
    fn is_crowded(&self) -> bool {
        self.chunks.len() * self.size > self.most + 2 * self.size
    }

    /// An empty chunk: the oldest one, where it is needed no more.
    fn spare(&mut self) -> Chunk {
        let mut spare = None;
        while let Some(oldest) = self.chunks.front().map(|chunk| chunk.bytes().len())
            && self.held - oldest >= self.most
        {
            self.held -= oldest;
            spare = self.chunks.pop_front();
        }
        let mut spare = spare.unwrap_or_else(|| Chunk::with_room(self.size));
        spare.clear();
        spare
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
            let mut round = Round { size: 16, ..Round::new(7) };
            let (mut all, mut chunk) = (Vec::new(), Chunk::with_room(16));
            for size in sizes {
                let piece: Vec<u8> = (0..size).map(|n| u8::try_from((all.len() + n) % 256).unwrap()).collect();
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
    fn small_pieces_between_full_ones_take_no_more_memory_either() {
        let mut round = Round { size: 10, ..Round::new(100) };
        let mut chunk = Chunk::with_room(10);
        for _ in 0..1000 {
            round.push(b"x");
            chunk.clear();
            chunk.add(b"0123456789");
            round.keep(&mut chunk);
        }
        assert!(round.chunks.len() <= 14, "{}", round.chunks.len());
        assert!(round.held < 120, "{}", round.held);
        assert_eq!(
            round.last(22).flatten().copied().collect::<Vec<_>>(),
            b"x0123456789x0123456789"
        );
    }

    #[test]
    fn a_flood_takes_no_more_memory_than_what_is_kept_of_it() {
        let mut round = Round { size: 10, ..Round::new(100) };
        let mut chunk = Chunk::with_room(10);
        for _ in 0..1000 {
            chunk.clear();
            chunk.add(b"0123456789");
            round.keep(&mut chunk);
        }
        assert_eq!((round.chunks.len(), round.held), (10, 100));
    }
}
