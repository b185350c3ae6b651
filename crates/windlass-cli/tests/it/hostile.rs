//! Agents that crash, flood, hang, lie or destroy: the loop says what happened, keeps what can be
//! kept within bounds, and comes to an honest end.

use std::{
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use testkit::{Background, Env, Ran, Signal, processes, wait_until, zoo};

use crate::{
    oracle::{
        CLAIM, LIMIT, aside, assert_sound, has_store, lines, number, wait_for_lines,
        wait_until_quiet, within_reach,
    },
    world,
};

/// An agent that shows some behaviours of the zoo, one after the other, and then claims.
fn beasts(env: &Env, behaviours: &[&str]) -> String {
    let zoo = zoo();
    let body: String =
        behaviours.iter().map(|beast| format!("{} {beast}\n", zoo.display())).collect();
    env.agent_sh(&format!("{body}echo '{CLAIM}'")).display().to_string()
}

#[track_caller]
fn iterate(env: &Env, agent: &str, more: &[&str]) -> Ran {
    let ran = env.windlass(["iterate", "-p", "x", "-c", agent].iter().chain(more));
    wait_until_quiet(env);
    assert_sound(env);
    ran
}

fn outcomes(env: &Env) -> String {
    env.sql("SELECT outcome FROM sessions ORDER BY id")
}

#[test]
fn an_agent_that_crashes_is_called_again_after_a_pause_and_given_up_in_the_end() {
    for (behaviour, signal) in [("segv", 11), ("kill9-self", 9)] {
        let env = world();
        let agent = format!("{} {behaviour}", zoo().display());
        let ran = iterate(&env, &agent, &["--failure-threshold", "2", "--json"]).code(5);
        assert_eq!(ran.json()["ending"]["type"], "agent_failed", "{ran}");
        let told = format!("{{\"type\":\"crashed\",\"signal\":{signal}}}\n");
        assert_eq!(outcomes(&env), told.repeat(2));
        let pause = "SELECT CAST((julianday(b.started_at) - julianday(a.started_at)) * 86400000
                            - a.duration_ms AS INTEGER)
                     FROM sessions a JOIN sessions b ON b.id = a.id + 1";
        assert!(number(&env, pause) >= 999, "{} ms between", number(&env, pause));
    }
}

#[test]
fn a_pipe_that_a_grandchild_holds_open_does_not_hold_the_loop() {
    for behaviour in ["hold-stdout", "hold-stderr", "hold-stdout-and-talk"] {
        let env = world();
        let ran = iterate(&env, &beasts(&env, &[behaviour]), &[]).success();
        assert!(ran.duration < Duration::from_secs(20), "{behaviour}: {ran}");
        let told = ran.stdout.clone() + ran.stderr.as_str();
        assert!(told.contains("zoo"), "{behaviour}: the leftover is not named: {ran}");
        let leftovers = "SELECT json_extract(body, '$.result.leftovers') FROM events
                         WHERE type = 'step_finished' AND body LIKE '%leftovers%'";
        assert_eq!(env.sql(leftovers), "[\"zoo\"]\n", "{behaviour}");
    }
}

/// Waits for the end of a flood; gives the most memory that windlass has used, in MiB.
fn most_memory(running: &mut Background) -> u64 {
    let mut most = 0;
    wait_until("the flood is over", LIMIT * 3, || {
        most = most.max(processes::peak_memory_of(running.pid()));
        !running.is_running()
    });
    most
}

#[test]
fn a_flood_is_capped_in_memory_and_on_disk_and_what_was_dropped_is_counted() {
    let size = 256_u64 << 20;
    for (behaviour, stream) in [("flood", "stdout"), ("stderr-flood", "stderr")] {
        let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
        let agent = beasts(&env, &[&format!("{behaviour} {size}")]);
        let start = env.command(["iterate", "-p", "x", "-c", &agent, "--json"]);
        let mut running = start.limit(LIMIT * 3).spawn();
        let most = most_memory(&mut running);
        assert_eq!(running.wait().success().json()["ending"]["type"], "done");
        assert!(most <= 36, "{behaviour}: windlass has used {most} MiB");
        let dropped = format!(
            "SELECT json_extract(body, '$.result.{stream}.dropped') FROM events
             WHERE type = 'step_finished' AND json_extract(body, '$.result.type') = 'session'"
        );
        assert!(number(&env, &dropped) >= size - (17 << 20), "{}", env.sql(&dropped));
        let folder = fs::read_dir(env.windlass_home().join("output")).unwrap().next();
        let file = folder.unwrap().unwrap().path().join(format!("1-agent.{stream}"));
        let kept = fs::metadata(&file).unwrap().len();
        assert!((16 << 20..17 << 20).contains(&kept), "{} has {kept} bytes", file.display());
        assert_sound(&env);
    }
}

