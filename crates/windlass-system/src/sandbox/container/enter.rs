//! The part of windlass that stands outside for a program in a container: it passes on what goes in
//! and what comes out as it is, the signals that it gets, and the program's end.

use std::{
    ffi::OsString,
    io::{self, Read, Write},
    path::PathBuf,
    thread,
    time::Duration,
};

use bollard::{
    ClientVersion, Docker,
    container::LogOutput,
    errors::Error,
    exec::{StartExecOptions, StartExecResults},
    models::ExecConfig,
};
use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncWrite, AsyncWriteExt},
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc,
    time::{Instant, sleep, sleep_until},
};

use super::{
    super::inside::OWN_FAILURE,
    engine::{api, words},
    home::MARK,
};
use crate::process::given_back;

/// How a signal reaches the processes of a session.
const SIGNAL: &str = include_str!("signal.sh");

/// So much is passed on at once.
const PIECE: usize = 64 * 1024;

/// How long nothing comes before one looks whether the program has ended while something that it
/// left holds its output open.
const QUIET: Duration = Duration::from_millis(250);

/// How long the engine may take to tell the end of a program whose output has ended.
const TO_TELL: Duration = Duration::from_secs(10);

/// What is to be run where.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Orders {
    pub(super) socket: PathBuf,
    pub(super) version: (usize, usize),
    pub(super) container: String,
    pub(super) user: String,
    pub(super) directory: PathBuf,
    /// What the processes of the session are known by.
    pub(super) mark: String,
    /// Commands for `sh` before the program.
    pub(super) set_up: String,
}

/// Does as it is told: the orders, the program, and its arguments. The environment is that of
/// this process.
pub(crate) fn play(arguments: Vec<OsString>) -> i32 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ran = runtime.map_err(|error| error.to_string()).and_then(|runtime| {
        let orders = arguments.first().map(|orders| orders.as_encoded_bytes()).unwrap_or_default();
        let orders: Orders = serde_json::from_slice(orders).map_err(|error| error.to_string())?;
        runtime.block_on(run(&orders, &arguments[1..]))
    });
    match ran {
        Ok(code) => code,
        Err(why) => {
            // Where standard error is gone, the code is all that is left.
            drop(writeln!(io::stderr(), "windlass: the container failed: {why}"));
            OWN_FAILURE
        }
    }
}

async fn run(orders: &Orders, program: &[OsString]) -> Result<i32, String> {
    let (major_version, minor_version) = orders.version;
    let version = ClientVersion { major_version, minor_version };
    let api = api(&orders.socket, &version).map_err(|error| words(&error))?;
    let entered = Entered { api, orders };
    let config = entered.config(program)?;
    let mut signals = Signals::listen().map_err(|error| error.to_string())?;
    entered.run(config, &mut signals).await.map_err(|error| words(&error))
}

struct Entered<'a> {
    api: Docker,
    orders: &'a Orders,
}

type Words = std::pin::Pin<Box<dyn Stream<Item = Result<LogOutput, Error>> + Send>>;

