//! Looks for the project's checks as loops do, and runs them once in the sandbox that loops get.

use std::path::Path;

use windlass::{
    Loop, LoopError, Stop, kind::iterate::Options, options::FoundCheck, system::GuardianProgram,
};
use windlass_core::step::CheckReport;

use super::{found::Found, plan::Plan};
use crate::{
    args,
    commands::block_on,
    config::{Layers, resolve},
    host::{
        app::App,
        failure::{Failure, Kind},
        program, signals,
    },
};

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Tried {
    pub(super) reports: Vec<CheckReport>,
    /// What people should know, a line each.
    pub(super) notes: Vec<String>,
    pub(super) is_stopped: bool,
}

/// The checks that loops would find here. Nothing of the project runs.
pub(super) fn find(app: &App) -> Result<Vec<FoundCheck>, Failure> {
    let layers = Layers::of(vec![crate::config::Layer::defaults()]);
    let home = temporary()?;
    let the_loop = in_place(app, home.path(), options(&layers, &["--sandbox", "none"])?);
    match block_on(the_loop.find_checks())? {
        Ok(trial) => Ok(trial.found),
        Err(error) => {
            app.printer.warning(&format!("windlass cannot look for checks: {error}"));
            Ok(Vec::new())
        }
    }
}

/// Runs the checks, unless the project's file may not act.
pub(super) fn run(app: &App, plan: &Plan, found: &Found) -> Result<Tried, Failure> {
    if plan.project.is_none() {
        return Ok(Tried::default());
    }
    let layers = app.layers()?;
    let home = temporary()?;
    let options = options(&layers, &[])?;
    let stop = Stop::default();
    let the_loop = in_place(app, home.path(), options).stop(&stop);
    let tried = block_on(async {
        let listener = signals::Listener::start(stop.clone());
        let tried = the_loop.try_checks().await;
        drop(listener);
        tried
    })?;
    Ok(match tried {
        Ok(trial) => {
            let mut notes = trial.notes;
            notes.extend(trial.problem);
            let missing = trial.reports.iter().filter(|report| !report.passed);
            notes.extend(missing.filter_map(|report| missing_in(app, report, found)));
            let is_stopped = trial.is_stopped;
            Tried { reports: trial.reports, notes, is_stopped }
        }
        Err(LoopError::UnknownProgram { word, is_confined: true, check }) => {
            let note = match on_the_host(app, &word) {
                Some(path) => not_visible(&word, &path),
                None => format!("`{check}` cannot run: `{word}` is not installed"),
            };
            Tried { notes: vec![note], ..Tried::default() }
        }
        Err(error) => {
            Tried { notes: vec![format!("the checks did not run: {error}")], ..Tried::default() }
        }
    })
}

/// The options of a loop here, with a program in place of the agent: only checks run.
fn options(layers: &Layers, more: &[&str]) -> Result<Options, Failure> {
    let command = args::command();
    let command = command.find_subcommand("iterate").expect("it is a loop kind");
    let words = ["iterate", "-p", "-", "-c", "true"].iter().chain(more);
    let matches = command.clone().try_get_matches_from(words);
    let matches = matches.map_err(|error| Failure::new(Kind::Internal, error))?;
    Ok(resolve(layers, command, &matches, [])?.options)
}

/// A loop that leaves nothing in the user's store.
fn in_place(app: &App, home: &Path, options: Options) -> Loop {
    Loop::iterate(options)
        .home(home)
        .directory(&app.directory)
        .environment(app.environment.all().clone())
        .guardian(GuardianProgram::ThisProgram)
}

fn temporary() -> Result<tempfile::TempDir, Failure> {
    tempfile::Builder::new()
        .prefix("windlass-init-")
        .tempdir()
        .map_err(|error| Failure::because(Kind::Setup, "no temporary directory can be made", error))
}

/// Names the program that a check did not find in the sandbox, and what lets it.
fn missing_in(app: &App, report: &CheckReport, found: &Found) -> Option<String> {
    if found.no_sandbox.is_some() {
        return None;
    }
    let words = report.tail.lines().filter_map(not_found);
    words
        .filter_map(|word| Some((on_the_host(app, word)?, word)))
        .next()
        .map(|(path, word)| not_visible(word, &path))
}

/// The program that a shell did not find, where a line says so: `sh: 1: tool: not found`,
/// `tool: command not found`, `/opt/tool: No such file or directory`.
fn not_found(line: &str) -> Option<&str> {
    let ends = [": command not found", ": not found", ": No such file or directory"];
    let begin = ends.iter().find_map(|end| line.trim_end().strip_suffix(end))?;
    let word = begin.rsplit(": ").next()?.trim();
    (!word.is_empty() && !word.contains(char::is_whitespace)).then_some(word)
}

/// Where a program is outside of the sandbox.
fn on_the_host(app: &App, word: &str) -> Option<std::path::PathBuf> {
    let programs = program::trusted(app);
    let path = program::find(app, programs, word)?.path;
    Some(path.canonicalize().unwrap_or(path))
}

fn not_visible(word: &str, path: &Path) -> String {
    let directory = path.parent().unwrap_or(path).display().to_string();
    let setting = toml::Value::from(vec![directory]);
    format!(
        "`{word}` is installed ({}), and the sandbox does not show it: add `sandbox_read = {setting}` \
         to your config, and what else the program needs",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missing_program_is_read_from_what_shells_say() {
        for (line, word) in [
            ("sh: 1: tool: not found", Some("tool")),
            ("./test.sh: line 3: tool: command not found", Some("tool")),
            ("./test.sh: 3: /home/a/tool: not found", Some("/home/a/tool")),
            ("bash: /opt/x/tool: No such file or directory", Some("/opt/x/tool")),
            ("cat: no such thing", None),
            ("error: page not found", None),
        ] {
            assert_eq!(not_found(line), word, "{line}");
        }
    }
}