#[test]
fn a_line_of_64_mib_is_cut_and_what_follows_is_heard() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let agent = beasts(&env, &["one-line 67108864"]);
    let mut running = env.command(["iterate", "-p", "x", "-c", &agent]).limit(LIMIT * 3).spawn();
    let most = most_memory(&mut running);
    let ran = running.wait().success();
    assert!(ran.stdout.contains("done after 1 iteration"), "{ran}");
    assert!(most <= 36, "windlass has used {most} MiB");
    assert_sound(&env);
}

#[test]
fn bytes_that_are_no_text_are_kept_as_well_as_can_be_and_the_claim_is_seen() {
    let env = world();
    let agent = env.agent_sh(&format!(
        "for beast in bad-utf8 nul-bytes split-code-points crlf; do\n\
         {} $beast\ndone; exit 0",
        zoo().display()
    ));
    let ran = iterate(&env, &agent.display().to_string(), &["--json"]).success();
    assert_eq!(ran.json()["ending"]["by"], "promise", "{ran}");
    let said = env.sql("SELECT content FROM messages ORDER BY sequence");
    for part in ["before ", " after", "grüße → 🦦 née", "one\ntwo"] {
        assert!(said.contains(part), "{part}: {said:?}");
    }
    for behaviour in ["claim-split", "claim-without-newline"] {
        let env = world();
        let agent = format!("{} {behaviour}", zoo().display());
        drop(iterate(&env, &agent, &["--max-iterations", "1"]).success());
    }
}

#[test]
fn an_agent_that_reads_its_input_finds_the_end_of_it() {
    let env = world();
    let ran = iterate(&env, &beasts(&env, &["read-stdin"]), &["--idle-timeout", "20s"]).success();
    assert!(ran.duration < Duration::from_secs(20), "{ran}");
}

#[test]
fn a_session_that_takes_too_long_says_which_limit_it_was() {
    let cases = [
        ("hang", "--idle-timeout", "idle"),
        ("ignore-term-with-child", "--idle-timeout", "idle"),
        ("slow-lines 1000 20", "--timeout", "total"),
    ];
    for (behaviour, limit, kind) in cases {
        let env = world();
        let more = [limit, "1s", "--grace", "200ms", "--failure-threshold", "1"];
        drop(iterate(&env, &format!("{} {behaviour}", zoo().display()), &more).code(5));
        let told = format!("{{\"type\":\"timed_out\",\"kind\":\"{kind}\"}}\n");
        assert_eq!(outcomes(&env), told, "{behaviour}");
    }
}

#[test]
fn an_agent_that_deletes_the_work_tree_ends_the_loop_and_nothing_else() {
    let env = world();
    let agent = format!("{} delete-cwd", zoo().display());
    let ran = iterate(&env, &agent, &["--name", "gone", "--json"]).code(4);
    assert_eq!(ran.json()["ending"]["type"], "error", "{ran}");
    assert!(ran.stdout.contains("is not there any more"), "{ran}");
    let show = env.command(["show", "gone"]).directory(env.root()).run().success();
    assert!(show.stdout.contains("gone"), "{show}");
}

/// Puts a git first on the path that hangs for as long as the first file is there, and says so in
/// the second.
fn hanging_git(env: &Env) -> (PathBuf, PathBuf) {
    let (hold, held) = (aside(env, "hold"), within_reach(env, "held"));
    env.install(
        "git",
        &format!(
            "[ -e {} ] && {{ echo held >> {}; sleep 300; }}\n\
             PATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\"",
            hold.display(),
            held.display()
        ),
    );
    (hold, held)
}

