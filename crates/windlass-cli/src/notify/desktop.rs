//! `desktop`: a notification of the desktop that the user sits at, if there is one.

use std::{path::Path, sync::Arc};

use notify_rust::{Notification, Timeout};

use super::{Channel, Message, Sending};
use crate::{app::App, environment::Variable};

pub(super) fn open(rest: &str) -> Result<Arc<dyn Channel>, String> {
    if rest.is_empty() {
        Ok(Arc::new(Desktop))
    } else {
        Err("`desktop` takes nothing behind it".to_owned())
    }
}

#[derive(Debug)]
struct Desktop;

impl Channel for Desktop {
    fn name(&self) -> String {
        "the desktop".to_owned()
    }

    fn send<'a>(&'a self, app: &'a App, message: &'a Message) -> Sending<'a> {
        Box::pin(async move {
            if !has_session_bus(app) {
                return Err("no desktop is there (no D-Bus session bus was found)".to_owned());
            }
            let (title, text) = (message.title(), plain(&message.text));
            let mut notification = Notification::new();
            let notification = notification
                .appname("windlass")
                .summary(&title)
                .body(&text)
                .timeout(Timeout::Default);
            notification.show_async().await.map(drop).map_err(|error| error.to_string())
        })
    }
}

/// Whether there is a bus that can be asked; without one, a bus would be started.
fn has_session_bus(app: &App) -> bool {
    let runtime = app.environment.get(Variable::XdgRuntimeDir).map(Path::new);
    app.environment.get(Variable::DbusSessionBusAddress).is_some()
        || runtime.is_some_and(|directory| directory.join("bus").exists())
}

/// Desktops read a little markup in a notification: what is not ours is no markup.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
