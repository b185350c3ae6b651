//! Keeps the machine from sleeping while a loop runs, by `systemd-inhibit`: a child of the loop's
//! guardian, so that it is gone when the loop is, however that ends.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs::File,
    os::fd::OwnedFd,
    path::PathBuf,
};

use windlass_core::process::ProcessSpec;

use crate::process::{Guardian, Programs, Service};

/// What keeps the machine awake; dropping it lets the machine sleep again.
pub struct SleepInhibitor(Service);

impl SleepInhibitor {
    /// Starts it; `None` where the system has no `systemd-inhibit`, or does not let it start.
    pub fn start(
        guardian: &Guardian,
        programs: &Programs,
        env: &BTreeMap<OsString, OsString>,
    ) -> Option<Self> {
        let program = programs.find(OsStr::new("systemd-inhibit")).ok()?;
        let args = [
            "--what=idle:sleep".into(),
            "--mode=block".into(),
            "--who=windlass".into(),
            "--why=a coding loop is running".into(),
            // Looked up in the `PATH` below, which leads to no place that an agent can write.
            "sleep".into(),
            "infinity".into(),
        ];
        let spec = ProcessSpec {
            program: program.into_os_string(),
            args: args.to_vec(),
            env: programs.environment(env.clone()).into_iter().collect(),
            directory: PathBuf::from("/"),
            ..ProcessSpec::default()
        };
        let null = || Some(OwnedFd::from(File::options().read(true).write(true).open(NULL).ok()?));
        guardian.serve(&spec, vec![null()?, null()?, null()?]).ok().map(Self)
    }

    /// Whether it still holds: without logind it ends at once.
    pub fn holds(&mut self) -> bool {
        self.0.runs()
    }
}

/// What is read from and written to in its place.
const NULL: &str = "/dev/null";
