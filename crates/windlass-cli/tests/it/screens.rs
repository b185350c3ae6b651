//! What a loop shows while it runs and afterwards, seen from outside.

use std::time::Duration;

use insta::assert_snapshot;
use rustix::process::Signal;
use testkit::Env;

use crate::world;

const SOON: Duration = Duration::from_secs(20);

/// An agent that is done in its second session, and tries to drive the terminal all the while.
fn agent(env: &Env, pause: &str) -> String {
    let body = format!(
        r#"
        n=$(cat ../n 2>/dev/null || echo 0); n=$((n+1)); echo $n > ../n
        printf 'round %s\n' $n
        printf '\033]52;c;ZXZpbA==\007\033[31mred\033[0m and \342\200\256reversed\n'
        sleep {pause}
        if [ $n -ge 2 ]; then echo ok > ok; else echo no > no; fi
        echo '<promise>COMPLETE</promise>'
        "#
    );
    env.agent_sh(&body).display().to_string()
}

fn arguments<'a>(agent: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let loop_arguments: &[&str] =
        &["iterate", "-c", agent, "-p", "Mend it", "--check", "test -f ok"];
    [loop_arguments, &["--name", "otter"], more].concat()
}

#[test]
fn plain_lines_and_the_next_command() {
    let env = world();
    let agent = agent(&env, "0");
    let ran = env.windlass(arguments(&agent, &[]));
    assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    Loop otter: iterate with command in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    check `test -f ok`: failed (exit 1, [time])
    claim rejected: the check `test -f ok` failed with exit code 1
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    check `test -f ok`: passed ([time])
    claim accepted: 1 check passed on tree 3976f2d
    iteration 2: [time], 1 file changed
    ✓ done after 2 iterations, proven by 1 check
      2 sessions, 2 checks, 2 files modified, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
    --- stderr
      task         Mend it
      agent        command
      sandbox      none
      budget       none, at most 20 iterations
      checks       `test -f ok`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    next: git switch -c windlass/otter && git add -A -- no ok && git commit -m 'Mend it' -- no ok
    next: windlass show otter
    next: windlass diff otter
    undo: windlass rollback otter 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    ");
}

#[test]
fn verbose_lines_have_the_words_and_none_of_the_tricks() {
    let env = world();
    let agent = agent(&env, "0");
    let ran = env.windlass(arguments(&agent, &["-v"])).success();
    assert!(ran.stdout.contains("  │ round 1\n  │ red and reversed\n"), "{ran}");
    assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}']), "{ran}");
}

#[test]
fn programs_get_their_forms() {
    type IsRight = fn(&str) -> bool;
    let forms: [(&[&str], IsRight); 4] = [
        (&["-q"], |out| out == "done\n"),
        (&["--format", "{{ name }} {{ iterations }} {{ ending.type }}"], |out| {
            out == "otter 2 done\n"
        }),
        (&["--json"], |out| out.lines().count() == 1 && out.contains("\"iterations\":2")),
        (&["--jsonl"], |out| {
            out.lines().last().is_some_and(|last| last.starts_with("{\"type\":\"result\""))
        }),
    ];
    for (flags, is_right) in forms {
        let env = world();
        let agent = agent(&env, "0");
        let ran = env.windlass(arguments(&agent, flags)).success();
        assert!(is_right(&ran.stdout), "{flags:?}: {ran}");
        assert!(ran.stderr.contains("next: windlass show otter"), "{flags:?}: {ran}");
        assert!(!ran.stdout.contains(['\u{1b}', '\u{202e}']), "{flags:?}: {ran}");
    }
}

#[test]
fn excluded_forms_and_bad_templates_start_nothing() {
    let env = world();
    let agent = agent(&env, "0");
    for flags in [&["--json", "-q"][..], &["-v", "--jsonl"], &["--format", "{{ nmae }}"]] {
        let ran = env.windlass(arguments(&agent, flags)).code(2);
        assert!(ran.stdout.is_empty() && ran.stderr.starts_with("error: "), "{ran}");
    }
    assert!(!env.root().join("n").exists());
    assert_eq!(env.windlass(["list", "--json"]).success().json(), serde_json::json!([]));
}

