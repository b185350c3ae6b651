//! A zoo of hostile agents: one program, a name for each way in which an agent can misbehave.
//! Whatever stays alive ends by itself after five minutes, so that a failed test leaves nothing.

#![expect(clippy::disallowed_methods, reason = "an agent starts what it likes")]

mod claude;
mod ends;
mod escape;
mod files;
mod speech;
mod tree;
mod trees;
mod watchers;

use std::{
    env,
    error::Error,
    fmt::Write as _,
    io::{self, Write},
    process::ExitCode,
    str::FromStr,
    thread,
    time::Duration,
};

/// What a behaviour gives: the exit code.
type Done = Result<u8, Box<dyn Error>>;

/// One way to misbehave.
struct Behaviour {
    name: &'static str,
    /// What it takes, for `--list`.
    takes: &'static str,
    /// What it does, for `--list`.
    does: &'static str,
    act: fn(&Args) -> Done,
}

/// The arguments after the name. Agents get their prompt as the last one: it is simply not read.
struct Args(Vec<String>);

impl Args {
    fn number<T: FromStr>(&self, index: usize, otherwise: T) -> T {
        self.0.get(index).and_then(|arg| arg.parse().ok()).unwrap_or(otherwise)
    }

    fn text(&self, index: usize) -> Result<&str, String> {
        self.0
            .get(index)
            .map(String::as_str)
            .ok_or_else(|| format!("argument {} is missing", index + 1))
    }
}

fn behaviours() -> impl Iterator<Item = &'static Behaviour> {
    [
        speech::ALL,
        ends::ALL,
        trees::ALL,
        watchers::ALL,
        files::ALL,
        tree::ALL,
        escape::ALL,
        claude::ALL,
    ]
    .into_iter()
    .flatten()
}

fn main() -> ExitCode {
    let mut args = env::args();
    let called = args.next().unwrap_or_default();
    // A link of that name stands for the real program.
    let name = match called.rsplit('/').next() {
        Some(claude::NAME) => claude::NAME.to_owned(),
        _ => args.next().unwrap_or_default(),
    };
    let args = Args(args.collect());
    if name == "--list" {
        let mut list = String::new();
        for Behaviour { name, takes, does, .. } in behaviours() {
            writeln!(list, "{:<34} {does}", format!("{name} {takes}")).expect("a string grows");
        }
        return finish(print(list.as_bytes()).map(|()| 0));
    }
    match behaviours().find(|behaviour| behaviour.name == name) {
        Some(behaviour) => finish((behaviour.act)(&args)),
        None => {
            finish(Err(format!("there is no `{name}`; `zoo --list` tells what there is").into()))
        }
    }
}

fn finish(done: Done) -> ExitCode {
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Where standard error is gone, the code is all that is left.
            writeln!(io::stderr(), "zoo: {error}").ok();
            ExitCode::from(99)
        }
    }
}

/// Writes to standard output, at once.
fn print(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Writes to standard error.
fn warn(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    Ok(io::stderr().write_all(bytes)?)
}

/// Stays alive, but not for ever.
fn stay() -> Done {
    thread::sleep(Duration::from_secs(300));
    Ok(0)
}
