//! Cuts a stream of bytes into lines, in bounded memory, wherever the chunks end.

/// How much of one line is kept.
const MOST: usize = 4 * 1024 * 1024;
/// What a line that spans chunks may leave allocated behind it, for the next one that does.
const SPARE: usize = 512 * 1024;

/// One line without its end. It may be anything, also invalid UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Whether it was too long, and this is only its beginning.
    pub cut: bool,
}

/// What bytes come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block<'a> {
    /// One line.
    Line(Line<'a>),
    /// Whole lines as they came, each with its end.
    Lines(&'a [u8]),
}

/// The lines of a block that ends with one's end.
fn split(lines: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = lines.strip_suffix(b"\n").unwrap_or(lines);
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', lines).chain([lines.len()]);
    ends.map(move |end| {
        let line = &lines[start..end];
        start = end + 1;
        line
    })
}

/// Cuts chunks into lines. A line that lies in one chunk is given out without a copy.
#[derive(Debug)]
pub struct Lines {
    partial: Vec<u8>,
    cut: bool,
    most: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self::with_limit(MOST)
    }
}

impl Lines {
    /// Keeps at most `most` bytes of a line; the rest is dropped until the next line begins.
    pub fn with_limit(most: usize) -> Self {
        Self { partial: Vec::new(), cut: false, most }
    }

    /// Takes the next bytes, and gives out the lines that they complete.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Line<'_>)) {
        let most = self.most;
        self.push_blocks(bytes, |block| match block {
            Block::Line(line) => each(line),
            Block::Lines(lines) => split(lines).for_each(|line| each(whole(line, most))),
        });
    }

    /// Takes the next bytes, and gives out the lines that they complete, as many at once as lie
    /// together: most of what an agent prints need not be looked at line by line.
    pub fn push_blocks(&mut self, bytes: &[u8], mut each: impl FnMut(Block<'_>)) {
        let mut rest = bytes;
        if !self.partial.is_empty() || self.cut {
            let Some(end) = memchr::memchr(b'\n', rest) else { return self.keep(rest) };
            self.keep(&rest[..end]);
            self.give(&mut |line| each(Block::Line(line)));
            rest = &rest[end + 1..];
        }
        let Some(end) = memchr::memrchr(b'\n', rest) else { return self.keep(rest) };
        let (lines, after) = rest.split_at(end + 1);
        if lines.len() <= self.most {
            each(Block::Lines(lines));
        } else {
            split(lines).for_each(|line| each(Block::Line(whole(line, self.most))));
        }
        self.keep(after);
    }

    /// Gives out a last line that has no end.
    pub fn finish(&mut self, mut each: impl FnMut(Line<'_>)) {
        if !self.partial.is_empty() || self.cut {
            self.give(&mut each);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = self.most - self.partial.len();
        self.cut |= bytes.len() > room;
        self.partial.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn give(&mut self, each: &mut impl FnMut(Line<'_>)) {
        if self.cut {
            each(Line { bytes: &self.partial, cut: true });
        } else {
            each(whole(&self.partial, self.most));
        }
        self.partial.clear();
        self.partial.shrink_to(SPARE);
        self.cut = false;
    }
}

fn whole(line: &[u8], most: usize) -> Line<'_> {
    match line.get(..most) {
        Some(kept) if kept.len() < line.len() => Line { bytes: kept, cut: true },
        _ => Line { bytes: line.strip_suffix(b"\r").unwrap_or(line), cut: false },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(chunks: &[&[u8]], most: usize) -> Vec<(Vec<u8>, bool)> {
        let mut lines = Lines::with_limit(most);
        let mut found = Vec::new();
        let mut each = |line: Line<'_>| found.push((line.bytes.to_vec(), line.cut));
        for chunk in chunks {
            lines.push(chunk, &mut each);
        }
        lines.finish(each);
        found
    }

    #[test]
    fn line_ends_of_both_kinds_go_and_the_last_line_needs_none() {
        let found = lines(&[b"one\r\n\ntw", b"o\r", b"\nthr\xff\0ee"], 100);
        let texts: Vec<_> = found.iter().map(|(line, _)| line.as_slice()).collect();
        assert_eq!(texts, [b"one".as_slice(), b"", b"two", b"thr\xff\0ee"]);
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_is_whole() {
        let long = vec![b'a'; 64 * 1024 * 1024];
        let mut chunks: Vec<&[u8]> = long.chunks(100_000).collect();
        chunks.push(b"\nnext\n");
        let found = lines(&chunks, MOST);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].0.len(), found[0].1), (MOST, true));
        assert_eq!(found[1], (b"next".to_vec(), false));
    }

    proptest! {
        #[test]
        fn the_same_bytes_cut_anywhere_give_the_same_lines(
            bytes in prop::collection::vec(prop::sample::select(b"ab\r\n\xff\n".to_vec()), 0..200),
            cuts in prop::collection::vec(0_usize..200, 0..20),
            most in 1_usize..12,
        ) {
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
            prop_assert_eq!(lines(&chunks, most), lines(&[&bytes], most));
        }
    }
}
