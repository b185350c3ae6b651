//! `windlass serve`: the web dashboard and its API.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use tokio::{net::TcpListener, sync::watch};
use windlass::Stop;
use windlass_core::stop::StopLevel;
use windlass_store::store::Store;

use super::block_on;
use crate::{
    host::{
        app::App,
        failure::{Failure, Kind},
        signals::Listener,
    },
    web::{self, Hosts, Serving, Token},
};

/// Watch and control loops in a browser
///
/// Serves a dashboard and its JSON API on this machine, and prints the URL to open. The part after
/// `#token=` is the key: anyone who has it can see, cancel and resume every loop, and start new
/// ones in the directories given with `--allow`. The token is new at each start and never written
/// to a file.
///
/// The server runs no loops itself: loops started from the web are separate processes and keep
/// running when the server stops.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Address to listen on; port 0 means any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7077", value_parser = address)]
    addr: SocketAddr,

    /// Directory in which loops can be started from the web; repeatable
    ///
    /// Not recursive. Without it loops can be watched and controlled, but not started.
    #[arg(long, value_name = "DIR")]
    allow: Vec<PathBuf>,

    /// Listen on an address that other machines can reach
    ///
    /// There is no encryption: anyone who can read the traffic gets the token and can run programs
    /// as you. Prefer an SSH tunnel: `ssh -L 7077:127.0.0.1:7077`.
    #[arg(long)]
    allow_remote: bool,

    /// Name (and port) under which other machines reach the server
    #[arg(long, value_name = "NAME", requires = "allow_remote", value_parser = host)]
    host: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  windlass serve                          watch and control your loops
  windlass serve --allow .                and start new ones in this directory
  windlass serve --addr 127.0.0.1:0       on any free port
  curl -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:7077/api/v1/loops";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    if !args.addr.ip().is_loopback() && !args.allow_remote {
        return Err(Failure::usage(format!(
            "other machines could reach `{}`, and whoever has the token can run programs as you",
            args.addr
        ))
        .hint("listen on 127.0.0.1, and come in from elsewhere with `ssh -L 7077:127.0.0.1:7077 HOST`")
        .hint("or say that it is meant so with `--allow-remote`"));
    }
    let allowed = allowed(app, &args.allow)?;
    let store = Store::open(&app.home)?;
    block_on(answer(app, args, allowed, store))??;
    Ok(0)
}

async fn answer(
    app: &App,
    args: &Args,
    allowed: Vec<PathBuf>,
    store: Store,
) -> Result<(), Failure> {
    let listener = TcpListener::bind(args.addr).await.map_err(|error| taken(args.addr, error))?;
    let bound = listener.local_addr().map_err(|error| taken(args.addr, error))?;
    let token = Token::random().map_err(|error| {
        Failure::because(Kind::Setup, "the system gave no random numbers for the token", error)
    })?;
    let (end, ending) = watch::channel(false);
    let stop = Stop::default();
    let _listener = Listener::start(stop.clone())
        .map_err(|error| Failure::because(Kind::Setup, "signals cannot be heard", error))?;
    tokio::spawn(async move {
        stop.reached(StopLevel::End).await;
        // Where nobody waits for it any more, the server has ended already.
        let _ = end.send(true);
    });
    let address = shown(bound);
    app.printer.data(&format!("http://{address}/#token={}\n", token.reveal()))?;
    app.printer.hint("Ctrl-C ends the server; loops go on without it");
    let hosts = Hosts::new(bound, &args.host);
    let state = web::State::new(app.clone(), allowed, store, ending);
    web::serve(Serving { listener, hosts, token, state })
        .await
        .map_err(|error| Failure::because(Kind::Setup, "the server could not go on", error))
}

/// The address to open. Where the server listens on all of this machine's, that is its own: no
/// address that others could use is printed unasked.
fn shown(bound: SocketAddr) -> SocketAddr {
    match bound.ip() {
        ip if ip.is_unspecified() => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), bound.port()),
        _ => bound,
    }
}

/// The directories, canonical, each of which must be there.
fn allowed(app: &App, directories: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let canonical = |directory: &PathBuf| {
        let path = app.directory.join(directory).canonicalize().ok().filter(|path| path.is_dir());
        path.ok_or_else(|| {
            Failure::usage(format!("there is no directory `{}` to allow", directory.display()))
        })
    };
    directories.iter().map(canonical).collect()
}

fn taken(address: SocketAddr, error: io::Error) -> Failure {
    let in_use = error.kind() == io::ErrorKind::AddrInUse;
    let failure = Failure::because(Kind::Setup, format!("could not listen on `{address}`"), error);
    match in_use {
        true => failure
            .hint("another program listens there, maybe another `windlass serve`")
            .hint("choose another port with `--addr 127.0.0.1:PORT`, or any with port 0"),
        false => failure,
    }
}

/// An address with its port; `localhost` is this machine.
fn address(text: &str) -> Result<SocketAddr, String> {
    let address = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    address.parse().map_err(|_| "an address is an IP and a port, such as 127.0.0.1:7077".to_owned())
}

/// A name as browsers send it.
fn host(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-:[]".contains(c);
    if !text.is_empty() && text.chars().all(fits) {
        return Ok(text.to_owned());
    }
    Err("a name is made of small letters, digits, dots and dashes, such as box.example:7077"
        .to_owned())
}
