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

/// Merge a loop's branch back if the checks pass
///
/// Merges the loop's branch (from `--worktree` or `--create-branch`) into the branch that it
/// started from, or into `--into`, in a temporary worktree. The loop's checks run there, in the
/// loop's sandbox. Only if they pass does the branch move, in one step; if it is checked out, its
/// files are updated, and your own changes stay. Until then nothing of yours is touched.
///
/// If there are conflicts, windlass names the files and changes nothing. With `--resolve` an agent
/// resolves them, and the checks decide. Afterwards the loop's worktree is removed; its branch
/// stays.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Branch to merge into [default: where the loop started]
    #[arg(long, value_name = "BRANCH")]
    into: Option<String>,

    /// Rebase the loop's commits onto the branch, for a linear history
    #[arg(long, conflicts_with_all = ["merge", "resolve"])]
    rebase: bool,

    /// Create a merge commit unless a fast-forward is possible (the default)
    #[arg(long)]
    merge: bool,

    /// Let an agent resolve conflicts and fix failing checks
    #[arg(long)]
    resolve: bool,

    /// Commit what the loop left uncommitted first
    #[arg(long)]
    commit: bool,

    /// Merge even if the loop did not succeed
    #[arg(long)]
    any_ending: bool,

    /// Keep the loop's worktree
    #[arg(long)]
    keep: bool,

    /// Name of the merge [default: generated]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    trust: TrustArgs,

    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass merge brave-otter                            merge if its checks pass
  windlass merge brave-otter --rebase                   keep the history linear
  windlass merge brave-otter --into next --check 'cargo test'
  windlass merge brave-otter --commit                   include uncommitted work
  windlass merge brave-otter --resolve --agent claude   let an agent resolve conflicts";

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
