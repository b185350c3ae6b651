//! The one way out of a sandbox with `--network model`: a proxy of windlass's own, on a Unix socket
//! that is shown inside. It goes to the hosts that are allowed, and to no other.
//!
//! Names are compared before anything is looked up, and addresses after: so a name that was not
//! allowed is not even asked for, and one that was cannot lead back into the user's own network.

mod hosts;
mod request;

use std::{
    collections::BTreeSet,
    fs, io,
    net::SocketAddr,
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rustix::fs::{Mode, OFlags};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpStream, UnixListener, UnixStream, lookup_host},
    sync::Semaphore,
    task::{JoinHandle, JoinSet},
    time::timeout,
};

pub(super) use self::hosts::{Hosts, Named, Target};
use self::request::Request;
use super::notes::Notes;
use crate::home;

/// The socket's name in its directory.
pub(super) const SOCKET: &str = "socket";

/// So many connections at once.
const MOST_CONNECTIONS: usize = 128;

/// How long the head of a request may be, and how long it may take.
const LONGEST_HEAD: usize = 16 * 1024;
const PATIENCE: Duration = Duration::from_secs(20);

/// Of so many hosts it is told that they were refused.
const MOST_TOLD: usize = 100;

/// The proxy of one agent. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    directory: PathBuf,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Starts it, with its socket in a directory that only the user may enter.
    pub(super) fn start(directory: &Path, hosts: Hosts, notes: Notes) -> io::Result<Self> {
        home::create_private(directory)?;
        let socket = directory.join(SOCKET);
        match fs::remove_file(&socket) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => (),
        }
        let listener = listen(directory)?;
        let told = Mutex::default();
        let door = Arc::new(Door { hosts, notes, told });
        let task = tokio::spawn(serve(listener, door));
        Ok(Self { directory: directory.to_owned(), task })
    }

    /// Where its socket stands.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
        // Nobody listens any more; a name that stays does no harm.
        drop(fs::remove_file(self.directory.join(SOCKET)));
    }
}

/// Listens in a directory, whose path may be longer than that of a socket can be.
fn listen(directory: &Path) -> io::Result<UnixListener> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(directory, flags, Mode::empty())?;
    UnixListener::bind(format!("/proc/self/fd/{}/{SOCKET}", opened.as_raw_fd()))
}

struct Door {
    hosts: Hosts,
    notes: Notes,
    told: Mutex<BTreeSet<Target>>,
}

async fn serve(listener: UnixListener, door: Arc<Door>) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    // Connections end with the task that holds them.
    let mut connections = JoinSet::new();
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((client, _)) = listener.accept().await else {
            // Out of descriptors, most likely: some will be free again.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        while connections.try_join_next().is_some() {}
        let door = Arc::clone(&door);
        connections.spawn(async move {
            let _place = place;
            // A connection that breaks is its client's affair.
            drop(door.pass(client).await);
        });
    }
}

impl Door {
    async fn pass(&self, mut client: UnixStream) -> io::Result<()> {
        let Ok(read) = timeout(PATIENCE, read_head(&mut client)).await else { return Ok(()) };
        let (head, after) = read?;
        let Some(request) = Request::parse(&head) else {
            return answer(&mut client, "400 Bad Request", "this is no request to a proxy").await;
        };
        let target = &request.target;
        let Some(anywhere) = self.hosts.permits(target) else {
            self.refuse(target, "");
            return answer(&mut client, "403 Forbidden", &not_allowed(target)).await;
        };
        let Ok(found) = lookup_host((target.host.as_str(), target.port)).await else {
            return answer(&mut client, "502 Bad Gateway", "there is no such host").await;
        };
        let (allowed, private): (Vec<SocketAddr>, Vec<_>) =
            found.partition(|address| anywhere.permits(address.ip()));
        if allowed.is_empty() && !private.is_empty() {
            self.refuse(target, ", which is an address of this machine or its network");
            return answer(&mut client, "403 Forbidden", &not_allowed(target)).await;
        }
        let Some(mut server) = connect(&allowed).await else {
            return answer(&mut client, "502 Bad Gateway", "the host does not answer").await;
        };
        if request.is_tunnel() {
            client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
        } else {
            server.write_all(&request.head).await?;
        }
        server.write_all(&after).await?;
        copy_bidirectional(&mut client, &mut server).await.map(drop)
    }

    /// Tells of each host once.
    fn refuse(&self, target: &Target, why: &str) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < MOST_TOLD && told.insert(target.clone()) {
            self.notes.say(format!("network: refused {target}{why}"));
        }
    }
}

fn not_allowed(target: &Target) -> String {
    format!("{target} may not be reached from here; `--network-allow {target}` would allow it")
}

/// The head of a request, and what came after it already.
async fn read_head(client: &mut UnixStream) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut head = Vec::with_capacity(1024);
    loop {
        if let Some(end) = memchr::memmem::find(&head, b"\r\n\r\n") {
            let after = head.split_off(end + 4);
            return Ok((head, after));
        }
        if head.len() > LONGEST_HEAD || client.read_buf(&mut head).await? == 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

async fn connect(addresses: &[SocketAddr]) -> Option<TcpStream> {
    for address in addresses {
        if let Ok(Ok(server)) = timeout(PATIENCE, TcpStream::connect(address)).await {
            return Some(server);
        }
    }
    None
}

async fn answer(client: &mut UnixStream, status: &str, why: &str) -> io::Result<()> {
    let body = format!("windlass: {why}\n");
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    client.write_all(head.as_bytes()).await?;
    client.write_all(body.as_bytes()).await
}
