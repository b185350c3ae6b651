//! Signals that the dashboard hears, on a thread of its own.

use std::{
    io,
    sync::mpsc::{Receiver, channel},
    thread,
};

use tokio::signal::unix::{SignalKind, signal};

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
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let listen = move || {
        runtime.block_on(async move {
            let mut terminate = signal(SignalKind::terminate())?;
            let mut hangup = signal(SignalKind::hangup())?;
            let mut interrupt = signal(SignalKind::interrupt())?;
            let mut stop = signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?;
            let mut go = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?;
            loop {
                let heard = tokio::select! {
                    _ = terminate.recv() => Heard::End,
                    _ = hangup.recv() => Heard::End,
                    _ = interrupt.recv() => Heard::End,
                    _ = stop.recv() => Heard::Stop,
                    _ = go.recv() => Heard::Go,
                };
                let is_for_the_loop = beside_a_loop && heard == Heard::End;
                if !is_for_the_loop && tell.send(heard).is_err() {
                    return io::Result::Ok(());
                }
            }
        })
    };
    thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    Ok(heard)
}
