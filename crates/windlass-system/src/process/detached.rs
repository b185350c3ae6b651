//! Starts this program once more as a process of its own: in a session of its own, with nothing of
//! its starter but what it is given, and outliving it. Only windlass itself is started so: what it
//! runs in turn has a guardian.

use std::{
    ffi::OsString,
    fs::File,
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Arc, OnceLock},
    thread,
};

use windlass_core::process::ProcessSpec;

use super::{
    GuardianProgram, StartError, adopted, linux, parts, resolve, unreadable::become_unreadable,
};
use crate::ownership::Owner;

/// How much room the thread has that waits for a process.
const STACK: usize = 64 * 1024;

/// What to start, all decided. The environment is whole: nothing is inherited.
#[derive(Debug)]
pub struct DetachedSpec {
    /// What is started: `windlass` itself.
    pub program: GuardianProgram,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its environment, whole.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub directory: PathBuf,
    /// What it reads; nothing if left out.
    pub input: Option<File>,
    /// Where both of its streams go.
    pub output: File,
}

/// A process of its own. Letting go of this does nothing to it.
#[derive(Clone, Debug)]
pub struct Detached {
    owner: Owner,
    ended: Arc<OnceLock<Option<i32>>>,
}

impl Detached {
    /// Who it is: the owner of the loop that it runs.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// Its exit code once it has ended; the inner `None` when a signal ended it.
    pub fn ended(&self) -> Option<Option<i32>> {
        self.ended.get().copied()
    }
}

/// Starts a process of its own.
pub fn start_detached(spec: DetachedSpec) -> Result<Detached, StartError> {
    let program = spec.program.path()?;
    let explained = |errno: i32| {
        let (program_name, directory) = ("windlass".into(), spec.directory.clone());
        let spec = ProcessSpec { program: program_name, directory, ..ProcessSpec::default() };
        resolve::explain(errno, &program, &spec)
    };
    let failed = |error: std::io::Error| match error.raw_os_error() {
        Some(errno) => explained(errno),
        None => StartError::Other { program: "windlass".to_owned(), why: error.to_string() },
    };
    let errors = spec.output.try_clone().map_err(failed)?;
    let mut command = Command::new(&program);
    command
        .arg0("windlass")
        .arg(parts::DETACHED)
        .args(&spec.args)
        .env_clear()
        .envs(spec.env)
        .current_dir(&spec.directory)
        .stdin(spec.input.map_or_else(Stdio::null, Stdio::from))
        .stdout(spec.output)
        .stderr(errors);
    let child = adopted::start(&mut command).map_err(failed)?;
    Ok(watched(child))
}

/// Waits for the process aside, so that it leaves no zombie while its starter lives.
fn watched(mut child: Child) -> Detached {
    let owner = Owner::of(child.id().cast_signed());
    let ended: Arc<OnceLock<Option<i32>>> = Arc::default();
    let tell = ended.clone();
    let waits = thread::Builder::new().name("windlass-waits".to_owned()).stack_size(STACK);
    // Where the system has no thread left, it is a zombie until its starter ends, and that is all.
    drop(waits.spawn(move || {
        let code = child.wait().ok().and_then(|status| status.code());
        adopted::waited_for(child.id());
        let _ = tell.set(code);
    }));
    Detached { owner, ended }
}

/// The part that leaves its starter's session, and becomes `windlass` with what it was given.
pub(super) fn play(arguments: Vec<OsString>) -> i32 {
    become_unreadable();
    // It is no leader of a group yet, so this works; and where it does not, the loop runs all the
    // same.
    let _ = rustix::process::setsid();
    let error = Command::new(linux::THIS_PROGRAM).arg0("windlass").args(arguments).exec();
    error.raw_os_error().map_or(70, |_| 4)
}
