//! What a reviewer's final message says: approved, or feedback. Reading never fails and does no
//! I/O; in doubt it is feedback, for that costs one more round, and a false approval the work.
//!
//! A line that is `APPROVED`, whatever marks, emoji or label stand around it, approves, unless it is
//! code, quoted, hidden, the middle of a sentence, or hangs on a condition. A line that begins with `FEEDBACK:` is feedback to the end of the message, and wherever
//! it stands nothing is approved.

mod aside;
mod line;
mod marks;
mod words;

use self::{
    aside::{Asides, Place},
    line::Says,
    marks::is_blank,
};
use crate::text::{prose, sanitise};

/// A reviewer's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The work may stay as it is.
    Approved {
        /// The words that follow on the approving line; often there are none.
        remark: String,
    },
    /// Something must change.
    Feedback {
        /// What the reviewer said, word for word.
        text: String,
    },
}

/// Reads a reviewer's final message; `None` where it says nothing at all, which is a session that
/// failed and no verdict.
pub fn read(final_message: &str) -> Option<Verdict> {
    if final_message.contains('\u{1b}') {
        // The colours of a plain command are not its words.
        return read(&sanitise::text(final_message));
    }
    if is_blank(final_message) {
        return None;
    }
    let mut found = Found::default();
    let mut asides = Asides::default();
    for line in prose::lines(final_message) {
        let place = asides.place(&line);
        let says = line::read(line.text);
        match (place, says) {
            (Place::Code | Place::Hidden, Says::Feedback { .. }) => found.is_denied = true,
            (Place::Own | Place::Quote, Says::Feedback { words }) => {
                found.is_denied = true;
                found.feedback_at(line.start, words);
            }
            (Place::Own, says) => found.own_line(line.text, says),
            _ => (),
        }
    }
    Some(found.verdict(final_message))
}

/// What was found so far.
#[derive(Debug, Default)]
struct Found<'a> {
    /// Where the feedback begins, and whether words follow there.
    feedback: Option<(usize, bool)>,
    is_denied: bool,
    approved: Option<&'a str>,
    /// An approval that what follows may make a part of a sentence, and whether it must go on.
    pending: Option<(&'a str, bool)>,
    /// The last own line that was not blank.
    before: &'a str,
}

impl<'a> Found<'a> {
    fn feedback_at(&mut self, start: usize, words: line::Words) {
        if words != line::Words::Unmarked {
            self.feedback.get_or_insert((start, words == line::Words::Follow));
        }
    }

    fn own_line(&mut self, text: &'a str, says: Says<'a>) {
        if is_blank(text) {
            return;
        }
        match self.pending.take() {
            Some((_, true)) if line::sets_conditions(text) => self.is_denied = true,
            Some((remark, _)) if !line::goes_on(text) => {
                self.approved.get_or_insert(remark);
            }
            _ => (),
        }
        match says {
            Says::Denial => self.is_denied = true,
            Says::Approval { remark, is_open } if !line::leads_on(self.before) => {
                self.pending = Some((remark, is_open));
            }
            _ => (),
        }
        self.before = text;
    }

    fn verdict(self, message: &str) -> Verdict {
        let approved = self.approved.or(self.pending.map(|(remark, _)| remark));
        if let Some(remark) = approved.filter(|_| !self.is_denied) {
            return Verdict::Approved { remark: remark.to_owned() };
        }
        // A bare `FEEDBACK:` at the end stands for what was said before it.
        let start = self.feedback.map_or(0, |(start, has_words)| {
            let rest = message[start..].split_once('\n').map_or("", |(_, rest)| rest);
            if has_words || !is_blank(rest) { start } else { 0 }
        });
        Verdict::Feedback { text: message[start..].to_owned() }
    }
}
