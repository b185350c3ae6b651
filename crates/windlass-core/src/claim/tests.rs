//! Tests of claims: what counts, and everything that only looks like it.

use proptest::prelude::*;

use super::*;
use crate::options::PromiseMatch;

const TAG: &str = "<promise>COMPLETE</promise>";

/// What a plain command with this prompt claims; `{}` stands for the tag.
fn printed(claiming: &Claiming, prompt: &str, stdout: &str) -> ClaimReading {
    let mut scanner = OutputScanner::new(claiming, &prompt.replace("{}", TAG));
    for line in stdout.replace("{}", TAG).lines() {
        scanner.line(line.as_bytes());
    }
    scanner.finish()
}

/// A reading in a word: `claims`, `nothing`, or why it is a near miss.
fn shown(reading: &ClaimReading) -> String {
    match (&reading.by, &reading.near_miss) {
        (Some(_), None) => "claims".to_owned(),
        (None, Some(miss)) => serde_json::to_value(miss.why).unwrap().as_str().unwrap().to_owned(),
        (None, None) => "nothing".to_owned(),
        (Some(_), Some(_)) => panic!("a claim and a near miss: {reading:?}"),
    }
}

/// What agents say, with its right reading, both in a final message and printed by a plain command.
const SAID: &[(&str, &str)] = &[
    ("{}", "claims"),
    ("  {}  ", "claims"),
    ("All is well.\n\n{}\n", "claims"),
    ("{}\nbye", "claims"),
    ("Done. {}", "claims"),
    ("Done. {}\n\n", "claims"),
    ("Done: {}", "claims"),
    ("I finished everything, so here it is: {}", "claims"),
    // What stands around it and says nothing.
    ("**{}**", "claims"),
    ("*{}*\nbye", "claims"),
    ("__{}__", "claims"),
    ("***{}***", "claims"),
    ("`{}`", "claims"),
    ("`{}`\nbye", "claims"),
    ("**`{}`**", "claims"),
    ("\"{}\"", "claims"),
    ("'{}'", "claims"),
    ("“{}”\nbye", "claims"),
    ("{}.", "claims"),
    ("{}.\nbye", "claims"),
    ("**{}**.", "claims"),
    ("{}!", "claims"),
    ("- {}", "claims"),
    ("* {}\nbye", "claims"),
    ("1. {}", "claims"),
    ("- [x] {}", "claims"),
    ("- **{}**", "claims"),
    ("## {}", "claims"),
    ("Done: **{}**.", "claims"),
    ("\u{1b}[32m{}\u{1b}[0m", "claims"),
    ("\u{1b}[1m\u{1b}[32m{}\u{1b}[0m\nbye", "claims"),
    ("\u{1b}[2K\rDone. \u{1b}[32m{}\u{1b}[0m", "claims"),
    ("{}\r", "claims"),
    // Other case, and inner spaces.
    ("<promise>complete</promise>", "claims"),
    ("<Promise>Complete</Promise>", "claims"),
    ("<PROMISE>COMPLETE</PROMISE>\nbye", "claims"),
    ("<promise> COMPLETE </promise>", "claims"),
    ("<promise>\tCOMPLETE</promise>", "claims"),
    ("< promise >COMPLETE</ promise >", "claims"),
    // Only the sentence that holds the tag is looked at.
    ("I did not change the tests. {}", "claims"),
    ("It never worked before! {}", "claims"),
    ("Is that not it? {}", "claims"),
    ("I did not touch the API\n{}", "claims"),
    ("Not a single test fails.\n{}", "claims"),
    ("The tests don't fail any more. Done: {}", "claims"),
    ("Nothing is left, and another note is written: {}", "claims"),
    ("Version 1.2.3 is done: {}", "claims"),
    ("It is done -> {}", "claims"),
    ("I am not done, so I will not print {}", "negated"),
    ("I can't print {}", "negated"),
    ("I can’t say {}", "negated"),
    ("I cannot say {}.", "negated"),
    ("I will never print {}", "negated"),
    ("I wait until I may print {}", "negated"),
    ("More is to be done before {}", "negated"),
    ("Nothing is said unless it is {}", "negated"),
    ("Tests pass. I do NOT yet say {}", "negated"),
    // Quotes.
    ("> {}", "quoted"),
    ("> {}\nsaid the prompt", "quoted"),
    ("> Done: {}", "quoted"),
    (">> {}", "quoted"),
    ("- > {}", "quoted"),
    ("The prompt says: > {}", "quoted"),
    // Inside a line.
    ("Not {} yet.", "inside_a_line"),
    ("I will print {} when I am done", "inside_a_line"),
    ("{} is what I would print", "inside_a_line"),
    ("{}?", "inside_a_line"),
    ("| {} |", "inside_a_line"),
    ("<!-- {} -->", "inside_a_line"),
    ("I will end with {}\nand now I go on", "not_the_last_line"),
    ("Done: {}\n\nbye", "not_the_last_line"),
    // Code.
    ("Say this:\n```\n{}\n```", "code_block"),
    ("```text\n{}\n```\nlater", "code_block"),
    ("~~~\n{}\n~~~", "code_block"),
    ("````\n```\n{}\n```\n````", "code_block"),
    ("```\n{}", "code_block"),
    ("As code:\n\n    {}\n", "code_block"),
    ("As code:\n\n\t{}\n", "code_block"),
    ("- so:\n  ```\n  {}\n  ```", "code_block"),
    ("```\nx\n```\n{}", "claims"),
    ("```\n{}\n```\n{}", "claims"),
    // Other tags.
    ("<promise>COMPLETED</promise>", "other_words"),
    ("<promise>DONE</promise>", "other_words"),
    ("<promise>NOT COMPLETE</promise>", "other_words"),
    ("<promise></promise>", "other_words"),
    ("<promise>\nCOMPLETE\n</promise>", "several_lines"),
    // Nothing.
    ("COMPLETE", "nothing"),
    ("promise COMPLETE", "nothing"),
    ("<promise>COMPLETE", "nothing"),
    ("<premise>COMPLETE</premise>", "nothing"),
    ("", "nothing"),
    // The last near miss is told, and a claim beats all of them.
    ("> {}\nI do not say {}", "negated"),
    ("> {}\n{}\n> {}", "claims"),
];

