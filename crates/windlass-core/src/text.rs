//! Text as data: safe to show, to quote and to compare, and cut to what a prompt can hold.

pub mod causes;
pub mod commands;
pub mod count;
pub mod fence;
pub mod normalise;
pub mod patch;
pub mod prose;
pub mod sanitise;
pub(crate) mod words;
