//! How a hostile agent ends, or does not.

use std::{
    env,
    fs::File,
    io,
    os::unix::process::CommandExt,
    process::{self, Command},
    thread,
    time::Duration,
};

use rustix::process::{Signal, getpid, kill_process};

use super::{Behaviour, Done, print, stay};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "exit",
        takes: "CODE",
        does: "exits with that code",
        act: |args| Ok(args.number(0, 0)),
    },
    Behaviour {
        name: "error-exit-0",
        takes: "",
        does: "says that it failed, and exits with 0",
        act: |_| print(b"Error: the model is overloaded (529)\n").map(|()| 0),
    },
    Behaviour { name: "hang", takes: "", does: "stays without a word", act: |_| stay() },
    Behaviour { name: "segv", takes: "", does: "ends by SIGSEGV", act: |_| by(Signal::SEGV) },
    Behaviour { name: "abort", takes: "", does: "ends by SIGABRT", act: |_| process::abort() },
    Behaviour { name: "kill9-self", takes: "", does: "ends by SIGKILL", act: |_| by(Signal::KILL) },
    Behaviour { name: "term-self", takes: "", does: "ends by SIGTERM", act: |_| by(Signal::TERM) },
    Behaviour {
        name: "stop-self",
        takes: "",
        does: "stops itself, and stays when it is woken",
        act: |_| {
            print(b"stops\n")?;
            kill_process(getpid(), Signal::STOP)?;
            stay()
        },
    },
    Behaviour {
        name: "ignore-term",
        takes: "",
        does: "ignores TERM, INT and HUP, and stays",
        act: |_| Err(ignoring(&["hang"])?.exec().into()),
    },
    Behaviour {
        name: "ignore-term-with-child",
        takes: "",
        does: "the same, with a child that does so too",
        act: |_| Err(ignoring(&["with-child"])?.exec().into()),
    },
    Behaviour {
        name: "with-child",
        takes: "",
        does: "starts a child that stays, and stays",
        act: |_| {
            Command::new(env::current_exe()?).arg("hang").spawn()?;
            stay()
        },
    },
    Behaviour {
        name: "close-stdout-and-live",
        takes: "",
        does: "closes standard output and stays",
        act: |_| {
            rustix::stdio::dup2_stdout(File::open("/dev/null")?)?;
            stay()
        },
    },
    Behaviour {
        name: "close-all-and-live",
        takes: "",
        does: "closes all three streams and stays",
        act: |_| {
            let null = File::options().read(true).write(true).open("/dev/null")?;
            rustix::stdio::dup2_stdin(&null)?;
            rustix::stdio::dup2_stdout(&null)?;
            rustix::stdio::dup2_stderr(&null)?;
            stay()
        },
    },
    Behaviour {
        name: "close-stdin",
        takes: "",
        does: "closes standard input unread, then works",
        act: |_| {
            rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
            thread::sleep(Duration::from_millis(100));
            print(b"worked\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "busy",
        takes: "SECONDS",
        does: "burns a core without a word",
        act: |args| {
            let start = std::time::Instant::now();
            let long = Duration::from_secs(args.number(0, 10));
            while start.elapsed() < long {
                std::hint::spin_loop();
            }
            Ok(0)
        },
    },
];

fn by(signal: Signal) -> Done {
    // The first SIGSEGV goes to Rust's own handler, which only takes itself away.
    kill_process(getpid(), signal)?;
    kill_process(getpid(), signal)?;
    stay()
}

/// Another behaviour with the signals ignored. What ignores a signal goes on to do so after
/// `exec`, and a shell can say so where safe Rust cannot.
pub(super) fn ignoring(args: &[&str]) -> io::Result<Command> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "trap '' TERM INT HUP; exec \"$0\" \"$@\""]);
    shell.arg(env::current_exe()?).args(args);
    Ok(shell)
}
