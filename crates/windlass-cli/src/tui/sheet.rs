//! A text that is read at leisure: scrolled, searched, and, where it is a list, walked through.

use ratatui::text::Line;

use super::{painted, search::Needle, theme::Theme};

/// A text, laid out in rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    source: Vec<String>,
    rows: Vec<Line<'static>>,
    /// Lines at the top that are no entries of the list.
    heading: usize,
    /// The row that is chosen, in a list.
    cursor: Option<usize>,
    mark: Option<usize>,
    top: usize,
    cells: usize,
    height: usize,
    theme: Theme,
}

impl Sheet {
    /// An empty text.
    pub(crate) fn new(theme: Theme) -> Self {
        Self { theme, cells: 80, height: 10, ..Self::default() }
    }

    /// Shows other painted lines, from where it was.
    pub(crate) fn fill(&mut self, source: Vec<String>) {
        self.cursor = None;
        self.heading = 0;
        self.set(source);
    }

    /// Shows a list of painted lines below its heading, with one of them chosen.
    pub(crate) fn list(&mut self, heading: Vec<String>, entries: Vec<String>, chosen: usize) {
        self.heading = heading.len();
        self.cursor = (!entries.is_empty()).then(|| chosen.min(entries.len() - 1));
        self.set([heading, entries].concat());
    }

    /// Takes in the size of what is drawn.
    pub(crate) fn lay_out(&mut self, cells: usize, height: usize) {
        self.height = height;
        if self.cells != cells {
            self.cells = cells;
            self.make_rows();
        }
        self.settle();
    }

    /// The entry that is chosen.
    pub(crate) fn cursor(&self) -> Option<usize> {
        self.cursor
    }

    /// Moves by so many rows, or entries.
    pub(crate) fn scroll(&mut self, by: isize) {
        match self.cursor {
            Some(cursor) => self.choose(cursor.saturating_add_signed(by)),
            None => self.top = self.top.saturating_add_signed(by),
        }
        self.settle();
    }

    /// Goes to the beginning.
    pub(crate) fn go_to_top(&mut self) {
        self.top = 0;
        self.cursor = self.cursor.map(|_| 0);
    }

    /// Goes to the end.
    pub(crate) fn go_to_end(&mut self) {
        self.top = usize::MAX;
        self.choose(usize::MAX);
        self.settle();
    }

    /// Finds the next row with the words, round the end; whether there is one.
    pub(crate) fn find(&mut self, needle: &Needle, back: bool) -> bool {
        let all = self.rows.len();
        let from = self.mark.map_or(self.top, |mark| if back { mark + all - 1 } else { mark + 1 });
        let has = |n: &usize| needle.is_in(&self.rows[*n]);
        let at = |step: usize| if back { (from + all - step) % all } else { (from + step) % all };
        let Some(found) = (0..all).map(at).find(has) else { return false };
        self.mark = Some(found);
        self.top = found.saturating_sub(self.height / 3);
        if self.cursor.is_some() {
            self.choose(found.saturating_sub(self.heading));
        }
        self.settle();
        true
    }

    /// Forgets what was found.
    pub(crate) fn unmark(&mut self) {
        self.mark = None;
    }

    /// The rows that are to be seen, and whether each is found or chosen.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&Line<'static>, bool)> {
        let chosen = self.cursor.map(|cursor| cursor + self.heading);
        let rows = self.rows.iter().enumerate();
        let heading = rows.clone().take(if self.cursor.is_some() { self.heading } else { 0 });
        let room = self.height.saturating_sub(heading.len());
        let rest = rows.skip(heading.len() + self.top).take(room);
        let is_set_off = move |n| chosen == Some(n) || (chosen.is_none() && self.mark == Some(n));
        heading.chain(rest).map(move |(n, row)| (row, is_set_off(n)))
    }

    fn set(&mut self, source: Vec<String>) {
        self.mark = None;
        if self.source != source {
            self.source = source;
            self.make_rows();
        }
        self.settle();
    }

    fn make_rows(&mut self) {
        let (cells, theme) = (self.cells, self.theme);
        let one = |line: &String| match self.cursor {
            // An entry of a list is one row, so that it can be counted.
            Some(_) => vec![painted::cut(painted::line(line, theme), cells)],
            None => painted::rows(line, cells, theme),
        };
        self.rows = self.source.iter().flat_map(one).collect();
    }

    fn choose(&mut self, entry: usize) {
        let last = self.rows.len().saturating_sub(self.heading + 1);
        self.cursor = self.cursor.map(|_| entry.min(last));
    }

    fn settle(&mut self) {
        let fixed = if self.cursor.is_some() { self.heading } else { 0 };
        let room = self.height.saturating_sub(fixed).max(1);
        if let Some(cursor) = self.cursor {
            self.top = self.top.clamp((cursor + 1).saturating_sub(room), cursor);
        }
        self.top = self.top.min(self.rows.len().saturating_sub(fixed + room));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(sheet: &Sheet) -> Vec<String> {
        sheet
            .shown()
            .map(|(row, set_off)| format!("{}{row}", if set_off { ">" } else { "" }))
            .collect()
    }

    fn sheet(lines: &[&str]) -> Sheet {
        let mut sheet = Sheet::new(Theme::default());
        sheet.lay_out(20, 3);
        sheet.fill(lines.iter().map(|line| (*line).to_owned()).collect());
        sheet
    }

    #[test]
    fn it_scrolls_to_its_ends_and_no_further() {
        let mut sheet = sheet(&["a", "b", "c", "d", "e"]);
        sheet.scroll(1);
        assert_eq!(shown(&sheet), ["b", "c", "d"]);
        sheet.scroll(100);
        assert_eq!(shown(&sheet), ["c", "d", "e"]);
        sheet.scroll(-100);
        assert_eq!(shown(&sheet), ["a", "b", "c"]);
        sheet.go_to_end();
        assert_eq!(shown(&sheet), ["c", "d", "e"]);
    }

    #[test]
    fn a_list_keeps_its_heading_and_shows_what_is_chosen() {
        let mut sheet = sheet(&[]);
        let entries = ["1", "2", "3", "4"].map(str::to_owned).to_vec();
        sheet.list(vec!["head".to_owned()], entries, 3);
        assert_eq!(shown(&sheet), ["head", "3", ">4"]);
        sheet.scroll(-3);
        assert_eq!(shown(&sheet), ["head", ">1", "2"]);
        assert_eq!(sheet.cursor(), Some(0));
    }

    #[test]
    fn a_search_goes_round_the_end_both_ways() {
        let mut sheet = sheet(&["x 1", "a", "b", "x 2", "c", "x 3"]);
        let needle = Needle::new("x").unwrap();
        let mut next = |back| {
            assert!(sheet.find(&needle, back));
            shown(&sheet).into_iter().find(|row| row.starts_with('>')).unwrap()
        };
        assert_eq!(
            [next(false), next(false), next(false), next(false)],
            [">x 1", ">x 2", ">x 3", ">x 1"]
        );
        assert_eq!([next(true), next(true)], [">x 3", ">x 2"]);
        assert!(!sheet.find(&Needle::new("zebra").unwrap(), false));
    }
}
