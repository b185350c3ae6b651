//! Gemini `generateContent`.

use serde_json::{Value, json};

use super::reply::{Piece, Reply};

/// The answer in one piece.
pub(super) fn whole(reply: &Reply) -> Value {
    let mut parts: Vec<Value> = reply.text.iter().map(|text| json!({"text": text})).collect();
    parts.extend(calls(reply));
    content(reply, parts, Some("STOP"))
}

/// The answer in pieces.
pub(super) fn stream(reply: &Reply) -> Vec<Piece> {
    let mut pieces =
        reply.pieces(|text| Piece::plain(content(reply, vec![json!({"text": text})], None)));
    let mut last = calls(reply);
    if last.is_empty() {
        last.push(json!({"text": ""}));
    }
    pieces.push(Piece::plain(content(reply, last, Some("STOP"))));
    pieces
}

fn calls(reply: &Reply) -> Vec<Value> {
    let calls = reply.calls.iter();
    calls
        .map(|call| json!({"functionCall": {"name": call.name, "args": call.input.value()}}))
        .collect()
}

fn content(reply: &Reply, parts: Vec<Value>, finish: Option<&str>) -> Value {
    let tokens = reply.tokens;
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    if let Some(finish) = finish {
        candidate["finishReason"] = finish.into();
    }
    json!({
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": tokens.input,
            "candidatesTokenCount": tokens.output,
            "totalTokenCount": tokens.input + tokens.output,
            "cachedContentTokenCount": tokens.cached,
        },
        "modelVersion": reply.model,
        "responseId": reply.id(""),
    })
}
