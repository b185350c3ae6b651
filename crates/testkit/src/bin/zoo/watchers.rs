//! Attacks on what watches the agent: its guardian, which is its parent, and windlass, which is the
//! guardian's.

use std::{
    env, fs,
    os::unix::process::CommandExt,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use rustix::process::{
    Pid, PidfdFlags, PidfdGetfdFlags, Signal, getppid, kill_process, pidfd_getfd, pidfd_open,
    setpgid,
};

use super::{Behaviour, print, stay};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "leave-one-and-kill-parent",
        takes: "NOTE",
        does: "leaves a daemon without a trace of its origin, kills its parent, and exits",
        act: |args| {
            leave_one(args.text(0)?)?;
            kill_process(guardian()?, Signal::KILL)?;
            Ok(0)
        },
    },
    Behaviour {
        name: "stop-parent-and-kill-windlass",
        takes: "NOTE",
        does: "leaves such a daemon, stops its parent, kills the parent's, and stays",
        act: |args| {
            leave_one(args.text(0)?)?;
            let windlass = parent_of(guardian()?)?;
            kill_process(guardian()?, Signal::STOP)?;
            kill_process(windlass, Signal::KILL)?;
            stay()
        },
    },
    Behaviour {
        name: "stop-parent",
        takes: "",
        does: "stops its parent, and ends as if all was well",
        act: |_| {
            kill_process(guardian()?, Signal::STOP)?;
            print(b"<promise>COMPLETE</promise>\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "keep-parent-stopped",
        takes: "",
        does: "stops its parent again and again, and kills the parent's",
        act: |_| {
            let (guardian, windlass) = (guardian()?, parent_of(guardian()?)?);
            kill_process(guardian, Signal::STOP)?;
            kill_process(windlass, Signal::KILL)?;
            for _ in 0..3_000_000 {
                kill_process(guardian, Signal::STOP)?;
                thread::sleep(Duration::from_micros(100));
            }
            Ok(0)
        },
    },
    Behaviour {
        name: "join-parents-group",
        takes: "",
        does: "moves into its parent's group, and stays",
        act: |_| {
            setpgid(None, Some(guardian()?))?;
            print(b"ready\n")?;
            stay()
        },
    },
    Behaviour {
        name: "kill-everyone",
        takes: "",
        does: "kills all that it may but itself, and stays; not as root",
        act: |_| {
            if rustix::process::geteuid().is_root() {
                return Err("root would kill the machine".into());
            }
            // `kill` is a part of the shell, so that this process is spared with its parent's eyes.
            Err(Command::new("sh").args(["-c", "kill -9 -1; exec sleep 300"]).exec().into())
        },
    },
    Behaviour {
        name: "stop-windlass",
        takes: "",
        does: "stops its parent's parent, and stays",
        act: |_| {
            kill_process(parent_of(guardian()?)?, Signal::STOP)?;
            stay()
        },
    },
    Behaviour {
        name: "pose-as-guardian",
        takes: "LOOP HOME",
        does: "stays under the command line that a guardian of that loop has",
        act: |args| {
            let mut poser = Command::new(env::current_exe()?);
            poser.arg0("windlass").args(["__windlass-guardian", args.text(0)?, args.text(1)?]);
            Err(poser.exec().into())
        },
    },
    Behaviour {
        name: "__windlass-guardian",
        takes: "LOOP HOME",
        does: "what poses as a guardian: it stays",
        act: |_| stay(),
    },
    Behaviour {
        name: "fork-for-ever",
        takes: "N SECONDS [sessions]",
        does: "leaves N orphans that ignore TERM and fork and exit all the time, each in a session of its own if told",
        act: |args| {
            let mut forkers = Command::new("perl");
            forkers.args(["-e", FORKERS]).args(&args.0).stdin(Stdio::null());
            Err(forkers.exec().into())
        },
    },
    Behaviour {
        name: "read-watchers",
        takes: "SECRET",
        does: "tries to read windlass and the guardian, and says of each try whether it was blocked",
        act: |args| {
            let secret = args.text(0)?;
            let mut lines = String::new();
            let guardian = guardian()?;
            for (who, pid) in [("guardian", guardian), ("windlass", parent_of(guardian)?)] {
                for (what, is_open) in tries(pid, secret) {
                    let word = if is_open { "open" } else { "blocked" };
                    lines.push_str(&format!("{who} {what}: {word}\n"));
                }
            }
            print(lines.as_bytes())?;
            print(b"<promise>COMPLETE</promise>\n").map(|()| 0)
        },
    },
];

/// Leaves orphans that fork and exit until their time is over. A fork that fails is tried again: a
/// limit on processes slows them down and ends none. In Perl, for a fork without `exec` is fastest.
const FORKERS: &str = r#"
    use POSIX ();
    my ($count, $seconds, $sessions) = @ARGV;
    my $end = time + $seconds;
    pipe(my $wait, my $hold);
    for (1 .. $count) {
        my $first = fork;
        die "fork: $!" unless defined $first;
        next if $first;
        close $hold;
        open($_, ">", "/dev/null") for *STDOUT, *STDERR;
        $SIG{TERM} = "IGNORE";
        sysread($wait, my $begin, 1);
        while (time < $end) {
            my $next = fork;
            if (!defined $next) { select(undef, undef, undef, 0.0005) }
            elsif ($next) { POSIX::_exit(0) }
            elsif ($sessions) { POSIX::setsid() }
        }
        POSIX::_exit(0);
    }
    # They begin when this process, which holds the pipe, ends.
    print "ready\n";
"#;

/// What can be read of a process by one of the same user.
fn tries(pid: Pid, secret: &str) -> Vec<(&'static str, bool)> {
    let number = pid.as_raw_pid();
    let path = |name: &str| format!("/proc/{number}/{name}");
    let environment = fs::read(path("environ")).unwrap_or_default();
    let has_it = environment.windows(secret.len()).any(|part| part == secret.as_bytes());
    let steals = |handle| pidfd_getfd(&handle, 0, PidfdGetfdFlags::empty());
    vec![
        ("environment", fs::File::open(path("environ")).is_ok()),
        ("secret", has_it),
        ("memory", fs::File::open(path("mem")).is_ok()),
        ("open files", fs::read_dir(path("fd")).is_ok()),
        ("descriptors", pidfd_open(pid, PidfdFlags::empty()).and_then(steals).is_ok()),
    ]
}

/// Leaves a daemon that nothing connects with the loop: no variable, no directory, no parent. Its
/// number goes into a file.
fn leave_one(note: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut forks = Command::new(env::current_exe()?);
    forks.args(["forks-a-daemon", "unmarked"]).stdin(Stdio::null()).stderr(Stdio::null());
    let said = forks.output()?.stdout;
    Ok(fs::write(note, said.strip_prefix(b"ready ").ok_or("no daemon was left")?)?)
}

fn guardian() -> Result<Pid, &'static str> {
    getppid().ok_or("it has no parent")
}

fn parent_of(pid: Pid) -> Result<Pid, Box<dyn std::error::Error>> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid()))?;
    let fields = stat.rsplit_once(')').ok_or("no such line")?.1;
    let parent = fields.split_whitespace().nth(1).and_then(|field| field.parse().ok());
    Ok(parent.and_then(Pid::from_raw).ok_or("it has no parent")?)
}
