//! A real agent program in a world of its own, with a scripted model as its provider.

use std::{env, fs, path::PathBuf, time::Duration};

use testkit::{
    Env, Invocation,
    model::{Model, Record, Script},
};

use crate::world;

/// How long one loop may take: some programs try a failed request again for more than a minute.
const LIMIT: Duration = Duration::from_secs(200);

/// What must be known of an agent to try it.
pub(super) struct Real {
    /// The name that people type, and of the program.
    pub(super) name: &'static str,
    /// The model that is asked for, as people type it.
    pub(super) model: &'static str,
    /// The model as its provider knows it.
    pub(super) model_on_wire: &'static str,
    /// Whether it offers tools. Aider does not: its model edits by what it says.
    pub(super) has_tools: bool,
    /// Points it at the provider: writes its config files, and gives its variables.
    pub(super) point: fn(&Env, url: &str) -> Vec<(&'static str, String)>,
    /// More flags of windlass.
    pub(super) flags: &'static [&'static str],
}

/// A world with the agent and its model.
pub(super) struct Stage {
    pub(super) env: Env,
    pub(super) model: Model,
    agent: &'static Real,
    variables: Vec<(&'static str, String)>,
}

impl Stage {
    /// Sets all up for a model that plays `script`.
    pub(super) fn new(agent: &'static Real, script: &str) -> Self {
        assert_cut_off();
        let env = world();
        // Something to map, for programs that keep a map of the sources in the work tree.
        env.write("notes.py", "def read():\n    return open('notes.txt').read()\n");
        env.git(["add", "notes.py"]);
        env.git(["commit", "--quiet", "--message=a source"]);
        let script = Script::parse(script).expect("the script of a test can be read");
        let model = Model::start(script, env.work()).expect("loopback is there");
        let mut variables = (agent.point)(&env, &model.url());
        let path = env.variables().into_iter().find(|(name, _)| *name == "PATH");
        let path = path.map(|(_, path)| path).unwrap_or_default();
        variables.push(("PATH", format!("{}:{path}", programs(agent.name).display())));
        Self { env, model, agent, variables }
    }

    /// `iterate` with the agent.
    pub(super) fn iterate(&self, args: &[&str]) -> Invocation<'_> {
        let agent = self.agent;
        let start = ["iterate", "-p", "Mend the notes.", "--json", "--skip-permissions"];
        let call = self.env.command(start);
        let call = ["--agent", agent.name, "--model", agent.model]
            .iter()
            .chain(agent.flags)
            .chain(args)
            .fold(call, |call, arg| call.arg(arg));
        let variables = self.variables.iter();
        variables.fold(call, |call, (name, value)| call.env(name, value)).limit(LIMIT)
    }

    /// The requests that the script answered. They all ask for the right model.
    #[track_caller]
    pub(super) fn requests(&self) -> Vec<Record> {
        let records = self.model.main_records();
        for record in &records {
            let model = record.body["model"].as_str().unwrap_or(&record.line);
            assert!(model.contains(self.agent.model_on_wire), "{}: {model}", record.line);
        }
        records
    }
}

/// The folder with the programs, which must have this one.
#[expect(clippy::disallowed_methods, reason = "`scripts/compat` tells by variables what there is")]
pub(super) fn programs(name: &str) -> PathBuf {
    let folder = env::var_os("WINDLASS_COMPAT_BIN");
    let folder = PathBuf::from(folder.expect("these tests are run by `scripts/compat`"));
    assert!(folder.join(name).is_file(), "`{name}` is not in {}", folder.display());
    folder
}

/// Where the network was to be cut off, it is.
#[expect(clippy::disallowed_methods, reason = "`scripts/compat` tells by variables what there is")]
fn assert_cut_off() {
    if env::var("WINDLASS_COMPAT_NETWORK").is_ok_and(|network| network == "open") {
        return;
    }
    let devices = fs::read_to_string("/proc/net/dev").expect("the system tells its devices");
    let names = devices.lines().skip(2).filter_map(|line| line.split(':').next());
    let names: Vec<&str> = names.map(str::trim).collect();
    assert_eq!(names, ["lo"], "the agents are to be cut off from the network");
}
