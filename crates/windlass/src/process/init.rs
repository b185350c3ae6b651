//! The first call of `main`: lets this program play the parts that windlass starts it for.
//!
//! A new part is one more row of [`PARTS`]. This is the only place of the library that reads the
//! arguments of the process, and the only one that ends it.

use std::{
    ffi::OsString,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{detached, guard};
use crate::{agent::script, sandbox};

/// The first argument that makes a process a guardian.
pub(super) const GUARDIAN: &str = "__windlass-guardian";

/// The first argument that makes a process play a script.
pub(crate) const SCRIPTED: &str = "__windlass-scripted";

/// The first argument that makes a process windlass's part inside of a sandbox.
pub(crate) const INSIDE: &str = "__windlass-inside";

/// The first argument that makes a process stand for one in a container.
pub(crate) const ENTER: &str = "__windlass-enter";

/// The first argument that makes a process leave its starter's session, and then be `windlass`.
pub(super) const DETACHED: &str = "__windlass-detached";

/// What a part does with the arguments after its name; gives the exit code.
type Part = fn(Vec<OsString>) -> i32;

/// The parts, by the first argument that asks for them.
const PARTS: &[(&str, Part)] = &[
    (GUARDIAN, guard::play),
    (SCRIPTED, script::player::main),
    (DETACHED, detached::play),
    (INSIDE, sandbox::play),
    (ENTER, sandbox::enter),
];

static CALLED: AtomicBool = AtomicBool::new(false);

/// Becomes a helper process of windlass if this process was started as one; returns otherwise.
///
/// Call it first thing in `main`: a loop starts this same program once more as its guardian.
#[expect(clippy::exit, reason = "a part is a whole process: `main` must not go on after it")]
pub fn init() {
    CALLED.store(true, Ordering::Relaxed);
    let mut arguments = std::env::args_os().skip(1);
    let Some(first) = arguments.next() else { return };
    if let Some((_, part)) = PARTS.iter().find(|(name, _)| first == *name) {
        std::process::exit(part(arguments.collect()));
    }
}

/// Whether [`init`] was called, so that this program can be started as a guardian.
pub(super) fn was_called() -> bool {
    CALLED.load(Ordering::Relaxed)
}
