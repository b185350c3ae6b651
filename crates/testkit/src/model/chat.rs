//! OpenAI Chat Completions.

use serde_json::{Value, json};

use super::reply::{Piece, Reply};

/// The answer in one piece.
pub(super) fn whole(reply: &Reply) -> Value {
    let mut message = json!({"role": "assistant", "content": reply.text});
    if !reply.calls.is_empty() {
        let calls = (0..reply.calls.len()).map(|index| call(reply, index));
        message["tool_calls"] = calls.collect();
    }
    json!({
        "id": reply.id("chatcmpl-"), "object": "chat.completion", "created": 1,
        "model": reply.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason(reply),
                     "logprobs": null}],
        "usage": usage(reply),
    })
}

/// The answer in pieces.
pub(super) fn stream(reply: &Reply) -> Vec<Piece> {
    let chunk = |delta: Value, finish: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish, "logprobs": null});
        Piece::plain(frame(reply, json!([choice])))
    };
    let mut pieces = vec![chunk(json!({"role": "assistant", "content": ""}), None)];
    pieces.extend(reply.pieces(|text| chunk(json!({"content": text}), None)));
    for index in 0..reply.calls.len() {
        let mut call = call(reply, index);
        call["index"] = index.into();
        pieces.push(chunk(json!({"tool_calls": [call]}), None));
    }
    pieces.push(chunk(json!({}), Some(finish_reason(reply))));
    let mut last = frame(reply, json!([]));
    last["usage"] = usage(reply);
    pieces.push(Piece::plain(last));
    pieces.push(Piece::Done);
    pieces
}

fn frame(reply: &Reply, choices: Value) -> Value {
    json!({"id": reply.id("chatcmpl-"), "object": "chat.completion.chunk", "created": 1,
           "model": reply.model, "choices": choices})
}

fn call(reply: &Reply, index: usize) -> Value {
    let call = &reply.calls[index];
    let arguments = call.input.value().to_string();
    json!({"id": format!("{}{index}", reply.id("call_")), "type": "function",
           "function": {"name": call.name, "arguments": arguments}})
}

fn finish_reason(reply: &Reply) -> &'static str {
    if reply.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn usage(reply: &Reply) -> Value {
    let tokens = reply.tokens;
    json!({"prompt_tokens": tokens.input, "completion_tokens": tokens.output,
           "total_tokens": tokens.input + tokens.output,
           "prompt_tokens_details": {"cached_tokens": tokens.cached}})
}
