//! A client of `windlass serve` that sends what it is told to, byte by byte: a browser would not.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(60);

/// A server, and the token that it printed.
#[derive(Clone, Debug)]
pub struct Web {
    /// Where it listens, with its port.
    pub address: String,
    /// What its users know.
    pub token: String,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its headers; the names are in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: String,
}

/// An event that a server sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Its number.
    pub id: u64,
    /// Its type.
    pub event: String,
    /// The event as JSON.
    pub data: String,
}

impl Reply {
    /// The value of a header; empty where it is not there.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(given, _)| given == name);
        found.map_or("", |(_, value)| value)
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The words of an error.
    #[track_caller]
    pub fn message(&self) -> String {
        self.json()["error"]["message"].as_str().expect("an error has words").to_owned()
    }

    /// Fails unless it has this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }
}

impl Web {
    /// The server that printed this line.
    #[track_caller]
    pub fn of(line: &str) -> Self {
        let line = line.trim().strip_prefix("http://").expect("an address was printed");
        let (address, token) = line.split_once("/#token=").expect("it has a token");
        Self { address: address.to_owned(), token: token.to_owned() }
    }

    /// The headers that a user's requests have.
    pub fn own_headers(&self) -> String {
        format!("Host: {}\r\nAuthorization: Bearer {}\r\n", self.address, self.token)
    }

    /// Asks with the token.
    #[track_caller]
    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &self.own_headers(), b"")
    }

    /// Sends JSON with the token.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        let headers = format!("{}Content-Type: application/json\r\n", self.own_headers());
        self.ask("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Asks with just these headers, each ended, and a body.
    #[track_caller]
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Reply {
        let length = match body.len() {
            0 if method == "GET" => String::new(),
            length => format!("Content-Length: {length}\r\n"),
        };
        let head =
            format!("{method} {path} HTTP/1.1\r\n{headers}{length}Connection: close\r\n\r\n");
        self.raw(&[head.as_bytes(), body].concat()).expect("the server answers")
    }

    /// Sends bytes, and reads one answer.
    pub fn raw(&self, bytes: &[u8]) -> io::Result<Reply> {
        let mut stream = self.connect()?;
        // A server that has heard enough may hang up before all is sent, and has answered then.
        drop(stream.write_all(bytes));
        let mut input = BufReader::new(stream);
        let (status, headers) = head(&mut input)?;
        let is_chunked = headers.iter().any(|(name, _)| name == "transfer-encoding");
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
        let mut body = Vec::new();
        match is_chunked {
            true => drop(Chunks { input, left: 0 }.read_to_end(&mut body)?),
            false => drop(input.take(length).read_to_end(&mut body)?),
        }
        Ok(Reply { status, headers, body: String::from_utf8_lossy(&body).into_owned() })
    }

    /// A connection that nothing was sent on.
    pub fn connect(&self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(LIMIT))?;
        stream.set_write_timeout(Some(LIMIT))?;
        Ok(stream)
    }

    /// Follows a loop; gives its events until the server ends them, or nothing comes for a minute.
    #[track_caller]
    pub fn follow(&self, id: &str, after: Option<u64>) -> impl Iterator<Item = Sent> {
        let mut stream = self.connect().expect("the server listens");
        let after = after.map(|seq| format!("Last-Event-ID: {seq}\r\n")).unwrap_or_default();
        let (path, own) = (format!("/api/v1/loops/{id}/events"), self.own_headers());
        let head_sent = write!(stream, "GET {path} HTTP/1.1\r\n{own}{after}\r\n");
        head_sent.expect("the server listens");
        let mut input = BufReader::new(stream);
        let (status, headers) = head(&mut input).expect("the server answers");
        assert_eq!(status, 200, "{headers:?}");
        let mut lines = BufReader::new(Chunks { input, left: 0 }).lines();
        std::iter::from_fn(move || {
            let mut sent = Sent { id: 0, event: String::new(), data: String::new() };
            loop {
                let line = lines.next()?.ok()?;
                match line.split_once(": ") {
                    Some(("id", id)) => sent.id = id.parse().ok()?,
                    Some(("event", event)) => event.clone_into(&mut sent.event),
                    Some(("data", data)) => data.clone_into(&mut sent.data),
                    _ if line.is_empty() && sent.id > 0 => return Some(sent),
                    _ => {}
                }
            }
        })
    }
}

fn head(input: &mut impl BufRead) -> io::Result<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("no answer: {line:?}")))?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        input.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Ok((status, headers))
}

/// A body that comes in pieces.
struct Chunks<R> {
    input: R,
    left: usize,
}

impl<R: BufRead> Read for Chunks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 {
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                return Ok(0);
            }
            if line.trim().is_empty() {
                continue;
            }
            self.left = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
            if self.left == 0 {
                return Ok(0);
            }
        }
        let most = buffer.len().min(self.left);
        let read = self.input.read(&mut buffer[..most])?;
        self.left -= read;
        Ok(read)
    }
}
