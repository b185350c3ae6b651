//! Sessions that end while work of their own runs in the background: what they claim, what the
//! proof says of it, and what the next session is told. The agents play recorded sessions.

use crate::{
    recorded::{asked, play, recorded},
    world,
};

/// The words that tell the next session what was lost.
const TOLD: &str = "ended while this was running in the background, and it was killed: `sleep 200`";

#[test]
fn without_checks_a_claim_that_left_work_in_the_background_does_not_count() {
    let env = world();
    let (lost, done) =
        (recorded("claude", "background-lost"), recorded("claude", "background-done"));
    play(&env, "claude", &[&lost, &done], "");
    let call = ["iterate", "-p", "fix it", "--agent", "claude", "--failure-threshold", "1"];
    let ran = env.windlass(call);
    insta::assert_snapshot!(ran.snapshot());
    let shown = env.windlass(["show", "--json"]).success().json();
    let outcome = &shown["sessions"][0]["outcome"];
    assert_eq!(outcome, &serde_json::json!({"type": "cut_short", "reason": "background"}));
    assert!(!asked(&env, "claude", 1).contains(TOLD));
    assert!(asked(&env, "claude", 2).contains(TOLD), "{}", asked(&env, "claude", 2));
}

#[test]
fn with_checks_the_claim_is_judged_and_the_lost_work_is_a_doubt() {
    let env = world();
    play(&env, "claude", &[&recorded("claude", "background-lost")], "");
    let ran = env.windlass(["iterate", "-p", "fix it", "--agent", "claude", "--check", "true"]);
    insta::assert_snapshot!(ran.snapshot());
    let result = env.windlass(["show", "--json"]).success().json()["result"].clone();
    assert_eq!(result["verified"], true);
    let doubts = result["proof"]["doubts"].clone();
    assert_eq!(doubts[0]["detector"], "background", "{doubts}");
    let reason = "the session ended while this was running in the background: `sleep 200`";
    assert_eq!(doubts[0]["reason"], reason);
}

#[test]
fn a_rejected_claim_is_told_with_what_was_lost() {
    let env = world();
    play(&env, "claude", &[&recorded("claude", "background-lost")], "");
    let call = ["iterate", "-p", "fix it", "--agent", "claude", "--check", "false"];
    env.windlass([call.as_slice(), &["--max-iterations", "2", "-q"]].concat()).code(1);
    let prompt = asked(&env, "claude", 2);
    assert!(
        prompt.contains(TOLD) && prompt.contains("The last claim was not accepted"),
        "{prompt}"
    );
}

#[test]
fn background_work_that_ended_in_time_or_was_waited_for_is_not_lost() {
    for case in ["background-done", "background-late"] {
        let env = world();
        play(&env, "claude", &[&recorded("claude", case)], "");
        let ran = env.windlass(["iterate", "-p", "fix it", "--agent", "claude", "--json"]);
        let result = ran.success().json();
        assert_eq!(result["iterations"], 1, "{case}: {result}");
        assert_eq!(result["proof"]["doubts"], serde_json::json!([]), "{case}");
    }
}

#[test]
fn codex_and_gemini_are_understood_too() {
    for (agent, before) in
        [("codex", ""), ("gemini", "setsid sleep 200 > /dev/null 2>&1 < /dev/null &")]
    {
        let env = world();
        play(&env, agent, &[&recorded(agent, "background-lost")], before);
        let call = ["iterate", "-p", "fix it", "--agent", agent, "--max-iterations", "2", "-q"];
        env.windlass(call).code(1);
        let shown = env.windlass(["show", "--json"]).success().json();
        assert_eq!(shown["sessions"][0]["outcome"]["reason"], "background", "{agent}: {shown}");
        assert!(asked(&env, agent, 2).contains(TOLD), "{agent}: {}", asked(&env, agent, 2));
    }
}

#[test]
fn what_gemini_had_in_the_background_and_is_over_is_not_lost() {
    let env = world();
    play(&env, "gemini", &[&recorded("gemini", "background-lost")], "");
    env.windlass(["iterate", "-p", "fix it", "--agent", "gemini", "-q"]).success();
}

#[test]
fn a_developer_is_told_what_the_session_before_lost() {
    let env = world();
    let lost = recorded("claude", "background-lost").replace("<promise>COMPLETE</promise>", "");
    play(&env, "claude", &[&lost], "");
    let feedback = r#"{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"Change x.\n\nVERDICT: CHANGES REQUESTED"}}
{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}"#;
    play(&env, "codex", &[feedback], "");
    let call = ["develop", "-p", "fix it", "--developer", "claude", "--reviewer", "codex"];
    env.windlass([call.as_slice(), &["--max-iterations", "2", "-q"]].concat()).code(1);
    assert!(!asked(&env, "claude", 1).contains(TOLD));
    assert!(asked(&env, "claude", 2).contains(TOLD), "{}", asked(&env, "claude", 2));
    assert!(!asked(&env, "codex", 1).contains(TOLD));
}
