//! `windlass merge`: brings a loop's work home, if it fits and its checks pass on the result.

use std::path::PathBuf;

use clap::ArgMatches;
use serde_json::json;
use windlass::{Loop, MergePlace, MergeRequest, Planned, plan_merge, system::GuardianProgram};
use windlass_core::text::sanitise;

use super::{
    agent_config::TrustArgs,
    block_on,
    cancel::settle_and_tell,
    loops,
    resume::{refuse_idle, typed_changes},
};
use crate::{
    args,
    config::notify_anew,
    control::find::LoopArg,
    host::{app::App, failure::Failure},
    report::OutputArgs,
};

/// Bring a loop's work to the branch that it began from, if its checks pass on the result
///
/// The loop's branch, that of `--worktree` or `--create-branch`, is brought together with the one
/// that it began from, or `--into`, in a worktree that is made for it. The loop's checks run there,
/// in the loop's sandbox. Only if they pass does the branch move, all at once; where it is checked
/// out, its files come along, and changes of yours stay. Until then nothing of yours is touched.
///
/// Where the two do not fit, the files are named and everything stays as it was. With `--resolve`
/// an agent brings them together, and the checks decide. The loop's worktree goes when its work is
/// home; its branch stays.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// The branch to bring the work to; the one that the loop began from if left out
    #[arg(long, value_name = "BRANCH")]
    into: Option<String>,

    /// Make the loop's commits anew after those of the branch, so that history is one line
    #[arg(long, conflicts_with_all = ["merge", "resolve"])]
    rebase: bool,

    /// Make a commit that has both as its parents, unless the branch can just move forward (the
    /// default)
    #[arg(long)]
    merge: bool,

    /// Let an agent bring together what does not fit, and fix what makes the checks fail
    #[arg(long)]
    resolve: bool,

    /// Commit first what the loop has left uncommitted
    #[arg(long)]
    commit: bool,

    /// Take the work of a loop that did not end well, too
    #[arg(long)]
    any_ending: bool,

    /// Keep the loop's worktree
    #[arg(long)]
    keep: bool,

    /// What to call the merge; a friendly name is made up if left out
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    trust: TrustArgs,

    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass merge brave-otter                      its checks pass on the result, or nothing moves
  windlass merge brave-otter --rebase             one line of history
  windlass merge brave-otter --into next --check 'cargo test'
  windlass merge brave-otter --commit             work that the loop has not committed comes too
  windlass merge brave-otter --resolve --agent claude     an agent settles what does not fit";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let screen = args.output.screen(app)?;
    let (store, record) = args.target.find(app)?;
    let mut changes = typed_changes("merge", matches)?;
    let checks: Option<Vec<String>> =
        changes.remove("checks").and_then(|checks| serde_json::from_value(checks).ok());
    // These two are no settings, and so are not among those that were typed.
    if let Some(script) = matches.get_one::<PathBuf>("script") {
        changes.insert("script".to_owned(), json!(app.directory.join(script)));
    }
    if let Some(more) = matches.get_many::<String>("agent_args") {
        changes.insert("agent_args".to_owned(), json!(more.collect::<Vec<_>>()));
    }
    let mut holds = changes.clone();
    holds.extend([
        ("resolve".to_owned(), json!(args.resolve)),
        ("checks".to_owned(), json!(checks)),
    ]);
    refuse_idle(app, "merge", matches, &record, &holds)?;
    let request = MergeRequest {
        into: args.into.clone(),
        rebase: args.rebase,
        checks,
        resolve: args.resolve,
        any_ending: args.any_ending,
        commit: args.commit,
        keep: args.keep,
        changes,
    };
    settle_and_tell(app, &store)?;
    let planned = block_on(plan_merge(&place(app), &store, &record, &request))??;
    let options = match planned {
        Planned::Merge(options) => options,
        Planned::Nothing { branch, into } => return nothing(app, args, &branch, &into),
    };
    drop(store);
    let command = args::command();
    let command = command.find_subcommand("merge").expect("merge is a command");
    let notify = notify_anew(&app.layers()?, &record.kind, command, matches)?;
    let line = |text: &str| sanitise::line(text).into_owned();
    let (branch, into) = (line(&options.branch), line(&options.into));
    let mut the_loop = Loop::merge(options);
    if let Some(name) = &args.name {
        the_loop = the_loop.name(name);
    }
    let code = loops::run(app, args.trust.apply(the_loop), &screen, &notify)?;
    if code == 0 {
        app.printer.hint(&format!("`{into}` has it; the branch `{branch}` stays"));
    }
    Ok(code)
}

/// Where merges take place.
pub(crate) fn place(app: &App) -> MergePlace<'_> {
    let host = app.environment.all().clone().into_iter().collect();
    MergePlace { guardian: &GuardianProgram::ThisProgram, home: &app.home, host }
}

/// Says that all of it is there already.
fn nothing(app: &App, args: &Args, branch: &str, into: &str) -> Result<u8, Failure> {
    if args.output.json || args.output.jsonl {
        let ending = json!({"type": "done", "by": "merge"});
        let told = json!({
            "schema": 1, "kind": "merge", "branch": branch, "into": into, "merged": false,
            "ending": ending, "success": true, "exit_code": 0,
        });
        app.printer.json(&told)?;
    } else if args.output.quiet {
        app.printer.line("done")?;
    } else {
        let (branch, into) = (sanitise::line(branch), sanitise::line(into));
        app.printer.line(&format!("there is nothing to merge: `{into}` has all of `{branch}`"))?;
    }
    Ok(0)
}
