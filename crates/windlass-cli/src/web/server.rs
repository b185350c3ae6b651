//! Listens, and carries each connection: so many, with so many headers, in so much time.

use std::{convert::Infallible, io, sync::Arc, time::Duration};

use axum::{body::Body, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    time::{sleep, timeout},
};

use super::{
    connections::{Connections, Seat},
    guard::{Guard, Hosts, Token, Visitor},
    patience::Patient,
    routes,
    site::Site,
    state::State,
};

/// How long somebody may take to say what they want, and how long a connection may lie idle.
const HEADER_LIMIT: Duration = Duration::from_secs(10);
/// The most headers of a request.
const MOST_HEADERS: usize = 64;
/// The longest head of a request, and what is kept of an answer that nobody reads yet.
const LONGEST_HEAD: usize = 32 * 1024;
/// How long connections may take to end after the server was told to.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long to wait where the system has no more connections to give.
const PAUSE: Duration = Duration::from_millis(50);

/// A server that is bound and does not answer yet.
pub(crate) struct Serving {
    /// Where it listens.
    pub(crate) listener: TcpListener,
    /// The names that it answers to.
    pub(crate) hosts: Hosts,
    /// What its users know.
    pub(crate) token: Token,
    /// What its requests may use.
    pub(crate) state: State,
}

/// Answers until `state.ending()` turns true.
pub(crate) async fn serve(serving: Serving) -> io::Result<()> {
    let Serving { listener, hosts, token, state } = serving;
    let mut ending = state.ending();
    let site = Arc::new(Site::new(Guard::new(hosts, token), routes::router(state)));
    let connections = Connections::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = ending.wait_for(|over| *over) => break,
        };
        match accepted {
            Ok((stream, _)) => welcome(stream, &site, &connections, &ending),
            // Somebody who went away before they were let in is no trouble of ours; where the
            // system has nothing left, strangers go first.
            Err(error) if is_about_one(&error) => {}
            Err(_) => {
                connections.make_room();
                sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    let all_gone = async {
        while connections.count() > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    // Whoever does not let go by then is cut off with the process.
    drop(timeout(FAREWELL, all_gone).await);
    Ok(())
}

fn is_about_one(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

fn welcome(
    stream: TcpStream,
    site: &Arc<Site>,
    connections: &Connections,
    ending: &watch::Receiver<bool>,
) {
    // Where everybody has the token and there is no place, the newcomer is turned away.
    let Some(seat) = connections.seat() else { return };
    // Events are small, and are sent when they happen.
    drop(stream.set_nodelay(true));
    let number = seat.number();
    let task = tokio::spawn(carry(stream, site.clone(), seat, ending.clone()));
    Seat::held_by(number, connections, task.abort_handle());
}

/// Carries one connection to its end.
async fn carry(stream: TcpStream, site: Arc<Site>, seat: Seat, mut ending: watch::Receiver<bool>) {
    let seat = &seat;
    let service = service_fn(move |request: Request<Incoming>| {
        let site = site.clone();
        async move {
            let (answer, visitor) = site.answer(request.map(Body::new)).await;
            if visitor == Visitor::Known {
                seat.is_known();
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_LIMIT)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(Patient::new(stream)), service);
    tokio::pin!(connection);
    let over = tokio::select! {
        // However a connection breaks, it is over.
        _ = connection.as_mut() => true,
        _ = ending.wait_for(|over| *over) => false,
    };
    if !over {
        connection.as_mut().graceful_shutdown();
        drop(timeout(FAREWELL, connection).await);
    }
}
