//! Which lines of a changed file can take a comment: those of its hunks, as they are after the
//! change. Pure; a patch that cannot be read has none.

/// The lines of a file that a comment can stand beside: a run of them for each hunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RightLines(Vec<Beside>);

/// Lines that a comment can stand beside, all of one hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beside {
    /// The first line, from 1.
    pub start: u32,
    /// The last line.
    pub end: u32,
}

impl RightLines {
    /// The lines of a patch, as a forge gives it for one file. They are counted, so one that was
    /// cut short has only the lines that are there.
    #[must_use]
    pub(crate) fn of(patch: &str) -> Self {
        let mut hunks: Vec<Beside> = Vec::new();
        let mut hunk: Option<Beside> = None;
        // Where the next line of the file stands; nothing counts before the first hunk.
        let mut next: Option<u32> = None;
        for line in patch.split('\n') {
            if let Some(header) = line.strip_prefix("@@ ") {
                hunks.extend(hunk.take());
                next = first_line(header);
            } else if let Some(number) = next
                && line.starts_with([' ', '+'])
            {
                let start = hunk.map_or(number, |hunk| hunk.start);
                hunk = Some(Beside { start, end: number });
                next = number.checked_add(1);
            }
        }
        hunks.extend(hunk);
        Self(hunks)
    }

    /// The part of some lines that a comment can stand beside: that of the first hunk with any.
    #[must_use]
    pub(crate) fn overlap(&self, first: u32, last: u32) -> Option<Beside> {
        let hunk = self.0.iter().find(|hunk| hunk.start <= last && first <= hunk.end)?;
        Some(Beside { start: first.max(hunk.start), end: last.min(hunk.end) })
    }
}

/// The line that a hunk begins with after the change: 7 in `-3,2 +7,4 @@ fn f()`.
fn first_line(header: &str) -> Option<u32> {
    let ranges = header.split(" @@").next()?;
    let right = ranges.split(' ').find_map(|range| range.strip_prefix('+'))?;
    right.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "@@ -1,3 +1,4 @@ fn main() {\n one\n-two\n+2\n+two and a half\n three\n\
                         @@ -20 +21,2 @@\n twenty\n+more\n\\ No newline at end of file";

    #[test]
    fn context_and_added_lines_can_take_a_comment_and_removed_ones_have_no_number() {
        let lines = RightLines::of(PATCH);
        let can: Vec<u32> = (0..30).filter(|line| lines.overlap(*line, *line).is_some()).collect();
        assert_eq!(can, [1, 2, 3, 4, 21, 22]);
    }

    #[test]
    fn a_range_is_cut_to_the_first_hunk_that_it_meets() {
        let lines = RightLines::of(PATCH);
        assert_eq!(lines.overlap(3, 21), Some(Beside { start: 3, end: 4 }));
        assert_eq!(lines.overlap(10, 21), Some(Beside { start: 21, end: 21 }));
        assert_eq!(lines.overlap(5, 20), None);
    }

    #[test]
    fn hunks_that_touch_stay_apart() {
        let lines = RightLines::of("@@ -1 +1 @@\n+a\n@@ -1 +2 @@\n+b");
        assert_eq!(lines.overlap(1, 2), Some(Beside { start: 1, end: 1 }));
    }

    #[test]
    fn what_is_no_patch_has_no_lines() {
        for patch in ["", "+a", "@@ nonsense @@\n+a", "@@ -1 +x @@\n+a", "@@ -1,2 +0,0 @@\n-a\n-b"]
        {
            assert_eq!(RightLines::of(patch), RightLines::default(), "{patch}");
        }
        // A number at the edge is no reason to fall over.
        assert!(
            RightLines::of("@@ -1 +4294967295,2 @@\n+a\n+b").overlap(u32::MAX, u32::MAX).is_some()
        );
    }
}
