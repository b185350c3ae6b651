//! Screens are fed events, and the whole of what they print is looked at.

mod proofs;

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use insta::assert_snapshot;

use super::*;

/// A stream, or a terminal, that remembers what was written.
#[derive(Clone, Debug, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Feeds a screen with events and a result; gives what went to stdout and to stderr.
fn shown(
    events: &[Event],
    result: &LoopResult,
    screen: impl FnOnce(Streams, Paper) -> Box<dyn Screen>,
) -> (String, String) {
    let (out, err) = (Paper::default(), Paper::default());
    let streams = Streams { out: Box::new(out.clone()), err: Box::new(err.clone()) };
    let mut screen = screen(streams, err.clone());
    for event in events {
        screen.report(event).unwrap();
    }
    screen.end(result).unwrap();
    screen.next(&Next::of(ending::Standing::of_result(result).next()));
    drop(screen);
    (out.text(), err.text())
}

type Make = Box<dyn FnOnce(Streams, Paper) -> Box<dyn Screen>>;

fn plain(verbose: bool) -> impl FnOnce(Streams, Paper) -> Box<dyn Screen> {
    move |streams, _| Box::new(Plain::new(streams, Paint::default(), verbose))
}

fn live(verbose: bool) -> impl FnOnce(Streams, Paper) -> Box<dyn Screen> {
    move |streams, terminal| {
        let size = || frame::Room { cells: 100, rows: 30 };
        Box::new(Live::new(streams, Box::new(terminal), size, Paint::default(), verbose))
    }
}

fn template(source: &str) -> impl FnOnce(Streams, Paper) -> Box<dyn Screen> {
    move |streams, _| Box::new(Template::new(streams, source).unwrap())
}

