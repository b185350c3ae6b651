//! Agents that are not known, or cannot be started.

use super::refused;
use crate::world;

#[test]
fn an_agent_that_is_not_known_or_cannot_start() {
    let env = world();
    let call = |args: &[&str]| refused(&env, &[&["iterate", "-p", "x"], args].concat());
    insta::assert_snapshot!(call(&["--agent", "scriptd", "--script", "s"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no agent `scriptd`

    hint: did you mean `scripted`?
    hint: the known ones are `aider`, `claude`, `codex`, `command`, `gemini`, `opencode`, `scripted`
    ");
    insta::assert_snapshot!(call(&["--agent", "scripted"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the agent `scripted` needs `--script`
    ");
    insta::assert_snapshot!(call(&["--agent", "scripted", "--script", "nowhere"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the script `/tmp/windlass-XXXXXX/work/nowhere` cannot be played: it is not there
    ");
    insta::assert_snapshot!(call(&["--agent", "command"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the agent `command` needs `--command`
    ");
    insta::assert_snapshot!(call(&["-c", "agent 'unclosed"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the command `agent 'unclosed` has a quote that is not closed
    ");
    insta::assert_snapshot!(call(&["-c", "  "]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the command of the agent `command` is empty
    ");
    insta::assert_snapshot!(call(&["-c", "no-such-program --print"]), @"
    exit: 4
    --- stdout
    --- stderr
    error: the agent `command` cannot be started
      caused by: no program `no-such-program` was found

    hint: install it, or choose another agent with `--agent` or `--command`
    hint: `windlass agents` lists the agents that were found
    ");
    insta::assert_snapshot!(call(&["-c", "./README.md"]), @"
    exit: 4
    --- stdout
    --- stderr
    error: the agent `command` cannot be started
      caused by: `./README.md` may not be executed

    hint: install it, or choose another agent with `--agent` or `--command`
    hint: `windlass agents` lists the agents that were found
    ");
    insta::assert_snapshot!(call(&["-c", "true", "--agent", "scripted"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--command` and the agent `scripted` cannot be used together
    ");
    insta::assert_snapshot!(call(&[]), @"
    exit: 4
    --- stdout
    --- stderr
    error: no agent was chosen, and `claude` is not installed

    hint: choose one with `--agent`: `aider`, `claude`, `codex`, `command`, `gemini`, `opencode`, `scripted`
    hint: `windlass agents` tells which are installed, and how to install the others
    hint: or run any program with `--command 'PROGRAM ARGS'`
    ");
}
