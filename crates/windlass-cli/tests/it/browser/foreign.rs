//! A page of somebody else, on another port of this machine, that keeps every request.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// A server of somebody else. It lives as long as the test.
pub(super) struct Foreign {
    /// Where it is: `http://127.0.0.1:1234`.
    pub(super) origin: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Foreign {
    /// Serves `body` at every address.
    pub(super) fn start(body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let origin = format!("http://{}", listener.local_addr().expect("it is bound"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, body) = (Arc::clone(&requests), body.to_owned());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let head = answer(&stream, &body);
                kept.lock().unwrap().push(head);
            }
        });
        Self { origin, requests }
    }

    /// The heads of all requests so far.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn answer(mut stream: &TcpStream, body: &str) -> String {
    let mut head = String::new();
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        if line.is_empty() {
            break;
        }
        head.push_str(&line);
        head.push('\n');
    }
    let length = body.len();
    // The browser may have gone away.
    drop(write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    ));
    head
}
