//! What the stand-in does wrong when it is told to.

use std::time::Duration;

use serde_json::Value;

/// One way to misbehave, for one request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The connection is closed, and nothing is done.
    DropTheRequest,
    /// It is done, and the connection is closed without an answer.
    LoseTheAnswer,
    /// It is done, and the connection is closed in the middle of the answer.
    CutTheAnswer,
    /// It is done, and the answer says that the server has trouble.
    DoneBut(u16),
    /// Nothing is done, and this is the answer.
    Answer {
        /// Its status.
        status: u16,
        /// Its headers.
        headers: Vec<(String, String)>,
        /// Its body.
        body: Value,
    },
    /// The answer takes this long; what is asked for is done at once.
    Slow(Duration),
    /// The answer has no end.
    Endless,
    /// The pull request is pushed to before the request is answered.
    MoveHead(String),
}

impl Fault {
    /// An answer with a message, as GitHub gives them.
    pub fn status(status: u16, message: &str) -> Self {
        Self::with_headers(status, message, &[])
    }

    /// The same with headers.
    pub fn with_headers(status: u16, message: &str, headers: &[(&str, &str)]) -> Self {
        let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        Self::Answer { status, headers, body: serde_json::json!({"message": message}) }
    }
}
