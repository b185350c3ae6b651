//! The story of a loop as a plain value, and how it looks: as a block on a terminal, as a report for a
//! terminal, in Markdown and as one HTML page, with charts. Pure: everything is words and numbers here,
//! made safe to show by those who tell the story (`commands/story`).

pub(crate) mod block;
pub(crate) mod chart;
mod document;
pub(crate) mod html;
pub(crate) mod markdown;
mod next;
pub(crate) mod paint;
pub(crate) mod patch;
mod story;
pub(crate) mod terminal;

pub(crate) use next::{Next, Undo};
pub(crate) use story::{Diff, Moment, Story, Tone};
