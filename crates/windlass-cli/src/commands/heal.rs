//! `windlass heal`: a review, a fix for each of its findings, and the tests.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use windlass::{
    Loop,
    kind::heal::Options,
    system::{TextError, read_named},
};
use windlass_core::findings::{Finding, format};

use super::{agent_config::TrustArgs, detach::Detach, loop_options, loops};
use crate::{
    host::{
        app::App,
        failure::{Failure, Kind},
    },
    report::OutputArgs,
};

/// Review the work, fix each finding in a session of its own, and run the tests
///
/// What is reviewed is the branch against its base, and what is not committed; `--base`, `--all` or
/// paths say otherwise. The phases are shown as BREATHE (the review, which is kept in
/// `.review-output.md`), REFLECT (its findings are read), HEAL (the fixes) and AWAKEN (the tests).
///
/// One pass is done if every finding was fixed and the tests pass. With `--loop` all of it is
/// repeated until a review finds nothing. A review that cannot be read is never a clean one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Findings of another tool in the place of the first review: SARIF or rdjson
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "base", "paths"])]
    findings: Option<PathBuf>,

    /// What to call the loop; a friendly name is made up if left out
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    pub(crate) detach: Detach,

    #[command(flatten)]
    trust: TrustArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass heal                                one pass over the work on this branch
  windlass heal --loop --test 'cargo test'     until a review is clean, five times at the most
  windlass heal --review-only src/parser       what would be found?
  windlass heal --findings clippy.sarif        fix what a linter found";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let screen = args.output.screen(app)?;
    let resolved = loop_options::<Options>(app, "heal", matches, [])?;
    let mut options = resolved.options;
    if let Some(path) = &args.findings {
        options.given = Some(read_findings(app, path)?);
    }
    if let Some(path) = options.paths.iter().find(|path| !is_there(app, path)) {
        return Err(Failure::usage(format!("there is no file or directory `{path}` to review")));
    }
    if let Some(why) = options.contradiction() {
        return Err(Failure::usage(why));
    }
    let mut the_loop = Loop::heal(options);
    if let Some(name) = &args.name {
        the_loop = the_loop.name(name);
    }
    loops::run(app, args.trust.apply(the_loop), &screen, &resolved.notify)
}

/// Whether something is at a path that the user has named; where a link leads does not matter.
fn is_there(app: &App, path: &str) -> bool {
    app.directory.join(path).symlink_metadata().is_ok()
}

/// The findings of another tool.
pub(crate) fn read_findings(app: &App, path: &Path) -> Result<Vec<Finding>, Failure> {
    let whole = app.directory.join(path);
    let shown = whole.display();
    let what = || format!("the findings in `{shown}` cannot be read");
    let text = read_named(&app.directory, path).map_err(|error| match error {
        TextError::Missing => Failure::usage(format!("there is no file `{shown}`")),
        error => Failure::because(Kind::Usage, what(), error),
    })?;
    let findings = format::read_file(&text).map_err(|error| {
        Failure::because(Kind::Usage, what(), error)
            .hint("SARIF 2.1.0 and reviewdog's rdjson are understood")
    })?;
    // Some tools write whole paths, and a review has them from where it works.
    let root = app.directory.to_string_lossy();
    Ok(findings.into_iter().map(|finding| finding.relative_to(&root)).collect())
}
