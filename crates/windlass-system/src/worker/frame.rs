//! What goes over the socket: a text, which is JSON, and bytes that would be wasteful in it.

use std::io::{self, Read, Write};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// More than this is no answer to anything.
const MOST: u64 = 2 << 30;

/// One message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// JSON.
    pub text: Vec<u8>,
    /// Bytes that come with it, such as a diff.
    pub bytes: Vec<u8>,
}

impl Frame {
    fn head(&self) -> [u8; 16] {
        let mut head = [0; 16];
        head[..8].copy_from_slice(&(self.text.len() as u64).to_le_bytes());
        head[8..].copy_from_slice(&(self.bytes.len() as u64).to_le_bytes());
        head
    }

    fn with_room(head: [u8; 16]) -> io::Result<Self> {
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&head[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let room = |length: u64| match usize::try_from(length) {
            Ok(room) if length <= MOST => Ok(vec![0; room]),
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too long")),
        };
        Ok(Self { text: room(number(0))?, bytes: room(number(8))? })
    }

    /// Writes it; blocks.
    pub(super) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.head())?;
        to.write_all(&self.text)?;
        to.write_all(&self.bytes)?;
        to.flush()
    }

    /// Reads the next one; `None` when the other side hung up. Blocks.
    pub(super) fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head = [0; 16];
        match from.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let mut frame = Self::with_room(head)?;
        from.read_exact(&mut frame.text)?;
        from.read_exact(&mut frame.bytes)?;
        Ok(Some(frame))
    }

    pub(super) async fn send(&self, to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        to.write_all(&[&self.head()[..], &self.text].concat()).await?;
        to.write_all(&self.bytes).await
    }

    pub(super) async fn receive(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let mut head = [0; 16];
        from.read_exact(&mut head).await?;
        let mut frame = Self::with_room(head)?;
        from.read_exact(&mut frame.text).await?;
        from.read_exact(&mut frame.bytes).await?;
        Ok(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_comes_out_as_it_went_in_and_a_hang_up_is_no_error() {
        let frame = Frame { text: b"{}".to_vec(), bytes: vec![0, 255, 10] };
        let mut wire = Vec::new();
        frame.write(&mut wire).unwrap();
        let mut wire = wire.as_slice();
        assert_eq!(Frame::read(&mut wire).unwrap(), Some(frame));
        assert_eq!(Frame::read(&mut wire).unwrap(), None);
    }

    #[test]
    fn a_length_that_cannot_be_is_refused_before_memory_is_taken() {
        let mut wire = [0xff; 16].as_slice();
        assert!(Frame::read(&mut wire).is_err());
    }
}
