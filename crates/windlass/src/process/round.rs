//! The last bytes of a stream, in memory that is written round and round.

use super::pages::Pages;

/// Keeps as many of the last bytes as it has room for.
#[derive(Debug)]
pub(super) struct Round {
    /// Made for the first byte.
    pages: Option<Pages>,
    most: usize,
    /// How many bytes came.
    came: u64,
}

impl Round {
    /// Has room for `most` bytes, and takes no more memory than bytes came.
    pub(super) fn new(most: usize) -> Self {
        Self { pages: None, most, came: 0 }
    }

    /// How many bytes it has room for.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Takes the next bytes; they take the places of the oldest.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let place = self.place(self.came);
            let (piece, after) = rest.split_at(rest.len().min(self.most - place));
            let pages = self.pages.get_or_insert_with(|| Pages::new(self.most));
            pages.bytes_mut()[place..place + piece.len()].copy_from_slice(piece);
            self.came += piece.len() as u64;
            rest = after;
        }
    }

    /// The last `count` bytes, or all that are kept, in order: up to two pieces, each with its
    /// place.
    pub(super) fn last(&self, count: u64) -> impl Iterator<Item = (usize, &[u8])> {
        let count = count.min(self.came).min(self.most as u64);
        let place = self.place(self.came - count);
        let count = usize::try_from(count).expect("it is at most `most`");
        let first = count.min(self.most - place);
        let pieces = [(place, place + first), (0, count - first)];
        let pieces = pieces.into_iter().filter(|(start, end)| start < end);
        let bytes = self.pages.as_ref().map_or(&[][..], Pages::bytes);
        pieces.map(|(start, end)| (start, &bytes[start..end]))
    }

    fn place(&self, at: u64) -> usize {
        usize::try_from(at % self.most as u64).expect("a place is below `most`")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_last_bytes_are_there_in_order_whatever_the_pieces_they_came_in(
            sizes in prop::collection::vec(0_usize..20, 0..12),
            count in 0_u64..20,
        ) {
            let (mut round, mut all) = (Round::new(7), Vec::new());
            for size in sizes {
                let piece: Vec<u8> = (0..size).map(|n| (all.len() + n) as u8).collect();
                round.push(&piece);
                all.extend(piece);
            }
            let last: Vec<u8> = round.last(count).flat_map(|(_, piece)| piece.to_vec()).collect();
            let kept = all.len().min(7).min(usize::try_from(count).unwrap());
            prop_assert_eq!(last, &all[all.len() - kept..]);
            for (place, piece) in round.last(count) {
                prop_assert_eq!(usize::from(piece[0]) % 7, place);
            }
        }
    }
}
