//! Tells people who are not looking: at a loop's end, when a rule trips, and when a limit is waited
//! for. A way to tell them is a file here and a line in [`KINDS`].
//!
//! A reporter like any other, but that it hands over and goes on: what is sent is sent beside the
//! loop, which is neither delayed nor harmed by it.

mod command;
mod desktop;
mod message;
mod ntfy;
mod options;
mod post;
mod run;
mod sending;
mod slack;
mod webhook;

use std::{fmt, pin::Pin, sync::Arc};

pub(crate) use message::Message;
pub(crate) use options::{Flags, Options, Way, When};
pub(crate) use sending::Notifier;

use crate::host::app::App;

/// What is on its way; gives why it did not arrive.
pub(crate) type Sending<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// One way to tell people.
pub(crate) trait Channel: fmt::Debug + Send + Sync {
    /// What it is, for a warning; never with what is secret about it.
    fn name(&self) -> String;

    /// Finds what it needs, before the loop begins: what an agent does later has no say in it. Gives
    /// why it must not be used.
    fn prepare(&self, _: &App) -> Result<(), String> {
        Ok(())
    }

    /// Sends a message. It may take its time: whoever calls has a limit for that.
    fn send<'a>(&'a self, app: &'a App, message: &'a Message) -> Sending<'a>;
}

/// Makes a channel of what stands behind its name and a colon.
type Open = fn(&str) -> Result<Arc<dyn Channel>, String>;

/// All kinds, by the names that people type.
pub(crate) const KINDS: [(&str, Open); 5] = [
    ("desktop", desktop::open),
    ("command", command::open),
    ("webhook", webhook::open),
    ("ntfy", ntfy::open),
    ("slack", slack::open),
];
