//! What every real agent must come through: a loop to its proof, a limit, a key that is not
//! taken, and a cancel in the middle of an answer.

use std::time::{Duration, SystemTime};

use serde_json::Value;
use testkit::{Ran, wait_until};

use super::real::{Real, Stage};

/// How long a program may take to its first request.
const START_LIMIT: Duration = Duration::from_secs(120);

/// What each turn of the loop is said to have used: input, output, and how much was cached.
const TOKENS: &str = "tokens 1000 10 200";

/// A loop that came to its proof.
pub(super) struct Proven {
    /// The result object.
    pub(super) result: Value,
    /// How many requests the model had.
    pub(super) requests: u64,
    /// What `windlass log` tells of the agent, masked.
    pub(super) log: String,
}

/// Iteration 1 edits and does not claim, iteration 2 claims too early, iteration 3 mends it.
pub(super) fn a_loop_to_its_proof(agent: &'static Real) -> Proven {
    let script = if agent.has_tools {
        format!(
            "say I begin with the notes.\nwrite notes.txt one\\nit is broken\\n\n{TOKENS}\nnext\n\
             say The notes are begun.\n{TOKENS}\nnext\n\
             say All of it is done.\nsay <promise>COMPLETE</promise>\n{TOKENS}\nnext\n\
             read notes.txt\n{TOKENS}\nnext\n\
             edit notes.txt it is broken => it is mended\n{TOKENS}\nnext\n\
             run wc -l notes.txt\n{TOKENS}\nnext\n\
             say Now it is mended.\nsay <promise>COMPLETE</promise>\n{TOKENS}"
        )
    } else {
        // The first change of a file that it has not seen is dropped, and asked for again.
        let mends = "edit notes.txt it is broken => it is mended\n\
                     say Now it is mended.\nsay <promise>COMPLETE</promise>";
        format!(
            "write notes.txt one\\nit is broken\\n\nsay The notes are begun.\nnext\n\
             say All of it is done.\nsay <promise>COMPLETE</promise>\nnext\n\
             {mends}\nnext\n{mends}"
        )
    };
    let stage = Stage::new(agent, &script);
    let check = "printf 'looking for the %s line\\n' mended; grep -q 'it is mended' *.txt";
    let ran = stage.iterate(&["--check", check, "--max-iterations", "5"]).run().success();
    let result = ran.json();
    assert_eq!(result["ending"]["type"], "done", "{ran}");
    assert_eq!(result["ending"]["by"], "promise", "{ran}");
    assert_eq!(result["verified"], true, "{ran}");
    assert_eq!(result["iterations"], 3, "{ran}");
    assert_eq!(result["sessions"], 3, "{ran}");
    assert_eq!(result["agent"], agent.name, "{ran}");
    assert_eq!(stage.env.read("notes.txt"), "one\nit is mended\n");

    let requests = stage.requests();
    assert!(requests[0].says("Mend the notes."), "{:?}", requests[0]);
    assert!(
        requests[0].says("claim it: print <promise>COMPLETE</promise>"),
        "it is taught at once"
    );
    assert!(!requests[0].says("looking for the mended line"), "no check has run yet");
    let last = requests.last().expect("there were requests");
    assert!(last.says("looking for the mended line"), "the check's words go into the prompt");

    let shown = stage.env.windlass(["show", "--json"]).success().json();
    let claims: Vec<_> = shown["iterations"].as_array().into_iter().flatten().collect();
    assert_eq!(claims.len(), 3, "{shown}");
    for session in shown["sessions"].as_array().into_iter().flatten() {
        assert_eq!(session["outcome"]["type"], "finished", "{session}");
    }
    let log = told_of_the_agent(&stage.env.windlass(["log"]).success().masked_stdout());
    Proven { result, requests: requests.len() as u64, log }
}

/// An agent that is done in its first session needs no other: it is told there how to claim. Gives what
/// `windlass show` tells of the session.
pub(super) fn one_session_is_enough(agent: &'static Real) -> Value {
    let stage = Stage::new(agent, "say It is done.\nsay <promise>COMPLETE</promise>");
    let ran = stage.iterate(&["--check", "true"]).run().success();
    let result = ran.json();
    assert_eq!(result["ending"]["type"], "done", "{ran}");
    assert_eq!((&result["iterations"], &result["sessions"]), (&1.into(), &1.into()), "{ran}");
    let requests = stage.requests();
    for words in ["Mend the notes.", "print <promise>COMPLETE</promise>", "<blocked>what is"] {
        assert!(requests[0].says(words), "{words}: {:?}", requests[0]);
    }
    only_session(&stage, &ran)
}

