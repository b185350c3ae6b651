//! Where and how often it is told, and what is not an agent's doing.

use super::{lines, world};
use crate::{COMPLETE, user_config};

#[test]
fn in_the_summary_once_by_show_and_in_the_result() {
    let env = world();
    let agent = env.agent_sh(&format!("git config core.fsmonitor ./evil; echo '{COMPLETE}'"));
    let told = "`.git/config`: `core.fsmonitor` runs `./evil` at your next `git status`";
    let ran =
        env.command(["iterate", "-p", "x", "--name", "mine", "-c"]).arg(agent).run().success();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout
    Loop mine: iterate with command in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    claim: COMPLETE
    claim accepted: unverified, no check was given
    iteration 1: [time], no files changed
    ✓ done after 1 iteration, unverified: no check was given
      1 session, no checks, no files modified, [time]
      left behind in the repository, and could run code or hide work:
        `.git/config`: `core.fsmonitor` runs `./evil` at your next `git status`
    --- stderr
      task         x
      agent        command
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    warning: left behind in the repository: `.git/config`: `core.fsmonitor` runs `./evil` at your next `git status`
    next: windlass show mine
    next: windlass diff mine
    ");
    let shown = env.windlass(["show", "mine"]).success();
    assert_eq!(shown.stdout.matches(told).count(), 1, "{shown}");
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!(lines(&result).len(), 1, "{result}");
    let events = env.windlass(["log", "mine", "--json"]).success();
    assert_eq!(events.stdout.matches("\"left_behind\"").count(), 1, "{events}");
}

#[test]
fn what_a_later_session_takes_back_is_not_in_the_result() {
    let env = world();
    let agent = env.agent_sh(&format!(
        "if [ -e once ]; then git config --unset core.fsmonitor; echo '{COMPLETE}'; else\n\
         touch once; git config core.fsmonitor ./evil; git config core.pager ./p; fi"
    ));
    let args = ["iterate", "-p", "x", "--json", "--max-iterations", "3", "-c"];
    let ran = env.command(args).arg(agent).run().success();
    let told = "config .git/config: `core.pager` runs `./p` at your next `git log` or `git diff`";
    assert_eq!(lines(&ran.json()), [told], "{ran}");
}

#[test]
fn what_windlass_and_the_user_change_between_sessions_is_not_told() {
    let env = world();
    let agent = env.agent_sh(&format!(
        "date +%N > a; [ $(git rev-list --count HEAD) -gt 2 ] && echo '{COMPLETE}'"
    ));
    let hook = env.install("my-hook", "git config core.pager less; git branch -f other HEAD");
    user_config(&env, &format!("[on]\niteration_end = ['{}']\n", hook.display()));
    env.git(["branch", "other"]);
    let args = ["iterate", "-p", "x", "--json", "--auto-commit", "--max-iterations", "5", "-c"];
    let ran = env.command(args).arg(agent).run().success();
    let moved = env.git(["log", "--format=%s", "-1", "other"]);
    assert_eq!(moved, "loop: iteration 3\n", "the hook did not run");
    assert_eq!(lines(&ran.json()), [""; 0], "{ran}");
}

#[test]
fn what_a_check_leaves_behind_is_told_too() {
    let env = world();
    let agent = env.agent_sh(&format!("echo '{COMPLETE}'"));
    let check = "git config core.fsmonitor ./evil";
    let args = ["iterate", "-p", "x", "--json", "--check", check, "-c"];
    let ran = env.command(args).arg(agent).run().success();
    assert_eq!(lines(&ran.json()).len(), 1, "{ran}");
}
