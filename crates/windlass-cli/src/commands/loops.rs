//! What the commands that run loops have in common: they set the loop up in the program's
//! surroundings, show it, and turn its result into an exit code.

use windlass::{
    Loop, LoopError, Stop, TreeError,
    agent::{BUILT_IN, ChooseError, HooksError},
    system::{SandboxError, StartError, adopt_orphans},
};
use windlass_core::{event::Event, result::LoopResult};
use windlass_store::store::Store;

use super::{agent_config, block_on, story::guide::Guide};
use crate::{
    config::nearest,
    host::{
        app::App,
        environment::Variable,
        failure::{Failure, Kind},
        signals::Listener,
    },
    notify::{self, Notifier},
    present::Next,
    report::{Shown, ending::Standing},
};

/// Runs a loop to its ending and shows it; gives the exit code.
pub(crate) fn run(
    app: &App,
    the_loop: Loop,
    screen: &Shown,
    notify: &notify::Options,
) -> Result<u8, Failure> {
    resume(app, the_loop, screen, notify, &[])
}

/// The same for a loop that has a past.
pub(crate) fn resume(
    app: &App,
    the_loop: Loop,
    screen: &Shown,
    notify: &notify::Options,
    history: &[Event],
) -> Result<u8, Failure> {
    // All that this process starts is windlass's own: so what a killed guardian leaves is, too.
    adopt_orphans();
    Notifier::prepare(app, notify)?;
    let stop = Stop::default();
    let the_loop = the_loop
        .home(&app.home)
        .directory(&app.directory)
        .environment(app.environment.all().clone())
        .reporter(screen.clone())
        .stop(&stop);
    let mut the_loop = screen.ask(the_loop, app.printer);
    if let Some(warning) = over_ssh(app) {
        the_loop = the_loop.warning(warning);
    }
    let ran = block_on(async {
        let _listener = Listener::start(stop)
            .map_err(|error| Failure::because(Kind::Setup, "signals cannot be heard", error))?;
        let notifier = Notifier::start(app, notify);
        notifier.seed(history);
        let ran = the_loop.reporter(notifier.clone()).run().await;
        match &ran {
            Ok(result) => notifier.end(result),
            Err(error) => notifier.failed(&error.to_string()),
        }
        Ok::<_, Failure>((ran, notifier.close().await))
    })?;
    let (ran, troubles) = ran?;
    let ended = shown(app, ran, screen);
    troubles.iter().for_each(|trouble| app.printer.warning(trouble));
    ended
}

/// That the loop ends with the connection that it was started over.
fn over_ssh(app: &App) -> Option<&'static str> {
    let is_set = |variable: &Variable| app.environment.get(*variable).is_some();
    let outlives = [Variable::Tmux, Variable::Sty, Variable::Zellij].iter().any(is_set);
    let is_over = is_set(&Variable::SshConnection) && app.printer.errors_are_seen && !outlives;
    is_over.then_some(
        "closing this SSH connection ends the loop; start it with `--detach`, or inside tmux",
    )
}

/// Shows what a loop came to; gives the exit code.
fn shown(app: &App, ran: Result<LoopResult, LoopError>, screen: &Shown) -> Result<u8, Failure> {
    let result = match ran {
        Err(error @ LoopError::CalledOff { .. }) => {
            app.printer.warning(&error.to_string());
            return Ok(error.exit_code());
        }
        ran => ran?,
    };
    let printed = screen.end(&result);
    if screen.suggests() {
        screen.next(&next(app, &result));
    }
    printed?;
    Ok(exit_code(&result))
}

/// What to type next after a loop.
fn next(app: &App, result: &LoopResult) -> Next {
    let standing = Standing::of_result(result);
    let store = Store::open_existing(&app.home).ok().flatten();
    let record = store.as_ref().and_then(|store| store.find(Some(&result.id), &app.directory).ok());
    match (&store, &record) {
        (Some(store), Some(record)) => {
            Guide::new(app).next(store, record, &standing, standing.next())
        }
        _ => Next::of(standing.next()),
    }
}

fn exit_code(result: &LoopResult) -> u8 {
    result.exit_code.unwrap_or_else(|| Kind::Internal.exit_code())
}

