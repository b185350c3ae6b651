//! The lines of Claude Code's JSON stream that hold what tools answered: most of its bytes, of which
//! a line each is shown; and what hooks said to the agent.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

use crate::{
    long_text, raw,
    summary::{LongWords, Words, beginning},
};

/// How a line begins as Claude Code writes it, up to its message.
const UP_TO_MESSAGE: &[u8] = br#"{"type":"user","message":"#;

/// How a long answer begins.
const CONTENT: &[u8] = br#""content":""#;

/// Answers that are shorter than this are read whole.
const LONG: usize = 1024;

/// How much is looked at before a long answer, and behind it, to read what it is.
const AROUND: usize = 512;

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct User {
    pub message: UserMessage,
}

impl User {
    /// Reads a line as far as it matters: of a long answer its beginning. Behind the message the
    /// answer stands once more, in another form, and may have megabytes.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let message = line.strip_prefix(UP_TO_MESSAGE).filter(|rest| rest.ends_with(b"}"));
        let message = message.and_then(|message| {
            let short = shortened(message).and_then(|short| UserMessage::read(&short));
            short
                .or_else(|| UserMessage::read(message))
                .or_else(|| UserMessage::read_lossy(message))
        });
        message.map(|message| Self { message }).or_else(|| raw::parse(line))
    }
}

/// The beginning of a message with its first answer cut; `None` where that is not long.
fn shortened(message: &[u8]) -> Option<Vec<u8>> {
    let head = &message[..message.len().min(AROUND)];
    let start = memchr::memmem::find(head, CONTENT)? + CONTENT.len();
    let text = long_text::before_quote(&message[start..]).filter(|text| text.len() >= LONG)?;
    let tail = &message[start + text.len()..];
    let tail = &tail[..tail.len().min(AROUND)];
    Some([&message[..start], beginning(text)?.as_bytes(), tail].concat())
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct UserMessage {
    #[serde(default)]
    pub content: Answers,
}

impl UserMessage {
    /// Reads a message, whatever follows it.
    fn read(message: &[u8]) -> Option<Self> {
        Self::deserialize(&mut serde_json::Deserializer::from_slice(message)).ok()
    }

    /// The same where it is not UTF-8.
    fn read_lossy(message: &[u8]) -> Option<Self> {
        match String::from_utf8_lossy(message) {
            Cow::Borrowed(_) => None,
            Cow::Owned(replaced) => Self::read(replaced.as_bytes()),
        }
    }
}

/// The answers of tools; a user's words in their place are none.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Answers(pub Vec<Answer>);

impl<'de> Deserialize<'de> for Answers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnswersVisitor)
    }
}

struct AnswersVisitor;

impl<'de> Visitor<'de> for AnswersVisitor {
    type Value = Answers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("words or a list of answers")
    }

    fn visit_str<E>(self, _: &str) -> Result<Answers, E> {
        Ok(Answers::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Answers, A::Error> {
        let mut answers = Answers::default();
        while let Some(answer) = list.next_element()? {
            answers.0.push(answer);
        }
        Ok(answers)
    }
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Answer {
    #[serde(rename = "type")]
    pub kind: Words,
    #[serde(default)]
    pub content: LongWords,
    #[serde(default)]
    pub text: LongWords,
    pub is_error: Option<bool>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How it reads without a shorter way.
    fn plainly(line: &[u8]) -> Option<User> {
        let message = line.strip_prefix(UP_TO_MESSAGE).filter(|rest| rest.ends_with(b"}"));
        let message = message.and_then(|message| {
            UserMessage::read(message).or_else(|| UserMessage::read_lossy(message))
        });
        message.map(|message| User { message }).or_else(|| raw::parse(line))
    }

    fn line(text: &str, after: &str) -> String {
        format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"t","type":"tool_result","content":"{text}"{after}}}]}},"session_id":"s","tool_use_result":{{"stdout":"{text}"}}}}"#
        )
    }

    #[test]
    fn a_long_answer_is_read_by_its_beginning() {
        let text = r#"  7\tlet a = \"ä\";\n"#.repeat(1000);
        let line = line(&text, r#","is_error":true"#);
        assert!(shortened(&line.as_bytes()[UP_TO_MESSAGE.len()..]).unwrap().len() < 2 * LONG);
        let user = User::read(line.as_bytes()).unwrap();
        let answer = &user.message.content.0[0];
        assert!(answer.content.0.starts_with("  7\tlet a = \"ä\";\n"));
        assert_eq!((answer.kind.0.as_str(), answer.is_error), ("tool_result", Some(true)));
        assert_eq!(Some(user), plainly(line.as_bytes()));
    }

    proptest! {
        #[test]
        fn the_short_way_reads_the_same_as_the_long_one_whatever_is_garbled(
            unit in prop::sample::select(vec![
                "let a = 1;", r"\n", r#"\"q\""#, r"\\", r"\u00e4", r"\ud83d\ude00", "ä", "word ",
            ]),
            times in 300_usize..3000,
            lead in 0_usize..8,
            after in prop::sample::select(vec![
                "",
                r#","is_error":true"#,
                r#"},{"type":"tool_result","content":"second""#,
                r#","content":"twice""#,
                r#","x":[1,2],"content_":"no""#,
            ]),
            faults in prop::collection::vec((0.0..1.0, prop::sample::select(vec![
                &b"\""[..], b"\\", b"\n", b"\xff", b"{", b"}", b"", b"\"content\":\"", b"x",
            ])), 0..3),
        ) {
            let text = format!("{}{}", "x".repeat(lead), unit.repeat(times));
            let mut line = line(&text, after).into_bytes();
            for (at, fault) in faults {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a line")]
                let at = (at * line.len() as f64) as usize;
                line.splice(at..at + 1, fault.iter().copied());
            }
            prop_assert_eq!(User::read(&line), plainly(&line));
        }
    }
}