/// Presses Ctrl-C until it ends. Two that come before the first was heard are one.
fn press_until_it_ends(running: &mut Background) {
    let began = Instant::now();
    while running.is_running() {
        running.signal(Signal::INT);
        thread::sleep(Duration::from_millis(100));
        assert!(began.elapsed() < LIMIT, "{}", running.stderr());
    }
}

#[test]
fn a_git_that_hangs_does_not_keep_a_loop_from_being_called_off() {
    let env = world();
    let ran = aside(&env, "ran");
    let (hold, held) = hanging_git(&env);
    let body = format!("echo run >> {}; touch {}; echo working", ran.display(), hold.display());
    let agent = env.agent_sh(&body).display().to_string();
    let mut running = env.command(["iterate", "-p", "x", "-c", &agent]).spawn();
    wait_for_lines(&held, 1);
    press_until_it_ends(&mut running);
    drop(running.wait().code(130));
    assert_eq!(lines(&ran), 1);
    wait_until_quiet(&env);
    assert_sound(&env);
}

#[test]
fn a_git_that_hangs_at_the_start_does_not_either() {
    let env = world();
    let (hold, held) = hanging_git(&env);
    fs::write(hold, "").unwrap();
    let mut running = env.command(["iterate", "-p", "x", "-c", "true"]).spawn();
    wait_for_lines(&held, 1);
    press_until_it_ends(&mut running);
    let ran = running.wait().code(130);
    assert_eq!(ran.stderr, "warning: the loop was cancelled before it began\n");
    assert_eq!(number(&env, "SELECT count(*) FROM loops"), 0);
    wait_until_quiet(&env);
}

#[test]
fn a_reader_that_stops_reading_is_no_error_for_a_loop_that_said_much() {
    let env = world();
    drop(iterate(&env, &beasts(&env, &["many-lines 5000"]), &[]).success());
    let program = env.program().display();
    for command in ["status", "log", "log --json", "show", "show --json", "list", "why"] {
        let script = format!("{{ {program} {command}; echo $? >&2; }} | head -1 > /dev/null");
        let ran = env.other("sh", ["-c", &script]).run().success();
        assert!(["0\n", "141\n"].contains(&ran.stderr.as_str()), "{command}: {ran}");
    }
}

#[test]
fn a_prompt_that_fits_no_argument_is_refused_before_anything_runs() {
    let env = world();
    let prompt = aside(&env, "prompt");
    fs::write(&prompt, "x".repeat(131_072)).unwrap();
    let prompt = prompt.display().to_string();
    let agent = env.agent_sh(&format!("touch ran; cat >/dev/null; echo '{CLAIM}'"));
    let agent = agent.display().to_string();
    let start = ["iterate", "--prompt-file", &prompt, "-c", &agent];
    let refused = env.windlass(start).code(2);
    assert!(refused.stderr.contains("--prompt-mode stdin"), "{refused}");
    assert!(!env.work().join("ran").exists() && !has_store(&env), "{refused}");
    let stdin = start.iter().chain(&["--prompt-mode", "stdin"]);
    drop(env.windlass(stdin).success());
}

#[test]
fn what_an_agent_says_cannot_drive_the_terminal() {
    let env = world();
    let agent = beasts(&env, &["ansi", "ansi-split", "osc52", "bidi", "unclosed-osc"]);
    for more in [&["-v"][..], &["-v", "--color", "always"]] {
        let ran = iterate(&env, &agent, more).success();
        for text in [&ran.stdout, &ran.stderr] {
            let bad = text.chars().find(|c| is_hostile(*c) && !(more.len() > 1 && *c == '\u{1b}'));
            assert_eq!(bad, None, "{text:?}");
            assert!(!text.contains("\u{1b}]") && !text.contains("\u{1b}P"), "{text:?}");
        }
        assert!(ran.stdout.contains("  │ safe txt.exe isolate mark"), "{ran}");
    }
    for command in ["status", "log", "show"] {
        let ran = env.windlass([command]).success();
        assert_eq!(ran.stdout.chars().find(|c| is_hostile(*c)), None, "{ran}");
    }
}

fn is_hostile(c: char) -> bool {
    let turns_text_around =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || turns_text_around
}
