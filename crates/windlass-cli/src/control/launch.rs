//! Starts `windlass` as a process of its own that runs a loop, for screens: it outlives them. What
//! it says before its loop is in the store is why it could not start.

use std::{
    ffi::OsString,
    fs::File,
    os::unix::fs::FileExt,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use windlass::system::{Detached, DetachedSpec, GuardianProgram, start_detached};
use windlass_core::ids::LoopId;
use windlass_store::store::{LoopRecord, Store};

use crate::host::{
    app::App,
    failure::{Failure, Kind},
};

/// How long a loop may take until it is in the store.
const LIMIT: Duration = Duration::from_secs(10);
/// How often a look is taken.
const LOOK: Duration = Duration::from_millis(15);
/// How much of what the process says is read.
const MOST_WORDS: usize = 16 * 1024;
/// Among how many of the newest loops the new one is looked for.
const NEWEST: usize = 50;

/// A process of its own that is about to run a loop.
#[derive(Debug)]
pub(crate) struct Launched {
    process: Detached,
    output: File,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Launch {
    /// Its loop is in the store.
    Begun(Box<LoopRecord>),
    /// It ended before.
    Failed {
        /// Its exit code.
        code: Option<u8>,
        /// What could not be done.
        message: String,
        /// What to do next, a line each.
        hints: Vec<String>,
    },
    /// Neither, after ten seconds.
    Slow,
}

/// Starts `windlass ARGV` in a directory. Its output goes to a file without a name that only its
/// user could read, and is gone with it.
pub(crate) fn launch(
    app: &App,
    directory: &Path,
    argv: Vec<OsString>,
) -> Result<Launched, Failure> {
    launch_with(app, directory, argv, None, &[])
}

/// The same with something to read, and with more variables.
pub(crate) fn launch_with(
    app: &App,
    directory: &Path,
    argv: Vec<OsString>,
    input: Option<File>,
    more: &[(&str, &str)],
) -> Result<Launched, Failure> {
    let output = tempfile::tempfile_in(&app.home).map_err(|error| {
        Failure::because(Kind::Storage, "there is no room for what the loop says", error)
    })?;
    let theirs = output.try_clone().map_err(|error| Failure::new(Kind::Setup, error))?;
    let environment = app.environment.all().iter();
    let environment = environment.map(|(name, value)| (name.clone(), value.clone()));
    let more = more.iter().map(|(name, value)| (name.into(), value.into()));
    let process = start_detached(DetachedSpec {
        program: GuardianProgram::ThisProgram,
        args: argv,
        env: environment.chain(more).collect(),
        directory: directory.to_owned(),
        input,
        output: theirs,
    });
    let process = process.map_err(|error| {
        Failure::because(Kind::Setup, "the loop's process could not be started", error)
    })?;
    Ok(Launched { process, output })
}

impl Launched {
    /// Waits until its loop is in the store, or until it has ended; `id` is that of the loop, where
    /// it is known. It blocks for some seconds at the most.
    pub(crate) fn wait(&self, store: &Store, id: Option<&LoopId>) -> Result<Launch, Failure> {
        let began = Instant::now();
        loop {
            if let Some(launch) = self.look(store, id)? {
                return Ok(launch);
            }
            if began.elapsed() > LIMIT {
                return Ok(Launch::Slow);
            }
            thread::sleep(LOOK);
        }
    }

    /// What came of it so far; `None` while its loop is not in the store and it runs.
    pub(crate) fn look(
        &self,
        store: &Store,
        id: Option<&LoopId>,
    ) -> Result<Option<Launch>, Failure> {
        // Whether it has ended is asked before the store, so that its loop is not missed.
        let ended = self.process.ended();
        if let Some(record) = self.find(store, id)? {
            return Ok(Some(Launch::Begun(Box::new(record))));
        }
        Ok(ended.map(|code| self.failed(code)))
    }

    /// Ends it: it is asked to, and killed where that takes longer than `patience`.
    pub(crate) fn stop(&self, patience: Duration) {
        self.process.owner().terminate();
        let began = Instant::now();
        while !self.has_ended() && began.elapsed() < patience {
            thread::sleep(LOOK);
        }
        self.process.owner().kill();
    }

    /// Waits for its end, for what is no loop: a command that does one thing.
    pub(crate) fn end(&self) -> Launch {
        let began = Instant::now();
        while began.elapsed() < LIMIT {
            if let Some(code) = self.process.ended() {
                return self.failed(code);
            }
            thread::sleep(LOOK);
        }
        Launch::Slow
    }

    fn failed(&self, code: Option<i32>) -> Launch {
        let (message, hints) = told(&self.words());
        Launch::Failed { code: code.and_then(|code| u8::try_from(code).ok()), message, hints }
    }

    /// The loop that it runs, or has run.
    fn find(&self, store: &Store, id: Option<&LoopId>) -> Result<Option<LoopRecord>, Failure> {
        let is_its_own = |record: &LoopRecord| record.owner == *self.process.owner();
        if let Some(id) = id {
            return Ok(store.get(id)?.filter(is_its_own));
        }
        let (newest, _) = store.newest_loops(NEWEST)?;
        let mut newest = newest.into_iter();
        if let Some(found) = newest.find(is_its_own) {
            return Ok(store.get(&found.id)?);
        }
        Ok(None)
    }

    /// Whether it runs no more.
    pub(crate) fn has_ended(&self) -> bool {
        self.process.ended().is_some()
    }

    /// The last of what it said.
    pub(crate) fn words(&self) -> String {
        let length = self.output.metadata().map_or(0, |metadata| metadata.len());
        let from = length.saturating_sub(MOST_WORDS as u64);
        let mut bytes = vec![0; MOST_WORDS];
        let read = self.output.read_at(&mut bytes, from).unwrap_or(0);
        String::from_utf8_lossy(&bytes[..read]).into_owned()
    }
}

/// What could not be done and what to do next, out of what `windlass` printed.
pub(crate) fn told(words: &str) -> (String, Vec<String>) {
    let from = words.find("error: ").unwrap_or(0);
    let mut message = Vec::new();
    let mut hints = Vec::new();
    let mut is_message = true;
    for line in words[from..].lines().map(str::trim) {
        if let Some(hint) = ["hint: ", "tip: "].iter().find_map(|word| line.strip_prefix(word)) {
            hints.push(hint.to_owned());
        } else if line.is_empty() {
            is_message = false;
        } else if is_message {
            let line = line.strip_prefix("error: ").unwrap_or(line);
            message.push(line.strip_prefix("caused by: ").unwrap_or(line));
        }
    }
    match message.is_empty() {
        true => ("windlass ended before its loop began, and did not say why".to_owned(), hints),
        false => (message.join(": "), hints),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_windlass_said_becomes_a_message_and_hints() {
        let words = "warning: `x` is old\nerror: there is no agent `clade`\n  caused by: nothing\n\n\
                     hint: did you mean `claude`?\nhint: the known ones are `a`\n";
        let (message, hints) = told(words);
        assert_eq!(message, "there is no agent `clade`: nothing");
        assert_eq!(hints, ["did you mean `claude`?", "the known ones are `a`"]);
    }

    #[test]
    fn so_does_what_clap_said() {
        let words = "error: invalid value 'x' for '--max-iterations <N>': invalid digit\n\n  tip: a \
                     number\n\nFor more information, try '--help'.\n";
        let (message, hints) = told(words);
        assert_eq!(message, "invalid value 'x' for '--max-iterations <N>': invalid digit");
        assert_eq!(hints, ["a number"]);
        assert!(told("").0.contains("did not say why"));
    }
}
