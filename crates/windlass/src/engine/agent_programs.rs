//! Where the programs of a loop's agents are. That is decided when the loop starts, and kept with its
//! options: a loop that is taken up again runs the same ones, whatever `PATH` leads to by then.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use windlass_agents::{BuiltIn, Cast};
use windlass_system::process::{Programs, StartError, find_program};

use super::{LoopError, confined::asked};
use crate::{every_kind::Common, kind::Kind, perform::Worker};

/// Looks for the agents' programs on the `PATH` that they will get, without running them. Those of a
/// container are looked for in its image, when it is made.
pub(super) fn find_programs(
    kind: &Kind,
    cast: &Cast,
    env: &BTreeMap<OsString, OsString>,
    directory: &Path,
) -> Result<(), LoopError> {
    let common = kind.common();
    for (name, hired) in cast.iter() {
        let Some(program) = hired.agent.program() else { continue };
        let in_image = asked(&common.sandbox, &common.agent.agents, name).is_container();
        if in_image || kept(common, &program, directory).is_some() {
            continue;
        }
        look_for(&program, env, directory).map_err(|source| {
            let built_in = BuiltIn::named(hired.agent.name());
            let install = built_in.and_then(|built_in| built_in.install);
            LoopError::AgentMissing { agent: name.to_owned(), install, source }
        })?;
    }
    Ok(())
}

/// Where the agents' programs are, for as long as the loop runs: what an agent adds to a `PATH` of
/// its own tree is not what the next session runs. One that the loop started with comes first; then
/// one that is installed outside of what agents can write; and one that is only there is run as its
/// user would.
pub(super) fn agent_programs(
    common: &Common,
    cast: &Cast,
    programs: &Programs,
    env: &BTreeMap<OsString, OsString>,
    directory: &Path,
) -> BTreeMap<OsString, PathBuf> {
    let named = cast.iter().filter_map(|(_, hired)| hired.agent.program());
    let found = named.filter_map(|program| {
        let kept = kept(common, &program, directory);
        let path = kept.or_else(|| programs.find(&program).ok());
        // A missing program is reported when it is started.
        let path = path.or_else(|| look_for(&program, env, directory).ok())?;
        Some((program, path))
    });
    found.collect()
}

/// Keeps with the loop's options where the programs are that are looked for on `PATH`; says which of
/// those that were kept before are elsewhere now.
pub(super) fn keep(kind: &mut Kind, worker: &Worker) -> Vec<String> {
    let names = worker.programs.iter().filter(|(program, _)| is_searched(program));
    // A path that is not text is looked for again.
    let now = names.filter_map(|(program, path)| Some((program.to_str()?, path.to_str()?)));
    let now: BTreeMap<String, String> =
        now.map(|(program, path)| (program.to_owned(), path.to_owned())).collect();
    let before = kind.common().agent.programs.clone();
    // Those of agents that are not called this time stay.
    kind.common_mut().agent.programs.extend(now.clone());
    let moved = before.iter().filter_map(|(program, was)| {
        let path = now.get(program).filter(|path| *path != was)?;
        let planted = match worker.trusted.is_an_agents(Path::new(path)) {
            true => ", which an agent can write",
            false => "",
        };
        Some(format!(
            "`{program}` is not at `{was}` any more: this loop continues with `{path}`{planted}"
        ))
    });
    moved.collect()
}

/// The program that the loop started with, if it is still there.
fn kept(common: &Common, program: &OsStr, directory: &Path) -> Option<PathBuf> {
    let path = common.agent.programs.get(program.to_str()?)?;
    find_program(OsStr::new(path), OsStr::new(""), directory).ok()
}

/// Whether a program is meant by its name alone.
fn is_searched(program: &OsStr) -> bool {
    Path::new(program).components().count() == 1
}

/// The program that a `PATH` leads to.
pub(super) fn look_for(
    program: &OsStr,
    env: &BTreeMap<OsString, OsString>,
    directory: &Path,
) -> Result<PathBuf, StartError> {
    let path = env.get(OsStr::new("PATH")).cloned().unwrap_or_default();
    find_program(program, &path, directory)
}
