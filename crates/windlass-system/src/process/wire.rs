//! Frames over a stream socket, with descriptors beside them.
//!
//! A frame is its length (four bytes), how many descriptors come along (one byte), and its body.
//! The descriptors travel with the first byte, so they are never later than their frame.

use std::{
    io::{IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use rustix::{
    io::{Errno, Result},
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    },
};

/// How many descriptors one frame may carry.
pub(super) const MOST_DESCRIPTORS: usize = 8;

const HEAD: usize = 5;
const SPACE: usize = rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS));

/// A frame on its way out.
pub(super) struct Outgoing {
    bytes: Vec<u8>,
    sent: usize,
    descriptors: Vec<OwnedFd>,
}

impl Outgoing {
    pub(super) fn new(body: &[u8], descriptors: Vec<OwnedFd>) -> Self {
        let length = u32::try_from(body.len()).expect("a frame is far below 4 GiB");
        let count = u8::try_from(descriptors.len()).expect("a frame carries few descriptors");
        let mut bytes = Vec::with_capacity(HEAD + body.len());
        bytes.extend(length.to_le_bytes());
        bytes.push(count);
        bytes.extend(body);
        Self { bytes, sent: 0, descriptors }
    }

    /// Sends as much as the socket takes; says whether all of it is gone.
    pub(super) fn send(&mut self, socket: impl AsFd, flags: SendFlags) -> Result<bool> {
        while self.sent < self.bytes.len() {
            let mut space = [MaybeUninit::uninit(); SPACE];
            let mut ancillary = SendAncillaryBuffer::new(&mut space);
            let borrowed: Vec<BorrowedFd<'_>> = self.descriptors.iter().map(AsFd::as_fd).collect();
            if !borrowed.is_empty() {
                ancillary.push(SendAncillaryMessage::ScmRights(&borrowed));
            }
            let rest = [IoSlice::new(&self.bytes[self.sent..])];
            match sendmsg(&socket, &rest, &mut ancillary, flags | SendFlags::NOSIGNAL) {
                Ok(count) => {
                    self.sent += count;
                    self.descriptors.clear();
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// Frames on their way in.
#[derive(Default)]
pub(super) struct Incoming {
    bytes: Vec<u8>,
    descriptors: Vec<OwnedFd>,
}

/// One frame that came in whole.
pub(super) struct Frame {
    pub(super) body: Vec<u8>,
    /// `None` when the sender gave descriptors and there was no room for them here.
    pub(super) descriptors: Option<Vec<OwnedFd>>,
}

impl Incoming {
    /// Takes what the socket has; says how many bytes that was, zero at its end.
    pub(super) fn receive(&mut self, socket: impl AsFd) -> Result<usize> {
        let mut chunk = [0; 16 * 1024];
        let mut space = [MaybeUninit::uninit(); SPACE];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut slices = [IoSliceMut::new(&mut chunk)];
        let flags = RecvFlags::CMSG_CLOEXEC;
        let received = match recvmsg(socket, &mut slices, &mut ancillary, flags) {
            // A peer that died with unread words in its socket resets it: that is its end as well.
            Err(Errno::CONNRESET) => return Ok(0),
            other => other?,
        };
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                self.descriptors.extend(descriptors);
            }
        }
        self.bytes.extend_from_slice(&chunk[..received.bytes]);
        Ok(received.bytes)
    }

    /// The next whole frame.
    pub(super) fn next(&mut self) -> Option<Frame> {
        let (head, rest) = self.bytes.split_first_chunk::<HEAD>()?;
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let count = usize::from(head[4]);
        let body = rest.get(..length)?.to_vec();
        self.bytes.drain(..HEAD + length);
        if count == 0 {
            return Some(Frame { body, descriptors: Some(Vec::new()) });
        }
        // One receive takes the descriptors of one frame at most, and whole frames are taken out
        // before the next: what is here belongs to this one.
        let descriptors = std::mem::take(&mut self.descriptors);
        let complete = descriptors.len() == count;
        Some(Frame { body, descriptors: complete.then_some(descriptors) })
    }
}
