//! Reviewers' answers and their right reading: a corpus, and what holds for every text.

use proptest::prelude::*;
use windlass_core::verdict::{Verdict, read};

const ANSWERS: &str = include_str!("verdict/answers.txt");

/// One answer of the corpus.
struct Answer<'a> {
    expected: &'a str,
    title: &'a str,
    text: String,
}

fn answers() -> Vec<Answer<'static>> {
    let parts = ANSWERS.split("\n=== ").skip(1);
    parts
        .map(|part| {
            let (head, text) = part.split_once('\n').unwrap_or((part, ""));
            let (expected, title) = head.split_once(" | ").expect("a reading and a title");
            Answer { expected, title, text: unescaped(text.trim_end_matches('\n')) }
        })
        .collect()
}

fn unescaped(text: &str) -> String {
    let mut pieces = text.split("\\u");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = u32::from_str_radix(&piece[..4], 16).expect("four hexadecimal digits");
        plain.extend(char::from_u32(code));
        plain.push_str(&piece[4..]);
    }
    plain.replace("\\r", "\r").replace("\\t", "\t")
}

/// Colours are no words: an answer that has them is read, and handed on, without.
fn without_colours(text: &str) -> String {
    windlass_core::text::sanitise::text(text).into_owned()
}

/// A verdict in the words of the corpus.
fn shown(verdict: Option<Verdict>, text: &str) -> String {
    match verdict {
        None => "nothing".to_owned(),
        Some(Verdict::Approved { remark }) if remark.is_empty() => "approved".to_owned(),
        Some(Verdict::Approved { remark }) => format!("approved: {remark}"),
        Some(Verdict::Feedback { text: feedback }) => {
            let plain =
                if text.contains('\u{1b}') { without_colours(text) } else { text.to_owned() };
            let before = plain.strip_suffix(&feedback).expect("feedback is verbatim");
            match before.lines().count() {
                0 => "feedback".to_owned(),
                lines => format!("feedback from {}", lines + 1),
            }
        }
    }
}

#[test]
fn every_answer_has_its_right_reading() {
    let answers = answers();
    assert!(answers.len() >= 100, "the corpus was not found: {}", answers.len());
    let mut wrong = Vec::new();
    for answer in answers {
        let read = shown(read(&answer.text), &answer.text);
        // From the first line on is the whole of it.
        let expected = answer.expected.replace("feedback from 1", "feedback");
        if read != expected {
            wrong.push(format!("{}: {expected}, and not {read}", answer.title));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_answer_reads_the_same_with_windows_line_ends() {
    for answer in answers().iter().filter(|answer| !answer.text.contains('\r')) {
        let other = answer.text.replace('\n', "\r\n");
        assert_eq!(shown(read(&other), &other), shown(read(&answer.text), &answer.text));
    }
}

#[test]
fn no_answer_is_approved_once_feedback_follows_it() {
    for answer in answers() {
        let text = format!("{}\n\nFEEDBACK: one more thing", answer.text);
        let verdict = read(&text);
        assert!(matches!(verdict, Some(Verdict::Feedback { .. })), "{}", answer.title);
    }
}

fn is_approved(text: &str) -> bool {
    matches!(read(text), Some(Verdict::Approved { .. }))
}

proptest! {
    #[test]
    fn reading_never_fails_and_feedback_is_verbatim(text in r"(\PC|[\n\r\t>#*_`~: .-]|APPROVED|FEEDBACK:){0,60}") {
        match read(&text) {
            None => prop_assert!(text.chars().all(|c| !c.is_alphanumeric())),
            Some(Verdict::Approved { .. }) => prop_assert!(text.contains("APPROVED")),
            Some(Verdict::Feedback { text: feedback }) => prop_assert!(text.ends_with(&feedback)),
        }
    }

    #[test]
    fn feedback_on_a_line_is_never_approved(
        before in r"(APPROVED[.:]?|[a-z>#*_`~ -]|<!--|<pre>|\n){0,20}",
        marks in r"(#{1,3} )?[*_]{0,3}",
        after in r"(APPROVED[.:]?|[a-z>#*_`~ -]|\n){0,20}"
    ) {
        let text = format!("{before}\n{marks}FEEDBACK:{after}");
        prop_assert!(!is_approved(&text));
    }

    #[test]
    fn a_fence_or_a_quote_never_approves(
        lines in proptest::collection::vec(r"[a-z #*]{0,6}(APPROVED[.:]?[a-z *]{0,6})?", 1..6),
        mark in prop_oneof![Just("```"), Just("~~~"), Just("`````")],
        info in "[a-z]{0,4}",
        is_closed in any::<bool>()
    ) {
        let inner = lines.join("\n");
        let end = if is_closed { mark } else { "" };
        let fenced = format!("so:\n{mark}{info}\n{inner}\n{end}\n");
        prop_assert!(!is_approved(&fenced));
        let quoted: Vec<_> = lines.iter().map(|line| format!("> {line}")).collect();
        prop_assert!(!is_approved(&quoted.join("\n")));
        let indented: Vec<_> = lines.iter().map(|line| format!("    {line}")).collect();
        prop_assert!(!is_approved(&indented.join("\n")));
    }

    #[test]
    fn a_line_of_its_own_approves_whatever_plain_words_are_around_it(
        before in "([A-Z][a-z ]{3,9}\\.\n){0,4}", after in "(\n[A-Z][a-z ]{3,9}\\.){0,4}"
    ) {
        let text = format!("{before}APPROVED{after}");
        prop_assert!(is_approved(&text));
    }
}
