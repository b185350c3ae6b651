//! Anthropic Messages.

use serde_json::{Value, json};

use super::reply::{Piece, Reply};

/// The answer in one piece.
pub(super) fn whole(reply: &Reply) -> Value {
    let mut content: Vec<Value> =
        reply.text.iter().map(|text| json!({"type": "text", "text": text})).collect();
    content.extend(reply.calls.iter().enumerate().map(|(index, call)| {
        json!({"type": "tool_use", "id": tool_id(reply, index), "name": call.name,
               "input": call.input.value()})
    }));
    let mut message = message(reply, content, reply.tokens.output);
    message["stop_reason"] = stop_reason(reply).into();
    message
}

/// The answer in pieces.
pub(super) fn stream(reply: &Reply) -> Vec<Piece> {
    let start = json!({"type": "message_start", "message": message(reply, Vec::new(), 1)});
    let mut pieces = vec![Piece::typed(start), Piece::typed(json!({"type": "ping"}))];
    let mut index = 0;
    if reply.text.is_some() {
        pieces.push(block_start(index, json!({"type": "text", "text": ""})));
        pieces
            .extend(reply.pieces(|text| delta(index, json!({"type": "text_delta", "text": text}))));
        pieces.push(block_stop(index));
        index += 1;
    }
    for (number, call) in reply.calls.iter().enumerate() {
        let id = tool_id(reply, number);
        pieces.push(block_start(
            index,
            json!({"type": "tool_use", "id": id, "name": call.name, "input": {}}),
        ));
        let input = call.input.value().to_string();
        pieces.push(delta(index, json!({"type": "input_json_delta", "partial_json": input})));
        pieces.push(block_stop(index));
        index += 1;
    }
    pieces.push(Piece::typed(json!({
        "type": "message_delta",
        "delta": {"stop_reason": stop_reason(reply), "stop_sequence": null},
        "usage": {"output_tokens": reply.tokens.output},
    })));
    pieces.push(Piece::typed(json!({"type": "message_stop"})));
    pieces
}

/// The message around its content. Here, and only here, what was cached is not part of the input.
fn message(reply: &Reply, content: Vec<Value>, output: u64) -> Value {
    json!({
        "id": reply.id("msg_"), "type": "message", "role": "assistant", "model": reply.model,
        "content": content, "stop_reason": null, "stop_sequence": null,
        "usage": {
            "input_tokens": reply.tokens.input.saturating_sub(reply.tokens.cached),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": reply.tokens.cached,
            "output_tokens": output,
            "service_tier": "standard",
        },
    })
}

fn stop_reason(reply: &Reply) -> &'static str {
    if reply.calls.is_empty() { "end_turn" } else { "tool_use" }
}

fn tool_id(reply: &Reply, index: usize) -> String {
    format!("{}{index}", reply.id("toolu_"))
}

fn block_start(index: usize, block: Value) -> Piece {
    Piece::typed(json!({"type": "content_block_start", "index": index, "content_block": block}))
}

fn delta(index: usize, delta: Value) -> Piece {
    Piece::typed(json!({"type": "content_block_delta", "index": index, "delta": delta}))
}

fn block_stop(index: usize) -> Piece {
    Piece::typed(json!({"type": "content_block_stop", "index": index}))
}
