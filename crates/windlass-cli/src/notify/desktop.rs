//! `desktop`: a notification on the desktop that the user sits at, if there is one.
//!
//! It is shown by a program that desktops come with: a D-Bus library would cost 45 s of build time
//! for one call.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use super::{
    Channel, Message, Sending,
    run::{Call, run},
};
use crate::host::{app::App, environment::Variable, program};

pub(super) fn open(rest: &str) -> Result<Arc<dyn Channel>, String> {
    if rest.is_empty() {
        Ok(Arc::new(Desktop::default()))
    } else {
        Err("`desktop` takes nothing behind it".to_owned())
    }
}

/// The arguments of a program for a title and a text.
type Arguments = fn(&str, &str) -> Vec<String>;

/// The programs that can show one, the better first.
const PROGRAMS: [(&str, Arguments); 2] = [("notify-send", notify_send), ("busctl", busctl)];

#[derive(Debug, Default)]
struct Desktop {
    /// Which of the programs there is, and where.
    found: OnceLock<Option<(usize, PathBuf)>>,
}

impl Desktop {
    fn found(&self, app: &App) -> Option<&(usize, PathBuf)> {
        let find = || {
            let trusted = program::trusted(app);
            let mut programs = PROGRAMS.iter().enumerate();
            programs.find_map(|(at, (name, _))| Some((at, trusted.find(OsStr::new(name)).ok()?)))
        };
        self.found.get_or_init(find).as_ref()
    }
}

impl Channel for Desktop {
    fn name(&self) -> String {
        "the desktop".to_owned()
    }

    fn prepare(&self, app: &App) -> Result<(), String> {
        self.found(app);
        Ok(())
    }

    fn send<'a>(&'a self, app: &'a App, message: &'a Message) -> Sending<'a> {
        Box::pin(async move {
            if !has_session_bus(app) {
                return Err("no desktop is there (no D-Bus session bus was found)".to_owned());
            }
            let (title, text) = (message.title(), plain(&message.text));
            let Some((at, path)) = self.found(app) else {
                let why = "neither `notify-send` (libnotify) nor `busctl` (systemd) is installed: add one";
                return Err(why.to_owned());
            };
            let (name, arguments) = PROGRAMS[*at];
            let args = arguments(&title, &text).into_iter().map(Into::into).collect();
            let call = Call { program: path.clone(), args, stdin: Vec::new() };
            let ran = run(app, Path::new("/"), call).await;
            ran.map_err(|error| format!("`{name}`: {error}"))
        })
    }
}

/// The arguments of libnotify's program, which desktops come with.
fn notify_send(title: &str, text: &str) -> Vec<String> {
    ["--app-name=windlass", "--", title, text].map(str::to_owned).to_vec()
}

/// The arguments of systemd's program for D-Bus, as the Desktop Notifications Specification has it: name,
/// nothing to replace, no icon, title, text, no actions, no hints, and the desktop's own time limit.
fn busctl(title: &str, text: &str) -> Vec<String> {
    let service = "org.freedesktop.Notifications";
    let call = ["--user", "call", "--", service, "/org/freedesktop/Notifications"];
    let method = [service, "Notify", "susssasa{sv}i"];
    let arguments = ["windlass", "0", "", title, text, "0", "0", "-1"];
    call.iter().chain(&method).chain(&arguments).map(|&part| part.to_owned()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busctl_is_given_as_many_arguments_as_the_signature_has() {
        let call = busctl("windlass: mine", "it is done");
        let at = call.iter().position(|part| part == "susssasa{sv}i").unwrap();
        // Five plain values, an empty list, an empty dictionary, and a number.
        assert_eq!(call[at + 1..].len(), 8);
        assert_eq!(call[at + 4..=at + 5], ["windlass: mine", "it is done"]);
    }
}
