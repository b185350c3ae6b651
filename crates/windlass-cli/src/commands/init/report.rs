//! What init tells: what it found, what it wrote, what the checks said, and what to type next.

use windlass::AgentConfig;
use windlass_core::event::{BaselineCheck, ConfigEntry};

use super::{
    found::Found,
    place::{Place, Trust},
    plan::{Change, Plan},
    trial::Tried,
};
use crate::{
    host::{app::App, failure::Failure},
    report::words::proof::at_baseline,
};

/// What was found, a line each.
pub(super) fn found(app: &App, found: &Found) -> Result<(), Failure> {
    let agent = match (&found.agent, found.agents.as_slice()) {
        (None, _) => "none found".to_owned(),
        (Some(agent), [_] | []) => agent.clone(),
        (Some(agent), all) => format!("{agent} (found: {})", all.join(", ")),
    };
    app.printer.line(&format!("agent:    {agent}"))?;
    let sandbox = match &found.no_sandbox {
        None => "works".to_owned(),
        Some((why, _)) => format!("none works here: {why}"),
    };
    app.printer.line(&format!("sandbox:  {sandbox}"))?;
    let checks: Vec<_> = found
        .checks
        .iter()
        .map(|check| format!("`{}` (from {})", check.command, check.file))
        .collect();
    let checks = if checks.is_empty() { "none found".to_owned() } else { checks.join(", ") };
    app.printer.line(&format!("checks:   {checks}"))
}

/// A project's file that somebody else may have written.
pub(super) fn untrusted(app: &App, place: &Place) -> Result<(), Failure> {
    let path = place.project.path.display();
    app.printer.line(&format!("`{path}` is there and not trusted:"))?;
    for line in place.project.text.as_deref().unwrap_or_default().lines() {
        app.printer.line(&format!("    {line}"))?;
    }
    Ok(())
}

/// What was written, key by key.
pub(super) fn written(app: &App, plan: &Plan) -> Result<(), Failure> {
    for change in [&plan.project, &plan.user].into_iter().flatten() {
        app.printer.line(&format!("{} {}", verb(change), change.path.display()))?;
        for line in &change.added {
            app.printer.line(&format!("  {line}"))?;
        }
    }
    Ok(())
}

fn verb(change: &Change) -> &'static str {
    match (&change.before, change.added.is_empty()) {
        (None, _) => "created",
        (Some(_), true) => "nothing to add to",
        (Some(_), false) => "added to",
    }
}

/// What the checks said.
pub(super) fn trial(app: &App, trial: &Tried) -> Result<(), Failure> {
    for report in &trial.reports {
        let check = BaselineCheck {
            command: report.command.clone(),
            passed: report.passed,
            tests: report.tests.clone(),
        };
        app.printer.line(&format!("check:    {}", at_baseline(&check)))?;
    }
    for note in &trial.notes {
        app.printer.hint(note);
    }
    Ok(())
}

/// What may surprise people later.
pub(super) fn warnings(app: &App, found: &Found, plan: &Plan) {
    for asked in &found.sign_ins {
        if let Some(trouble) = asked.trouble() {
            app.printer.warning(&format!("{trouble}; to sign in: `{}`", asked.sign_in.login));
        }
    }
    if let Some(name) = &found.not_installed {
        let what = format!("your config has `agent = \"{name}\"`, and `{name}` is not installed");
        app.printer.warning(&what);
    }
    plan.notes.iter().for_each(|note| app.printer.warning(note));
}

/// What the repository's own files have the agent run or obey that is not trusted, a line each.
pub(super) fn untrusted_settings(app: &App, found: &Found) -> Result<Vec<String>, Failure> {
    let config = AgentConfig::find(&app.home, &app.directory)?;
    let is_of_agent = |entry: &ConfigEntry| Some(&entry.agent) == found.agent.as_ref();
    let untrusted = config.entries().filter(|(entry, trusted)| !trusted && is_of_agent(entry));
    let mut lines: Vec<String> = untrusted.map(|(entry, _)| entry.line()).collect();
    lines.dedup();
    Ok(lines)
}

/// What to type next; the last line is the first loop.
pub(super) fn next(
    app: &App,
    place: &Place,
    plan: &Plan,
    trial: &Tried,
    settings: &[String],
) -> Result<(), Failure> {
    let there = if place.is_elsewhere {
        let directory = app.directory.to_string_lossy();
        format!("windlass -C {}", shell_words::quote(&directory))
    } else {
        "windlass".to_owned()
    };
    if !settings.is_empty() {
        app.printer.line("this repository's own settings for agents are not trusted:")?;
        settings.iter().try_for_each(|line| app.printer.line(&format!("  {line}")))?;
    }
    let is_file_untrusted = plan.project.is_none() && place.trust == Trust::Untrusted;
    let heading = match (is_file_untrusted, settings) {
        (true, _) => {
            let path = place.project.path.display();
            format!("`{path}` is not trusted: it was neither changed nor run. Read it, then type:")
        }
        (false, [_, ..]) => "they can run commands as you. Read them, then type:".to_owned(),
        (false, []) => "next:".to_owned(),
    };
    app.printer.line(&heading)?;
    if is_file_untrusted || !settings.is_empty() {
        app.printer.line(&format!("  {there} trust"))?;
    }
    let fails = trial.reports.iter().any(|report| !report.passed);
    let prompt =
        if fails { "Make the tests pass." } else { "Find one bug, fix it, and add a test for it." };
    app.printer.line(&format!("  {there} iterate -p '{prompt}'"))
}
