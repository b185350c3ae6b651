//! What screens say of a loop that runs: what fails, the last tool, denied tools and labelled times.

use std::time::Duration;

use testkit::{Background, Env, Terminal, has};

use crate::{COMPLETE, terminal::resting, world};

const LIMIT: Duration = Duration::from_secs(30);

/// A Claude Code that claims to be done and was denied a tool, and in its second session uses one
/// until there is a file `go`. The check fails as pytest does.
fn call(env: &Env) -> Vec<String> {
    let tool = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"cargo test"}}]}}"#;
    let result = |denied: &str| {
        format!(
            r#"{{"type":"result","subtype":"success","is_error":false,"result":"{COMPLETE}","total_cost_usd":0.1,"usage":{{"input_tokens":1,"output_tokens":1}},"permission_denials":[{denied}]}}"#
        )
    };
    let denied = result(r#"{"tool_name":"Bash","tool_use_id":"1"}"#);
    let body = format!(
        "cat > /dev/null\nif test -e ../second; then echo '{tool}'; \
         while ! test -e ../go; do sleep 0.1; done; echo fixed > fixed; echo '{}'; \
         else echo x > ../second; echo '{denied}'; fi",
        result("")
    );
    env.install("claude", &body);
    env.write(
        "../check.sh",
        "test -e fixed && exit\necho 'E   assert 3 == 4'\n\
         echo '=== short test summary info ==='\necho 'FAILED test_calc.py::test_adds - assert'\n\
         echo '=== 1 failed, 2 passed in 0.1s ==='\nexit 1\n",
    );
    let check = "sh ../check.sh";
    ["iterate", "-p", "Fix the sum.", "--agent", "claude", "--name", "mine", "--check", check]
        .map(str::to_owned)
        .to_vec()
}

/// The same loop, in its second session.
fn running(env: &Env) -> Background {
    let mut running = env.command(call(env)).spawn();
    running.wait_until(LIMIT, |out, _| out.contains("Iteration 2"));
    running
}

fn go(env: &Env) {
    std::fs::write(env.root().join("go"), "").expect("the folder is ours");
}

/// The lines with these words, with the clocks at rest.
fn told(terminal: &Terminal<'_>, words: &[&str]) -> String {
    let screen = terminal.snapshot();
    let is_it = |line: &&str| words.iter().any(|word| line.contains(word));
    screen.lines().filter(is_it).map(resting).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_live_view_shows_what_fails_the_last_tool_and_times_with_labels() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = env.terminal(call(&env));
    terminal.wait_for("last tool: ", LIMIT);
    let words = ["denied", "agent running", "failing:", "last tool", "last output", "fails"];
    insta::assert_snapshot!(told(&terminal, &words), @"
    warning: claude will be denied Bash, Edit and Write: nobody answers its questions during a loop; all
    agent: denied: Bash
    sh ../check.sh: 1 of 3 fails
    code 1: 1 of 3 tests fails
    warning: the agent was denied Bash; one more stops the loop (rule permission)
    ⠿ iteration 2 of at most 20  agent running  session 0:00  permission  $0.10  loop 0:00
      sh ../check.sh: 1 of 3 fails
      failing: `sh ../check.sh`: test_calc.py::test_adds
      last tool: runs cargo test, just now
      last output just now
    ");
    for (columns, rows) in [(40, 24), (80, 9)] {
        terminal.resize(columns, rows);
        let screen = terminal.wait_for("failing: ", LIMIT);
        assert_eq!(screen.matches("failing: ").count(), 1, "no half frame is left:\n{screen}");
    }
    go(&env);
    let screen = terminal.wait_for("[exit 0]", LIMIT);
    assert!(!screen.contains("failing: "), "{screen}");
}

#[test]
fn the_dashboard_shows_the_same() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let running = running(&env);
    let terminal = env.terminal(["watch"]);
    terminal.wait_for("last tool", LIMIT);
    let words = ["Fix the sum.", "denied", "session ", "failing ", "last tool", "last output"];
    insta::assert_snapshot!(told(&terminal, &words), @"
    ╭ Loops ─────────────────╮╭ Fix the sum. · mine ───────────────────────────────────────────────────╮
    │▸● Fix the sum.         ││ iterate with claude in /tmp/windlass-XXXXXX/work                       │
    │   iteration 2          ││ phase     agent running  session 0:00                                  │
    │                        ││ failing   `sh ../check.sh`: test_calc.py::test_adds                    │
    │                        ││ denied    Bash                                                         │
    │ ││ last tool runs cargo test, just now │
    │ ││ time loop 0:00, last output just now │
    │                        ││ circuit   half-open: permission, the agent was denied Bash             │
    │                        ││ warning: the agent was denied Bash; one more stops the loop (rule      │
    ");
    go(&env);
    let screen = terminal.wait_for("✓ done after 2 iterations", LIMIT);
    for word in ["failing", "denied", "last tool", "phase"] {
        assert!(!screen.contains(&format!("│ {word}")), "{word}:\n{screen}");
    }
    terminal.press("q");
    running.wait().success();
}

#[test]
fn lines_and_status_name_what_was_denied() {
    let env = world();
    let running = running(&env);
    let status = env.windlass(["status"]).success().stdout;
    assert!(status.contains("half-open: the agent was denied Bash\n"), "{status}");
    go(&env);
    let ran = running.wait().success();
    assert!(ran.stdout.contains("\nagent: denied: Bash\n"), "{ran}");
    assert!(ran.stderr.contains("warning: the agent was denied Bash; one more stops"), "{ran}");
}

#[test]
fn the_name_of_the_loop_comes_before_its_block() {
    let env = world();
    let script = env.script(&format!("say on it\nnext\nsay {COMPLETE}\n"));
    let both = |more: &str| {
        let line = format!("{} {more} 2>&1", env.program().display());
        env.other("sh", ["-c", &line]).run().stdout
    };
    let first = both(&format!(
        "iterate -p x --agent scripted --script {} --name mine --check true --max-iterations 1",
        script.display()
    ));
    let begins: Vec<&str> = first.lines().take(2).collect();
    assert!(begins[0].starts_with("Loop mine: iterate with scripted in "), "{first}");
    assert_eq!(begins[1], "  task         x", "{first}");
    let again = both("resume mine --max-iterations 2");
    let begins: Vec<&str> = again.lines().take(2).collect();
    assert_eq!(begins, ["Loop mine goes on, up to 2 iterations", "  task         x"], "{again}");
}
