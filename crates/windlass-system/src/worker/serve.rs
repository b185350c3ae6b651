//! The helper's side: gives up its rights, and answers until the other side hangs up.

use std::{
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    panic::{AssertUnwindSafe, catch_unwind},
};

use serde::de::DeserializeOwned;

use super::{Frame, Rights};
use crate::process::become_unreadable;

/// What a helper does, one request after the other.
pub trait Service: Sized {
    /// What it is told once, before the first request.
    type Orders: DeserializeOwned;

    /// Begins; the frame is the answer to the orders. `None` for the service ends the helper.
    fn begin(orders: Self::Orders) -> impl Future<Output = (Option<Self>, Frame)>;

    /// Answers a request.
    fn answer(&mut self, request: Frame) -> impl Future<Output = Frame>;

    /// The answer where this code failed.
    fn broken() -> Frame;
}

/// The exit code of a helper that could not begin.
const FAILED: i32 = 1;

/// Plays a helper. Its standard input is the socket; the first frame has its orders as text, and its
/// rights as bytes.
pub fn serve<S: Service>() -> i32 {
    become_unreadable();
    match try_serve::<S>() {
        Ok(()) => 0,
        Err(_) => FAILED,
    }
}

fn try_serve<S: Service>() -> io::Result<()> {
    let socket: OwnedFd = io::stdin().as_fd().try_clone_to_owned()?;
    let mut socket = UnixStream::from(socket);
    let Some(first) = Frame::read(&mut socket)? else { return Ok(()) };
    let rights: Rights = serde_json::from_slice(&first.bytes)?;
    let orders: S::Orders = serde_json::from_slice(&first.text)?;
    // Before the runtime, which may start threads: the rules are those of one thread.
    rights.confine()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (service, told) = runtime.block_on(S::begin(orders));
    told.write(&mut socket)?;
    let Some(mut service) = service else { return Ok(()) };
    while let Some(request) = Frame::read(&mut socket)? {
        let work = AssertUnwindSafe(|| runtime.block_on(service.answer(request)));
        let (answer, broken) = match catch_unwind(work) {
            Ok(answer) => (answer, false),
            Err(_) => (S::broken(), true),
        };
        answer.write(&mut socket)?;
        if broken {
            break;
        }
    }
    Ok(())
}
