//! Carries the events of loops to whoever listens: one look at the store a followed loop, however
//! many listen, and none where nobody does.
//!
//! `hub` has a feed a followed loop, `batch` is what it sends, `listener` is one who listens, and
//! `body` is the answer that grows while they do. Memory is bounded: who is slow catches up from
//! the store, at their own pace.

mod batch;
mod body;
mod hub;
mod listener;

pub(crate) use self::{hub::Hub, listener::listen};