#[test]
fn plain_lines_tell_the_story() {
    let (out, err) = shown(&samples::good(), &samples::result(), plain(false));
    let _settings = samples::anywhere().bind_to_scope();
    assert_snapshot!(out, @"
    Loop brave-otter: iterate with command in /work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in 3 s, $0.25
    agent: left running, and ended: sleep and node
    agent: 2 KiB of its output were not kept
    claim: COMPLETE
    check `cargo test`: failed (exit 1, 2.1 s)
        running 1 test
        assertion failed
    claim rejected: check `cargo test` failed with exit code 1
    iteration 1: 5.2 s, 2 files changed
    Waiting 1 min, until HH:MM: the session failed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in 1 min 1 s, $0.25
    claim: by exit
    check `cargo test`: passed (0.1 s)
    commit: 99aabbc
    left out of the commit: a.txt: it was dirty before the loop
    claim accepted: 1 check passed on tree 2b3c4d5
    iteration 2: 1 min 1 s, 1 file changed
    ✓ done after 2 iterations, proven by 1 check
      2 sessions, 2 checks, 3 files modified, $0.50 (1.2k tokens in and 55 out), 1 min 6 s
    ");
    assert_snapshot!(err, @"
    note: `/work` is not in a git repository, so progress cannot be measured
    warning: 2 iterations without progress; one more stops the loop (rule stagnation)
    next: windlass show brave-otter
    next: windlass diff brave-otter
    ");
}

#[test]
fn plain_lines_tell_what_went_wrong() {
    let ending = serde_json::json!({"type": "rule", "rule": "churn", "reason": "round and round"});
    let (out, err) = shown(&samples::wrong(), &samples::result_with(ending), plain(false));
    assert_snapshot!(out, @r"
    The loop goes on
    ━━━ Iteration 7 ━━━
    agent: exited with code 3 after 40 ms: no such model
    check `make`: failed (timed out, 30 min)
    claim accepted: unverified, no check was given
    iteration 7: 50 ms, failed
    the circuit is closed again
    the tree is back to how it was at the start
    the tree is back to how iteration 3 left it
    stopping after this iteration (requested by Ctrl-C)
    stopping now, without waiting for what runs (requested by Ctrl-C)
    ✗ stopped after 2 iterations by the rule churn: round and round
      2 sessions, no checks, 3 files modified, $0.50 (1.2k tokens in and 55 out), 1 min 6 s
    ");
    assert_snapshot!(err, @"
    warning: the rule churn tripped: the same lines came and went 4 times
    next: windlass why brave-otter
    next: windlass resume brave-otter --reset-circuit
    ");
}

#[test]
fn verbose_lines_have_what_the_agent_says() {
    let events: Vec<Event> =
        samples::good().into_iter().filter(|event| event.kind.word() == "agent_said").collect();
    let (out, _) = shown(&events, &samples::result(), plain(true));
    assert_snapshot!(out, @"
      │ I look
      │ and mend
      ▸ edits src/a.rs
      ◂ failed: no such file
      │ careful
    ✓ done after 2 iterations, its checks passed
      2 sessions, no checks, 3 files modified, $0.50 (1.2k tokens in and 55 out), 1 min 6 s
    ");
}

#[test]
fn json_is_one_object() {
    let (out, err) =
        shown(&samples::good(), &samples::result(), |streams, _| Box::new(Json(streams)));
    assert_snapshot!(out, @r#"{"schema":1,"id":"1a2b3c4d5e6f7a8b","name":"brave-otter","kind":"iterate","directory":"/work/shop","worktree":null,"agent":"command","ending":{"type":"done","by":"exit"},"success":true,"verified":true,"proof":null,"loop_mode":true,"task":"Make the tests pass","iterations":2,"sessions":2,"findings":{"total":0,"open":0,"fixed":0,"skipped":0},"fixes":0,"tasks_completed":0,"files_modified":3,"usage":{"input_tokens":1210,"output_tokens":55,"cost_usd":0.5},"posted":null,"completion_text":null,"final_text":"done","final_status":null,"rate_limit_hit":false,"task_list":null,"duration_ms":66400,"exit_code":0,"error":null}"#);
    assert_snapshot!(err, @"
    note: `/work` is not in a git repository, so progress cannot be measured
    warning: 2 iterations without progress; one more stops the loop (rule stagnation)
    next: windlass show brave-otter
    next: windlass diff brave-otter
    ");
}

#[test]
fn json_lines_are_the_events_as_stored_and_the_result_last() {
    let events = samples::good();
    let (out, _) = shown(&events, &samples::result(), |streams, _| Box::new(JsonLines(streams)));
    let lines: Vec<&str> = out.lines().collect();
    let stored: Vec<&Event> = events.iter().filter(|event| event.kind.is_stored()).collect();
    assert_eq!(lines.len(), stored.len() + 1);
    for (line, event) in lines.iter().zip(stored) {
        assert_eq!(&serde_json::from_str::<Event>(line).unwrap(), event);
    }
    assert_snapshot!(lines[2], @r#"{"seq":3,"at":"1970-01-01T00:00:03.000Z","loop":"1a2b3c4d5e6f7a8b","type":"iteration_started","iteration":1}"#);
    assert_snapshot!(lines[lines.len() - 1], @r#"{"type":"result","schema":1,"id":"1a2b3c4d5e6f7a8b","name":"brave-otter","kind":"iterate","directory":"/work/shop","worktree":null,"agent":"command","ending":{"type":"done","by":"exit"},"success":true,"verified":true,"proof":null,"loop_mode":true,"task":"Make the tests pass","iterations":2,"sessions":2,"findings":{"total":0,"open":0,"fixed":0,"skipped":0},"fixes":0,"tasks_completed":0,"files_modified":3,"usage":{"input_tokens":1210,"output_tokens":55,"cost_usd":0.5},"posted":null,"completion_text":null,"final_text":"done","final_status":null,"rate_limit_hit":false,"task_list":null,"duration_ms":66400,"exit_code":0,"error":null}"#);
}

#[test]
fn quiet_is_one_word() {
    let (out, err) =
        shown(&samples::good(), &samples::result(), |streams, _| Box::new(Quiet(streams)));
    assert_eq!(out, "done\n");
    assert_snapshot!(err, @"
    note: `/work` is not in a git repository, so progress cannot be measured
    warning: 2 iterations without progress; one more stops the loop (rule stagnation)
    next: windlass show brave-otter
    next: windlass diff brave-otter
    ");
}

#[test]
fn a_template_shapes_the_result() {
    let source = "{{ name }}: {{ ending.type }} by {{ ending.by }}{{ ending.reason }}, \
                  {{ iterations }}{% if verified %} verified{% endif %} {{ usage.cost_usd|round(1) }}";
    let (out, _) = shown(&[], &samples::result(), template(source));
    assert_eq!(out, "brave-otter: done by exit, 2 verified 0.5\n");
}

#[test]
fn a_template_that_cannot_work_is_refused_before_the_loop() {
    let mut out = String::new();
    for source in ["{{ name", "{{ nmae }}", "{{ name|nofilter }}", "{% for %}", "{{ name() }}"] {
        let failure = Template::new(Streams::standard(), source).map(drop).unwrap_err();
        assert_eq!(failure.kind.exit_code(), 2);
        out.push_str(&format!("{}\n", failure.error));
    }
    assert_snapshot!(out, @"
    the template of `--format` cannot be used: syntax error: unexpected end of input, expected end of variable block (in --format:1)
    the template of `--format` cannot be used: a result has no `nmae`; did you mean `name`?
    the template of `--format` cannot be used: unknown filter: filter nofilter is unknown (in --format:1)
    the template of `--format` cannot be used: syntax error: unexpected end of block, expected in (in --format:1)
    the template of `--format` cannot be used: invalid operation: value of type string is not callable (in --format:1)
    ");
}

#[test]
fn the_live_screen_keeps_one_line_an_iteration_and_shows_what_goes_on() {
    let mut events = samples::good();
    events.truncate(9);
    let (_, err) = shown(&events, &samples::result(), live(false));
    assert!(err.contains("iteration 1 of at most 20  agent running  session "), "{err}");
    assert!(err.contains("still mending") || err.contains("and mend"), "{err}");
    assert!(err.contains("\n  last tool: edits src/a.rs, "), "{err}");

    let (out, err) = shown(&samples::good(), &samples::result(), live(false));
    assert!(
        err.contains("✗ iteration 1: 5.2 s, 2 files changed, claim rejected: check `cargo test`"),
        "{err}"
    );
    assert!(err.contains("✓ iteration 2: 1 min 1 s, 1 file changed, claim accepted"), "{err}");
    assert!(!err.contains("  │ I look"), "{err}");
    assert_snapshot!(out, @"
    ✓ done after 2 iterations, proven by 1 check
      2 sessions, 2 checks, 3 files modified, $0.50 (1.2k tokens in and 55 out), 1 min 6 s
    ");

    let (_, err) = shown(&samples::good(), &samples::result(), live(true));
    assert!(err.contains("  │ I look"), "{err}");
}

#[test]
fn the_live_screen_does_not_draw_for_every_word() {
    let said = samples::good().into_iter().find(|event| event.kind.word() == "agent_said").unwrap();
    let events = vec![said; 20_000];
    let (_, err) = shown(&events, &samples::result(), live(false));
    assert!(err.len() < 100_000, "{} bytes", err.len());
}

#[test]
fn nothing_that_an_agent_says_drives_the_terminal() {
    let events = samples::evil();
    for evil in samples::EVIL {
        let mut result =
            samples::result_with(serde_json::json!({"type": "rule", "rule": evil, "reason": evil}));
        result.final_text = (*evil).to_owned();
        result.name = format!("otter{evil}");
        let all: [Make; 7] = [
            Box::new(plain(false)),
            Box::new(plain(true)),
            Box::new(live(true)),
            Box::new(template("{{ final_text }} {{ name }} {{ ending.reason }}")),
            Box::new(|streams, _| Box::new(Json(streams))),
            Box::new(|streams, _| Box::new(JsonLines(streams))),
            Box::new(|streams, _| Box::new(Quiet(streams))),
        ];
        for screen in all {
            let (out, err) = shown(&events, &result, screen);
            // That is how the live screen itself goes back to where it began.
            let backs = ["1A\u{1b}[", "2A\u{1b}[", "3A\u{1b}[", "4A\u{1b}[", ""];
            let err = backs.iter().fold(err, |err, up| err.replace(&format!("\u{1b}[{up}J"), ""));
            let bad = |c: &char| {
                (c.is_control() && *c != '\n' && *c != '\t' && *c != '\r')
                    || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{feff}' | '\u{e0041}')
            };
            assert_eq!(out.chars().find(bad), None, "{out:?}");
            assert_eq!(err.chars().find(bad), None, "{err:?}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_an_error_of_the_reporter_and_not_a_panic() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let streams = Streams { out: Box::new(Closed), err: Box::new(Closed) };
    let mut screen = Plain::new(streams, Paint::default(), false);
    let error = screen.report(&samples::good()[0]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(screen.end(&samples::result()).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

mod flags {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        output: OutputArgs,
    }

    #[test]
    fn outputs_exclude_one_another() {
        for two in [
            vec!["--json", "-q"],
            vec!["--json", "--jsonl"],
            vec!["--quiet", "--format", "x"],
            vec!["--jsonl", "--verbose"],
            vec!["-v", "-q"],
        ] {
            let error = Cli::try_parse_from([vec!["windlass"], two.clone()].concat()).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{two:?}");
            assert!(error.to_string().contains("cannot be used with"), "{error}");
        }
    }

    #[test]
    fn each_flag_chooses_its_screen() {
        let output = |flags: &[&str]| {
            Cli::try_parse_from([&["windlass"], flags].concat()).unwrap().output.output()
        };
        assert_eq!(output(&[]), Output::People { verbose: false });
        assert_eq!(output(&["-v"]), Output::People { verbose: true });
        assert_eq!(output(&["--json"]), Output::Json);
        assert_eq!(output(&["--jsonl"]), Output::JsonLines);
        assert_eq!(output(&["-q"]), Output::Quiet);
        assert_eq!(output(&["--format", "x"]), Output::Template("x".to_owned()));
    }
}
