//! `tasks` from outside: what a task file is, what the agent is asked, and when the tasks are done.

mod bad_files;
mod done;
mod formats;
mod prompts;
mod resuming;

use testkit::{Env, Invocation};

use crate::world;

/// Two open tasks, and one that does not block.
const TWO: &str = "# Plan\n- [ ] write a\n- [ ] write b\n\n## Later\n- [ ] write c\n";

/// The work of one session: a file, and the box of its task.
fn works(letter: &str) -> String {
    format!("write {letter}.txt x\nreplace TASKS.md [ ] write {letter} => [x] write {letter}\n")
}

/// A world with that task file.
fn world_with(name: &str, text: &str) -> Env {
    let env = world();
    env.write(name, text);
    env
}

/// `tasks` over `file` with the scripted agent, which plays `script`.
pub(crate) fn tasks<'a>(env: &'a Env, file: &str, script: &str, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["tasks", "--tasks", file, "--agent", "scripted", "--script"]);
    args.iter().fold(call.arg(env.script(script)), |call, arg| call.arg(arg))
}
