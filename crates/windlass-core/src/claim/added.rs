//! Which part of a prompt is the user's, and which windlass added. What windlass adds never counts
//! when it is printed back.

use crate::status;

/// How the iteration context begins.
pub(crate) const CONTEXT: &str = "---\nThis is iteration ";

/// The user's part of a prompt, and what was added to it.
pub(crate) fn parts(prompt: &str) -> (&str, &str) {
    let begin = |mark: String| prompt.rfind(&mark);
    // Where nothing but the lesson is added, it stands after the same line.
    let lesson = || begin(format!("\n\n---\n{}", status::LESSON));
    match begin(format!("\n\n{CONTEXT}")).or_else(lesson) {
        Some(at) => prompt.split_at(at),
        None => (prompt, ""),
    }
}
