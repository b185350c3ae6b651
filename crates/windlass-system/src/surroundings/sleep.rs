//! Keeps the machine from sleeping while a loop runs, by `systemd-inhibit`: a child of the loop's
//! guardian, so that it is gone when the loop is, however that ends.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs::File,
    os::fd::OwnedFd,
    path::PathBuf,
    time::{Duration, Instant},
};

use windlass_core::process::ProcessSpec;

use crate::process::{Guardian, Programs, Service};

/// What keeps the machine awake; dropping it lets the machine sleep again.
pub struct SleepInhibitor {
    service: Service,
    started: Instant,
}

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
        let service = guardian.serve(&spec, vec![null()?, null()?, null()?]).ok()?;
        Some(Self { service, started: Instant::now() })
    }

    /// Whether it holds: without logind it ends at once. It is given a moment since its start.
    pub async fn holds(&mut self) -> bool {
        let left = MOMENT.saturating_sub(self.started.elapsed());
        self.service.runs_for(left).await
    }
}

/// How long it takes at the most to say that there is no logind.
const MOMENT: Duration = Duration::from_millis(100);
/// What is read from and written to in its place.
const NULL: &str = "/dev/null";
