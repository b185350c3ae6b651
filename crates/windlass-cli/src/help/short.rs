//! Which flags `-h` shows of the commands that have dozens. `--help` shows all of them.

use clap::{Arg, Command};

/// The flags that `-h` shows of every long command that has them, by their ids.
pub(super) const USUAL: [&str; 10] = [
    "agent",
    "skip_permissions",
    "sandbox",
    "checks",
    "max_iterations",
    "max_cost",
    "max_duration",
    "auto_commit",
    "json",
    "verbose",
];

/// The commands with long lists, and the flags that `-h` shows of each besides [`USUAL`]. Of other
/// commands it shows all. A test holds that everything here exists and fits on a screen.
pub(super) const SHORT: [(&str, &[&str]); 7] = [
    ("iterate", &["command", "prompt", "prompt_file", "unguard", "worktree"]),
    ("tasks", &["command", "tasks", "task_prompt", "unguard", "worktree"]),
    ("develop", &["command", "task", "task_file", "tasks", "developer", "reviewer"]),
    ("heal", &["paths", "loop", "review_only", "test"]),
    ("pr", &["number", "loop", "local", "approve", "push"]),
    ("resume", &["command", "the_loop", "prompt", "prompt_file", "reset_circuit", "unguard"]),
    ("merge", &["the_loop", "into", "rebase", "resolve", "commit", "keep"]),
];

/// How many lines of examples `-h` has; `--help` has all.
const EXAMPLES: usize = 2;

/// The command line with a short list behind `-h` for each command in [`SHORT`].
pub(super) fn with_short_help(command: Command) -> Command {
    let global = command.get_arguments().filter(|arg| arg.is_global_set()).count();
    SHORT.iter().fold(command, |command, (name, own)| {
        command.mut_subcommand(name, |command| shortened(command, own, global))
    })
}

/// One command whose `-h` shows only what is listed, and says how many flags `--help` shows: its own,
/// the global ones and `--help` itself.
fn shortened(command: Command, own: &[&str], global: usize) -> Command {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_positional());
    let all = shown.count() + global + 1;
    let whole = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples: Vec<&str> = whole.lines().take(1 + EXAMPLES).collect();
    let short = format!("{}\n\n`--help` for all {all} flags", examples.join("\n"));
    let is_listed = |arg: &Arg| {
        let id = arg.get_id().as_str();
        USUAL.contains(&id) || own.contains(&id)
    };
    let command = command.after_help(short).after_long_help(whole);
    command.mut_args(|arg| {
        let is_hidden = !is_listed(&arg);
        arg.hide_short_help(is_hidden)
    })
}
