//! Live processes, as `/proc` tells.

use std::{fmt, fs, path::Path};

/// One live process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: i32,
    /// Its parent's number.
    pub parent: i32,
    /// Its command line.
    pub command: String,
    environ: Vec<u8>,
}

impl Process {
    /// A variable of the environment that it was started with.
    pub fn variable(&self, name: &str) -> Option<String> {
        let prefix = format!("{name}=");
        let mut variables = self.environ.split(|byte| *byte == 0);
        variables.find_map(|variable| {
            Some(String::from_utf8_lossy(variable.strip_prefix(prefix.as_bytes())?).into_owned())
        })
    }

    fn read(pid: i32) -> Option<Self> {
        let folder = Path::new("/proc").join(pid.to_string());
        let stat = fs::read_to_string(folder.join("stat")).ok()?;
        // The name may hold anything, so what follows is counted from its end.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        if matches!(state, "Z" | "X") {
            return None;
        }
        let command = fs::read(folder.join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).trim_end_matches('\0').replace('\0', " ");
        let environ = fs::read(folder.join("environ")).unwrap_or_default();
        Some(Self { pid, parent, command, environ })
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (child of {}): {}", self.pid, self.parent, self.command)
    }
}

/// All live processes but this one; zombies are not alive.
pub fn all() -> Vec<Process> {
    let own = std::process::id().cast_signed();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| *pid != own).filter_map(Process::read).collect()
}

/// Those that stand below `root`, or whose environment names it.
pub(crate) fn of_world(root: &Path) -> Vec<Process> {
    let name = root.as_os_str().as_encoded_bytes();
    let mut found = all();
    found.retain(|process| {
        let directory = fs::read_link(format!("/proc/{}/cwd", process.pid));
        directory.is_ok_and(|directory| directory.starts_with(root))
            || process.environ.windows(name.len()).any(|window| window == name)
    });
    found
}

/// All descendants of a process, nearest first.
pub fn descendants_of(pid: i32) -> Vec<Process> {
    let all = all();
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![pid];
    while let Some(parent) = parents.pop() {
        for process in all.iter().filter(|process| process.parent == parent) {
            parents.push(process.pid);
            found.push(process.clone());
        }
    }
    found
}

/// The most memory that a process has used so far, in MiB, without the code and files that it maps:
/// how large an unoptimised program is says nothing about what it keeps.
#[must_use]
pub fn peak_memory_of(pid: i32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kib = |name: &str| {
        let value = status.lines().find_map(|line| line.strip_prefix(name));
        value.and_then(|value| value.trim().trim_end_matches(" kB").parse::<u64>().ok())
    };
    let peak = kib("VmHWM:").unwrap_or(0);
    peak.saturating_sub(kib("RssFile:").unwrap_or(0)) / 1024
}
