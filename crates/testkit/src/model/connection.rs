//! One connection: reads requests, takes a turn of the script for each, and answers.

use std::{
    io::{self, BufReader},
    net::TcpStream,
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    Record, Wire, anthropic, chat, gemini, http,
    reply::{Piece, Reply},
    responses,
    script::Turn,
    server::State,
    tools::{Dialect, Put},
    wire::Wanted,
};

/// What requests on the side are told: a fine title, and no bad message of a commit.
const ASIDE: &str = "Scripted title";

/// Answers the requests of a connection until it is closed.
pub(super) fn serve(stream: &TcpStream, state: &State) -> io::Result<()> {
    let mut input = BufReader::new(stream);
    let mut output = stream;
    while let Some(request) = http::read(&mut input, &mut output)? {
        let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let line = format!("{} {}", request.method, request.path);
        let asked = |wire| Asked { line: &line, path: &request.path, body: &body, wire };
        let plain = |status, answer: &Value| {
            let body = if request.method == "HEAD" { String::new() } else { answer.to_string() };
            http::answer(&mut &*stream, status, &[], &body)
        };
        let wanted = Wanted::of(&request.method, &request.path);
        if !matches!(wanted, Wanted::Answer(_)) {
            state.record(Record { line: line.clone(), wire: None, turn: None, body: body.clone() });
        }
        match wanted {
            Wanted::Answer(wire) => asked(wire).answer(&mut output, state)?,
            Wanted::Count(Wire::Gemini) => plain(200, &json!({"totalTokens": 1000}))?,
            Wanted::Count(_) => plain(200, &json!({"input_tokens": 1000}))?,
            Wanted::Models => plain(200, &json!({"object": "list", "data": [], "models": []}))?,
            Wanted::Nothing => plain(200, &Value::Null)?,
            Wanted::Unknown => plain(404, &Wire::Chat.error(404, "there is no such path"))?,
        }
    }
    Ok(())
}

/// A request for an answer.
struct Asked<'a> {
    line: &'a str,
    path: &'a str,
    body: &'a Value,
    wire: Wire,
}

impl Asked<'_> {
    fn answer(&self, output: &mut &TcpStream, state: &State) -> io::Result<()> {
        let tools = self.wire.tools(self.body);
        let mut record = Record {
            line: self.line.to_owned(),
            wire: Some(self.wire),
            turn: None,
            body: self.body.clone(),
        };
        // Agents ask for titles and messages of commits without tools. Aider has none at all, and
        // is known by the edits that it teaches.
        if tools.is_empty() && !record.says("SEARCH/REPLACE") {
            state.record(record);
            let turn = Turn { text: Some(ASIDE.to_owned()), ..Turn::default() };
            return self.play(&turn, 0, Dialect::Aider, output, state);
        }
        let number = state.take_turn();
        record.turn = Some(number);
        state.record(record);
        let Some(turn) = state.script.turn(number) else {
            // Not an error that an agent tries again, and no claim either.
            let why = format!("the script has no turn for request {}", number + 1);
            let body = self.wire.error(400, &why).to_string();
            return http::answer(output, 400, &[], &body);
        };
        self.play(turn, number + 1, Dialect::of(&tools), output, state)
    }

    fn play(
        &self,
        turn: &Turn,
        number: usize,
        dialect: Dialect,
        output: &mut &TcpStream,
        state: &State,
    ) -> io::Result<()> {
        if let Some(failure) = &turn.failure {
            let usual = || self.wire.error(failure.status, &failure.message).to_string();
            let body = failure.body.clone().unwrap_or_else(usual);
            return http::answer(output, failure.status, &turn.headers, &body);
        }
        let reply = self.reply(turn, number, dialect, state);
        if !self.wire.is_streamed(self.path, self.body) {
            let whole = match self.wire {
                Wire::Messages => anthropic::whole(&reply),
                Wire::Responses => responses::whole(&reply),
                Wire::Chat => chat::whole(&reply),
                Wire::Gemini => gemini::whole(&reply),
            };
            return http::answer(output, 200, &turn.headers, &whole.to_string());
        }
        let pieces = match self.wire {
            Wire::Messages => anthropic::stream(&reply),
            Wire::Responses => responses::stream(&reply),
            Wire::Chat => chat::stream(&reply),
            Wire::Gemini => gemini::stream(&reply),
        };
        http::begin(output, &turn.headers)?;
        for piece in pieces {
            match piece {
                Piece::Event(name, data) => {
                    http::event(output, name.as_deref(), &data.to_string())?;
                }
                Piece::Done => http::event(output, None, "[DONE]")?,
                Piece::Stall => stall(state),
            }
        }
        http::end(output)
    }

    fn reply(&self, turn: &Turn, number: usize, dialect: Dialect, state: &State) -> Reply {
        let (mut calls, mut edits) = (Vec::new(), String::new());
        for act in &turn.acts {
            match dialect.put(act, &state.directory) {
                Put::Call(call) => calls.push(call),
                Put::Text(edit) => edits = format!("{edits}{edit}\n"),
            }
        }
        // Edits come before what it says, so that a claim still ends the answer.
        let text = match turn.text.as_deref() {
            None if edits.is_empty() => None,
            text => Some(edits + text.unwrap_or_default()),
        };
        let model = self.wire.model(self.path, self.body);
        Reply { number, model, text, calls, tokens: turn.tokens, stalls: turn.stalls }
    }
}

/// Says nothing more until the model goes away.
fn stall(state: &State) {
    state.stalled();
    while !state.is_over() {
        thread::sleep(Duration::from_millis(20));
    }
}
