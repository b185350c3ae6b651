//! A panic is a bug of ours: it is told as one, and ends with an exit code of its own.

use std::{
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
};

use windlass_core::text::sanitise;

use crate::{report::frame, tui::terminal};

/// Makes every panic say what to do with it.
pub(crate) fn say_that_it_is_ours() {
    panic::set_hook(Box::new(|info| {
        frame::take_away();
        terminal::give_back();
        // The message may quote what an agent said.
        let what = info.to_string();
        let text = format!(
            "error: windlass has a bug: {}\n\n\
             hint: please report it, with the lines above and `windlass --version`: {}/issues\n\
             hint: what was stored is safe: `windlass resume` goes on with a loop that ran\n",
            sanitise::text(&what),
            env!("CARGO_PKG_REPOSITORY"),
        );
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }));
}

/// What `work` gives; `None` if it panicked.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_does_not_get_out() {
        assert_eq!(caught(|| 7), Some(7));
        assert_eq!(caught(|| -> u8 { panic!("for the test") }), None);
    }
}
