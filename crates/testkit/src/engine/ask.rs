//! The little of HTTP that it takes to ask an engine something.

use std::{
    io::{Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    time::Duration,
};

use serde_json::Value;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the engine answers; `None` where it does not. Text that is no JSON is a text.
pub(super) fn get(socket: &Path, path: &str) -> Option<Value> {
    let (status, body) = send(socket, &format!("GET {path}"), "", &[])?;
    let value = serde_json::from_str(&body).unwrap_or(Value::String(body));
    (status == 200).then_some(value)
}

/// Sends something; it must succeed.
#[track_caller]
pub(super) fn post(socket: &Path, path: &str, kind: &str, body: &[u8]) {
    let head = format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
    let answer = send(socket, &format!("POST {path}"), &head, body);
    let (status, text) = answer.expect("the engine answers");
    assert!((200..300).contains(&status), "{path}: {status} {text}");
}

/// Removes something; it must succeed.
#[track_caller]
pub(super) fn delete(socket: &Path, path: &str) {
    let answer = send(socket, &format!("DELETE {path}"), "", &[]);
    let (status, text) = answer.expect("the engine answers");
    assert!((200..300).contains(&status), "{path}: {status} {text}");
}

fn send(socket: &Path, line: &str, head: &str, body: &[u8]) -> Option<(u16, String)> {
    let mut stream = UnixStream::connect(socket).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    // In the old version of HTTP an answer comes in one piece.
    stream.write_all(format!("{line} HTTP/1.0\r\nHost: engine\r\n{head}\r\n").as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}
