//! The terminal: taken for the dashboard, and given back whatever happens.

use std::{
    io::{self, IsTerminal, Write},
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
    thread,
    time::Duration,
};

use crossterm::{
    cursor, execute,
    terminal::{
        BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
        disable_raw_mode, enable_raw_mode,
    },
};
use ratatui::{Terminal, backend::CrosstermBackend};

use super::{dashboard::Dashboard, draw};
use crate::host::failure::Failure;

/// Whether the terminal is ours now; whoever holds it is writing.
static TAKEN: Mutex<bool> = Mutex::new(false);
/// How often a panic tries to get the terminal from whoever is writing, and how long it waits.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(5);

/// The terminal, until it is dropped.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Pen>>,
}

/// Refuses to go on where nobody could see the dashboard or type.
pub(crate) fn require(what: &str) -> Result<(), Failure> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::usage(format!("{what} needs a terminal to draw on and to type at"))
        .hint("`windlass status` and `windlass log --follow` print what happens, anywhere"))
}

/// Gives the terminal back, if it is ours. A panic calls it too, on any thread, so it does not wait
/// for long.
pub(crate) fn give_back() {
    for _ in 0..TRIES {
        let taken = match TAKEN.try_lock() {
            Ok(taken) => taken,
            Err(TryLockError::Poisoned(taken)) => taken.into_inner(),
            Err(TryLockError::WouldBlock) => {
                thread::sleep(PAUSE);
                continue;
            }
        };
        return release(taken);
    }
}

/// Whether the terminal is ours.
pub(crate) fn is_ours() -> bool {
    *TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn release(mut taken: MutexGuard<'_, bool>) {
    if !std::mem::take(&mut *taken) {
        return;
    }
    // A terminal that went away needs nothing back.
    drop(execute!(io::stdout(), EndSynchronizedUpdate, LeaveAlternateScreen, cursor::Show));
    drop(disable_raw_mode());
}

impl Screen {
    /// Takes the terminal.
    pub(crate) fn take() -> io::Result<Self> {
        enter()?;
        let terminal = Terminal::new(CrosstermBackend::new(Pen::default()));
        if terminal.is_err() {
            give_back();
        }
        Ok(Self { terminal: terminal? })
    }

    /// Takes it again after it was given back.
    pub(crate) fn take_again(&mut self) -> io::Result<()> {
        enter()?;
        self.terminal.clear()
    }

    /// Draws everything at the next frame, whatever stands there.
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }

    /// Draws the dashboard.
    pub(crate) fn draw(&mut self, dashboard: &Dashboard) -> io::Result<()> {
        self.terminal.draw(|frame| draw::draw(frame, dashboard)).map(drop)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter() -> io::Result<()> {
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    enable_raw_mode()?;
    *taken = true;
    execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)
}

/// Writes a frame at once, and only while the terminal is ours: a frame that comes late, after a
/// panic has given it back, is not drawn over the last words.
#[derive(Debug, Default)]
struct Pen(Vec<u8>);

impl Write for Pen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = std::mem::take(&mut self.0);
        if !*taken {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        execute!(out, BeginSynchronizedUpdate)?;
        out.write_all(&frame)?;
        execute!(out, EndSynchronizedUpdate)
    }
}
