//! What an agent says and does, and what windlass does about it: a window of rows on the store that
//! never grows beyond its bound, whatever the loop said. It reads nothing itself: whoever has the
//! store hands it pages.

use std::collections::VecDeque;

use ratatui::text::Line;
use windlass_core::{
    event::{Event, EventKind, Phase},
    view::LoopView,
};

use super::{painted, search::Needle, theme::Theme};
use crate::{
    report::{
        ending::{Standing, State},
        paint::Paint,
        words::{self, proven::Proven},
    },
    text,
};

/// How many events are read at once. One may have a thousand lines.
pub(crate) const PAGE: usize = 50;
/// How many rows are held.
const MOST_ROWS: usize = 4_000;
/// How many rows are made of a page, unless a single event has more.
const ENOUGH_ROWS: usize = 1_000;
/// How many rows of one event are shown.
const MOST_EVENT_ROWS: usize = 1_000;

/// A page that is missing from the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// The one before this event.
    Before(u64),
    /// The one after this event.
    After(u64),
    /// The first one.
    First,
    /// The last one.
    Last,
    /// The one that begins with this event.
    At(u64),
}

/// A window of rows.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    rows: VecDeque<Row>,
    /// The events that are in it.
    first: u64,
    last: u64,
    has_start: bool,
    /// Whether the newest rows are shown as they come.
    pub(crate) follows: bool,
    /// The row at the top.
    top: usize,
    /// The row that was found.
    mark: Option<usize>,
    cells: usize,
    height: usize,
    theme: Theme,
}

#[derive(Clone, Debug)]
struct Row {
    seq: u64,
    line: Line<'static>,
}

impl Stream {
    /// A window that follows what comes.
    pub(crate) fn new(theme: Theme) -> Self {
        Self {
            rows: VecDeque::new(),
            first: 1,
            last: 0,
            has_start: false,
            follows: true,
            top: 0,
            mark: None,
            cells: 80,
            height: 10,
            theme,
        }
    }

    /// The number of the last event in it.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// The first and the last event in it.
    pub(crate) fn reach(&self) -> (u64, u64) {
        (self.first, self.last)
    }

    /// The event at the top of what is shown.
    pub(crate) fn anchor(&self) -> u64 {
        self.rows.get(self.top).map_or(self.first, |row| row.seq)
    }

    /// Takes in the size of what is drawn. Whether all rows have to be made anew.
    pub(crate) fn lay_out(&mut self, cells: usize, height: usize) -> bool {
        let is_other = self.cells != cells;
        (self.cells, self.height) = (cells, height);
        self.settle();
        is_other && !self.rows.is_empty()
    }

    /// Forgets all rows, and takes a page of others: its end if that is followed from now on, else
    /// its beginning.
    pub(crate) fn restart(
        &mut self,
        events: &[Event],
        has_start: bool,
        follow: bool,
        view: &LoopView,
    ) {
        self.clear(events.first().map_or(1, |event| event.seq));
        self.has_start = has_start;
        self.follows = follow;
        self.append(events, view);
    }

    /// Adds the page after the last one. Of a flood that is followed only the end is kept.
    pub(crate) fn append(&mut self, events: &[Event], view: &LoopView) {
        let (rows, used) = self.made(events, self.follows, view);
        let (Some(first), Some(last)) = (used.first(), used.last()) else { return };
        if first.seq != events[0].seq {
            self.clear(first.seq);
        }
        self.last = last.seq;
        self.rows.extend(rows);
        let surplus = self.rows.len().saturating_sub(MOST_ROWS);
        let cut = self.rows.get(surplus.saturating_sub(1)).filter(|_| surplus > 0);
        if let Some(seq) = cut.map(|row| row.seq) {
            // An event is there with all its rows or not at all, so that pages fit together.
            let gone = self.rows.iter().take_while(|row| row.seq <= seq).count();
            self.rows.drain(..gone);
            self.first = seq + 1;
            self.has_start = false;
            self.top = self.top.saturating_sub(gone);
            self.mark = self.mark.and_then(|mark| mark.checked_sub(gone));
        }
        self.settle();
    }

    /// Adds the page before the first one; an empty one says that there is none.
    pub(crate) fn prepend(&mut self, events: &[Event], view: &LoopView) {
        let (rows, used) = self.made(events, true, view);
        let Some(first) = used.first() else {
            self.has_start = true;
            return;
        };
        self.first = first.seq;
        self.has_start = first.seq <= 1;
        self.top += rows.len();
        self.mark = self.mark.map(|mark| mark + rows.len());
        rows.into_iter().rev().for_each(|row| self.rows.push_front(row));
        if self.rows.len() > MOST_ROWS {
            let seq = self.rows[MOST_ROWS].seq;
            while self.rows.back().is_some_and(|row| row.seq >= seq) {
                self.rows.pop_back();
            }
            self.last = seq - 1;
            self.follows = false;
        }
        self.settle();
    }

    /// Moves by so many rows; the page that is needed for more.
    pub(crate) fn scroll(&mut self, by: isize) -> Option<Page> {
        let end = self.end();
        self.top = self.top.saturating_add_signed(by).min(end);
        if by < 0 {
            self.follows = false;
            let is_near = self.top < self.height && !self.has_start;
            is_near.then_some(Page::Before(self.first))
        } else {
            (self.top + self.height >= end).then_some(Page::After(self.last))
        }
    }