impl Entered<'_> {
    fn config(&self, program: &[OsString]) -> Result<ExecConfig, String> {
        let Orders { user, set_up, directory, .. } = self.orders;
        let script = format!("{set_up}\nexec \"$@\"");
        let mut cmd = ["sh", "-c", &script, "windlass"].map(ToOwned::to_owned).to_vec();
        for word in program {
            let word = word.to_str().ok_or_else(|| {
                format!("`{}` is no text, and a container takes only that", word.to_string_lossy())
            })?;
            cmd.push(word.to_owned());
        }
        Ok(ExecConfig {
            attach_stdin: Some(true),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            tty: Some(false),
            env: Some(environment()),
            cmd: Some(cmd),
            user: Some(user.clone()),
            working_dir: Some(directory.to_string_lossy().into_owned()),
            ..ExecConfig::default()
        })
    }

    async fn run(&self, config: ExecConfig, signals: &mut Signals) -> Result<i32, Error> {
        let exec = self.api.create_exec(&self.orders.container, config).await?.id;
        let options = StartExecOptions { detach: false, tty: false, output_capacity: Some(PIECE) };
        let started = self.api.start_exec(&exec, Some(options)).await?;
        let StartExecResults::Attached { output, input } = started else {
            return Err(Error::RequestTimeoutError);
        };
        tokio::spawn(feed(input));
        self.pass_on(&exec, output, signals).await?;
        self.code(&exec).await
    }

    /// Passes on what comes until the program has ended.
    async fn pass_on(
        &self,
        exec: &str,
        mut output: Words,
        signals: &mut Signals,
    ) -> Result<(), Error> {
        let mut look_at = Instant::now() + QUIET;
        let mut pause = QUIET;
        let mut has_ended = false;
        loop {
            tokio::select! {
                said = output.next() => match said {
                    Some(said) => {
                        write(said?)?;
                        look_at = Instant::now() + QUIET;
                        pause = QUIET;
                    }
                    None => return Ok(()),
                },
                // One that does not arrive is followed by a KILL, which ends the session in any case.
                name = signals.next() => drop(self.signal(name).await),
                () = sleep_until(look_at) => {
                    // What was under way when it ended has come by the next look.
                    if has_ended {
                        return Ok(());
                    }
                    has_ended = self.api.inspect_exec(exec).await?.running == Some(false);
                    pause = if has_ended { QUIET } else { (pause * 2).min(Duration::from_secs(4)) };
                    look_at = Instant::now() + pause;
                }
            }
        }
    }

    async fn code(&self, exec: &str) -> Result<i32, Error> {
        let begun = Instant::now();
        loop {
            let found = self.api.inspect_exec(exec).await?;
            match found.exit_code {
                Some(code) if found.running != Some(true) => {
                    return Ok(i32::try_from(code).unwrap_or(OWN_FAILURE));
                }
                _ if begun.elapsed() > TO_TELL => return Err(Error::RequestTimeoutError),
                _ => sleep(Duration::from_millis(5)).await,
            }
        }
    }

    /// Passes a signal on: engines have no way to signal what was started later.
    async fn signal(&self, name: &str) -> Result<(), Error> {
        let cmd = ["sh", "-c", SIGNAL, "signal", name, &self.orders.mark];
        let config = ExecConfig {
            cmd: Some(cmd.map(ToOwned::to_owned).to_vec()),
            user: Some(self.orders.user.clone()),
            ..ExecConfig::default()
        };
        let exec = self.api.create_exec(&self.orders.container, config).await?.id;
        let options = StartExecOptions { detach: true, ..StartExecOptions::default() };
        self.api.start_exec(&exec, Some(options)).await.map(drop)
    }
}

/// The signals that are passed on.
struct Signals {
    term: Signal,
    int: Signal,
    hup: Signal,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            int: signal(SignalKind::interrupt())?,
            hup: signal(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.term.recv() => "TERM",
            _ = self.int.recv() => "INT",
            _ = self.hup.recv() => "HUP",
        }
    }
}

/// Passes the standard input on, and its end.
async fn feed(mut input: std::pin::Pin<Box<dyn AsyncWrite + Send>>) {
    let (pieces, mut taken) = mpsc::channel::<Vec<u8>>(2);
    thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut piece = vec![0; PIECE];
            match stdin.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
                Ok(length) => {
                    piece.truncate(length);
                    if pieces.blocking_send(piece).is_err() {
                        return;
                    }
                }
            }
        }
    });
    while let Some(piece) = taken.recv().await {
        // A program that reads no more does not want the rest.
        if input.write_all(&piece).await.is_err() {
            break;
        }
    }
    drop(input.shutdown().await);
}

fn write(said: LogOutput) -> io::Result<()> {
    match said {
        LogOutput::StdOut { message } => {
            let mut out = io::stdout().lock();
            out.write_all(&message)?;
            out.flush()
        }
        LogOutput::StdErr { message } | LogOutput::Console { message } => {
            io::stderr().write_all(&message)
        }
        LogOutput::StdIn { .. } => Ok(()),
    }
}

/// The environment of this process, as it is the program's.
#[expect(
    clippy::disallowed_methods,
    reason = "this process stands for the program: what it was given is the program's"
)]
fn environment() -> Vec<String> {
    let all = std::env::vars_os();
    let texts = all.filter_map(|(name, value)| {
        let own = given_back(&name).or(name.to_str())?;
        Some(format!("{own}={}", value.to_str()?))
    });
    let texts: Vec<String> = texts.collect();
    debug_assert!(texts.iter().any(|text| text.starts_with(MARK)), "it has its mark");
    texts
}
