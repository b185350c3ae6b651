//! Tests of claims: what counts, and everything that only looks like it.

use proptest::prelude::*;

use super::*;
use crate::options::PromiseMatch;

const TAG: &str = "<promise>COMPLETE</promise>";

#[track_caller]
fn output(prompt: &str, stdout: &str, claims: bool) {
    let mut scanner = OutputScanner::new(&Claiming::default(), prompt);
    for line in stdout.lines() {
        scanner.line(line.as_bytes());
    }
    assert_eq!(scanner.finish().by.is_some(), claims, "{stdout:?} after the prompt {prompt:?}");
}

#[track_caller]
fn message(text: &str, claims: bool) {
    assert_eq!(in_message(&Claiming::default(), text).by.is_some(), claims, "{text:?}");
}

#[test]
fn a_tag_alone_on_a_line_claims() {
    output("go", TAG, true);
    output("go", &format!("working\n  {TAG}  \nbye"), true);
    message(&format!("All is well.\n\n{TAG}\n"), true);
}

#[test]
fn a_tag_at_the_end_of_the_last_line_claims() {
    output("go", &format!("working\nAll done. {TAG}"), true);
    output("go", &format!("working\nAll done. {TAG}\n\n"), true);
    output("go", &format!("I will end with {TAG}\nbut not yet"), false);
    message(&format!("Done: {TAG}"), true);
    message(&format!("I end with {TAG}\nlater."), false);
}

#[test]
fn a_tag_inside_a_sentence_does_not_claim() {
    output("go", &format!("I shall not print {TAG} before I am done"), false);
    message(&format!("Not {TAG} yet."), false);
}

#[test]
fn other_words_in_the_tag_do_not_claim() {
    output("go", "<promise>complete</promise>", false);
    output("go", "<promise>COMPLETED</promise>", false);
    output("go", "<promise> COMPLETE </promise>", false);
}

#[test]
fn an_echo_of_the_prompt_does_not_claim() {
    let prompt = format!("Mend it.\nThen say:\n{TAG}");
    output(&prompt, &prompt, false);
    output(&prompt, &format!("banner\n{prompt}\nbye"), false);
    output(&prompt, &format!("{prompt}\nmended it\n{TAG}"), true);
    output(&prompt, &format!("mended it\n{TAG}"), true);
    let prompt = format!("Mend it and say {TAG}");
    output(&prompt, &prompt, false);
    output(&prompt, &format!("> asked:\n{prompt}"), false);
    output(&prompt, TAG, true);
}

#[test]
fn blank_lines_around_an_echo_change_nothing() {
    let prompt = format!("Mend it.\n\n{TAG}");
    output(&prompt, &prompt, false);
    output(&prompt, &format!("mended\n\n{TAG}"), true);
}

#[test]
fn a_prompt_that_is_nothing_but_the_tag_has_no_line_before_it() {
    output(TAG, TAG, false);
    output(TAG, &format!("did the work\n{TAG}"), true);
}

#[test]
fn a_code_block_or_quote_in_a_message_does_not_claim() {
    message(&format!("Say this:\n```\n{TAG}\n```"), false);
    message(&format!("Say this:\n~~~text\n{TAG}\n~~~\nlater"), false);
    message(&format!("````\n```\n{TAG}\n```\n````"), false);
    message(&format!("As code:\n\n    {TAG}\n"), false);
    message(&format!("> {TAG}\nsaid the prompt"), false);
    message(&format!("`{TAG}`"), false);
    message(&format!("```\nx\n```\n{TAG}"), true);
}

#[test]
fn text_match_takes_the_words_anywhere_but_not_inside_others() {
    let claiming = Claiming {
        promise: "all tests  pass".to_owned(),
        promise_match: PromiseMatch::Text,
        ..Claiming::default()
    };
    let claims = |stdout: &str| {
        let mut scanner = OutputScanner::new(&claiming, "say when All tests pass");
        stdout.lines().for_each(|line| scanner.line(line.as_bytes()));
        scanner.finish().by.is_some()
    };
    assert!(claims("now ALL TESTS PASS, I think\nbye"));
    assert!(!claims("all tests passed"));
    assert!(!claims("say when All tests pass"));
    assert!(!claims("small tests pass"));
}

#[test]
fn an_empty_promise_leaves_the_claim_to_the_exit() {
    let claiming = Claiming { promise: String::new(), ..Claiming::default() };
    assert_eq!(tag(&claiming.promise), None);
    let mut scanner = OutputScanner::new(&claiming, "go");
    scanner.line(b"<promise></promise>");
    assert_eq!(scanner.finish().by, Some(ClaimedBy::Exit));
}

proptest! {
    #[test]
    fn lines_that_are_passed_over_together_claim_what_they_claim_one_by_one(
        prompt in "([ab ]{0,2}(<promise>COMPLETE</promise>)?\n){0,4}",
        blocks in proptest::collection::vec(
            "([ab ]{0,2}(<promise>COMPLETE</promise>)?\n){1,4}", 1..5
        )
    ) {
        let mut together = OutputScanner::new(&Claiming::default(), &prompt);
        let mut apart = together.clone();
        for block in &blocks {
            if !together.pass_over(block.as_bytes()) {
                block.lines().for_each(|line| together.line(line.as_bytes()));
            }
            block.lines().for_each(|line| apart.line(line.as_bytes()));
        }
        prop_assert_eq!(together.finish(), apart.finish());
    }

    #[test]
    fn an_echoed_prompt_never_claims(
        lines in proptest::collection::vec("[a-c ]{0,3}(<promise>COMPLETE</promise>)?", 1..6)
    ) {
        let prompt = lines.join("\n");
        let mut scanner = OutputScanner::new(&Claiming::default(), &prompt);
        prompt.lines().for_each(|line| scanner.line(line.as_bytes()));
        prop_assert_eq!(scanner.finish(), ClaimReading::default());
    }

    #[test]
    fn a_line_of_its_own_claims_whatever_else_is_said(
        before in "[a-z\n ]{0,40}", after in "[a-z\n ]{0,40}"
    ) {
        let mut scanner = OutputScanner::new(&Claiming::default(), "go");
        format!("{before}\n{TAG}\n{after}").lines().for_each(|line| scanner.line(line.as_bytes()));
        prop_assert!(scanner.finish().by.is_some());
    }
}
