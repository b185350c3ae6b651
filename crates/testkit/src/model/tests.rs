//! The model, asked by plain HTTP.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};

use super::*;

const READ_LIMIT: Duration = Duration::from_secs(10);

fn model(script: &str) -> Model {
    Model::start(Script::parse(script).unwrap(), "/w").unwrap()
}

/// Sends one request and gives all that comes back until the server closes or stands still.
fn ask(model: &Model, path: &str, body: &Value, limit: Duration) -> String {
    let mut stream = TcpStream::connect(model.url().trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(limit)).unwrap();
    let body = body.to_string();
    let length = body.len();
    write!(stream, "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n\r\n{body}")
        .unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    // A time-out is what tells a stall.
    drop(stream.read_to_end(&mut answer));
    String::from_utf8(answer).unwrap()
}

/// The data of all events.
fn events(answer: &str) -> Vec<Value> {
    let data = answer.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|data| serde_json::from_str(data).ok()).collect()
}

fn tools(wire: Wire, names: &[&str]) -> Value {
    match wire {
        Wire::Gemini => {
            let names: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
            json!([{ "functionDeclarations": names }])
        }
        Wire::Chat => names.iter().map(|name| json!({"function": {"name": name}})).collect(),
        _ => names.iter().map(|name| json!({ "name": name })).collect(),
    }
}

/// All protocols: the path, and tools by which a program is known.
const WIRES: [(Wire, &str, &[&str]); 4] = [
    (Wire::Messages, "/v1/messages", &["Write", "Bash"]),
    (Wire::Responses, "/v1/responses", &["apply_patch", "exec_command"]),
    (Wire::Chat, "/v1/chat/completions", &["write", "bash"]),
    (Wire::Gemini, "/v1beta/models/m:streamGenerateContent?alt=sse", &["run_shell_command"]),
];

/// The strings under this key, anywhere, put together.
fn joined(events: &[Value], key: &str) -> String {
    fn collect(value: &Value, key: &str, found: &mut String) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    match field {
                        Value::String(text) if name == key => found.push_str(text),
                        _ => collect(field, key, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, key, found)),
            _ => {}
        }
    }
    let mut found = String::new();
    events.iter().for_each(|event| collect(event, key, &mut found));
    found
}

#[test]
fn a_text_is_streamed_in_every_protocol_and_comes_whole() {
    for (wire, path, names) in WIRES {
        let model = model("say All is done, and well.\ntokens 11 7 3");
        let body = json!({"model": "m", "stream": true, "tools": tools(wire, names)});
        let answer = ask(&model, path, &body, READ_LIMIT);
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.ends_with("0\r\n\r\n"), "{answer}");
        let events = events(&answer);
        let key = match wire {
            Wire::Messages | Wire::Gemini => "text",
            Wire::Responses => "delta",
            Wire::Chat => "content",
        };
        assert_eq!(joined(&events, key), "All is done, and well.", "{wire:?}");
        let usage = match wire {
            Wire::Messages => events[0]["message"]["usage"]["input_tokens"].clone(),
            Wire::Responses => events.last().unwrap()["response"]["usage"]["input_tokens"].clone(),
            Wire::Chat => events.last().unwrap()["usage"]["prompt_tokens"].clone(),
            Wire::Gemini => events[0]["usageMetadata"]["promptTokenCount"].clone(),
        };
        assert_eq!(usage, if wire == Wire::Messages { 8 } else { 11 }, "{wire:?}");
    }
}

#[test]
fn a_file_is_written_with_the_tool_of_each_program() {
    let expected = [
        r#"{"file_path":"/w/a.txt","content":"one\ntwo"}"#,
        "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch",
        r#"{"filePath":"/w/a.txt","content":"one\ntwo"}"#,
        r#"{"file_path":"/w/a.txt","content":"one\ntwo"}"#,
    ];
    for ((wire, path, names), expected) in WIRES.into_iter().zip(expected) {
        let model = model("write a.txt one\\ntwo");
        let body = json!({"model": "m", "stream": true, "tools": tools(wire, names)});
        let events = events(&ask(&model, path, &body, READ_LIMIT));
        let input = match wire {
            Wire::Messages => joined(&events, "partial_json"),
            Wire::Responses => joined(&events, "delta"),
            Wire::Chat => joined(&events, "arguments"),
            Wire::Gemini => {
                let parts = &events.last().unwrap()["candidates"][0]["content"]["parts"];
                parts[0]["functionCall"]["args"].to_string()
            }
        };
        assert_eq!(input, expected, "{wire:?}");
    }
}

