//! As much of HTTP/1.1 as agents need: requests with a length or in chunks, answers whole or in
//! chunks of server-sent events.

use std::io::{self, BufRead, Read, Write};

/// The longest body that is read: agents send whole conversations, but not more.
const LONGEST_BODY: usize = 64 * 1024 * 1024;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Its headers; the names are in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Reads the next request of a connection; `None` when there is none.
pub(crate) fn read(
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Option<Request>> {
    let first = line(input)?;
    let mut words = first.split(' ');
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(None) };
    let (mut length, mut is_chunked) = (0, false);
    let mut headers = Vec::new();
    loop {
        let header = line(input)?;
        let Some((name, value)) = header.split_once(':') else { break };
        let value = value.trim();
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().map_err(io::Error::other)?,
            "transfer-encoding" => is_chunked = value.eq_ignore_ascii_case("chunked"),
            "expect" => output.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            _ => {}
        }
    }
    let body = if is_chunked { chunks(input)? } else { bytes(input, length)? };
    Ok(Some(Request { method: method.to_owned(), path: path.to_owned(), headers, body }))
}

fn line(input: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    input.take(64 * 1024).read_line(&mut line)?;
    Ok(line.trim_end().to_owned())
}

fn bytes(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    if length > LONGEST_BODY {
        return Err(io::Error::other("the body is too long"));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(body)
}

fn chunks(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = usize::from_str_radix(&line(input)?, 16).map_err(io::Error::other)?;
        if body.len().saturating_add(size) > LONGEST_BODY {
            return Err(io::Error::other("the body is too long"));
        }
        body.extend(bytes(input, size)?);
        line(input)?;
        if size == 0 {
            return Ok(body);
        }
    }
}

/// Answers with one body.
pub(crate) fn answer(
    output: &mut impl Write,
    status: u16,
    headers: &[(String, String)],
    body: &str,
) -> io::Result<()> {
    let length = body.len();
    let head = head(status, "application/json", headers);
    output.write_all(format!("{head}content-length: {length}\r\n\r\n{body}").as_bytes())?;
    output.flush()
}

/// Begins an answer in pieces.
pub(crate) fn begin(output: &mut impl Write, headers: &[(String, String)]) -> io::Result<()> {
    let head = head(200, "text/event-stream", headers);
    let head = format!("{head}cache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n");
    output.write_all(head.as_bytes())?;
    output.flush()
}

/// Sends one server-sent event.
pub(crate) fn event(output: &mut impl Write, name: Option<&str>, data: &str) -> io::Result<()> {
    let name = name.map_or_else(String::new, |name| format!("event: {name}\n"));
    let event = format!("{name}data: {data}\n\n");
    output.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes())?;
    output.flush()
}

/// Ends an answer in pieces.
pub(crate) fn end(output: &mut impl Write) -> io::Result<()> {
    output.write_all(b"0\r\n\r\n")?;
    output.flush()
}

fn head(status: u16, kind: &str, headers: &[(String, String)]) -> String {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Scripted",
    };
    let headers: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("HTTP/1.1 {status} {reason}\r\ncontent-type: {kind}\r\n{headers}")
}
