//! Signals turn the knob that stops a loop: the first one asks, the next one kills.

use std::{fs, io};

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::JoinHandle,
};
use windlass::Stop;
use windlass_core::ending::CancelledBy;

/// Turns `stop` on signals for as long as it lives.
#[derive(Debug)]
pub(crate) struct Listener(JoinHandle<()>);

impl Listener {
    /// Listens from now on. A signal that windlass was started to ignore, as `nohup` does with
    /// SIGHUP, stays ignored.
    pub(crate) fn start(stop: Stop) -> io::Result<Self> {
        let ignored = ignored();
        let on = |kind: SignalKind| {
            let bit = 1_u64 << (kind.as_raw_value() - 1);
            if ignored & bit == 0 { signal(kind).map(Some) } else { Ok(None) }
        };
        let mut interrupt = on(SignalKind::interrupt())?;
        let mut terminate = on(SignalKind::terminate())?;
        let mut hangup = on(SignalKind::hangup())?;
        // By default these would end the process, and a loop with it. Heard, they mean nothing.
        let _deaf = (on(SignalKind::user_defined1())?, on(SignalKind::user_defined2())?);
        Ok(Self(tokio::spawn(async move {
            loop {
                let by = tokio::select! {
                    () = received(&mut interrupt) => CancelledBy::Sigint,
                    () = received(&mut terminate) => CancelledBy::Sigterm,
                    () = received(&mut hangup) => CancelledBy::Sighup,
                };
                stop.press(by);
            }
        })))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// The signals that this process was started to ignore, a bit each; none where that is not told.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustix::process::{Signal, getpid, kill_process};
    use tokio::time::timeout;
    use windlass_core::stop::{StopLevel, StopReason, StopState};

    use super::*;

    /// One test, since signals reach the whole process.
    #[test]
    fn the_first_signal_asks_the_second_kills_and_a_storm_changes_nothing() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let stop = Stop::default();
            let listener = Listener::start(stop.clone()).unwrap();
            let send = |signal| kill_process(getpid(), signal).unwrap();
            let reach = |level| timeout(Duration::from_secs(5), stop.reached(level));

            send(Signal::HUP);
            reach(StopLevel::End).await.expect("the first signal asks");
            assert_eq!(stop.level(), StopLevel::End);
            send(Signal::INT);
            reach(StopLevel::Kill).await.expect("the second one kills");
            for _ in 0..100 {
                send(Signal::INT);
                send(Signal::TERM);
                tokio::task::yield_now().await;
            }
            let by_the_first = StopReason::Cancelled(CancelledBy::Sighup);
            let state = StopState { level: StopLevel::Kill, reason: Some(by_the_first) };
            assert_eq!(stop.state(), state);
            drop(listener);
        });
    }
}
