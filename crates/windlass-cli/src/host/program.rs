//! Finds programs as the system would, and asks them for their versions.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::fs::Access;
use tokio::task::JoinSet;
use windlass::{
    agent,
    system::{Guardian, GuardianProgram, Machine},
};
use windlass_core::process::ProcessSpec;

use crate::host::{app::App, environment::Variable};

/// How long a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

/// The file that would be run for `program`, if there is one.
pub(crate) fn find(app: &App, program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        let path = app.directory.join(program);
        return is_executable(&path).then_some(path);
    }
    let path = app.environment.get(Variable::Path)?;
    // A relative entry is meant from where the program runs.
    env::split_paths(path)
        .map(|directory| app.directory.join(directory).join(program))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok()
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
    for (at, program) in programs.into_iter().enumerate() {
        let (guardian, spec) = (guardian.clone(), ask(app, &program));
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
    let guardian = Guardian::start(&GuardianProgram::ThisProgram, None, Vec::new());
    let guardian = guardian.map_err(|error| error.to_string())?;
    let path = app.environment.get(Variable::Path).unwrap_or_default();
    let machine = Machine::look(&guardian, path).await;
    guardian.close().await;
    Ok(machine)
}

fn ask(app: &App, program: &Path) -> ProcessSpec {
    let english = "LC_ALL=C".to_owned();
    let still = "DISABLE_AUTOUPDATER=1".to_owned();
    let env = agent::environment(app.environment.all().clone(), &[], &[english, still]);
    ProcessSpec {
        program: program.as_os_str().to_owned(),
        args: vec!["--version".into()],
        env: env.into_iter().collect(),
        directory: app.directory.clone(),
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
