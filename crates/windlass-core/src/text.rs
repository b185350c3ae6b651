//! Text as data: safe to show, to quote and to compare, and cut to what a prompt can hold.

pub mod causes;
pub mod commands;
pub mod count;
pub mod fence;
pub(crate) mod measure;
pub mod normalise;
pub(crate) mod output_line;
pub(crate) mod output_words;
pub mod patch;
pub mod prose;
pub mod sanitise;
pub(crate) mod stamps;
pub(crate) mod word_lists;
pub(crate) mod words;