#[test]
fn where_there_is_no_loop_a_first_one_is_suggested() {
    let env = world();
    assert_snapshot!(env.windlass(["list"]).snapshot(), @"
    exit: 0
    --- stdout
    No loops yet. Start one with:
      windlass init && windlass iterate -p 'Make the tests pass.'
    --- stderr
    ");
    assert_snapshot!(env.windlass(["status", "otter"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no loop `otter`

    hint: there are no loops yet; start one with: windlass init && windlass iterate -p 'Make the tests pass.'
    ");
    for command in ["status", "show", "log", "why"] {
        env.windlass([command]).code(2);
    }
}

#[test]
fn why_a_loop_is_over_is_told_with_what_to_do() {
    let env = world();
    let agent = agent(&env, "0");
    env.windlass(arguments(&agent, &[])).success();
    assert_snapshot!(env.windlass(["why", "otter"]).snapshot(), @"
    exit: 0
    --- stdout
    otter  iterate with command in /tmp/windlass-XXXXXX/work
    ✓ done after 2 iterations, proven by 1 check
      proof: 1 check passed; no baseline; guarded files unchanged

      ITERATION  CLAIM     CHECKS    FILES
      1          rejected  1 failed  1 changed
      2          accepted  1 passed  1 changed

    The checks passed. What to do with the work:
      git switch -c windlass/otter && git add -A -- no ok && git commit -m 'Mend it' -- no ok
      windlass show otter
      windlass diff otter
      windlass rollback otter 0
        (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    --- stderr
    ");
}

#[test]
fn a_loop_that_is_over_can_be_looked_at() {
    let env = world();
    let agent = agent(&env, "0");
    env.windlass(arguments(&agent, &[])).success();
    assert_snapshot!(env.windlass(["status"]).snapshot(), @"
    exit: 0
    --- stdout
    otter  iterate with command in /tmp/windlass-XXXXXX/work
    ✓ done after 2 iterations, proven by 1 check

      task       Mend it
      command    /tmp/windlass-XXXXXX/bin/agent-0
      promise    COMPLETE
      options    --check 'test -f ok' --no-baseline
      iteration  2 of at most 20
      proof      1 check passed; no baseline; guarded files unchanged
      circuit    closed
      files      2 files modified
      time       2 sessions in [time]
      started    just now (0000-00-00 00:00:00)

      │ red and reversed
      │ <promise>COMPLETE</promise>
      │ round 2
      │ red and reversed
      │ <promise>COMPLETE</promise>

      git switch -c windlass/otter && git add -A -- no ok && git commit -m 'Mend it' -- no ok
      windlass show otter
      windlass diff otter
      windlass rollback otter 0
        (restores files, not ignored files, branches or the index; no commits were made; the commit before the loop is [git..])
    --- stderr
    ");
    assert_snapshot!(env.windlass(["list"]).snapshot(), @"
    exit: 0
    --- stdout
    NAME   KIND     TASK     ENDING                                        ENDED     COST  DIRECTORY
    otter  iterate  Mend it  ✓ done after 2 iterations, its checks passed  just now        /tmp/windlass-XXXXXX/work
    --- stderr
    ");
    assert_snapshot!(env.windlass(["show", "ott"]).snapshot(), @r"
    exit: 0
    --- stdout
    otter  iterate with command in /tmp/windlass-XXXXXX/work
    ✓ done after 2 iterations, proven by 1 check
      2 sessions, 2 files modified, [time]
      started 0000-00-00 00:00:00
      task     Mend it
      command  /tmp/windlass-XXXXXX/bin/agent-0
      promise  COMPLETE
      options  --check 'test -f ok' --no-baseline
        guarded      nothing (no tests found); `--guard GLOB` adds files
      proof: 1 check passed; no baseline; guarded files unchanged

    ━━━ Iteration 1 of at most 20 ━━━ [time], 1 file changed, tree 97e797e
      agent  finished, [time]
      check  `test -f ok` failed with exit code 1, [time]
      claim  rejected: the check `test -f ok` failed with exit code 1
      said   <promise>COMPLETE</promise>

    ━━━ Iteration 2 of at most 20 ━━━ [time], 1 file changed, tree 3976f2d
      agent  finished, [time]
      check  `test -f ok` passed, [time]
      claim  accepted
      said   <promise>COMPLETE</promise>

      windlass diff otter
    --- stderr
    ");
    assert_snapshot!(env.windlass(["log", "otter", "-n", "2"]).snapshot(), @"
    exit: 0
    --- stdout
    ━━━ Iteration 2 of at most 20 ━━━
      │ round 2
      │ red and reversed
      │ <promise>COMPLETE</promise>
    agent: finished in [time]
    claim: COMPLETE
    check `test -f ok`: passed ([time])
    claim accepted: 1 check passed on tree 3976f2d
    iteration 2: [time], 1 file changed
    ✓ done after 2 iterations, proven by 1 check
    --- stderr
    ");
    let shown = env.windlass(["show", "otter", "--json"]).success().json();
    assert_eq!(shown["result"]["ending"]["type"], "done");
    assert_eq!(shown["iterations"][0]["claim"], "rejected");
    assert_eq!(shown["iterations"][1]["checks"][0]["passed"], true);
    assert_eq!(shown["sessions"][1]["outcome"]["type"], "finished");
    assert_eq!(env.windlass(["why", "--json"]).success().json()["evidence"][0]["checks_failed"], 1);
    assert_eq!(env.windlass(["list", "--here", "--json"]).success().json()[0]["name"], "otter");
    let events = env.windlass(["log", "--json"]).success().json_lines();
    assert_eq!(events[events.len() - 1]["type"], "loop_finished");
}

#[test]
fn a_followed_log_goes_on_until_the_loop_ends() {
    let env = world();
    let agent = agent(&env, "1");
    let mut running = env.command(arguments(&agent, &[])).spawn();
    running.wait_until(SOON, |out, _| out.contains("Iteration 1"));
    let followed = env.windlass(["log", "otter", "--follow"]).success();
    assert!(followed.stdout.contains("round 2"), "{followed}");
    assert!(
        followed.stdout.ends_with("✓ done after 2 iterations, proven by 1 check\n"),
        "{followed}"
    );
    running.wait().success();
}

#[test]
fn a_loop_that_was_cut_off_says_so_and_how_to_go_on() {
    let env = world();
    let agent = agent(&env, "30");
    let mut running = env.command(arguments(&agent, &[])).spawn();
    running.wait_until(SOON, |out, _| out.contains("Iteration 1"));
    assert!(
        env.windlass(["status"]).success().stdout.contains("● running, iteration 1 of at most 20")
    );
    running.signal(Signal::KILL);
    let followed = env.windlass(["log", "otter", "--follow"]).success();
    assert!(followed.stderr.contains("windlass resume otter"), "{followed}");
    drop(running.wait());
    for command in ["status", "why", "list"] {
        let shown = env.windlass([command]).success();
        assert!(shown.stdout.contains("interrupted"), "{shown}");
    }
    assert!(env.windlass(["why"]).stdout.contains("windlass resume otter"));
    let shown = env.windlass(["show", "--json"]).success().json();
    assert_eq!(shown["sessions"][0]["status"], "interrupted");
    assert_eq!(shown["iterations"][0]["claim"], "cut_off");
    assert_eq!(
        env.windlass(["show", "--json"]).success().json()["result"]["ending"]["type"],
        "interrupted"
    );
}

#[test]
fn a_terminal_shows_what_goes_on_and_is_left_clean() {
    if !testkit::has("tmux") {
        return;
    }
    let env = world();
    let agent = agent(&env, "2");
    let terminal = env.terminal(arguments(&agent, &[]));
    terminal.wait_for("1 of at most 20  agent running", SOON);
    terminal.wait_for(": red and reversed", SOON);
    terminal.resize(60, 20);
    terminal.wait_for("2 of at most 20  agent running", SOON);
    let screen = terminal.wait_for("[exit 0]", SOON);
    assert!(screen.contains("✗ iteration 1: "), "{screen}");
    assert!(screen.contains("✓ iteration 2: "), "{screen}");
    assert!(screen.contains("✓ done after 2 iterations, proven by 1 check"), "{screen}");
    assert!(!screen.contains("agent running"), "{screen}");
}

#[test]
fn a_cancelled_loop_gives_the_terminal_back() {
    if !testkit::has("tmux") {
        return;
    }
    let env = world();
    let agent = agent(&env, "30");
    let terminal = env.terminal(arguments(&agent, &[]));
    terminal.wait_for("1 of at most 20  agent running", SOON);
    env.windlass(["cancel", "otter"]).success();
    let screen = terminal.wait_for("[exit 143]", SOON);
    assert!(screen.contains("■ cancelled by `windlass cancel` in iteration 1"), "{screen}");
    assert!(screen.contains("next: windlass resume otter"), "{screen}");
    assert!(!screen.contains("agent running"), "{screen}");
}
