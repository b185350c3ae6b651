//! Hidden sub-commands: the first argument decides whether this process is a guardian or another
//! helper of windlass. `main` looks for them first of all, and must not go on after one.

use std::{
    ffi::OsString,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{detached, guard};

/// The first argument that makes a process a guardian.
pub(super) const GUARDIAN: &str = "__windlass-guardian";

/// The first argument that makes a process leave its starter's session, and then be `windlass`.
pub(super) const DETACHED: &str = "__windlass-detached";

/// What a part does with the arguments after its name; gives the exit code.
pub type Part = fn(Vec<OsString>) -> i32;

/// The parts of this module, by the first argument that asks for them.
pub const PARTS: &[(&str, Part)] = &[(GUARDIAN, guard::play), (DETACHED, detached::play)];

static CALLED: AtomicBool = AtomicBool::new(false);

/// The first descriptor that is no standard stream.
const FIRST: i32 = 3;

/// Plays the part that this process was started for, and ends with it; returns if there is none.
///
/// Whatever this process was started with beyond its standard streams stays with it: none of it is
/// open in anything that is started from here, be it an agent, git or a sandbox.
#[expect(clippy::exit, reason = "a part is a whole process: `main` must not go on after it")]
pub fn play_if_asked(tables: &[&[(&str, Part)]]) {
    CALLED.store(true, Ordering::Relaxed);
    close_fds::set_fds_cloexec(FIRST, &[]);
    let mut arguments = std::env::args_os().skip(1);
    let Some(first) = arguments.next() else { return };
    if let Some((_, part)) = tables.iter().copied().flatten().find(|(name, _)| first == *name) {
        std::process::exit(part(arguments.collect()));
    }
}

/// Whether parts were looked for, so that this program can be started as a guardian.
pub(super) fn was_called() -> bool {
    CALLED.load(Ordering::Relaxed)
}
