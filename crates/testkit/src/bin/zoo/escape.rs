//! An agent that tries to get out of its sandbox, in every way that it knows. It says of each try
//! whether it was blocked; what it plants is harmless.

use std::{
    env, fs,
    io::{Read, Write},
    net::{SocketAddr, TcpStream, UdpSocket},
    os::{
        linux::net::SocketAddrExt,
        unix::{
            fs::{PermissionsExt, symlink},
            net,
            net::UnixStream,
            process::CommandExt,
        },
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use rustix::{
    fs::{CWD, FileType, Mode, makedev, mknodat},
    process::{Pid, Signal, kill_process, setsid},
};

use super::{Args, Behaviour, Done, print, stay};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "escape",
        takes: "ROOT PORT UDP_PORT NAME",
        does: "tries to get out of its sandbox, and says of each try whether it was blocked",
        act: escape,
    },
    Behaviour {
        name: "daemonise",
        takes: "",
        does: "leaves a daemon in a session of its own behind",
        act: |_| {
            // Fails for a group's leader only, which it is not.
            let _ = setsid();
            stay()
        },
    },
];

/// How long the network may take to answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// What the test puts into every file that must stay out of reach.
const SECRET: &str = "canary";

/// One try; an error is as good as being blocked.
type Try = fn(&World) -> Option<bool>;

/// Where a test has put what is to be reached.
struct World {
    root: PathBuf,
    port: u16,
    udp_port: u16,
    name: String,
    guardian: Option<i32>,
}

