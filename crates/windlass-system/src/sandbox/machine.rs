//! What this machine can do for a sandbox, found out by trying.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    time::Duration,
};

use windlass_core::process::ProcessSpec;

use super::{bwrap, landlock, mounting};
use crate::process::{Guardian, GuardianProgram, Programs, StartError};

/// How long the try may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// So much of what it says is read.
const MOST_SAID: usize = 4096;

/// How to install it.
const INSTALL: &str = "install bubblewrap: `apt install bubblewrap`, `dnf install bubblewrap` or \
                       `pacman -S bubblewrap`";

/// How to let it do its work.
const LET_IT: &str = "let users have namespaces: `sysctl -w kernel.unprivileged_userns_clone=1`, and \
                      on Ubuntu `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`";

/// What this machine can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// bubblewrap.
    pub bwrap: Result<Bubblewrap, Missing>,
    /// The version of Landlock that the kernel has; 0 for none.
    pub landlock: u32,
    /// Whether a program without bubblewrap can have its own mounts; looked at where it matters.
    pub mounts: bool,
}

/// A bubblewrap that works here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bubblewrap {
    /// Its file.
    pub path: PathBuf,
    /// What it says of itself.
    pub version: String,
}

/// Why something cannot be had, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Why.
    pub why: String,
    /// What to do.
    pub hint: &'static str,
    /// Whether there is no trace of it, so that nothing is wrong with it either.
    pub is_absent: bool,
}

impl Machine {
    /// Looks, with these programs.
    pub async fn look(guardian: &Guardian, programs: &Programs) -> Self {
        Self {
            bwrap: try_bwrap(guardian, programs).await,
            landlock: landlock::version(),
            mounts: false,
        }
    }

    /// Looks for mounts too, by putting `directory` in its own place for a program that ends at once.
    pub async fn look_at_mounts(
        self,
        guardian: &Guardian,
        program: &GuardianProgram,
        directory: &Path,
    ) -> Self {
        let mounts = match program.file() {
            Ok(windlass) => mounting::works(guardian, &windlass, directory).await,
            Err(_) => false,
        };
        Self { mounts, ..self }
    }

    /// What follows where Landlock works, and has no way to put a private git directory in the place
    /// of the user's.
    pub fn private_git_missing(&self) -> Option<Missing> {
        let why = "landlock alone leaves your git directory open to agents: users have no namespaces \
                   here, so no private one can stand in its place";
        let hint = if self.bwrap.is_ok() { "take `--sandbox bwrap`" } else { LET_IT };
        let is_missing = self.has_landlock() && !self.mounts;
        is_missing.then(|| Missing { why: why.to_owned(), hint, is_absent: false })
    }

    /// Whether Landlock can hold files back by itself.
    pub fn has_landlock(&self) -> bool {
        self.landlock >= landlock::NEEDED
    }

    /// Whether Landlock can hold TCP back.
    pub(crate) fn has_landlock_for_tcp(&self) -> bool {
        self.landlock >= landlock::NEEDED_FOR_TCP
    }

    /// Why Landlock cannot be had.
    pub(super) fn landlock_missing(&self) -> Missing {
        let why = match self.landlock {
            0 => "the kernel has no Landlock, or it is off".to_owned(),
            old => format!("the kernel's Landlock has version {old}, and 3 is needed"),
        };
        Missing {
            why,
            is_absent: false,
            hint: "use Linux 6.2 or newer, with `landlock` among `lsm=`",
        }
    }
}

/// Starts a sandbox as a loop would, with `bwrap --version` inside.
async fn try_bwrap(guardian: &Guardian, programs: &Programs) -> Result<Bubblewrap, Missing> {
    let program = programs.find(OsStr::new(bwrap::PROGRAM)).map_err(|error| {
        let why = match error {
            error @ StartError::OfAnAgent { .. } => error.to_string(),
            _ => "`bwrap` was not found in PATH".to_owned(),
        };
        Missing { why, hint: INSTALL, is_absent: true }
    })?;
    let mut args: Vec<OsString> = bwrap::ALWAYS.map(OsString::from).into();
    args.extend(["--ro-bind", "/", "/"].map(OsString::from));
    args.extend(bwrap::KERNEL.map(OsString::from));
    args.push("--".into());
    args.extend([program.clone().into(), "--version".into()]);
    let spec = ProcessSpec {
        program: program.clone().into(),
        args,
        env: vec![("PATH".into(), programs.path())],
        directory: "/".into(),
        stdin: Vec::new(),
    };
    let failed = |why: String| Missing {
        why: format!("`bwrap` cannot work: {why}"),
        hint: LET_IT,
        is_absent: false,
    };
    let said = guardian.output(spec, PATIENCE, MOST_SAID).await;
    let said = said.map_err(|error| failed(error.to_string()))?;
    let line = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().next().unwrap_or_default().trim().to_owned()
    };
    if said.code == Some(0) {
        return Ok(Bubblewrap { path: program, version: line(&said.stdout) });
    }
    let why = line(&said.stderr);
    Err(failed(if why.is_empty() { "it says no more than that".to_owned() } else { why }))
}
