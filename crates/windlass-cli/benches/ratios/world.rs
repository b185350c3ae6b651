//! Where a measure is taken: a directory of its own, and what it prints.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A directory of its own, with a home for windlass.
pub(crate) struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("windlass-bench-").tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, inner: &str) -> PathBuf {
        self.folder.path().join(inner)
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.path("work")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    /// A call of windlass in this world, quiet.
    pub(crate) fn windlass(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_windlass"));
        command
            .args(args)
            .current_dir(self.work())
            .env("WINDLASS_HOME", self.home())
            .env("XDG_CONFIG_HOME", self.path("config"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    pub(crate) fn git(&self, args: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=b", "-c", "user.email=b@localhost"])
            .args(args)
            .current_dir(self.work())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "git {args:?}");
    }
}

/// How long it takes.
pub(crate) fn time(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

/// Runs a command to its end, however that is; gives how long it took.
pub(crate) fn run(mut command: Command) -> Duration {
    time(|| {
        command.status().unwrap();
    })
}

/// The best of several tries: noise only ever adds.
pub(crate) fn best(times: &[Duration]) -> Duration {
    times.iter().copied().min().unwrap()
}

/// Prints one line of the table.
pub(crate) fn report(what: &str, measured: &str, ratio: &str, target: &str) {
    println!("{what:<58} {measured:>12} {ratio:>10}  {target}");
}

pub(crate) fn ms(duration: Duration) -> String {
    format!("{:.2} ms", duration.as_secs_f64() * 1e3)
}

/// The most memory that a finished child had, in KiB, as `/usr/bin/time` would tell.
pub(crate) fn peak_kib(command: &mut Command) -> u64 {
    use std::os::unix::process::CommandExt;
    let mut child = command.process_group(0).spawn().unwrap();
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = 0;
    // The high-water mark only rises, so the last look before the end is close to the truth.
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    peak
}
