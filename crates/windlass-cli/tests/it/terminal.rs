//! The live view as a person sees it, at a real terminal.

use std::time::Duration;

use testkit::{Terminal, has, wait_until};

use crate::{COMPLETE, world};

const LIMIT: Duration = Duration::from_secs(30);

/// A line with the spinner and the clocks at rest, and without what only fills it up.
pub(crate) fn resting(line: &str) -> String {
    let still = |c: char| match c {
        '\u{2800}'..='\u{28ff}' => '⠿',
        c => c,
    };
    let rest = |word: &str| match word.split_once(':') {
        Some((m, s)) if m.parse::<u32>().is_ok() && s.parse::<u32>().is_ok() => "0:00".to_owned(),
        _ => word.chars().map(still).collect(),
    };
    let line = line.split(' ').map(rest).collect::<Vec<_>>().join(" ");
    let moved = (5..60).map(|n| format!("{n} s ago")).find(|ago| line.contains(ago.as_str()));
    let line = moved.map_or(line.clone(), |ago| line.replace(&ago, "just now"));
    let fills = line.find("   │").filter(|_| line.contains("[time]") || line.contains("just now"));
    match fills {
        // What follows the last words of a row is as wide as they are not.
        Some(_) => line.split_whitespace().collect::<Vec<_>>().join(" "),
        None => line,
    }
}

/// The lines of the screen that are not empty, with the spinner and the clocks at rest.
fn lines(terminal: &Terminal<'_>) -> String {
    let shown = terminal.snapshot();
    shown.lines().filter(|line| !line.is_empty()).map(resting).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_loop_is_drawn_as_it_runs_and_leaves_its_story_behind() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let script = env.script(&format!(
        "write a.txt 1\nsay I look around.\nnext\nsay Now I think hard.\nsleep 3s\nnext\n\
         say {COMPLETE}"
    ));
    let script = script.to_str().unwrap();
    let call = ["iterate", "-p", "mend it", "--agent", "scripted", "--script", script];
    let args =
        [&call[..], &["--max-iterations", "4", "--check", "true", "--name", "mine"]].concat();
    let terminal = env.terminal(args);
    terminal.wait_for("Now I think hard.", LIMIT);
    insta::assert_snapshot!(lines(&terminal), @"
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
      task         mend it
      agent        scripted
      sandbox      none
      budget       none, at most 4 iterations
      checks       `true`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    ━━━ Iteration 1 of at most 4 ━━━
    • iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 4 ━━━
    ⠿ iteration 2 of at most 4  agent running  session 0:00  loop 0:00
      last output just now: Now I think hard.
    ");
    terminal.wait_for("[exit 0]", LIMIT);
    insta::assert_snapshot!(lines(&terminal), @"
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
      task         mend it
      agent        scripted
      sandbox      none
      budget       none, at most 4 iterations
      checks       `true`
      guarded      nothing (no tests found); `--guard GLOB` adds files
    ━━━ Iteration 1 of at most 4 ━━━
    • iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 4 ━━━
    • iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 4 ━━━
    ✓ iteration 3: [time], no files changed, claim accepted
    ✓ done after 3 iterations, proven by 1 check
      3 sessions, 1 check, 1 file modified, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m 'mend it' -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit be
    fore the loop is 6fc96ec)
    [exit 0]
    ");
}

#[test]
fn ctrl_c_ends_the_view_and_gives_the_terminal_back() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let agent = env.agent_sh("echo working; exec sleep 60");
    let agent = agent.to_str().unwrap();
    let args = ["iterate", "-p", "x", "-c", agent, "--name", "mine", "--grace", "1s"];
    let terminal = env.terminal(args);
    terminal.wait_for("working", LIMIT);
    terminal.press("C-c");
    terminal.wait_for("[exit 130]", LIMIT);
    insta::assert_snapshot!(lines(&terminal), @r"
    Loop mine: iterate with command in /tmp/windlass-XXXXXX/work
      task         x
      agent        command
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    ━━━ Iteration 1 of at most 20 ━━━
    stopping… (requested by Ctrl-C; press it again to stop without waiting)
    ■ cancelled by Ctrl-C in iteration 1
      1 session, no checks, no files modified, [time]
    next: windlass resume mine
    next: windlass show mine
    [exit 130]
    ");
    assert!(terminal.shows_cursor(), "the cursor is back");
}

#[test]
fn ctrl_c_is_answered_at_once_and_the_second_one_does_not_wait() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let agent = env.agent_sh("trap '' TERM INT; echo working; while :; do sleep 0.1; done");
    let agent = agent.to_str().unwrap();
    let args = ["iterate", "-p", "x", "-c", agent, "--name", "mine", "--grace", "60s"];
    let terminal = env.terminal(args);
    terminal.wait_for("working", LIMIT);
    terminal.press("C-c");
    // The agent has a minute to end.
    let screen = terminal.wait_for("iteration 1 of at most 20  stopping…", Duration::from_secs(3));
    assert!(screen.contains("stopping… (requested by Ctrl-C; press it again"), "{screen}");
    assert!(!screen.contains("[exit"), "{screen}");
    terminal.press("C-c");
    let screen = terminal.wait_for("[exit 130]", LIMIT);
    assert!(screen.contains("stopping now, without waiting for what runs"), "{screen}");
}

