//! A few lines at the bottom of a terminal that are drawn over and over, on a thread of their own.
//!
//! Nothing is ever drawn up to the last column, and what stands there is counted in the rows that
//! it takes up now. So neither the `^C` of Ctrl-C nor another size of the window leaves half a
//! frame behind.

use std::{
    io::Write,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError, Weak},
    thread::{self, JoinHandle},
    time::Duration,
};

use windlass_core::text::sanitise;

use crate::text;

/// How often it is drawn.
pub(crate) const TICK: Duration = Duration::from_millis(100);
/// Cells at the right that stay empty.
const MARGIN: usize = 4;

/// A frame takes at most this part of the rows of a terminal.
const PART: usize = 3;

/// A size: of a terminal, or of what there is to draw on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// How many cells a row has.
    pub(crate) cells: usize,
    /// How many rows there are.
    pub(crate) rows: usize,
}

impl Room {
    /// What a frame may take of a terminal of this size.
    fn for_frame(self) -> Self {
        Self { cells: self.cells.saturating_sub(MARGIN), rows: (self.rows / PART).max(1) }
    }
}

/// Gives the lines for a frame of that size at the most; the number counts the frames.
pub(crate) type Lines = Box<dyn Fn(Room, usize) -> Vec<String> + Send>;

/// The frame that is drawn now, for a panic that must take it away; there is one terminal.
static SHOWN: Mutex<Weak<Shared>> = Mutex::new(Weak::new());

/// Takes the frame away that is drawn now, if one is, so that last words can be read. It never
/// waits: the thread that panics may be the one that draws.
pub(crate) fn take_away() {
    let shown = match SHOWN.try_lock() {
        Ok(shown) => shown.upgrade(),
        Err(TryLockError::Poisoned(shown)) => shown.into_inner().upgrade(),
        Err(TryLockError::WouldBlock) => None,
    };
    let Some(shared) = shown else { return };
    match shared.pen.try_lock() {
        Ok(mut pen) => pen.end(),
        Err(TryLockError::Poisoned(pen)) => pen.into_inner().end(),
        Err(TryLockError::WouldBlock) => {}
    }
}

/// Lines at the bottom of a terminal, until it is dropped.
pub(crate) struct Frame {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    pen: Mutex<Pen>,
    over: Condvar,
}

struct Pen {
    terminal: Box<dyn Write + Send>,
    size: fn() -> Room,
    lines: Lines,
    /// The cells of each line that stands there.
    drawn: Vec<usize>,
    frames: usize,
    is_over: bool,
}

impl Frame {
    /// Draws `lines` on a terminal of that size.
    pub(crate) fn start(terminal: Box<dyn Write + Send>, size: fn() -> Room, lines: Lines) -> Self {
        let pen = Pen { terminal, size, lines, drawn: Vec::new(), frames: 0, is_over: false };
        let shared = Arc::new(Shared { pen: Mutex::new(pen), over: Condvar::new() });
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&shared);
        let drawn = Arc::clone(&shared);
        let thread = thread::Builder::new().name("frame".to_owned()).spawn(move || drawn.run());
        // Without a thread it is drawn only when something happens, which is still of use.
        Self { shared, thread: thread.ok() }
    }

    /// Draws it anew below `above`, lines that stay.
    pub(crate) fn print(&self, above: &str) {
        self.shared.pen().draw(above);
    }

    /// Takes it away, for good.
    pub(crate) fn clear(&mut self) {
        self.shared.pen().end();
        self.shared.over.notify_all();
        if let Some(thread) = self.thread.take() {
            // It fails only where the thread panicked, and then there is nothing to wait for.
            drop(thread.join());
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Shared {
    fn pen(&self) -> MutexGuard<'_, Pen> {
        // A panic while it was held left at worst half a frame, which the next one draws over.
        self.pen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut pen = self.pen();
        while !pen.is_over {
            pen.frames = pen.frames.wrapping_add(1);
            pen.draw("");
            let waited = self.over.wait_timeout(pen, TICK);
            pen = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Pen {
    fn draw(&mut self, above: &str) {
        if self.is_over {
            return;
        }
        let size = (self.size)();
        let room = size.for_frame();
        let mut lines = (self.lines)(room, self.frames);
        lines.truncate(room.rows);
        let text = format!("{}{above}{}", self.erase(size.cells), lines.join("\n"));
        self.drawn = lines.iter().map(|line| text::width(&sanitise::line(line))).collect();
        self.write(&text);
    }

    fn end(&mut self) {
        if self.is_over {
            return;
        }
        let text = self.erase((self.size)().cells);
        self.drawn.clear();
        self.is_over = true;
        self.write(&text);
    }

    /// Goes back to where the frame began and takes away all that follows.
    fn erase(&self, width: usize) -> String {
        let rows: usize = self.drawn.iter().map(|cells| cells.div_ceil(width.max(1)).max(1)).sum();
        match rows {
            0 => String::new(),
            1 => "\r\u{1b}[J".to_owned(),
            rows => format!("\r\u{1b}[{}A\u{1b}[J", rows - 1),
        }
    }

    fn write(&mut self, text: &str) {
        // A terminal that went away is no reason to end the loop.
        drop(self.terminal.write_all(text.as_bytes()).and_then(|()| self.terminal.flush()));
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().push_str(std::str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn pen(paper: &Paper, size: fn() -> Room) -> Pen {
        Pen {
            terminal: Box::new(paper.clone()),
            size,
            lines: Box::new(|room, _| {
                vec!["\u{1b}[32m1234567\u{1b}[0m".to_owned(), format!("{}", room.cells)]
            }),
            drawn: Vec::new(),
            frames: 0,
            is_over: false,
        }
    }

    #[test]
    fn a_frame_is_drawn_over_the_last_one_and_taken_away() {
        let paper = Paper::default();
        let mut pen = pen(&paper, || Room { cells: 80, rows: 24 });
        pen.draw("");
        pen.draw("above\n");
        pen.end();
        pen.draw("nothing more");
        insta::assert_snapshot!(paper.0.lock().unwrap().escape_default().to_string().replace("\\n", "\\n\n"), @r"
        \u{1b}[32m1234567\u{1b}[0m\n
        76\r\u{1b}[1A\u{1b}[Jabove\n
        \u{1b}[32m1234567\u{1b}[0m\n
        76\r\u{1b}[1A\u{1b}[J
        ");
    }

    #[test]
    fn in_a_window_made_smaller_the_rows_are_counted_anew() {
        let paper = Paper::default();
        let mut pen = pen(&paper, || Room { cells: 80, rows: 24 });
        pen.draw("");
        pen.size = || Room { cells: 4, rows: 24 };
        // The first line takes two rows now, and the second one.
        assert_eq!(pen.erase(4), "\r\u{1b}[2A\u{1b}[J");
    }

    #[test]
    fn a_frame_leaves_most_of_a_small_terminal_to_what_stays() {
        let room = |rows| Room { cells: 80, rows }.for_frame().rows;
        assert_eq!([room(24), room(10), room(1)], [8, 3, 1]);
        let paper = Paper::default();
        let mut pen = pen(&paper, || Room { cells: 80, rows: 4 });
        pen.draw("");
        assert_eq!(pen.drawn, [7]);
    }
}
