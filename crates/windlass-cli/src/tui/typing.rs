//! Waits for keys, and sees when the terminal goes away. Whoever asked a terminal that is gone for
//! a key would be told for ever that there is something to read, and nothing is.

use std::{io, time::Duration};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

/// Waits until somebody types, so long at the most; says whether the terminal is still there.
pub(super) fn wait(pause: Duration) -> io::Result<bool> {
    let stdin = io::stdin();
    let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
    let pause = Timespec::try_from(pause).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
    match poll(&mut watched, Some(&pause)) {
        // A signal, such as that of another size of the window.
        Err(Errno::INTR) => Ok(true),
        Err(error) => Err(error.into()),
        Ok(_) => {
            let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
            Ok(!watched[0].revents().intersects(gone))
        }
    }
}
