//! The stand-in as a server on loopback, a thread for each connection. It ends when it is dropped.

use std::{
    io::{self, BufReader, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use super::{Against, Fault, Request, World, complaints, routes};
use crate::model::http;

/// A GitHub on loopback.
#[derive(Debug)]
pub struct GitHub {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    world: Mutex<World>,
    faults: Mutex<Vec<Planned>>,
    requests: Mutex<Vec<Request>>,
    over: AtomicBool,
}

/// A fault that waits for its request.
#[derive(Clone, Debug)]
struct Planned {
    method: String,
    ends: String,
    fault: Fault,
}

impl GitHub {
    /// Starts it on a free port of loopback.
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback has a port");
        let address = listener.local_addr().expect("it is bound");
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        thread::spawn(move || listen(&listener, &shared));
        Self { address, state }
    }

    /// Its address, for `GITHUB_API_URL`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Looks at what it knows, or changes it.
    pub fn world<T>(&self, look: impl FnOnce(&mut World) -> T) -> T {
        look(&mut lock(&self.state.world))
    }

    /// Misbehaves at the next request of that method whose path ends so. Several for the same are
    /// played one after the other.
    pub fn fault(&self, method: &str, path_ends: &str, fault: Fault) {
        let planned = Planned { method: method.to_owned(), ends: path_ends.to_owned(), fault };
        lock(&self.state.faults).push(planned);
    }

    /// Misbehaves no more.
    pub fn clear_faults(&self) {
        lock(&self.state.faults).clear();
    }

    /// Everything that was asked so far.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.state.requests).clone()
    }

    /// The same, a line each: `POST 7/reviews`.
    pub fn lines(&self) -> Vec<String> {
        self.requests().iter().map(Request::line).collect()
    }

    /// What is wrong with the requests, by GitHub's own description of its API.
    pub fn complaints(&self, against: Against<'_>) -> Vec<String> {
        self.requests().iter().flat_map(|request| complaints(request, against)).collect()
    }
}

impl Drop for GitHub {
    fn drop(&mut self) {
        self.state.over.store(true, Ordering::SeqCst);
        // Wakes the listener; where that fails it is gone already.
        drop(TcpStream::connect(self.address));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(listener: &TcpListener, state: &Arc<State>) {
    for stream in listener.incoming() {
        if state.over.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let state = Arc::clone(state);
        // A client that goes away in the middle of an answer is what some tests are about.
        thread::spawn(move || serve(&stream, &state).ok());
    }
}

fn serve(stream: &TcpStream, state: &State) -> io::Result<()> {
    let base = format!("http://{}", stream.local_addr()?);
    let (mut input, mut output) = (BufReader::new(stream), stream);
    while let Some(read) = http::read(&mut input, &mut output)? {
        let request = Request::new(&read.method, &read.path, read.headers, &read.body);
        lock(&state.requests).push(request.clone());
        let fault = state.take_fault(&request);
        if let Some(Fault::DropTheRequest) = fault {
            return Ok(());
        }
        if let Some(Fault::Answer { status, headers, body }) = fault {
            http::answer(&mut output, status, &headers, &body.to_string())?;
            continue;
        }
        if let Some(Fault::MoveHead(sha)) = &fault {
            lock(&state.world).pulls.values_mut().for_each(|p| p.head_sha.clone_from(sha));
        }
        let answer = routes::answer(&mut lock(&state.world), &request, &base);
        let body = answer.body.to_string();
        match fault {
            Some(Fault::LoseTheAnswer) => return Ok(()),
            Some(Fault::CutTheAnswer) => {
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
                output.write_all(head.as_bytes())?;
                return output.write_all(&body.as_bytes()[..body.len() / 2]);
            }
            Some(Fault::DoneBut(status)) => {
                http::answer(&mut output, status, &[], "<html>Unicorn!</html>")?;
                continue;
            }
            Some(Fault::Endless) => return endless(&mut output),
            Some(Fault::Slow(time)) => thread::sleep(time),
            _ => {}
        }
        http::answer(&mut output, answer.status, &answer.headers, &body)?;
    }
    Ok(())
}

/// Writes until the other side has enough.
fn endless(output: &mut impl Write) -> io::Result<()> {
    http::begin(output, &[])?;
    let piece = " ".repeat(1 << 20);
    loop {
        output.write_all(format!("{:x}\r\n{piece}\r\n", piece.len()).as_bytes())?;
    }
}

impl State {
    fn take_fault(&self, request: &Request) -> Option<Fault> {
        let mut faults = lock(&self.faults);
        let is_met = |planned: &Planned| {
            planned.method == request.method && request.path.ends_with(&planned.ends)
        };
        let at = faults.iter().position(is_met)?;
        Some(faults.remove(at).fault)
    }
}
