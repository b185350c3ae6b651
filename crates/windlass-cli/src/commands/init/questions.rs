//! What init asks at a terminal. Enter takes the default, and so does the end of the input.

use std::{io, thread};

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::oneshot,
};
use windlass::agent::BuiltIn;

use super::{
    found::Found,
    place::{Place, Trust},
};
use crate::{
    config::checked,
    host::{
        app::App,
        failure::{Failure, Kind},
    },
};

/// How long a loop may run, unless the user says otherwise.
const DURATION: &str = "8h";

/// What a loop may cost with an API key, in dollars.
const COST: &str = "10.0";

/// How many tokens a loop may use with an API key, where the agent reports no cost.
const TOKENS: &str = "5000000";

/// What the user wants.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    pub(super) agent: Option<String>,
    /// Whether a project's file that is not trusted is.
    pub(super) trusts: bool,
    pub(super) checks: Vec<String>,
    pub(super) guard: Vec<String>,
    pub(super) worktree_setup: Option<String>,
    /// Whether permissions are skipped: in a sandbox where there is one, else always.
    pub(super) skips_permissions: bool,
    pub(super) max_duration: String,
    pub(super) max_cost: Option<String>,
    pub(super) max_tokens: Option<String>,
    pub(super) notifies: bool,
    pub(super) commits: bool,
}

/// How the questions went.
pub(super) enum Asked {
    Answers(Answers),
    /// Ctrl-C.
    Interrupted,
}

impl Answers {
    /// What `--yes` takes.
    pub(super) fn defaults(place: &Place, found: &Found) -> Self {
        let (max_cost, max_tokens) = budget(found, found.agent.as_deref());
        Self {
            agent: found.agent.clone(),
            trusts: false,
            checks: default_checks(place, found),
            guard: Vec::new(),
            worktree_setup: found.setup.map(|(command, _)| command.to_owned()),
            skips_permissions: found.no_sandbox.is_none(),
            max_duration: DURATION.to_owned(),
            max_cost,
            max_tokens,
            notifies: false,
            commits: false,
        }
    }
}

/// A loop runs its checks where the user starts it. One that belongs elsewhere is found by every loop.
fn default_checks(place: &Place, found: &Found) -> Vec<String> {
    let is_here = |directory: &str| place.is_at_root && directory.is_empty();
    let here = found.checks.iter().filter(|check| is_here(&check.directory));
    let written = here.map(|check| match check.file.as_str() {
        // Runners that would wait for changes do not where this is set.
        "package.json" => format!("CI=1 {}", check.command),
        _ => check.command.clone(),
    });
    written.collect()
}

/// What is proposed for an agent besides a time limit: money or tokens, where an API key pays for them.
fn budget(found: &Found, agent: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(agent) = agent else { return (None, None) };
    if !found.has_api_key(agent) {
        return (None, None);
    }
    let reports_cost = BuiltIn::named(agent).is_some_and(|agent| agent.abilities.cost);
    if reports_cost { (Some(COST.to_owned()), None) } else { (None, Some(TOKENS.to_owned())) }
}