impl From<LoopError> for Failure {
    fn from(error: LoopError) -> Self {
        let kind = match error.exit_code() {
            1 => Kind::Unsuccessful,
            2 => Kind::Usage,
            3 => Kind::CircuitOpen,
            4 => Kind::Setup,
            6 => Kind::Storage,
            8 => Kind::Survivors,
            _ => Kind::Internal,
        };
        let hints = hints(&error);
        let error = match error {
            LoopError::Find(error) => return error.into(),
            LoopError::Store(error) => return error.into(),
            error => error,
        };
        hints.into_iter().fold(Self::new(kind, error), Self::hint)
    }
}

/// What a file of hooks looks like.
const HOOKS_FORM: &str = "a hooks file looks like this: `{\"hooks\": {\"Stop\": [{\"hooks\": \
                          [{\"type\": \"command\", \"command\": \"…\"}]}]}}`";

fn hints(error: &LoopError) -> Vec<String> {
    match error {
        LoopError::Agent(error) => agent_hints(error),
        LoopError::AgentMissing { source: StartError::NotFound { program, .. }, .. }
            if let Some(hint) = shell_hint(program) =>
        {
            vec![hint]
        }
        LoopError::AgentMissing { install, .. } => {
            let other = "choose another agent with `--agent` or `--command`";
            let hint = match install {
                Some(install) => format!("install it with `{install}`, or {other}"),
                None => format!("install it, or {other}"),
            };
            vec![hint, "`windlass agents` lists the agents that were found".to_owned()]
        }
        LoopError::Sandbox(SandboxError::Unavailable { hint, .. }) => {
            vec![hint.clone(), "`windlass doctor` tells what this machine can do".to_owned()]
        }
        LoopError::Sandbox(SandboxError::NoImage { .. }) => vec![
            "name one with `--image`: one that has `sh`, the agent's program and what the checks need"
                .to_owned(),
        ],
        LoopError::HasNoHooks { .. } => {
            let have = BUILT_IN.iter().filter(|agent| agent.abilities.hooks);
            let have: Vec<String> = have.map(|agent| agent.name.to_owned()).collect();
            vec![format!("leave it out, or choose an agent that has hooks: {}", quoted(&have))]
        }
        LoopError::BadHooksFile {
            source: HooksError::UnknownEvent { name, known, .. }, ..
        } => match nearest(name, known.iter().copied()) {
            Some(near) => vec![format!("did you mean `{near}`?")],
            None => vec![format!("the known ones are {}", known.join(", "))],
        },
        LoopError::BadHooksFile { .. } => vec![HOOKS_FORM.to_owned()],
        LoopError::BadSettings(_) => vec![
            "windlass adds hooks to these settings: name the file by its whole path".to_owned(),
        ],
        LoopError::NoFallback => vec!["name it with `--fallback-agent NAME`".to_owned()],
        LoopError::NotInWorktree { .. } => vec![
            "a worktree has what is committed: commit the program, or name it by its whole path"
                .to_owned(),
        ],
        LoopError::Untrusted { directory, .. } => vec![agent_config::hint(directory)],
        LoopError::UnknownProgram { .. } => {
            vec!["install it, correct the check, or name the program by its path".to_owned()]
        }
        LoopError::PromptTooLong { .. } => {
            vec![
                "hand it over in another way: `--prompt-mode stdin` or `--prompt-mode file`"
                    .to_owned(),
            ]
        }
        LoopError::TreeInUse { holder, .. } => vec![
            match holder {
                Some(name) => format!("wait for it, or end it with `windlass cancel {name}`"),
                None => "wait for it; `windlass list` shows all loops".to_owned(),
            },
            "or give this loop a tree of its own with `--worktree BRANCH`".to_owned(),
        ],
        LoopError::LoopInUse { name, .. } => vec![
            format!(
                "look at it with `windlass status {name}`, end it with `windlass cancel {name}`"
            ),
            format!(
                "if that process hangs, take it over with `windlass resume {name} --take-over`"
            ),
        ],
        LoopError::CircuitOpen { name, .. } => vec![
            format!("`windlass why {name}` tells on which evidence"),
            format!("to go on all the same: `windlass resume {name} --reset-circuit`"),
            "or resume it with a flag that changes what the rule tripped on: its threshold, \
             `--check`, `--unguard`, `--test-policy`, `--known-failures`, `--prompt`, `--agent` or \
             `--command`"
                .to_owned(),
        ],
        LoopError::BadTaskFile { .. } => vec![
            "a task file is a check list in Markdown, a `prd.json`, or plain text with a task a \
             line; `windlass tasks --help` tells more"
                .to_owned(),
        ],
        LoopError::NotMergeable { .. }
        | LoopError::NotAcceptable { .. }
        | LoopError::Uncommitted { .. }
        | LoopError::Conflict { .. }
        | LoopError::MergeUnderWay { .. } => taking_hints(error),
        LoopError::HomeInTree { .. } => vec![
            "set WINDLASS_HOME to a directory outside of it; where it is not set, that is \
             `~/.local/state/windlass`"
                .to_owned(),
        ],
        LoopError::Tree(error) => tree_hints(error),
        LoopError::NotResumable { name, .. } => {
            vec![format!("`windlass show {name}` tells what it did")]
        }
        _ => Vec::new(),
    }
}

