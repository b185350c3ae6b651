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

/// Review the work, fix each finding in its own session, and run the tests
///
/// Reviews the branch against its base, including uncommitted changes; `--base`, `--all` or paths
/// change that. The phases are BREATHE (review, saved in `.review-output.md`), REFLECT (read
/// findings), HEAL (fix) and AWAKEN (test).
///
/// One pass is done if every finding was fixed and the tests pass. With `--loop` it repeats until a
/// review finds nothing. A review that windlass cannot read never counts as clean.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Use the findings of another tool as the first review: SARIF or rdjson
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "base", "paths"])]
    findings: Option<PathBuf>,

    /// Name of the loop [default: generated]
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
  windlass heal --agent claude                 one pass over the work on this branch
  windlass heal --loop --test 'cargo test'     repeat until a review is clean, at most 5 times
  windlass heal --review-only src/parser       only list findings
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
