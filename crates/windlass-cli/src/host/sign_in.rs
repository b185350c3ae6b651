//! Asks agents whether they are signed in: in an empty directory, with the user's own settings, within
//! a time limit. What to ask and how to read the answer is each agent's own data.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::task::JoinSet;
use windlass::{
    agent::{
        Agent, Answer, Ask, BuiltIn, Exit, Outcome, ProcessSpec, Question, SignIn, SignedIn,
        Wishes, environment,
    },
    system::{Guardian, GuardianProgram, Output},
};
use windlass_core::options::Claiming;

use crate::{config::Layers, host::app::App, host::program};

/// How long an agent may take to answer.
const LIMIT: Duration = Duration::from_secs(20);

/// So much of an answer is read.
const LONGEST: usize = 256 * 1024;

/// What an agent that has no status command is asked.
const PROMPT: &str = "Answer with the word OK. Use no tools.";

/// An agent that was asked, and what it said.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The agent's name.
    pub(crate) agent: &'static str,
    /// What signs it in, and what it bills.
    pub(crate) sign_in: &'static SignIn,
    /// Whether it is signed in.
    pub(crate) said: SignedIn,
}

impl Asked {
    /// What is wrong, if anything is.
    pub(crate) fn trouble(&self) -> Option<String> {
        let name = self.agent;
        match &self.said {
            SignedIn::Yes(_) => None,
            SignedIn::No => Some(format!("{name} is not signed in")),
            SignedIn::Unknown(why) => {
                Some(format!("it is not known whether {name} is signed in: {why}"))
            }
        }
    }
}

/// The environment that agents get here, with what the config adds to it.
pub(crate) fn environment_of(app: &App, layers: &Layers) -> BTreeMap<OsString, OsString> {
    let entries = layers.entries(None);
    let list = |key: &str| -> Vec<String> {
        let value = entries.get(key).and_then(|setting| setting.value.as_array());
        let items = value.into_iter().flatten().filter_map(|item| item.as_str());
        items.map(str::to_owned).collect()
    };
    environment(app.environment.all().clone(), &list("pass_env"), &list("env"))
}

/// Asks built-in agents, all at once, each by the program that was found for it. Agents without a known
/// sign-in are left out.
pub(crate) async fn ask(
    app: &App,
    env: &BTreeMap<OsString, OsString>,
    agents: Vec<(&'static BuiltIn, PathBuf)>,
) -> Result<Vec<Asked>, String> {
    let guardian = Guardian::start(&GuardianProgram::ThisProgram, None, Vec::new());
    let guardian = guardian.map_err(|error| error.to_string())?;
    let env = program::trusted(app).environment(env.clone());
    let mut asking = JoinSet::new();
    for (at, (built_in, program)) in agents.into_iter().enumerate() {
        let Some(sign_in) = built_in.agent().and_then(|agent| agent.sign_in()) else { continue };
        let (guardian, env) = (guardian.clone(), env.clone());
        asking.spawn(async move {
            let said = ask_one(&guardian, &env, built_in, sign_in, &program).await;
            let said = sign_in.with_key(said.unwrap_or_else(SignedIn::Unknown), &env);
            (at, Asked { agent: built_in.name, sign_in, said })
        });
    }
    let mut asked = Vec::new();
    while let Some(answered) = asking.join_next().await {
        asked.extend(answered.ok());
    }
    guardian.close().await;
    asked.sort_by_key(|(at, _)| *at);
    Ok(asked.into_iter().map(|(_, asked)| asked).collect())
}

async fn ask_one(
    guardian: &Guardian,
    env: &BTreeMap<OsString, OsString>,
    built_in: &BuiltIn,
    sign_in: &SignIn,
    program: &Path,
) -> Result<SignedIn, String> {
    let place = tempfile::Builder::new().prefix("windlass-sign-in-").tempdir();
    let place = place.map_err(|error| format!("no temporary directory can be made: {error}"))?;
    let directory = place.path().join("empty");
    fs::create_dir(&directory)
        .map_err(|error| format!("no temporary directory can be made: {error}"))?;
    match sign_in.question {
        Question::Status { args, read } => {
            let spec = ProcessSpec {
                program: program.into(),
                args: args.iter().map(OsString::from).collect(),
                env: env.clone().into_iter().collect(),
                directory,
                stdin: Vec::new(),
            };
            let output = run(guardian, spec).await?;
            let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
            Ok(read(&Answer { code: output.code, stdout: &stdout, stderr: &stderr }))
        }
        Question::Prompt { model, args } => {
            let agent = built_in.agent().ok_or("it is no agent")?;
            let wishes = Wishes {
                model: model.map(str::to_owned),
                extra_args: args.iter().map(ToString::to_string).collect(),
                ..Wishes::default()
            };
            let prompt_file = place.path().join("prompt");
            let claiming = Claiming::default();
            let ask = Ask {
                role: "agent",
                iteration: 1,
                prompt: PROMPT,
                directory: &directory,
                env,
                claiming: &claiming,
                wishes: &wishes,
                is_root: rustix::process::geteuid().is_root(),
                prompt_file: &prompt_file,
                hooks_file: None,
            };
            fs::write(&prompt_file, &*agent.prompt_file_text(&ask))
                .map_err(|error| format!("the prompt cannot be written: {error}"))?;
            let spec = ProcessSpec { program: program.into(), ..agent.command(&ask) };
            let output = run(guardian, spec).await?;
            Ok(read_session(agent.as_ref(), &ask, &output))
        }
    }
}

async fn run(guardian: &Guardian, spec: ProcessSpec) -> Result<Output, String> {
    let output = guardian.output(spec, LIMIT, LONGEST).await;
    let output = output.map_err(|error| error.to_string())?;
    if output.timed_out {
        return Err(format!("no answer in {} s", LIMIT.as_secs()));
    }
    Ok(output)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a whole session says about its sign-in.
fn read_session(agent: &dyn Agent, ask: &Ask<'_>, output: &Output) -> SignedIn {
    let mut decoder = agent.decoder(ask);
    let mut said = Vec::new();
    decoder.lines(&output.stdout, &mut said);
    decoder.error_lines(&output.stderr);
    let exit = Exit {
        code: output.code,
        signal: output.signal,
        ended_by: None,
        leftovers: Vec::new(),
        survivors: Vec::new(),
        leaky: false,
        duration: Duration::ZERO,
    };
    let reading = decoder.finish(&exit, &mut said);
    match reading.outcome {
        // A limit is met by those who are let in.
        Outcome::Finished | Outcome::Limited { .. } => SignedIn::Yes(None),
        Outcome::Auth => SignedIn::No,
        outcome => SignedIn::Unknown(reading.problem.unwrap_or_else(|| outcome.to_string())),
    }
}
