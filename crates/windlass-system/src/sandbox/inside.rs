//! The part that windlass plays inside of a sandbox: it puts up what the program needs, gives away
//! what the program must not have, and then starts it.
//!
//! As the first process of a sandbox it stays, reaps what is orphaned and forwards connections to
//! the proxy outside; else it becomes the program.

use std::{
    ffi::OsString,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use rustix::thread::{self, CapabilitySet, CapabilitySets};
use serde::{Deserialize, Serialize};

use super::{forward, landlock, mounting, proxy::Target, request::GitMount};
use crate::{
    filter::{self, Sockets},
    process::{self, Held},
};

/// The exit code where the sandbox itself fails: that of `env`, `timeout` and others.
pub(super) const OWN_FAILURE: i32 = 125;

/// What is to be done before the program starts.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Orders {
    pub(super) way: Way,
    /// Variables for the program alone.
    pub(super) variables: Vec<(String, String)>,
    /// What stands somewhere else for this program and all that it starts.
    pub(super) mounts: Vec<GitMount>,
    /// Files that are copied to where the program looks for them.
    pub(super) copies: Vec<Copy>,
    /// Files that are made.
    pub(super) written: Vec<(PathBuf, String)>,
    /// Where the proxy is.
    pub(super) socket: Option<PathBuf>,
    /// Ports of the machine outside that are reached as if they were here.
    pub(super) forwarded: Vec<Target>,
    /// What the kernel is asked to hold back, where it can.
    pub(super) confinement: Option<Confinement>,
}

/// What becomes of the process that does all this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Way {
    /// It stays as the first process of all.
    First,
    /// The program takes its place.
    Instead,
}

/// A file that is copied.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Copy {
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
}

/// What the kernel is asked to hold back.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Confinement {
    pub(super) read: Vec<PathBuf>,
    pub(super) write: Vec<PathBuf>,
    /// Whether there is none: Landlock holds TCP back, and the filter of system calls the rest.
    pub(super) no_network: bool,
    /// Whether a kernel that cannot is good enough.
    pub(super) best_effort: bool,
}

/// Does as it is told: the orders, the program's file, its name, and its arguments.
pub(crate) fn play(arguments: Vec<OsString>) -> i32 {
    match run(arguments) {
        Ok(code) => code,
        Err(why) => {
            // Where standard error is gone, the code is all that is left.
            drop(writeln!(io::stderr(), "windlass: the sandbox failed: {why}"));
            OWN_FAILURE
        }
    }
}

fn run(arguments: Vec<OsString>) -> Result<i32, String> {
    let mut arguments = arguments.into_iter();
    let orders = arguments.next().unwrap_or_default();
    let mut orders: Orders =
        serde_json::from_slice(orders.as_encoded_bytes()).map_err(|error| error.to_string())?;
    let program = PathBuf::from(arguments.next().unwrap_or_default());
    let name = arguments.next().unwrap_or_default();
    let variables = std::mem::take(&mut orders.variables);
    let held = Held { program, name, args: arguments.collect(), variables };
    if !orders.mounts.is_empty() {
        mounting::mount(&orders.mounts).map_err(|error| format!("cannot mount: {error}"))?;
    }
    for Copy { from, to } in &orders.copies {
        copy(from, to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    for (path, text) in &orders.written {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    // Before anything else runs: what is started from here on is confined like the program.
    if let Some(confinement) = &orders.confinement {
        landlock::confine(confinement).map_err(|error| error.to_string())?;
    }
    give_up_rights().map_err(|error| format!("rights cannot be given up: {error}"))?;
    let has_network = orders.confinement.as_ref().is_none_or(|one| !one.no_network);
    let sockets = if has_network { Sockets::Any } else { Sockets::Local };
    filter::apply(sockets).map_err(|error| error.to_string())?;
    if let Some(socket) = &orders.socket {
        forward::start(socket, &orders.forwarded).map_err(|error| error.to_string())?;
    }
    match orders.way {
        Way::First => Ok(process::hold(&held)),
        Way::Instead => Ok(process::become_program(&held)),
    }
}

/// Gives up what root may do beyond what any user may. What is started cannot regain it: confined
/// processes have no way to new rights.
fn give_up_rights() -> io::Result<()> {
    let none = CapabilitySet::empty();
    let held = thread::capabilities(None)?;
    if held.permitted.is_empty() && held.inheritable.is_empty() {
        return Ok(());
    }
    thread::set_no_new_privs(true)?;
    let nothing = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(thread::set_capabilities(None, nothing)?)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(directory) = to.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::copy(from, to).map(drop)
}
