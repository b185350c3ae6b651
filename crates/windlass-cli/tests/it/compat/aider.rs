//! Aider.

use super::{real::Real, scenes};

const AIDER: Real = Real {
    name: "aider",
    model: "openai/scripted-model",
    model_on_wire: "scripted-model",
    has_tools: false,
    point: |_, url| {
        vec![
            ("OPENAI_API_BASE", format!("{url}/v1")),
            ("OPENAI_API_KEY", "dummy".to_owned()),
            ("AIDER_EDIT_FORMAT", "diff".to_owned()),
        ]
    },
    // Else it looks for prices beyond loopback.
    flags: &["--env", "LITELLM_LOCAL_MODEL_COST_MAP=True"],
};

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_loop_comes_to_its_proof() {
    let proven = scenes::a_loop_to_its_proof(&AIDER);
    // It counts by itself, and in round numbers.
    let usage = &proven.result["usage"];
    assert!(usage["input_tokens"].as_u64().is_some_and(|tokens| tokens > 1000), "{usage}");
    assert!(usage["output_tokens"].as_u64().is_some_and(|tokens| tokens > 10), "{usage}");
    assert!(usage["cost_usd"].is_null(), "it knows no price of this model: {usage}");
    insta::assert_snapshot!(proven.log, @r"
    ━━━ Iteration 1 of at most 5 ━━━
      │ The notes are begun.
      ▸ edits notes.txt
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 5 ━━━
      │ All of it is done.
      │ <promise>COMPLETE</promise>
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 5 ━━━
      │ Now it is mended.
      │ <promise>COMPLETE</promise>
      │ Now it is mended.
      │ <promise>COMPLETE</promise>
      ▸ edits notes.txt
    iteration 3: [time], 1 file changed
    ");
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_limit_of_the_provider_stops_the_loop() {
    // It tries again for a minute by itself, and tells no end of the limit.
    scenes::a_limit_stops_the_loop(&AIDER, "fail 429 Rate limit reached");
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_key_that_is_not_taken_stops_the_loop_at_once() {
    scenes::a_key_that_is_not_taken_stops_the_loop(&AIDER);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_cancel_in_mid_stream_leaves_nothing_behind() {
    scenes::a_cancel_in_mid_stream_leaves_nothing(&AIDER);
}
