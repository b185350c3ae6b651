//! The way from inside of a sandbox to the proxy outside: ports of the sandbox's own loopback, and
//! a Unix socket. Plain threads: there is no runtime here.

use std::{
    io::{self, Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    thread,
};

use super::proxy::Target;

/// Where the proxy listens inside. The network is the sandbox's own, so every port is free.
pub(super) const PORT: u16 = 61_080;

/// Lets programs inside reach the proxy, and the ports of the machine outside that are allowed as if
/// they were here: many programs do not ask a proxy for what is called 127.0.0.1.
pub(super) fn start(socket: &Path, forwarded: &[Target]) -> io::Result<()> {
    listen(PORT, socket.to_owned(), None)?;
    for target in forwarded {
        // One that cannot be had is still reached through the proxy.
        drop(listen(target.port, socket.to_owned(), Some(target.to_string())));
    }
    Ok(())
}

/// Passes connections on; to a host by a tunnel, or as they are.
fn listen(port: u16, socket: PathBuf, tunnel: Option<String>) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    thread::Builder::new().name("forward".to_owned()).spawn(move || {
        for client in listener.incoming().flatten() {
            let (socket, tunnel) = (socket.clone(), tunnel.clone());
            let pass = move || pass(client, &socket, tunnel.as_deref());
            // Without a thread the connection is closed, and its client tries again.
            drop(thread::Builder::new().spawn(pass));
        }
    })?;
    Ok(())
}

fn pass(client: TcpStream, socket: &Path, tunnel: Option<&str>) -> io::Result<()> {
    let mut server = UnixStream::connect(socket)?;
    if let Some(target) = tunnel {
        write!(server, "CONNECT {target} HTTP/1.1\r\n\r\n")?;
        expect_tunnel(&mut server)?;
    }
    let (mut from_client, mut to_client) = (client.try_clone()?, client);
    let (mut from_server, mut to_server) = (server.try_clone()?, server);
    let back = thread::Builder::new().spawn(move || {
        drop(io::copy(&mut from_server, &mut to_client));
        drop(to_client.shutdown(Shutdown::Write));
    })?;
    drop(io::copy(&mut from_client, &mut to_server));
    drop(to_server.shutdown(Shutdown::Write));
    drop(back.join());
    Ok(())
}

/// Reads the proxy's answer, byte by byte: what comes after it is not for us.
fn expect_tunnel(server: &mut UnixStream) -> io::Result<()> {
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"\r\n\r\n") && answer.len() < 4096 {
        server.read_exact(&mut byte)?;
        answer.extend(byte);
    }
    match answer.starts_with(b"HTTP/1.1 200 ") {
        true => Ok(()),
        false => Err(io::ErrorKind::ConnectionRefused.into()),
    }
}