    /// Shows the first row.
    pub(crate) fn go_to_top(&mut self) {
        self.follows = false;
        self.top = 0;
    }

    /// Finds the next row with the words, and shows it; otherwise the page to look into.
    pub(crate) fn find(&mut self, needle: &Needle, back: bool) -> Result<(), Option<Page>> {
        let has = |n: &usize| needle.is_in(&self.rows[*n].line);
        let (found, missing) = if back {
            let from = self.mark.unwrap_or_else(|| self.rows.len().min(self.top + self.height));
            let missing = (!self.has_start).then_some(Page::Before(self.first));
            ((0..from).rev().find(has), missing)
        } else {
            let from = self.mark.map_or(self.top, |mark| mark + 1);
            ((from..self.rows.len()).find(has), Some(Page::After(self.last)))
        };
        let Some(found) = found else {
            // What was looked at is not looked at again.
            self.mark = Some(if back { 0 } else { self.rows.len().saturating_sub(1) });
            return Err(missing);
        };
        self.mark = Some(found);
        self.follows = false;
        self.top = found.saturating_sub(self.height / 3).min(self.end());
        Ok(())
    }

    /// The rows that are to be seen, and whether each was found.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&Line<'static>, bool)> {
        let rows = self.rows.iter().enumerate().skip(self.top).take(self.height);
        rows.map(|(n, row)| (&row.line, self.mark == Some(n)))
    }

    /// Forgets what was found.
    pub(crate) fn unmark(&mut self) {
        self.mark = None;
    }

    fn clear(&mut self, first: u64) {
        self.rows.clear();
        (self.top, self.mark) = (0, None);
        (self.first, self.last) = (first, first.saturating_sub(1));
        self.has_start = false;
    }

    /// The rows of a page, as many as are enough, from its beginning or its end; and the events that
    /// they are of.
    fn made<'a>(
        &self,
        events: &'a [Event],
        from_end: bool,
        view: &LoopView,
    ) -> (Vec<Row>, &'a [Event]) {
        let mut parts: Vec<Vec<Row>> = Vec::new();
        let mut made = 0;
        let mut take = |event: &Event| {
            if made >= ENOUGH_ROWS {
                return false;
            }
            let rows = rows_of(event, view, self.cells, self.theme);
            made += rows.len();
            parts.push(rows);
            true
        };
        if from_end {
            let used = events.iter().rev().take_while(|event| take(event)).count();
            parts.reverse();
            (parts.concat(), &events[events.len() - used..])
        } else {
            let used = events.iter().take_while(|event| take(event)).count();
            (parts.concat(), &events[..used])
        }
    }

    /// The lowest place of the top row.
    fn end(&self) -> usize {
        self.rows.len().saturating_sub(self.height)
    }

    fn settle(&mut self) {
        self.top = if self.follows { self.end() } else { self.top.min(self.end()) };
    }
}

/// The rows of an event; of a long one its beginning and its end.
fn rows_of(event: &Event, view: &LoopView, cells: usize, theme: Theme) -> Vec<Row> {
    let lines = told(event, view);
    let of = |line: &String| painted::rows(line, cells, theme);
    let mut rows = Vec::new();
    let mut lines = lines.iter();
    while rows.len() < MOST_EVENT_ROWS / 2
        && let Some(line) = lines.next()
    {
        rows.extend(of(line));
    }
    let mut end: Vec<Vec<Line<'static>>> = Vec::new();
    while end.iter().map(Vec::len).sum::<usize>() < MOST_EVENT_ROWS / 2
        && end.len() < MOST_EVENT_ROWS / 2
        && let Some(line) = lines.next_back()
    {
        end.push(of(line));
    }
    let unshown = lines.count();
    if unshown > 0 {
        let more = text::count(unshown, "line");
        let more = format!("  … {more} more, which `windlass log` shows");
        rows.push(Line::styled(more, theme.faint()));
    }
    rows.extend(end.into_iter().rev().flatten());
    rows.into_iter().map(|line| Row { seq: event.seq, line }).collect()
}

/// The painted lines of an event, in the words of `windlass log`. `view` is the loop as it is now,
/// so what was otherwise when the event came is told without it.
fn told(event: &Event, view: &LoopView) -> Vec<String> {
    let paint = Paint { colour: true };
    match &event.kind {
        EventKind::AgentSaid { said, .. } => words::said(said, paint),
        EventKind::Phase(entered) if entered.phase == Phase::Heal => {
            vec![format!("{}: fixing what was found", paint.strong("HEAL"))]
        }
        EventKind::LoopFinished { ending } => {
            let is_last = view.ending.as_ref() == Some(ending);
            let mut standing = Standing {
                state: State::Ended(ending.clone()),
                name: view.name.clone(),
                iterations: view.iteration,
                max_iterations: Some(view.max_iterations),
                checks: None,
                proven: Proven::default(),
                is_merge: false,
                has_trees: true,
            };
            standing.prove(view.proving(), view.proof.as_ref());
            // How many iterations there were at an earlier ending is not known any more.
            let words = || format!("ended: {}", ending.word().replace('_', " "));
            vec![if is_last { standing.words(paint) } else { words() }]
        }
        _ => words::of(event, view, paint),
    }
}

#[cfg(test)]
mod tests;
