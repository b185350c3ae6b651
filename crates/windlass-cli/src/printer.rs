//! The one owner of stdout and stderr. stdout carries data, stderr everything else.

use std::io::{self, IsTerminal, Write};

use windlass::sanitise;

/// Prints for people and programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    /// Whether stdout may be coloured.
    pub(crate) colour: bool,
    /// Whether both streams are a terminal, so that a live view makes sense.
    pub(crate) live: bool,
}
