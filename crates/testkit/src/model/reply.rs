//! One answer, before it is put into the words of a protocol.

use serde_json::Value;

use super::script::Tokens;

/// How many characters a piece of a streamed text has. Small, so that a claim is cut into many.
const PIECE: usize = 8;

/// One answer of the model.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    /// Which request it answers, for ids that differ.
    pub(super) number: usize,
    pub(super) model: String,
    pub(super) text: Option<String>,
    pub(super) calls: Vec<Call>,
    pub(super) tokens: Tokens,
    /// Whether it stops in the middle of its text.
    pub(super) stalls: bool,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) name: &'static str,
    pub(super) input: Input,
}

/// What a tool is given.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Input {
    Object(Value),
    /// Text without a form, which only OpenAI's Responses have.
    Free(String),
}

impl Input {
    /// The input as JSON.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Object(value) => value.clone(),
            Self::Free(text) => Value::from(text.as_str()),
        }
    }
}

/// A piece of a streamed answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// An event, with its name where the protocol has names.
    Event(Option<String>, Value),
    /// The last line of Chat Completions.
    Done,
    /// Nothing more comes, and the connection stays open.
    Stall,
}

impl Piece {
    /// An event that is named by its `type`.
    pub(super) fn typed(value: Value) -> Self {
        Self::Event(value["type"].as_str().map(str::to_owned), value)
    }

    /// An event without a name.
    pub(super) fn plain(value: Value) -> Self {
        Self::Event(None, value)
    }
}

impl Reply {
    /// An id of this answer, with the beginning that its protocol wants.
    pub(super) fn id(&self, beginning: &str) -> String {
        format!("{beginning}scripted{:04}", self.number)
    }

    /// The text in pieces, each made an event, with the stall in its middle.
    pub(super) fn pieces(&self, mut event: impl FnMut(&str) -> Piece) -> Vec<Piece> {
        let letters: Vec<char> = self.text.iter().flat_map(|text| text.chars()).collect();
        let chunks = letters.chunks(PIECE).map(|chunk| chunk.iter().collect::<String>());
        let mut pieces: Vec<Piece> = chunks.map(|chunk| event(&chunk)).collect();
        if self.stalls {
            pieces.insert(pieces.len() / 2, Piece::Stall);
        }
        pieces
    }
}
