//! Tests are guarded: which files decide whether a check passes, which keys of shared files do, and how
//! the originals are put back among what the agent wrote. Pure: files are read and written by `windlass`.

mod added;
mod calls;
mod class;
mod goals;
mod guarded;
pub mod keys;
mod page;
mod patterns;
mod policy;
mod request;
mod table;

#[cfg(test)]
mod tests;

pub use self::{
    added::{Added, Role},
    class::Class,
    guarded::Guard,
    page::page,
    policy::Policy,
    request::Request,
};
