//! Signals that the dashboard hears, on a thread of its own.

use std::{
    io,
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

use rustix::process::{Signal, getpid, kill_process};
use tokio::{
    signal::unix::{SignalKind, signal},
    time::sleep,
};

use super::terminal;

/// How long the dashboard may take to end when it is told to.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a signal asks the dashboard for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// SIGTERM, SIGHUP or SIGINT: give the terminal back and end.
    End,
    /// SIGTSTP: give the terminal back and stop.
    Stop,
    /// SIGCONT: take the terminal again.
    Go,
}

/// The signals from now on. Where a loop runs in the same process, the loop hears what ends it, and
/// the dashboard ends with the loop.
pub(crate) fn listen(beside_a_loop: bool) -> io::Result<Receiver<Heard>> {
    let (tell, heard) = channel();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        // It ends only where signals cannot be heard, and then they do what they always do.
        drop(runtime.block_on(hear(&tell, beside_a_loop)));
    })?;
    Ok(heard)
}

async fn hear(tell: &Sender<Heard>, beside_a_loop: bool) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut stop = signal(SignalKind::from_raw(Signal::TSTP.as_raw()))?;
    let mut go = signal(SignalKind::from_raw(Signal::CONT.as_raw()))?;
    loop {
        let heard = tokio::select! {
            _ = terminate.recv() => Heard::End,
            _ = hangup.recv() => Heard::End,
            _ = interrupt.recv() => Heard::End,
            _ = stop.recv() => Heard::Stop,
            _ = go.recv() => Heard::Go,
        };
        let is_for_the_loop = beside_a_loop && heard == Heard::End;
        let is_gone = !is_for_the_loop && tell.send(heard).is_err();
        if heard == Heard::End && !is_for_the_loop && !is_gone {
            sleep(PATIENCE).await;
            if tell.send(heard).is_ok() {
                // The dashboard does not listen: what waits for a key may hang with its terminal.
                terminal::give_back();
                kill_process(getpid(), Signal::KILL)?;
            }
        }
        if is_gone && heard == Heard::Stop {
            // Once it was heard, the system does not stop the process any more.
            kill_process(getpid(), Signal::STOP)?;
        }
    }
}