#[test]
fn another_size_does_not_break_the_view() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let agent = env.agent_sh(&format!(
        "echo 'one long line of words that goes on and on and on, far beyond what is there to see'; \
         while ! test -e go; do sleep 0.1; done; echo '{COMPLETE}'"
    ));
    let agent = agent.to_str().unwrap();
    let terminal = env.terminal(["iterate", "-p", "x", "-c", agent, "--name", "mine"]);
    terminal.wait_for("one long line", LIMIT);
    for (columns, rows) in [(60, 20), (40, 10), (200, 50), (100, 30)] {
        terminal.resize(columns, rows);
        std::thread::sleep(Duration::from_millis(400));
    }
    let screen = terminal.wait_for("one long line", LIMIT);
    assert_eq!(
        screen.matches("iteration 1 of at most 20").count(),
        1,
        "no half frame is left:\n{screen}"
    );
    env.write("go", "");
    terminal.wait_for("[exit 0]", LIMIT);
    let shown = lines(&terminal);
    assert!(!shown.contains(['⠿', '╌']), "{shown}");
    // A terminal that is made smaller may push the first lines out of sight.
    let end = shown.find("✓ iteration 1").map(|at| &shown[at..]);
    insta::assert_snapshot!(end.unwrap_or_default(), @"
    ✓ iteration 1: [time], 1 file changed, claim accepted
    ✓ done after 1 iteration, unverified: no check was given
      1 session, no checks, 1 file modified, [time]
    next: git switch -c windlass/mine && git add -A -- go && git commit -m x -- go
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit be
    fore the loop is 6fc96ec)
    [exit 0]
    ");
}

#[test]
fn a_terminal_that_goes_away_ends_the_loop_and_all_that_it_runs() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let agent = env.agent_sh("setsid sleep 300 & sleep 300");
    let agent = agent.to_str().unwrap();
    let terminal = env.terminal(["iterate", "-p", "go", "-c", agent]);
    terminal.wait_for("agent running", LIMIT);
    drop(terminal);
    wait_until("the loop has ended", LIMIT, || {
        env.sql("select ending from loops").contains("cancelled")
    });
    let id = env.sql("select id from loops");
    wait_until("nothing is left", LIMIT, || env.marked_processes(id.trim()).is_empty());
}

#[test]
fn what_was_committed_and_left_out_is_told_as_in_a_pipe() {
    if !has("tmux") {
        return;
    }
    let env = world();
    env.git(["init", "-q"]);
    env.git(["commit", "-q", "--allow-empty", "-m", "start"]);
    env.write("mine.txt", "not finished");
    let script = env.script(&format!("write a.txt 1\nwrite mine.txt 2\nnext\nsay {COMPLETE}"));
    let call =
        ["iterate", "-p", "go on", "--agent", "scripted", "--script", script.to_str().unwrap()];
    let terminal = env.terminal([&call[..], &["--auto-commit", "--name", "mine"]].concat());
    terminal.wait_for("[exit 0]", LIMIT);
    let told = lines(&terminal);
    let commit = told.lines().find(|line| line.starts_with("commit: ")).expect("it is told");
    insta::assert_snapshot!(told.replace(commit, "commit: [id]"), @"
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
      task         go on
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    ━━━ Iteration 1 of at most 20 ━━━
    commit: [id]
    left out of the commit: mine.txt: it was changed before the loop began
    • iteration 1: [time], 2 files changed
    ━━━ Iteration 2 of at most 20 ━━━
    left out of the commit: mine.txt: it was changed before the loop began
    ✓ iteration 2: [time], no files changed, claim accepted
    ✓ done after 2 iterations, unverified: no check was given
      2 sessions, no checks, 2 files modified, [time]
    next: git switch -c windlass/mine
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; 1 commit stays: [git..] loop: itera
    tion 1; the commit before the loop is [git..])
    [exit 0]
    ");
}
