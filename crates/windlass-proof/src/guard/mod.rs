//! Tests are guarded: which files decide whether a check passes, which keys of shared files do, and how
//! the originals are put back among what the agent wrote. Pure: files are read and written by `windlass`.

mod added;
mod calls;
mod class;
mod delegated;
mod goals;
mod guarded;
mod joined;
pub mod keys;
mod named;
mod packages;
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