/// Of the log what the agent said and did, and what came of it. What the program says of itself,
/// banners and warnings, comes on another stream and anywhere, so it is left out.
fn told_of_the_agent(log: &str) -> String {
    let said = ["I begin", "The notes are", "All of it", "Now it is", "<promise>"];
    let is_told = |line: &&str| match line.trim().split_once(' ') {
        Some(("│", text)) => said.iter().any(|beginning| text.starts_with(beginning)),
        Some((mark, _)) => matches!(mark, "━━━" | "▸" | "◂" | "iteration"),
        None => false,
    };
    log.lines().filter(is_told).map(|line| format!("{line}\n")).collect()
}

impl Proven {
    /// Every token that the model told was counted once.
    #[track_caller]
    pub(super) fn all_tokens_were_counted(&self) {
        let usage = &self.result["usage"];
        assert_eq!(usage["input_tokens"], self.requests * 1000, "{usage}");
        assert_eq!(usage["output_tokens"], self.requests * 10, "{usage}");
    }
}

/// A provider's limit, with `--on-limit stop`; gives the session's outcome.
pub(super) fn a_limit_stops_the_loop(agent: &'static Real, answer: &str) -> Value {
    let stage = Stage::new(agent, &format!("{answer}\nalways"));
    let ran = stage.iterate(&["--on-limit", "stop"]).run().code(5);
    let result = ran.json();
    assert_eq!(result["ending"]["type"], "limited", "{ran}");
    assert_eq!(result["rate_limit_hit"], true, "{ran}");
    let outcome = only_session(&stage, &ran)["outcome"].clone();
    assert_eq!(outcome["type"], "limited", "{ran}");
    outcome
}

/// A provider's limit that is over at `reset`, since the epoch: the loop waits for it and goes on.
pub(super) fn a_limit_is_waited_for(agent: &'static Real, answer: &str, reset: Duration) {
    let stage = Stage::new(agent, &format!("{answer}\nnext\nsay <promise>COMPLETE</promise>"));
    let ran = stage.iterate(&["--max-iterations", "1"]).run().success();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock");
    assert!(now >= Duration::from_secs(reset.as_secs()), "it did not wait: {ran}");
    let result = ran.json();
    assert_eq!(result["ending"]["type"], "done", "{ran}");
    assert_eq!(result["iterations"], 1, "{ran}");
    assert_eq!(result["sessions"], 2, "{ran}");
    assert_eq!(result["rate_limit_hit"], true, "{ran}");
    assert_eq!(stage.requests().len(), 2, "{ran}");
}

/// A key that is not taken: nothing is tried again.
pub(super) fn a_key_that_is_not_taken_stops_the_loop(agent: &'static Real) {
    let stage = Stage::new(agent, "fail 401 the key is not valid\nalways");
    let ran = stage.iterate(&[]).run().code(5);
    assert_eq!(ran.json()["ending"]["type"], "agent_failed", "{ran}");
    let session = only_session(&stage, &ran);
    assert_eq!(session["outcome"]["type"], "auth", "{ran}");
}

/// A cancel in the middle of an answer, after a tool left a daemon behind: nothing is left.
pub(super) fn a_cancel_in_mid_stream_leaves_nothing(agent: &'static Real) {
    let answer = "say This is a long answer, and it will never come to its end.\nstall";
    let daemon = "run setsid nohup sleep 4321 >/dev/null 2>&1 &\nnext\n";
    let stage = if agent.has_tools {
        Stage::new(agent, &format!("{daemon}{answer}"))
    } else {
        Stage::new(agent, answer)
    };
    let running = stage.iterate(&[]).spawn();
    wait_until("the model stands still", START_LIMIT, || stage.model.stalls() == 1);
    let env = &stage.env;
    let has_daemon = || env.processes().iter().any(|process| process.command == "sleep 4321");
    if agent.has_tools {
        // The tool does not wait for it, and it becomes what it is to be in three steps.
        wait_until("the daemon is there", START_LIMIT, has_daemon);
    }
    let cancel = env.windlass(["cancel"]).success();
    let id = env.sql("SELECT id FROM loops").trim().to_owned();
    assert_eq!(env.marked_processes(&id), [], "{cancel}");
    assert!(!has_daemon(), "{cancel}");
    let ran = running.wait().code(143);
    assert_eq!(ran.json()["ending"]["type"], "cancelled", "{ran}");
    assert_eq!(env.processes(), [], "{ran}");
    assert_eq!(stage.model.stalls(), 1, "nobody asked again");
}

/// The only session that there was.
#[track_caller]
fn only_session(stage: &Stage, ran: &Ran) -> Value {
    assert_eq!(ran.json()["sessions"], 1, "{ran}");
    let shown = stage.env.windlass(["show", "--json"]).success().json();
    assert!(!stage.requests().is_empty(), "{ran}");
    shown["sessions"][0].clone()
}