/// Why no more is asked.
enum Stopped {
    Interrupted,
    Failed(Failure),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Asks everything that is not settled by a key that is there already.
pub(super) async fn ask(app: &App, place: &Place, found: &Found) -> Result<Asked, Failure> {
    let mut interrupt = signal(SignalKind::interrupt())
        .map_err(|error| Failure::because(Kind::Setup, "Ctrl-C cannot be heard", error))?;
    let answered = tokio::select! {
        answered = all(app, place, found) => answered,
        _ = interrupt.recv() => Err(Stopped::Interrupted),
    };
    match answered {
        Ok(answers) => Ok(Asked::Answers(answers)),
        Err(Stopped::Interrupted) => {
            app.printer.hint("nothing was written");
            Ok(Asked::Interrupted)
        }
        Err(Stopped::Failed(failure)) => Err(failure),
    }
}

async fn all(app: &App, place: &Place, found: &Found) -> Result<Answers, Stopped> {
    let mut answers = Answers::defaults(place, found);
    if place.trust == Trust::Untrusted {
        answers.trusts = yes_no(app, "Trust this windlass.toml and let it act?", false).await?;
    }
    let has = |key: &str| place.user.get(key).is_some();
    if found.agents.len() > 1 && !has("agent") {
        answers.agent = agent(app, found, answers.agent).await?;
        (answers.max_cost, answers.max_tokens) = budget(found, answers.agent.as_deref());
    }
    if place.trust != Trust::Untrusted || answers.trusts {
        project(app, place, found, &mut answers).await?;
    }
    if found.agent.is_some() {
        permissions(app, place, found, &mut answers).await?;
        if !has("max_duration") {
            let question = "How long may a loop run?";
            answers.max_duration =
                value(app, question, "max_duration", &answers.max_duration).await?;
        }
        if let Some(cost) = answers.max_cost.take().filter(|_| !has("max_cost")) {
            let question = "How much may a loop cost, in dollars?";
            answers.max_cost = Some(value(app, question, "max_cost", &cost).await?);
        }
        if let Some(tokens) = answers.max_tokens.take().filter(|_| !has("max_tokens")) {
            let question = "How many tokens may a loop use?";
            answers.max_tokens = Some(value(app, question, "max_tokens", &tokens).await?);
        }
        if !has("notify") {
            let question = "Show a desktop notification when a loop ends?";
            answers.notifies = yes_no(app, question, false).await?;
        }
    }
    Ok(answers)
}

/// What belongs to the project.
async fn project(
    app: &App,
    place: &Place,
    found: &Found,
    answers: &mut Answers,
) -> Result<(), Stopped> {
    let has = |key: &str| place.project.get(key).is_some();
    if !has("checks") {
        let default = answers.checks.join(" && ");
        let question = "Command that must pass before work counts as done (`none` for no check)";
        let answer = text(app, question, &default).await?;
        answers.checks = match answer.as_str() {
            "" | "none" => Vec::new(),
            _ if answer == default => std::mem::take(&mut answers.checks),
            _ => vec![answer],
        };
    }
    if !has("guard") {
        let question = "More files that the agent must not get around, besides tests, as globs";
        let answer = text(app, question, "").await?;
        answers.guard = answer.split([',', ' ']).map(str::trim).map(str::to_owned).collect();
        answers.guard.retain(|glob| !glob.is_empty());
        if let Err(error) = windlass::globs(&answers.guard) {
            app.printer.warning(&error.to_string());
            answers.guard.clear();
        }
    }
    if found.setup.is_some() && !has("worktree_setup") {
        let default = answers.worktree_setup.clone().unwrap_or_default();
        let answer =
            text(app, "Command that prepares a new worktree (`none` for none)", &default).await?;
        answers.worktree_setup =
            Some(answer).filter(|answer| !answer.is_empty() && answer != "none");
    }
    if !has("auto_commit") && !has("create_branch") {
        let question = "Commit after each iteration, on a new branch for each loop?";
        answers.commits = yes_no(app, question, false).await?;
    }
    Ok(())
}

async fn permissions(
    app: &App,
    place: &Place,
    found: &Found,
    answers: &mut Answers,
) -> Result<(), Stopped> {
    let has = |key: &str| place.user.get(key).is_some();
    if has("sandbox") && has("skip_permissions") {
        return Ok(());
    }
    let (question, default) = match found.no_sandbox {
        None => {
            ("Run the agent in a sandbox, and let it use its tools there without asking?", true)
        }
        Some(_) => (
            "No sandbox works here. Let the agent use its tools without asking, with all that you can do?",
            false,
        ),
    };
    answers.skips_permissions = yes_no(app, question, default).await?;
    Ok(())
}

async fn agent(
    app: &App,
    found: &Found,
    default: Option<String>,
) -> Result<Option<String>, Stopped> {
    let names = found.agents.join(", ");
    loop {
        let answer =
            text(app, &format!("Agent: {names}"), default.as_deref().unwrap_or_default()).await?;
        if found.agents.contains(&answer) {
            return Ok(Some(answer));
        }
        app.printer.warning(&format!("there is no agent `{answer}` here; found are {names}"));
    }
}

/// A value that the setting can have.
async fn value(app: &App, question: &str, key: &str, default: &str) -> Result<String, Stopped> {
    loop {
        let answer = text(app, question, default).await?;
        match checked(key, &answer) {
            Ok(_) => return Ok(answer),
            Err(why) => app.printer.warning(&why),
        }
    }
}

async fn yes_no(app: &App, question: &str, default: bool) -> Result<bool, Stopped> {
    let shown = if default { "Y/n" } else { "y/N" };
    loop {
        match ask_line(app, &format!("{question} [{shown}] ")).await?.to_lowercase().as_str() {
            "" => return Ok(default),
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => {}
        }
    }
}

async fn text(app: &App, question: &str, default: &str) -> Result<String, Stopped> {
    let shown = if default.is_empty() { "none" } else { default };
    let answer = ask_line(app, &format!("{question} [{shown}]: ")).await?;
    Ok(if answer.is_empty() { default.to_owned() } else { answer })
}

/// One line of standard input, read where Ctrl-C is still heard; empty at the input's end.
async fn ask_line(app: &App, question: &str) -> Result<String, Stopped> {
    app.printer.ask_line(question);
    let (tell, told) = oneshot::channel();
    let reader = thread::Builder::new().name("answer".to_owned()).spawn(move || {
        let mut line = String::new();
        drop(io::stdin().read_line(&mut line));
        // Nobody waits any more after Ctrl-C.
        drop(tell.send(line));
    });
    reader.map_err(|error| Failure::because(Kind::Setup, "the answer cannot be read", error))?;
    Ok(told.await.unwrap_or_default().trim().to_owned())
}
