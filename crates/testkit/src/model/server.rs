//! The model as a server on loopback, a thread for each connection. It ends when it is dropped.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use super::{Record, Script, connection};

/// A model that plays a script.
#[derive(Debug)]
pub struct Model {
    address: SocketAddr,
    state: Arc<State>,
}

/// What the connections share.
#[derive(Debug)]
pub(super) struct State {
    pub(super) script: Script,
    pub(super) directory: PathBuf,
    turns: AtomicUsize,
    stalls: AtomicUsize,
    over: AtomicBool,
    records: Mutex<Vec<Record>>,
}

impl Model {
    /// Starts it on a free port of loopback. `directory` is the work tree of the agents.
    pub fn start(script: Script, directory: impl Into<PathBuf>) -> io::Result<Self> {
        Self::start_at(0, script, directory)
    }

    /// Starts it on that port of loopback.
    pub fn start_at(port: u16, script: Script, directory: impl Into<PathBuf>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            script,
            directory: directory.into(),
            turns: AtomicUsize::new(0),
            stalls: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            records: Mutex::default(),
        });
        let shared = Arc::clone(&state);
        thread::spawn(move || listen(&listener, &shared));
        Ok(Self { address, state })
    }

    /// Its address, without a path: `http://127.0.0.1:41234`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything that was asked so far.
    pub fn records(&self) -> Vec<Record> {
        self.state.records().clone()
    }

    /// The requests that took a turn of the script, in order.
    pub fn main_records(&self) -> Vec<Record> {
        self.records().into_iter().filter(|record| record.turn.is_some()).collect()
    }

    /// How many turns were taken; one that the script no longer has counts too.
    pub fn turns(&self) -> usize {
        self.state.turns.load(Ordering::SeqCst)
    }

    /// How many answers stand still in their middle.
    pub fn stalls(&self) -> usize {
        self.state.stalls.load(Ordering::SeqCst)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.state.over.store(true, Ordering::SeqCst);
        // Wakes the listener; where that fails it is gone already.
        drop(TcpStream::connect(self.address));
    }
}

impl State {
    /// Takes the next turn; gives its number, from 0.
    pub(super) fn take_turn(&self) -> usize {
        self.turns.fetch_add(1, Ordering::SeqCst)
    }

    pub(super) fn record(&self, record: Record) {
        self.records().push(record);
    }

    pub(super) fn stalled(&self) {
        self.stalls.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    fn records(&self) -> std::sync::MutexGuard<'_, Vec<Record>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn listen(listener: &TcpListener, state: &Arc<State>) {
    for stream in listener.incoming() {
        if state.is_over() {
            return;
        }
        let Ok(stream) = stream else { continue };
        let state = Arc::clone(state);
        // An agent that goes away in the middle of an answer is what some tests are about.
        thread::spawn(move || connection::serve(&stream, &state).ok());
    }
}