/// What helps where work cannot be merged or accepted.
fn taking_hints(error: &LoopError) -> Vec<String> {
    match error {
        LoopError::NotMergeable { hint, .. } => vec![hint.clone()],
        LoopError::NotAcceptable { hints, .. } => hints.clone(),
        LoopError::Uncommitted { name, .. } => {
            vec![format!("`windlass merge {name} --commit` commits it to the loop's branch first")]
        }
        LoopError::Conflict { name, .. } => vec![
            format!("`windlass merge {name} --resolve` lets an agent settle it"),
            "or settle it yourself on the loop's branch, and merge again".to_owned(),
        ],
        LoopError::MergeUnderWay { .. } => {
            vec!["wait for it, and merge again; `windlass list` shows all loops".to_owned()]
        }
        _ => Vec::new(),
    }
}

fn tree_hints(error: &TreeError) -> Vec<String> {
    match error {
        TreeError::UnderWay { .. } | TreeError::Unmerged { .. } => vec![
            "`git status` tells how to finish or abort it".to_owned(),
            "or start the loop without commits and branches, or in a tree of its own with \
             `--worktree BRANCH`"
                .to_owned(),
        ],
        TreeError::Changed { .. } => {
            vec!["commit or stash them, and merge again; nothing was changed".to_owned()]
        }
        TreeError::BecameALink { path, .. } => vec![
            format!("put the directory back where it was: `{}`", path.display()),
            "what the loop did is still in the store; `windlass list` shows all loops".to_owned(),
        ],
        _ => Vec::new(),
    }
}

/// What helps where a command was written for a shell.
fn shell_hint(program: &str) -> Option<String> {
    if let Some((name, value)) = program.split_once('=')
        && !name.contains('/')
    {
        return Some(format!(
            "no shell runs the command: set the variable with `--env {name}={value}` instead"
        ));
    }
    if let Some(rest) = program.strip_prefix("~/") {
        return Some(format!(
            "no shell runs the command, so `~` stays as it is: write `-c \"$HOME/{rest}\"`"
        ));
    }
    let is_expanded = program.contains(['$', '*', '`']);
    is_expanded.then(|| {
        "no shell runs the command, and nothing in it is expanded: let your own shell do that, with \
         double quotes around it"
            .to_owned()
    })
}

fn agent_hints(error: &ChooseError) -> Vec<String> {
    match error {
        ChooseError::None { known } => vec![
            format!("choose one with `--agent`: {}", quoted(known)),
            "`windlass agents` tells which are installed, and how to install the others".to_owned(),
            "or run any program with `--command 'PROGRAM ARGS'`".to_owned(),
        ],
        ChooseError::Unknown { name, known } => {
            let near = nearest(name, known.iter().map(String::as_str));
            let near = near.map(|near| format!("did you mean `{near}`?"));
            near.into_iter().chain([format!("the known ones are {}", quoted(known))]).collect()
        }
        ChooseError::NotTaken { name, what: "model" }
            if name != "command" && name != "scripted" =>
        {
            vec!["put `{model}` where it goes in the agent's `command`".to_owned()]
        }
        ChooseError::NotTaken { name, .. } if name != "scripted" => {
            vec!["put what it needs into the command itself, or after `--`".to_owned()]
        }
        _ => Vec::new(),
    }
}

fn quoted(names: &[String]) -> String {
    let mut names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.sort_unstable();
    names.join(", ")
}
