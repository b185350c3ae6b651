//! Processes as values: what to run, and how it ended. Nothing is started here.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use crate::text::count::count;

/// What to run, all decided. The environment is whole: nothing is inherited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessSpec {
    /// The program, looked up in the `PATH` of `env` unless it has a slash.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its environment, whole.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub directory: PathBuf,
    /// What it reads; its standard input is closed after that.
    pub stdin: Vec<u8>,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What windlass did to end it, if anything.
    pub ended_by: Option<EndedBy>,
    /// Names of descendants that outlived it and were ended.
    pub leftovers: Vec<String>,
    /// Descendants that could not be ended.
    pub survivors: Vec<Survivor>,
    /// Whether a leftover held its output open.
    pub leaky: bool,
    /// How long it ran.
    pub duration: Duration,
}

/// A process that could not be ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Survivor {
    /// Its number.
    pub pid: i32,
    /// Its name, as `ps` shows it. It is of the process's own choosing.
    pub command: String,
}

/// How many survivors are named; the others are counted.
const NAMED: usize = 10;

impl Survivor {
    /// What could not be ended, in words.
    pub fn listed(survivors: &[Self]) -> String {
        let one = |survivor: &Self| format!("{} ({})", survivor.pid, survivor.command);
        let mut names: Vec<String> = survivors.iter().take(NAMED).map(one).collect();
        if let Some(more) = survivors.len().checked_sub(NAMED).filter(|more| *more > 0) {
            names.push(format!("and {more} more"));
        }
        let processes = count(survivors.len(), "process");
        format!("{processes} could not be ended: {}", names.join(", "))
    }
}

/// Why windlass ended a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// No output for too long.
    IdleLimit,
    /// Too long altogether.
    TotalLimit,
    /// The loop was told to stop.
    Stop,
    /// Its output left no hope that it comes to anything.
    Hopeless,
}

/// What came out of one stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamStats {
    /// All bytes that came.
    pub bytes: u64,
    /// Those of them that were not kept.
    pub dropped: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survivors_are_named_and_many_are_counted() {
        let some = |count: i32| -> Vec<Survivor> {
            (1..=count).map(|pid| Survivor { pid, command: "sleep".to_owned() }).collect()
        };
        assert_eq!(Survivor::listed(&some(1)), "1 process could not be ended: 1 (sleep)");
        let many = Survivor::listed(&some(12));
        assert!(
            many.starts_with("12 processes could not be ended: 1 (sleep), 2 (sleep),"),
            "{many}"
        );
        assert!(many.ends_with("10 (sleep), and 2 more"), "{many}");
    }
}