const TRIES: &[(&str, Try)] = &[
    ("read ~/.ssh", |world| world.reads("home/.ssh/id_ed25519")),
    ("read ~/.aws", |world| world.reads("home/.aws/credentials")),
    ("read ~/.git-credentials", |world| world.reads("home/.git-credentials")),
    ("read the user's git config", |world| world.reads("home/.gitconfig")),
    ("read another agent's credentials", |world| world.reads("home/.codex/auth.json")),
    ("read another repository", |world| world.reads("other/secret")),
    ("read windlass's store", |world| {
        Some(fs::File::open(world.root.join("state/windlass.db")).is_ok())
    }),
    ("see that a file is there", |world| Some(world.root.join("other/secret").exists())),
    ("read another user's password", |_| Some(fs::read("/etc/shadow").is_ok())),
    ("read through a link", |world| {
        symlink(world.root.join("other"), "link").ok()?;
        let read = fs::read_to_string("link/secret");
        fs::remove_file("link").ok()?;
        Some(read.ok()?.contains(SECRET))
    }),
    ("read through another process's root", |world| {
        let path = format!("/proc/1/root{}/other/secret", world.root.display());
        Some(fs::read_to_string(path).ok()?.contains(SECRET))
    }),
    ("write into the home", |world| world.writes("home/.profile")),
    ("write into another repository", |world| world.writes("other/secret")),
    ("write a program of the user's", |world| world.writes("bin/tool")),
    ("write into the system", |_| {
        let path = Path::new("/usr/local/windlass-was-here");
        fs::write(path, "").ok()?;
        fs::remove_file(path).ok();
        Some(true)
    }),
    ("reach the network by TCP", |world| {
        let address = SocketAddr::from(([127, 0, 0, 1], world.port));
        Some(TcpStream::connect_timeout(&address, PATIENCE).is_ok())
    }),
    ("reach the network by UDP", |world| {
        let Ok(socket) = UdpSocket::bind("127.0.0.1:0") else { return Some(false) };
        socket.set_read_timeout(Some(PATIENCE)).ok()?;
        socket.send_to(b"hello", ("127.0.0.1", world.udp_port)).ok()?;
        Some(socket.recv_from(&mut [0; 16]).is_ok())
    }),
    ("reach an abstract socket", |world| {
        let address = net::SocketAddr::from_abstract_name(&world.name).ok()?;
        Some(UnixStream::connect_addr(&address).is_ok())
    }),
    ("reach a service by its socket", |world| {
        Some(UnixStream::connect(world.root.join("service.sock")).is_ok())
    }),
    ("see the guardian", |world| Some(world.guardian.is_some())),
    ("signal the guardian", |world| {
        Some(kill_process(Pid::from_raw(world.guardian?)?, Signal::CONT).is_ok())
    }),
    ("trace the guardian", |world| {
        Some(fs::File::open(format!("/proc/{}/mem", world.guardian?)).is_ok())
    }),
    ("gain rights from a setuid program", |_| {
        Some(!fs::read_to_string("/proc/self/status").ok()?.contains("NoNewPrivs:\t1"))
    }),
    ("move .git away", |_| {
        fs::rename(".git", ".moved").ok()?;
        fs::rename(".moved", ".git").ok()?;
        Some(true)
    }),
    ("plant a hook in its own git directory", |_| {
        Some(fs::write(".git/hooks/post-commit", "#!/bin/sh\n").is_ok())
    }),
    ("plant a setting in its own git directory", |_| {
        let mut config = fs::File::options().append(true).open(".git/config").ok()?;
        Some(config.write_all(b"[planted]\n\tby = agent\n").is_ok())
    }),
    ("plant a new config in its own git directory", |_| {
        fs::write(".git/new", "").ok()?;
        let planted = fs::rename(".git/new", ".git/config").is_ok();
        fs::remove_file(".git/new").ok();
        Some(planted)
    }),
    ("unseal it in a namespace of its own", |_| {
        let mut unshare = Command::new("unshare");
        unshare.args(["-Urm", "sh", "-c", "umount .git/config && echo >> .git/config"]);
        unshare.stdout(Stdio::null()).stderr(Stdio::null());
        Some(unshare.status().ok()?.success())
    }),
    ("read a descriptor of the user's shell", |_| {
        // Not by its name, which would open the file a second time.
        Some(says("sh", &["-c", "cat <&7"])?.contains(SECRET))
    }),
    ("write to a descriptor of the user's shell", |_| {
        says("sh", &["-c", "echo escaped >&8"]).map(|_| true)
    }),
    ("have any other descriptor", |_| {
        // The last is the one that this look takes.
        Some(fs::read_dir("/proc/self/fd").ok()?.count() > 4)
    }),
    ("read the user's keyring", |world| {
        let key = says("keyctl", &["search", "@s", "user", &world.name])?;
        Some(says("keyctl", &["pipe", key.trim()])?.contains(SECRET))
    }),
    ("have a keyring at all", |_| says("keyctl", &["show", "@s"]).map(|_| true)),
    ("set what the kernel runs on a crash", |_| opens("/proc/sys/kernel/core_pattern")),
    ("set what the kernel runs for a module", |_| opens("/proc/sys/kernel/modprobe")),
    ("set another setting of the kernel", |_| {
        let settings =
            ["/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/proc/irq/default_smp_affinity"];
        let others = ["/sys/kernel/uevent_helper", "/sys/power/state", "/sys/kernel/profiling"];
        Some(settings.iter().chain(&others).any(|path| opens(path) == Some(true)))
    }),
    ("have a right of root", |_| {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        Some(!status.contains("CapEff:\t0000000000000000"))
    }),
    ("make a user namespace", |_| says("unshare", &["-U", "true"]).map(|_| true)),
    ("make a device", |_| {
        let made = mknodat(CWD, "disk", FileType::BlockDevice, Mode::RUSR, makedev(7, 0));
        fs::remove_file("disk").ok();
        Some(made.is_ok())
    }),
    ("read a disk", |_| {
        let disks = ["/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/loop0", "/dev/kmsg", "/dev/mem"];
        Some(disks.iter().any(|path| fs::File::open(path).is_ok()))
    }),
    ("read memory that programs share", |world| {
        let name = world.name.replace('/', "-");
        Some(fs::read_to_string(Path::new("/dev/shm").join(name)).ok()?.contains(SECRET))
    }),
    ("write to the user's terminal", |_| {
        let terminal = fs::read_to_string("terminal").ok()?;
        Some(fs::File::options().write(true).open(terminal.trim()).is_ok())
    }),
    ("read a tool's token next to its programs", |world| {
        Some(world.reads("home/.docker/config.json")? || world.reads("home/.pulumi/token")?)
    }),
    ("read what is in PATH and no program", |world| world.reads("home/.odd/token")),
    ("read windlass's config", |world| world.reads("home/.config/windlass/config.toml")),
    ("read a private key of the system", |_| Some(fs::read_dir("/etc/ssl/private").is_ok())),
    ("read another process's environment", |world| {
        Some(fs::read(format!("/proc/{}/environ", world.guardian?)).is_ok())
    }),
    ("read by a hard link", |world| {
        fs::hard_link(world.root.join("other/secret"), "hard").ok()?;
        let read = fs::read_to_string("hard");
        fs::remove_file("hard").ok()?;
        Some(read.ok()?.contains(SECRET))
    }),
    ("move a file in", |world| {
        let outside = world.root.join("other/secret");
        fs::rename(&outside, "moved").ok()?;
        fs::rename("moved", outside).ok()?;
        Some(true)
    }),
    ("empty a file", |world| {
        let path = world.root.join("other/large");
        Some(fs::File::options().write(true).truncate(true).open(path).is_ok())
    }),
    ("change who may read a file", |world| {
        let key = world.root.join("home/.ssh/id_ed25519");
        Some(fs::set_permissions(key, fs::Permissions::from_mode(0o644)).is_ok())
    }),
    ("learn where the user's agents are", |_| {
        let names = ["SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "LD_PRELOAD"];
        Some(names.iter().any(|name| env::var_os(name).is_some()))
    }),
];

fn escape(args: &Args) -> Done {
    let world = World {
        root: args.text(0)?.into(),
        port: args.number(1, 0),
        udp_port: args.number(2, 0),
        name: args.text(3)?.to_owned(),
        guardian: guardian(),
    };
    let mut lines = String::new();
    for (name, attempt) in TRIES {
        let is_open = attempt(&world).unwrap_or(false);
        lines.push_str(&format!("{name}: {}\n", if is_open { "open" } else { "blocked" }));
    }
    // Made in any case: it cannot be prevented, and must not last.
    fs::write(".git/commondir", "/tmp/evil\n")?;
    let mut daemon = Command::new(env::current_exe()?);
    daemon.arg("daemonise").process_group(0);
    daemon.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    print(lines.as_bytes())?;
    print(b"<promise>COMPLETE</promise>\n").map(|()| 0)
}

impl World {
    fn reads(&self, path: &str) -> Option<bool> {
        let mut text = String::new();
        fs::File::open(self.root.join(path)).ok()?.read_to_string(&mut text).ok()?;
        Some(text.contains(SECRET))
    }

    /// What is written into a file of its own is no escape: it must be the one of the test.
    fn writes(&self, path: &str) -> Option<bool> {
        let mut file = fs::File::options().append(true).open(self.root.join(path)).ok()?;
        Some(file.write_all(b"escaped\n").is_ok())
    }
}

/// Whether a file can be opened for writing; nothing is written.
fn opens(path: &str) -> Option<bool> {
    Some(fs::File::options().write(true).open(path).is_ok())
}

/// What a program says, where it succeeds.
fn says(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The process that guards the loop, if it can be seen.
fn guardian() -> Option<i32> {
    let entries = fs::read_dir("/proc").ok()?.flatten();
    let mut numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.find(|pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).nth(1) == Some(b"__windlass-guardian")
    })
}
