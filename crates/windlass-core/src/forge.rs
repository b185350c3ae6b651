//! Pull requests: plain data, and the words that are posted about them.

pub mod compose;
pub mod description;
mod error;
pub mod neutral;
mod pull;
mod review;
pub mod right;

pub use error::ForgeError;
pub use pull::{FileStatus, Pull, PullFile, PullState};
pub use review::{InlineComment, MarkerKey, Posted, PostedReview, ReviewEvent, ReviewPost};

/// The most characters that one posted text may have; GitHub takes 65,536, and this leaves room
/// for what counts them differently.
pub(crate) const LONGEST_TEXT: usize = 65_000;

/// How many characters a text has, as a forge counts them at most.
fn characters(text: &str) -> usize {
    text.encode_utf16().count()
}