#[test]
fn an_answer_that_is_not_streamed_comes_in_one_piece() {
    for (wire, path, names) in WIRES {
        let model = model("say Whole.\nrun make");
        let path = path.replace("streamGenerateContent?alt=sse", "generateContent");
        let body = json!({"model": "m", "tools": tools(wire, names)});
        let answer = ask(&model, &path, &body, READ_LIMIT);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("application/json"), "{head}");
        let body: Value = serde_json::from_str(body).unwrap();
        assert!(body.to_string().contains("Whole.") && body.to_string().contains("make"), "{body}");
    }
}

#[test]
fn errors_have_the_status_the_headers_and_the_form_of_the_protocol() {
    for (wire, path, names) in WIRES {
        let model = model("fail 429 slow down\nheader retry-after: 3600\nalways");
        let body = json!({"stream": true, "tools": tools(wire, names)});
        for _ in 0..2 {
            let answer = ask(&model, path, &body, READ_LIMIT);
            assert!(answer.starts_with("HTTP/1.1 429 Too Many Requests\r\n"), "{answer}");
            assert!(answer.contains("\r\nretry-after: 3600\r\n"), "{answer}");
            let body: Value =
                serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
            assert_eq!(body["error"]["message"], "slow down", "{wire:?}");
        }
    }
}

#[test]
fn a_stall_leaves_the_answer_cut_in_its_middle() {
    for (wire, path, names) in WIRES {
        let model = model("say A long answer that will be cut in its middle.\nstall");
        let body = json!({"stream": true, "tools": tools(wire, names)});
        let answer = ask(&model, path, &body, Duration::from_millis(300));
        assert!(!answer.ends_with("0\r\n\r\n"), "{wire:?}: {answer}");
        assert!(answer.contains("A long") && !answer.contains("middle"), "{wire:?}: {answer}");
        assert_eq!(model.stalls(), 1);
    }
}

#[test]
fn requests_on_the_side_take_no_turn() {
    let model = model("say The only turn.");
    let title = json!({"messages": [{"role": "user", "content": "Generate a title"}]});
    assert!(ask(&model, "/v1/chat/completions", &title, READ_LIMIT).contains("Scripted title"));
    assert!(ask(&model, "/v1/messages/count_tokens", &json!({}), READ_LIMIT).contains("1000"));
    assert!(ask(&model, "/v1/telemetry", &json!({}), READ_LIMIT).starts_with("HTTP/1.1 404"));
    assert_eq!(model.turns(), 0);
    assert_eq!(model.records().len(), 3);
    // Aider has no tools, and teaches edits in its prompt instead.
    let edit = json!({"messages": [{"role": "system", "content": "Use *SEARCH/REPLACE* blocks"}]});
    assert!(ask(&model, "/v1/chat/completions", &edit, READ_LIMIT).contains("The only turn."));
    assert_eq!(model.main_records().len(), 1);
    assert!(model.main_records()[0].says("SEARCH/REPLACE"));
}

#[test]
fn a_script_that_is_over_is_an_error_and_never_a_claim() {
    let model = model("say <promise>COMPLETE</promise>");
    let body = json!({"tools": tools(Wire::Messages, &["Write"])});
    assert!(ask(&model, "/v1/messages", &body, READ_LIMIT).contains("COMPLETE"));
    let second = ask(&model, "/v1/messages", &body, READ_LIMIT);
    assert!(second.starts_with("HTTP/1.1 400"), "{second}");
    assert!(second.contains("the script has no turn for request 2"), "{second}");
}

#[test]
fn a_body_in_chunks_is_read_and_a_connection_is_used_again() {
    let model = model("say One.\nnext\nsay Two.");
    let mut stream = TcpStream::connect(model.url().trim_start_matches("http://")).unwrap();
    let body = json!({"tools": [{"name": "Write"}]}).to_string();
    for _ in 0..2 {
        let (first, rest) = body.split_at(7);
        let head = "POST /v1/messages HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n";
        let chunk = |part: &str| format!("{:x}\r\n{part}\r\n", part.len());
        stream
            .write_all(format!("{head}{}{}0\r\n\r\n", chunk(first), chunk(rest)).as_bytes())
            .unwrap();
    }
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap();
    assert!(answers.find("One.").unwrap() < answers.find("Two.").unwrap(), "{answers}");
}
