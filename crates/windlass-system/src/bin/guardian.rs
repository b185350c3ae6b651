//! The smallest program that has a guardian: it plays one, and it owns one, for tests.
//!
//! `guardian own LOOP SCRIPT` runs a shell script under a guardian of its own until it is killed.
//! `guardian end LOOP` ends what carries the marker of a loop, but for those who ask for it.
//! As a confined helper it does whatever a test asks for, so that the test sees what it cannot do.

#![expect(clippy::disallowed_methods, reason = "it hands on what it was given")]

use std::{error::Error, fs, os::unix::net::UnixStream, path::Path, time::Duration};

use rustix::net::{AddressFamily, SocketType};
use windlass_core::{ids::LoopId, process::ProcessSpec};
use windlass_system::{
    process::{
        Chunk, Guardian, GuardianProgram, OutputSink, PARTS, Stream, TimeLimits, end_marked,
        play_if_asked, run_locally,
    },
    stop::Stop,
    worker::{Frame, Service, serve},
};

fn main() -> Result<(), Box<dyn Error>> {
    play_if_asked(&[PARTS, &[("__test-helper", |_| serve::<Obedient>())]]);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (id, script) = match arguments.as_slice() {
        ["own", id, script] => (LoopId::from((*id).to_owned()), *script),
        ["end", id] => {
            let survivors = end_marked(&LoopId::from((*id).to_owned()), Duration::from_secs(1));
            return if survivors.is_empty() { Ok(()) } else { Err("some survived".into()) };
        }
        _ => return Err("expected `own LOOP SCRIPT` or `end LOOP`".into()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(own(&id, script))
}

async fn own(id: &LoopId, script: &str) -> Result<(), Box<dyn Error>> {
    let guardian = Guardian::start(&GuardianProgram::ThisProgram, Some(id), Vec::new())?;
    let spec = ProcessSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: std::env::vars_os().collect(),
        directory: Path::new("/").to_owned(),
        stdin: Vec::new(),
    };
    let none = Duration::ZERO;
    let limits = TimeLimits { total: none, idle: none, grace: Duration::from_secs(5) };
    guardian.supervise(spec, limits, &Stop::default(), &mut Nothing).await?;
    guardian.close().await;
    Ok(())
}

/// Does what it is asked for, as far as the kernel lets it.
struct Obedient;

impl Service for Obedient {
    type Orders = String;

    async fn begin(orders: String) -> (Option<Self>, Frame) {
        (Some(Self), text(&format!("ready for {orders}")))
    }

    async fn answer(&mut self, request: Frame) -> Frame {
        let request: Vec<String> = serde_json::from_slice(&request.text).unwrap_or_default();
        let request: Vec<&str> = request.iter().map(String::as_str).collect();
        let done = match request.as_slice() {
            ["read", path] => fs::read_to_string(path),
            ["write", path] => fs::write(path, "written").map(|()| "written".to_owned()),
            ["move", from, to] => fs::rename(from, to).map(|()| "moved".to_owned()),
            ["connect", address] => {
                std::net::TcpStream::connect(address).map(|_| "connected".to_owned())
            }
            ["socket", family] => socket(family),
            ["pair"] => UnixStream::pair().map(|_| "made".to_owned()),
            ["run", program, arguments @ ..] => run(program, arguments),
            ["hoard", mib] => hoard(mib.parse().unwrap_or(0)),
            ["descriptors"] => descriptors(),
            ["panic"] => panic!("as it was asked to"),
            _ => Ok("nothing".to_owned()),
        };
        text(&done.unwrap_or_else(|error| format!("refused: {:?}", error.kind())))
    }

    fn broken() -> Frame {
        text("broken")
    }
}

fn text(text: &str) -> Frame {
    Frame { text: text.as_bytes().to_vec(), bytes: Vec::new() }
}

/// Makes a socket, in a thread that it starts.
fn socket(family: &str) -> std::io::Result<String> {
    let (family, kind) = match family {
        "udp" => (AddressFamily::INET, SocketType::DGRAM),
        "udp6" => (AddressFamily::INET6, SocketType::DGRAM),
        "tcp" => (AddressFamily::INET, SocketType::STREAM),
        "netlink" => (AddressFamily::NETLINK, SocketType::RAW),
        "packet" => (AddressFamily::PACKET, SocketType::RAW),
        "vsock" => (AddressFamily::VSOCK, SocketType::STREAM),
        _ => (AddressFamily::UNIX, SocketType::STREAM),
    };
    let made = std::thread::spawn(move || rustix::net::socket(family, kind, None)).join();
    let made = made.map_err(|_| std::io::Error::other("the thread failed"))?;
    Ok(made.map(|_| "made".to_owned())?)
}

fn run(program: &str, arguments: &[&str]) -> std::io::Result<String> {
    let spec = ProcessSpec {
        program: program.into(),
        args: arguments.iter().map(Into::into).collect(),
        directory: "/".into(),
        stdin: b"handed on".to_vec(),
        ..ProcessSpec::default()
    };
    let ran = run_locally(&spec, Duration::from_secs(5), 1024, &|| None);
    let ran = ran.map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(format!("{:?} {}", ran.code, String::from_utf8_lossy(&ran.stdout)))
}

fn hoard(mib: usize) -> std::io::Result<String> {
    let mut hoard: Vec<u8> = Vec::new();
    match hoard.try_reserve_exact(mib << 20) {
        Ok(()) => Ok("taken".to_owned()),
        Err(_) => Err(std::io::ErrorKind::OutOfMemory.into()),
    }
}

/// What it has open, but for what it opens to look.
fn descriptors() -> std::io::Result<String> {
    let names =
        (0..256).filter(|number| fs::symlink_metadata(format!("/proc/self/fd/{number}")).is_ok());
    let leads = names.filter_map(|number| fs::read_link(format!("/proc/self/fd/{number}")).ok());
    let files = leads.filter(|to| to.is_absolute() && !to.starts_with("/dev/null"));
    Ok(format!("{:?}", files.collect::<Vec<_>>()))
}

struct Nothing;

impl OutputSink for Nothing {
    fn output(&mut self, _: Stream, _: &mut Chunk) {}

    fn tick(&mut self) {}
}
