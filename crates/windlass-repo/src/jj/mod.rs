//! The one place that calls Jujutsu: argv only, with a time limit, and no program that a config
//! names is started.
//!
//! Unlike git it has no way to look at a work tree from outside: asking what changed lets it record
//! the work tree first, as every call of `jj` by its user does. So it is called with the user's own
//! config, which says who commits and what is tracked, and every setting that starts a program is
//! overridden.

mod error;
mod place;

pub use error::JjError;
pub use place::find;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use windlass_core::process::ProcessSpec;
use windlass_system::process::{Output, Programs, StartError};

use crate::git::Runner;

/// How long one call may take.
const LIMIT: Duration = Duration::from_secs(60);

/// The most that one call may give out.
const MOST_BYTES: usize = 64 << 20;

/// What every call is given, whatever else it is given.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("PAGER", "cat"),
    ("JJ_EDITOR", "false"),
    ("EDITOR", "false"),
    ("NO_COLOR", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C.UTF-8"),
];

/// Variables that are the user's: where the config and the program are.
const OF_THE_USER: [&str; 7] =
    ["HOME", "JJ_CONFIG", "JJ_EMAIL", "JJ_USER", "PATH", "USER", "XDG_CONFIG_HOME"];

/// What every call ends with. `--config` has the last word over every file of config.
const FLAGS: [&str; 9] = [
    "--no-pager",
    "--quiet",
    "--color=never",
    "--config=fsmonitor.backend=\"none\"",
    "--config=signing.behavior=\"keep\"",
    "--config=signing.backend=\"none\"",
    "--config=ui.diff-formatter=\":git\"",
    "--config=ui.paginate=\"never\"",
    "--config=diff.git.show-path-prefix=true",
];

/// What changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The diff, in git's format.
    pub bytes: Vec<u8>,
    /// New files that are too large for Jujutsu to record, which its user sets a size for.
    pub refused: Vec<String>,
}

/// Where Jujutsu is, among the programs that no agent could have written.
pub fn program(programs: &Programs) -> Result<PathBuf, StartError> {
    programs.find(OsStr::new("jj"))
}

/// Calls Jujutsu in one repository.
#[derive(Clone)]
pub struct Jj {
    runner: Arc<dyn Runner>,
    program: Result<PathBuf, StartError>,
    env: Vec<(OsString, OsString)>,
    directory: PathBuf,
    limit: Duration,
}

impl Jj {
    /// The `jj` that stands at `program`, by its whole path, which works in `directory` and is
    /// started by `runner`; one that was not found says so when it is called. Its `PATH` is that of
    /// `env`, which must be the environment of windlass's own programs.
    pub fn new(
        runner: Arc<dyn Runner>,
        program: Result<PathBuf, StartError>,
        directory: impl Into<PathBuf>,
        env: &BTreeMap<OsString, OsString>,
    ) -> Self {
        let of_user = env.iter().filter(|(name, _)| Self::of_the_user(name));
        let of_user = of_user.map(|(name, value)| (name.clone(), value.clone()));
        let fixed = ENVIRONMENT.iter().map(|(name, value)| (name.into(), value.into()));
        let env = fixed.chain(of_user).collect();
        Self { runner, program, env, directory: directory.into(), limit: LIMIT }
    }

    /// Whether a variable of the user's environment is for Jujutsu.
    pub fn of_the_user(name: &OsStr) -> bool {
        OF_THE_USER.iter().any(|known| name == *known)
    }

    /// The same with another time limit a call.
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// The commit that the work tree is at, with all that is in it now.
    pub(crate) async fn commit(&self) -> Result<String, JjError> {
        let output =
            self.run(&["log", "--no-graph", "--revisions=@", "--template=commit_id"]).await?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let is_id = said.len() >= 32 && said.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_id { Ok(said) } else { Err(JjError::NoCommit) }
    }

    /// What changed from a commit to the work tree as it is now, in git's format; without one, what
    /// the work tree's own commit changes.
    pub async fn diff(&self, from: Option<&str>) -> Result<Diff, JjError> {
        let output = self.compare("--git", from).await?;
        let refused = refused(&String::from_utf8_lossy(&output.stderr));
        Ok(Diff { bytes: output.stdout, refused })
    }

    /// The files that changed so.
    pub async fn changed(&self, from: Option<&str>) -> Result<Vec<String>, JjError> {
        let output = self.compare("--name-only", from).await?;
        let names = String::from_utf8_lossy(&output.stdout);
        Ok(names.lines().map(ToOwned::to_owned).collect())
    }

    async fn compare(&self, how: &str, from: Option<&str>) -> Result<Output, JjError> {
        let from = from.map(|commit| format!("--from={commit}"));
        let mut args = vec!["diff", how];
        if let Some(from) = &from {
            args.extend([from.as_str(), "--to=@"]);
        }
        self.run(&args).await
    }

    /// Runs one call to its end.
    async fn run(&self, args: &[&str]) -> Result<Output, JjError> {
        let command = format!("jj {}", args.join(" "));
        let program = match &self.program {
            Ok(program) => program.clone().into(),
            Err(StartError::NotFound { .. }) => return Err(JjError::NotInstalled),
            Err(source) => return Err(JjError::Start { command, source: source.clone() }),
        };
        let spec = ProcessSpec {
            program,
            args: args.iter().chain(&FLAGS).map(Into::into).collect(),
            env: self.env.clone(),
            directory: self.directory.clone(),
            stdin: Vec::new(),
        };
        let output = match self.runner.run(spec, self.limit, MOST_BYTES).await {
            Ok(output) => output,
            Err(StartError::NotFound { .. }) => return Err(JjError::NotInstalled),
            Err(source) => return Err(JjError::Start { command, source }),
        };
        match output.code {
            _ if output.timed_out => {
                Err(JjError::TimedOut { command, seconds: self.limit.as_secs_f64() })
            }
            // What was cut off must never pass for the whole.
            Some(0) if output.stdout.len() >= MOST_BYTES => {
                Err(JjError::TooMuch { command, max_bytes: MOST_BYTES })
            }
            Some(0) => Ok(output),
            code => {
                let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                Err(JjError::Failed { command, code, said })
            }
        }
    }
}

/// The files that a warning names: `  big.txt: 1.9MiB (2000000 bytes); the maximum size allowed is …`.
fn refused(said: &str) -> Vec<String> {
    let lines = said.lines().skip_while(|line| !line.contains("Refused to snapshot")).skip(1);
    let named = lines.take_while(|line| line.starts_with("  "));
    named
        .filter_map(|line| Some(line.trim().split_once("; ")?.0.rsplit_once(": ")?.0.to_owned()))
        .collect()
}
