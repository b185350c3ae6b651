//! OpenAI Responses.

use serde_json::{Value, json};

use super::reply::{Call, Input, Piece, Reply};

/// The answer in one piece.
pub(super) fn whole(reply: &Reply) -> Value {
    response(reply, "completed", &items(reply))
}

/// The answer in pieces.
pub(super) fn stream(reply: &Reply) -> Vec<Piece> {
    let items = items(reply);
    let at_work = response(reply, "in_progress", &[]);
    let mut pieces = vec![
        Piece::typed(json!({"type": "response.created", "response": at_work})),
        Piece::typed(json!({"type": "response.in_progress", "response": at_work})),
    ];
    for (index, item) in items.iter().enumerate() {
        pieces.extend(item_pieces(reply, index, item));
    }
    let done = response(reply, "completed", &items);
    pieces.push(Piece::typed(json!({"type": "response.completed", "response": done})));
    number(&mut pieces);
    pieces
}

/// Counts the events, as this protocol wants it.
fn number(pieces: &mut [Piece]) {
    let events = pieces.iter_mut().filter_map(|piece| match piece {
        Piece::Event(_, event) => Some(event),
        Piece::Done | Piece::Stall => None,
    });
    for (number, event) in events.enumerate() {
        event["sequence_number"] = number.into();
    }
}

fn items(reply: &Reply) -> Vec<Value> {
    let mut items: Vec<Value> = Vec::new();
    if let Some(text) = &reply.text {
        items.push(json!({"type": "message", "id": reply.id("msg_"), "role": "assistant",
                          "status": "completed", "content": [part(text)]}));
    }
    items.extend(reply.calls.iter().enumerate().map(|(index, call)| item(reply, index, call)));
    items
}

fn item(reply: &Reply, index: usize, call: &Call) -> Value {
    let call_id = format!("{}{index}", reply.id("call_"));
    match &call.input {
        Input::Free(input) => json!({
            "type": "custom_tool_call", "id": format!("{}{index}", reply.id("ctc_")),
            "call_id": call_id, "name": call.name, "input": input, "status": "completed",
        }),
        Input::Object(input) => json!({
            "type": "function_call", "id": format!("{}{index}", reply.id("fc_")),
            "call_id": call_id, "name": call.name, "arguments": input.to_string(),
            "status": "completed",
        }),
    }
}

fn item_pieces(reply: &Reply, index: usize, item: &Value) -> Vec<Piece> {
    let event = |kind: &str, field: &str, value: &Value| {
        let mut event = json!({"type": kind, "item_id": item["id"], "output_index": index});
        if kind.contains("output_text") || kind.contains("content_part") {
            event["content_index"] = 0.into();
        }
        event[field] = value.clone();
        Piece::typed(event)
    };
    // The field that is filled piece by piece, and the name of the events that do it.
    let (field, events, empty) = match item["type"].as_str() {
        Some("message") => ("content", "response.output_text", json!([])),
        Some("function_call") => ("arguments", "response.function_call_arguments", json!("")),
        _ => ("input", "response.custom_tool_call_input", json!("")),
    };
    let mut added = item.clone();
    added["status"] = "in_progress".into();
    added[field] = empty;
    let added = json!({"type": "response.output_item.added", "output_index": index, "item": added});
    let mut pieces = vec![Piece::typed(added)];
    if field == "content" {
        let text = Value::from(reply.text.clone());
        pieces.push(event("response.content_part.added", "part", &part("")));
        pieces.extend(
            reply.pieces(|text| event("response.output_text.delta", "delta", &text.into())),
        );
        pieces.push(event("response.output_text.done", "text", &text));
        pieces.push(event("response.content_part.done", "part", &item["content"][0]));
    } else {
        pieces.push(event(&format!("{events}.delta"), "delta", &item[field]));
        pieces.push(event(&format!("{events}.done"), field, &item[field]));
    }
    pieces.push(Piece::typed(
        json!({"type": "response.output_item.done", "output_index": index, "item": item}),
    ));
    pieces
}

fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": []})
}

fn response(reply: &Reply, status: &str, output: &[Value]) -> Value {
    let tokens = reply.tokens;
    let usage = (status == "completed").then(|| {
        json!({"input_tokens": tokens.input,
               "input_tokens_details": {"cached_tokens": tokens.cached},
               "output_tokens": tokens.output,
               "output_tokens_details": {"reasoning_tokens": 0},
               "total_tokens": tokens.input + tokens.output})
    });
    json!({
        "id": reply.id("resp_"), "object": "response", "created_at": 1, "status": status,
        "model": reply.model, "output": output, "error": null, "incomplete_details": null,
        "usage": usage, "parallel_tool_calls": false, "tool_choice": "auto", "tools": [],
        "metadata": {},
    })
}
