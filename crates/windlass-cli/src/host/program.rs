//! Finds the programs that windlass itself starts, where no agent can write, and asks them for their
//! versions.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::task::JoinSet;
use windlass::{
    agent,
    system::{Guardian, GuardianProgram, Machine, Programs, SleepInhibitor, StartError},
    where_agents_write,
};
use windlass_core::process::ProcessSpec;

use crate::host::app::App;

/// How long a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

/// A program that was looked for.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its file.
    pub(crate) path: PathBuf,
    /// Whether an agent can write it, so that windlass does not run it.
    pub(crate) is_an_agents: bool,
}

/// The programs that windlass may start from the user's directory. They are resolved once, so what an
/// agent does to its tree later changes nothing.
pub(crate) fn trusted(app: &App) -> &Programs {
    app.programs.get_or_init(|| {
        let env = app.environment.all();
        Programs::new(env, &[&app.directory], &where_agents_write(&app.home, env))
    })
}

/// The file of `program`, if there is one.
pub(crate) fn find(app: &App, programs: &Programs, program: &str) -> Option<Found> {
    let named = app.directory.join(program);
    let program = if program.contains('/') { named.as_os_str() } else { program.as_ref() };
    match programs.find(program) {
        Ok(path) => Some(Found { path, is_an_agents: false }),
        Err(StartError::OfAnAgent { directory, .. }) => {
            let path = directory.join(Path::new(program).file_name()?);
            is_executable(&path).then_some(Found { path, is_an_agents: true })
        }
        Err(_) => None,
    }
}

fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// What programs say with `--version`, in one line each, asked all at once. Through a guardian, so
/// this also shows that windlass can start processes here, and nothing is left running.
pub(crate) async fn versions(
    app: &App,
    programs: Vec<PathBuf>,
) -> Result<Vec<Result<String, String>>, String> {
    let guardian = Guardian::start(&GuardianProgram::ThisProgram, None, Vec::new());
    let guardian = guardian.map_err(|error| error.to_string())?;
    let mut versions = vec![Err("`--version` fails".to_owned()); programs.len()];
    let mut asked = JoinSet::new();
    let trusted = trusted(app);
    for (at, program) in programs.into_iter().enumerate() {
        let (guardian, spec) = (guardian.clone(), ask(app, trusted, &program));
        asked.spawn(async move { (at, version(&guardian, spec).await) });
    }
    while let Some(answered) = asked.join_next().await {
        if let Ok((at, version)) = answered {
            versions[at] = version;
        }
    }
    guardian.close().await;
    Ok(versions)
}

/// What this machine can do for a sandbox.
pub(crate) async fn machine(app: &App) -> Result<Machine, String> {
    let windlass = GuardianProgram::ThisProgram;
    let guardian = Guardian::start(&windlass, None, Vec::new());
    let guardian = guardian.map_err(|error| error.to_string())?;
    let machine = Machine::look(&guardian, trusted(app)).await;
    let machine = machine.look_at_mounts(&guardian, &windlass, &app.directory).await;
    guardian.close().await;
    Ok(machine)
}

/// Whether this machine can be kept from sleeping: by trying it for a moment.
pub(crate) async fn can_stay_awake(app: &App) -> Result<bool, String> {
    let guardian = Guardian::start(&GuardianProgram::ThisProgram, None, Vec::new());
    let guardian = guardian.map_err(|error| error.to_string())?;
    let env = app.environment.all().clone().into_iter().collect();
    let holds = match SleepInhibitor::start(&guardian, trusted(app), &env) {
        Some(mut inhibitor) => inhibitor.holds().await,
        None => false,
    };
    guardian.close().await;
    Ok(holds)
}

/// It is asked where no agent has put any settings, for some read those before all else.
fn ask(app: &App, programs: &Programs, program: &Path) -> ProcessSpec {
    let english = "LC_ALL=C".to_owned();
    let still = "DISABLE_AUTOUPDATER=1".to_owned();
    let env = agent::environment(app.environment.all().clone(), &[], &[english, still]);
    ProcessSpec {
        program: program.as_os_str().to_owned(),
        args: vec!["--version".into()],
        env: programs.environment(env).into_iter().collect(),
        directory: Path::new("/").to_owned(),
        stdin: Vec::new(),
    }
}

async fn version(guardian: &Guardian, spec: ProcessSpec) -> Result<String, String> {
    let output = guardian.output(spec, VERSION_LIMIT, 1024).await;
    let output = output.map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    match said.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(version) if output.code == Some(0) => Ok(version.to_owned()),
        _ if output.timed_out => Err("`--version` does not come to an end".to_owned()),
        _ => Err("`--version` fails".to_owned()),
    }
}

/// The number in what a program says of its version, such as `2.1.197 (Claude Code)`.
pub(crate) fn number_in(version: &str) -> Option<&str> {
    version.split([' ', ',', '(']).map(|word| word.trim_start_matches('v')).find(|word| {
        word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.') && word.len() <= 40
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_found_in_what_agents_say_of_their_version() {
        for (said, number) in [
            ("2.1.197 (Claude Code)", Some("2.1.197")),
            ("codex-cli 0.166.0", Some("0.166.0")),
            ("1.18.33", Some("1.18.33")),
            ("aider v0.86.2", Some("0.86.2")),
            ("Usage: agent [OPTIONS]", None),
        ] {
            assert_eq!(number_in(said), number, "{said}");
        }
    }
}
