//! What a hostile agent leaves behind: daemons, escapees, holders of pipes. Each says `ready` with
//! the number of the process that stays, so that a test knows when to look.

use std::{
    env,
    fs::File,
    os::unix::process::CommandExt,
    process::{Command, Stdio, id},
};

use rustix::process::{Signal, getppid, kill_current_process_group, kill_process, setsid};

use super::{Behaviour, Done, ends::ignoring, print, stay};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "hold-stdout",
        takes: "",
        does: "exits while a child holds standard output open",
        act: |_| {
            let child = again(&["hang"])?.stderr(Stdio::null()).spawn()?;
            ready(child.id())
        },
    },
    Behaviour {
        name: "hold-stderr",
        takes: "",
        does: "exits while a child holds standard error open",
        act: |_| {
            let child = again(&["hang"])?.stdout(Stdio::null()).spawn()?;
            ready(child.id())
        },
    },
    Behaviour {
        name: "hold-stdout-and-talk",
        takes: "",
        does: "exits while a child goes on printing",
        act: |_| {
            let child = again(&["slow-lines", "3000", "100"])?.spawn()?;
            ready(child.id())
        },
    },
    Behaviour {
        name: "background-child",
        takes: "",
        does: "exits while a quiet child stays in its group",
        act: |_| {
            let child = quiet(&["hang"])?.spawn()?;
            ready(child.id())
        },
    },
    Behaviour {
        name: "own-group-child",
        takes: "",
        does: "exits while a child in a group of its own stays",
        act: |_| {
            let child = quiet(&["hang"])?.process_group(0).spawn()?;
            ready(child.id())
        },
    },
    Behaviour {
        name: "setsid-escapee",
        takes: "",
        does: "exits while a child in a session of its own stays",
        act: |_| {
            let child = again(&["leads-a-session"])?.spawn()?;
            ready(child.id())
        },
    },
    Behaviour {
        name: "setsid-escapee-and-hang",
        takes: "",
        does: "the same, and stays itself",
        act: |_| {
            let child = again(&["leads-a-session"])?.spawn()?;
            ready(child.id())?;
            stay()
        },
    },
    Behaviour {
        name: "double-fork",
        takes: "",
        does: "leaves a grandchild in its own session, whose parent is gone",
        act: |_| {
            // The child between prints the grandchild's number.
            let status = again(&["forks-a-daemon"])?.status()?;
            Ok(u8::from(!status.success()))
        },
    },
    Behaviour {
        name: "unmarked-daemon",
        takes: "",
        does: "the same, with an empty environment, standing in /",
        act: |_| {
            let status = again(&["forks-a-daemon", "unmarked"])?.status()?;
            Ok(u8::from(!status.success()))
        },
    },
    Behaviour {
        name: "stubborn-daemon",
        takes: "",
        does: "leaves a child that ignores TERM in its own session",
        act: |_| {
            let child = ignoring(&["leads-a-session"])?.spawn()?;
            ready(child.id())
        },
    },
    Behaviour {
        name: "fork-storm",
        takes: "N",
        does: "leaves N quiet children, at most 200",
        act: |args| {
            for _ in 0..args.number(0, 64_u32).min(200) {
                quiet(&["hang"])?.spawn()?;
            }
            ready(id())
        },
    },
    Behaviour {
        name: "deep-tree",
        takes: "N",
        does: "leaves a chain of N processes, at most 50",
        act: |args| {
            let depth = args.number(0, 10_u32).min(50);
            if depth > 0 {
                again(&["deep-tree", &(depth - 1).to_string()])?.spawn()?;
            }
            print(format!("depth {depth}\n").as_bytes())?;
            stay()
        },
    },
    Behaviour {
        name: "respawner",
        takes: "",
        does: "a daemon that starts itself anew when it is told to end",
        act: |_| {
            let script = "trap '\"$0\" respawner >/dev/null & exit' TERM; sleep 300 & wait";
            let mut shell = Command::new("/bin/sh");
            shell.arg("-c").arg(script).arg(env::current_exe()?).stdout(Stdio::null());
            let child = shell.stdin(Stdio::null()).process_group(0).spawn()?;
            ready(child.id())
        },
    },
    Behaviour {
        name: "kill-own-group",
        takes: "",
        does: "sends TERM to its whole group",
        act: |_| {
            kill_current_process_group(Signal::TERM)?;
            stay()
        },
    },
    Behaviour {
        name: "kill-parent",
        takes: "",
        does: "kills its parent with SIGKILL, and stays",
        act: |_| {
            kill_process(getppid().ok_or("it has no parent")?, Signal::KILL)?;
            stay()
        },
    },
    Behaviour {
        name: "leads-a-session",
        takes: "",
        does: "moves into a session of its own, lets go of the streams, and stays",
        act: |_| {
            setsid()?;
            let null = File::options().read(true).write(true).open("/dev/null")?;
            rustix::stdio::dup2_stdin(&null)?;
            rustix::stdio::dup2_stdout(&null)?;
            rustix::stdio::dup2_stderr(&null)?;
            stay()
        },
    },
    Behaviour {
        name: "forks-a-daemon",
        takes: "[unmarked]",
        does: "starts one that leads a session, and exits",
        act: |args| {
            let mut daemon = again(&["leads-a-session"])?;
            if args.0.first().is_some_and(|arg| arg == "unmarked") {
                daemon.env_clear().current_dir("/");
            }
            let child = daemon.spawn()?;
            ready(child.id())
        },
    },
];

/// This program again, as another animal.
fn again(args: &[&str]) -> std::io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.args(args).stdin(Stdio::null());
    Ok(command)
}

/// The same, without the streams.
fn quiet(args: &[&str]) -> std::io::Result<Command> {
    let mut command = again(args)?;
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command)
}

fn ready(pid: u32) -> Done {
    print(format!("ready {pid}\n").as_bytes()).map(|()| 0)
}
