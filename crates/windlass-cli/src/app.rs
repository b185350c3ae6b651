//! What every command gets: where windlass lives, where the user stands, and how to print.

use std::path::PathBuf;

use crate::printer::Printer;

/// The program's surroundings, all decided.
#[derive(Clone, Debug)]
pub(crate) struct App {
    /// `$WINDLASS_HOME`, or the default.
    pub(crate) home: PathBuf,
    /// The directory that the user stands in, canonical.
    pub(crate) directory: PathBuf,
    /// How to print.
    pub(crate) printer: Printer,
}
