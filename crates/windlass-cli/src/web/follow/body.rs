//! The body of an answer that grows while somebody listens.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

/// What came and was not sent yet, and the place of whoever listens.
struct Growing {
    parts: mpsc::Receiver<Bytes>,
    _place: OwnedSemaphorePermit,
}

/// A body, and the hand that feeds it. It takes one part at a time: whoever does not read is not
/// fed.
pub(super) fn growing(place: OwnedSemaphorePermit) -> (mpsc::Sender<Bytes>, Body) {
    let (feed, parts) = mpsc::channel(1);
    (feed, Body::new(Growing { parts, _place: place }))
}

impl HttpBody for Growing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.parts.poll_recv(context).map(|part| part.map(|part| Ok(Frame::data(part))))
    }
}