#[test]
fn everything_that_agents_say_has_its_right_reading() {
    let claiming = Claiming::default();
    let mut wrong = Vec::new();
    for (text, expected) in SAID {
        let message = shown(&in_message(&claiming, &text.replace("{}", TAG)));
        let output = shown(&printed(&claiming, "go", text));
        if message != *expected || output != *expected {
            wrong.push(format!("{text:?}: {expected}, and not {message} (printed: {output})"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Prompts, what a plain command printed, and its right reading.
const ECHOES: &[(&str, &str, &str)] = &[
    ("Mend it.\nThen say:\n{}", "Mend it.\nThen say:\n{}", "echo"),
    ("Mend it.\nThen say:\n{}", "banner\nMend it.\nThen say:\n{}\nbye", "echo"),
    ("Mend it.\nThen say:\n{}", "Prompt: Mend it.\nThen say:\n{}", "echo"),
    ("Mend it.\nThen say:\n{}", "\"Mend it.\nThen say:\n{}\"", "echo"),
    ("Mend it.\nThen say:\n{}", "  Mend it.\n\n  Then say:\n  {}", "echo"),
    ("Mend it.\nThen say:\n{}", "Mend it.\nThen say:\n{}\nmended it\n{}", "claims"),
    ("Mend it.\nThen say:\n{}", "mended it\n{}", "claims"),
    // It obeys, and its line happens to be the prompt's.
    ("Mend it.\nThen say:\n{}", "Then say:\n{}", "claims"),
    ("Mend it.\nAnswer with:\nResult: ok\n{}", "Result: ok\n{}", "claims"),
    ("Mend it.\nAnswer with:\nResult: ok\n{}", "mended\nResult: ok\n{}\n", "claims"),
    ("Mend it.\n\n{}", "Mend it.\n\n{}", "echo"),
    ("Mend it.\n\n{}", "mended\n\n{}", "claims"),
    ("Mend it.\nSay {} at the end.\nGo.", "Mend it.\nSay {} at the end.\nGo.", "echo"),
    ("Mend it and say {}", "Mend it and say {}", "echo"),
    ("Mend it and say {}", "> asked:\nMend it and say {}", "echo"),
    ("Mend it and say {}", "Prompt: Mend it and say {}", "echo"),
    ("Mend it and say {}", "{}", "claims"),
    ("Mend it and say {}", "I have mended it: {}", "claims"),
    ("go\n{}", "lets go\n{}", "claims"),
    // A prompt that is nothing but the tag is wanted back.
    ("{}", "{}", "claims"),
    ("\n  {}  \n", "{}", "claims"),
    ("`{}`", "`{}`", "claims"),
    ("{}", "did the work\n{}", "claims"),
    // One that begins with it is not, but an agent that obeys it is.
    ("{}\nis what you say when you are done", "{}\nis what you say when you are done", "echo"),
    ("{}\nis what you say when you are done", "{}", "claims"),
    ("{}\nis what you say when you are done", "{}\nbye", "claims"),
    ("{}\nis what you say when you are done", "I am done: {}", "claims"),
    ("{}\nis what you say when you are done", "did the work\n{}", "claims"),
];

#[test]
fn an_echo_repeats_the_prompt_from_its_beginning() {
    let mut wrong = Vec::new();
    for (prompt, stdout, expected) in ECHOES {
        let found = shown(&printed(&Claiming::default(), prompt, stdout));
        if found != *expected {
            wrong.push(format!("{stdout:?} after {prompt:?}: {expected}, and not {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_block_of_the_prompt_that_is_printed_back_does_not_count_and_one_of_the_agent_does() {
    let block = "---LOOP_STATUS---\nSTATUS: COMPLETE\n---END_LOOP_STATUS---";
    let prompt = format!("Go on.\nReport:\n{block}\nNothing else.");
    let read = |stdout: &str| shown(&printed(&Claiming::default(), &prompt, stdout));
    assert_eq!(read(&prompt), "nothing");
    assert_eq!(read(block), "claims");
    assert_eq!(read(&format!("Report:\n{block}")), "claims");
    assert_eq!(read(&format!("{prompt}\nI did it.\n{block}")), "claims");
    assert_eq!(read(&format!("So:\n```\n{block}\n```")), "code_block");
}

#[test]
fn text_match_takes_the_words_anywhere_but_not_inside_others() {
    let claiming = Claiming {
        promise: "all tests  pass".to_owned(),
        promise_match: PromiseMatch::Text,
        ..Claiming::default()
    };
    for (text, claims) in [
        ("now ALL TESTS PASS, I think\nbye", true),
        ("**All tests pass**", true),
        ("> all tests pass", true),
        ("```\nall tests pass\n```", true),
        ("all tests passed", false),
        ("small tests pass", false),
        ("not_all tests pass", false),
        ("all tests pass_through", false),
    ] {
        assert_eq!(in_message(&claiming, text).by.is_some(), claims, "{text}");
        assert_eq!(printed(&claiming, "go", text).by.is_some(), claims, "{text}");
    }
    // The user opted in: also the words of the prompt count when they come back.
    let prompt = "say when All tests pass";
    assert!(printed(&claiming, prompt, prompt).by.is_some());
    // But never what windlass added to it.
    let added = format!("go\n\n{CONTEXT}2 of 5.\nClaim it: say \"all tests pass\" then.\n");
    assert_eq!(printed(&claiming, &added, &added), ClaimReading::default());
    assert!(printed(&claiming, &added, "all tests pass").by.is_some());
}

#[test]
fn what_windlass_added_is_no_near_miss_when_it_is_printed_back() {
    let prompt = format!("go\n\n{CONTEXT}2 of 5.\nClaim it: print {TAG} on a line.\n");
    assert_eq!(printed(&Claiming::default(), &prompt, &prompt), ClaimReading::default());
    let user = format!("{TAG}\n\n{CONTEXT}2 of 5.\nClaim it: print {TAG} on a line.\n");
    assert_eq!(shown(&printed(&Claiming::default(), &user, &user)), "claims");
}

#[test]
fn a_claim_of_a_session_that_failed_is_a_near_miss() {
    let crashed = Outcome::Crashed { signal: None, code: Some(1) };
    let reading = of_session(&Claiming::default(), &crashed, TAG);
    assert_eq!(shown(&reading), "failed_session");
    assert_eq!(reading.near_miss.unwrap().text, TAG);
}

#[test]
fn a_status_block_that_says_no_beats_the_tag() {
    let text = format!("{TAG}\n---LOOP_STATUS---\nEXIT_SIGNAL: false\n---END_LOOP_STATUS---");
    assert_eq!(shown(&in_message(&Claiming::default(), &text)), "status_says_no");
}

#[test]
fn strict_completion_says_what_it_misses() {
    let claiming = Claiming { strict_completion: true, ..Claiming::default() };
    let block = "---LOOP_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_LOOP_STATUS---";
    let read = |text: &str| shown(&in_message(&claiming, text));
    assert_eq!(read(TAG), "no_exit_signal");
    assert_eq!(read(block), "too_few_phrases");
    assert_eq!(read(&format!("All done.\n{block}")), "too_few_phrases");
    assert_eq!(read(&format!("All is done. Nothing is left to do.\n{block}")), "claims");
    assert_eq!(read("All is done. Nothing is left to do."), "nothing");
}

#[test]
fn an_agent_that_obeys_the_lesson_of_strict_completion_claims() {
    let claiming = Claiming { strict_completion: true, ..Claiming::default() };
    let lesson = crate::status::lesson(&claiming);
    let quoted: Vec<&str> = lesson.split('"').skip(1).step_by(2).take(2).collect();
    let answer = format!(
        "{}. {}.\n---LOOP_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_LOOP_STATUS---",
        quoted[0], quoted[1]
    );
    assert_eq!(shown(&in_message(&claiming, &answer)), "claims", "{answer}");
    // The phrases of a lesson that is printed back are not the agent's.
    let prompt = format!("go\n\n---\n{lesson}");
    let block = answer.split_once('\n').unwrap().1;
    let printed = printed(&claiming, &prompt, &format!("{prompt}\n{block}"));
    assert_eq!(shown(&printed), "too_few_phrases");
}

#[test]
fn an_empty_promise_leaves_the_claim_to_the_exit() {
    let claiming = Claiming { promise: String::new(), ..Claiming::default() };
    assert_eq!(tag(&claiming.promise), None);
    assert_eq!(printed(&claiming, "go", "<promise></promise>").by, Some(ClaimedBy::Exit));
}

#[test]
fn a_near_miss_is_one_short_line() {
    let text = format!("I will not\tsay {TAG}{}", "x".repeat(1000));
    let miss = in_message(&Claiming::default(), &text).near_miss.unwrap();
    assert!(miss.text.len() < 310 && miss.text.ends_with('…') && !miss.text.contains('\t'));
}

proptest! {
    #[test]
    fn lines_that_are_passed_over_together_claim_what_they_claim_one_by_one(
        prompt in "([ab> ]{0,2}(<promise>COMPLETE</promise>)?\n){0,4}",
        blocks in proptest::collection::vec(
            "([ab> ]{0,2}(<promise>COMPLETE</promise>|```)?\n){1,4}", 1..5
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
        first in "[a-c]{1,3}",
        lines in proptest::collection::vec("[a-c ]{0,3}(<promise>COMPLETE</promise>)?", 1..6)
    ) {
        let prompt = format!("{first}\n{}", lines.join("\n"));
        let mut scanner = OutputScanner::new(&Claiming::default(), &prompt);
        prompt.lines().for_each(|line| scanner.line(line.as_bytes()));
        prop_assert_eq!(scanner.finish().by, None);
    }

    #[test]
    fn a_line_of_its_own_claims_whatever_else_is_said(
        before in "[a-z\n ]{0,40}", after in "[a-z\n ]{0,40}"
    ) {
        let mut scanner = OutputScanner::new(&Claiming::default(), "go");
        format!("{before}\n{TAG}\n{after}").lines().for_each(|line| scanner.line(line.as_bytes()));
        prop_assert!(scanner.finish().by.is_some());
    }

    #[test]
    fn reading_never_fails(text in r"(\PC|[\n\r\t>#*_`~: .-]|</?promise ?>|complete){0,40}") {
        let reading = in_message(&Claiming::default(), &text);
        prop_assert!(reading.by.is_none() || reading.near_miss.is_none());
        prop_assert!(printed(&Claiming::default(), &text, &text).by.is_none() || text.contains("</"));
    }
}

#[test]
fn a_report_of_being_blocked_voids_a_claim_and_is_no_echo() {
    let claiming = Claiming::default();
    let report = "<blocked>no key; ask Ann</blocked>";
    let both = format!("{TAG}\n{report}");
    for reading in [in_message(&claiming, &both), printed(&claiming, "go on", &both)] {
        assert_eq!(reading.blocked.as_deref(), Some("no key; ask Ann"));
        assert_eq!(shown(&reading), "blocked", "the claim is void");
    }
    let status = "---LOOP_STATUS---\nSTATUS: BLOCKED\nRECOMMENDATION: a key\n---END_LOOP_STATUS---";
    assert_eq!(in_message(&claiming, status).blocked.as_deref(), Some("a key"));
    let code = format!("```\n{report}\n```\n");
    assert_eq!(in_message(&claiming, &code).blocked, None);
    assert_eq!(printed(&claiming, "go on", &code).blocked, None);
    let prompt = format!("If you cannot go on, print\n{report}\nand stop.");
    assert_eq!(printed(&claiming, &prompt, &prompt).blocked, None, "the prompt, printed back");
    assert!(printed(&claiming, &prompt, report).blocked.is_some(), "an answer with a template");
    let failed = Outcome::Crashed { code: Some(1), signal: None };
    assert_eq!(of_session(&claiming, &failed, report).blocked, None);
}
