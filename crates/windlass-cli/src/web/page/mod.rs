//! The pages: a static shell without data, its assets, and fragments of HTML below `/ui/`.
//!
//! A fragment is made of values by pure functions, a file each, and everything that an agent, a
//! repository or a user wrote goes through maud, which escapes it. `answers` reads the store.

mod actions;
mod agents;
mod answers;
mod charts;
mod diff;
mod findings;
mod head;
mod lines;
mod list;
mod loop_page;
mod progress;
mod resume;
mod shell;
mod sign;
mod start;
mod timeline;
mod watched;

pub(crate) use self::{answers::routes, shell::shell};

/// The files that the shell loads: name, content type, bytes.
pub(crate) const ASSETS: &[(&str, &str, &[u8])] = &[
    ("app.css", CSS, include_bytes!("../assets/app.css")),
    ("app.js", JS, include_bytes!("../assets/app.js")),
    ("ask.js", JS, include_bytes!("../assets/ask.js")),
    ("live.js", JS, include_bytes!("../assets/live.js")),
    ("loop.js", JS, include_bytes!("../assets/loop.js")),
    ("output.js", JS, include_bytes!("../assets/output.js")),
    ("resume.js", JS, include_bytes!("../assets/resume.js")),
    ("server.js", JS, include_bytes!("../assets/server.js")),
    ("start.js", JS, include_bytes!("../assets/start.js")),
    ("theme.js", JS, include_bytes!("../assets/theme.js")),
    ("icon.svg", "image/svg+xml", include_bytes!("../assets/icon.svg")),
];

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

#[cfg(test)]
mod tests;
