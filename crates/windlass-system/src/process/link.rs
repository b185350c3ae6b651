//! The socket to the guardian: sends at once, even from a `Drop`, and queues what has to wait.

use std::{
    collections::VecDeque,
    io,
    os::{fd::OwnedFd, unix::net::UnixStream as StdStream},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rustix::net::{SendFlags, Shutdown, shutdown};
use tokio::{io::Interest, net::UnixStream, sync::Notify};

use super::{
    protocol::{Report, Request},
    wire::{Incoming, Outgoing},
};

pub(super) struct Link {
    socket: UnixStream,
    queue: Mutex<VecDeque<Outgoing>>,
    wake: Notify,
    closed: AtomicBool,
}

impl Link {
    pub(super) fn open(socket: StdStream) -> io::Result<Arc<Self>> {
        let (queue, wake, closed) = Default::default();
        let link = Arc::new(Self { socket: UnixStream::from_std(socket)?, queue, wake, closed });
        tokio::spawn(write(link.clone()));
        Ok(link)
    }

    pub(super) fn send(&self, request: &Request, descriptors: Vec<OwnedFd>) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push_back(Outgoing::new(&request.encode(), descriptors));
        if flush(&mut queue, &self.socket).is_err() {
            self.wake.notify_one();
        }
    }

    /// Hangs up: the guardian ends what is left, and goes.
    pub(super) fn close(&self) {
        if !self.closed.swap(true, Ordering::AcqRel) {
            let _ = shutdown(&self.socket, Shutdown::Write);
            self.wake.notify_one();
        }
    }

    /// Hands on every report until the guardian hangs up.
    pub(super) async fn hear(&self, mut give: impl FnMut(Report)) {
        let mut incoming = Incoming::default();
        loop {
            let receive = || Ok(incoming.receive(&self.socket)?);
            match self.socket.async_io(Interest::READABLE, receive).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            while let Some(frame) = incoming.next() {
                match Report::decode(&frame.body) {
                    Some(report) => give(report),
                    None => return,
                }
            }
        }
    }
}

/// Sends what had to wait.
async fn write(link: Arc<Link>) {
    loop {
        link.wake.notified().await;
        if link.closed.load(Ordering::Acquire) {
            return;
        }
        let rest = || {
            let mut queue = link.queue.lock().unwrap_or_else(PoisonError::into_inner);
            flush(&mut queue, &link.socket)
        };
        drop(link.socket.async_io(Interest::WRITABLE, rest).await);
    }
}

/// Sends until the queue is empty (`Ok`) or the socket full (`WouldBlock`). A guardian that could
/// not be told something is hung up on: it ends what it has started, and the reader notices.
fn flush(queue: &mut VecDeque<Outgoing>, socket: &UnixStream) -> io::Result<()> {
    while let Some(frame) = queue.front_mut() {
        match frame.send(socket, SendFlags::DONTWAIT) {
            Ok(true) => drop(queue.pop_front()),
            Ok(false) => return Err(io::ErrorKind::WouldBlock.into()),
            Err(_) => {
                queue.clear();
                let _ = shutdown(socket, Shutdown::Both);
            }
        }
    }
    Ok(())
}
