//! What the work tree's own files have the loop's agents run or obey: looked for before the first
//! session, in the tree that the agents will see, for every agent that may run.

mod files;

use std::{collections::HashSet, path::Path};

use windlass_agents::{
    Agent, Cast, RepoConfig, called_by,
    repo_config::{At, ConfigFile, entries, unreadable},
};
use windlass_core::event::{AgentConfigFound, ConfigEntry, Event, EventKind};

use self::files::{Files, Listed};
use super::setup::work_tree;

/// How many entries a list holds.
const MOST: usize = 200;

/// What agents that work in `workplace` would run or obey, and the loop's history does not tell of.
pub(super) fn found(cast: &Cast, workplace: &Path, history: &[Event]) -> Option<EventKind> {
    let known: HashSet<&ConfigEntry> = history.iter().flat_map(listed_before).collect();
    let mut entries = look(cast, workplace);
    entries.retain(|entry| !known.contains(entry));
    if entries.is_empty() {
        return None;
    }
    let left_out = u32::try_from(entries.len().saturating_sub(MOST)).unwrap_or(u32::MAX);
    entries.truncate(MOST);
    Some(EventKind::AgentConfigFound(AgentConfigFound { entries, left_out }))
}

fn listed_before(event: &Event) -> &[ConfigEntry] {
    match &event.kind {
        EventKind::AgentConfigFound(found) => &found.entries,
        _ => &[],
    }
}

/// What an agent loads: what it says itself, or what an agent does that has the name of its program.
fn loaded_by(agent: &dyn Agent) -> Vec<&'static RepoConfig> {
    let own = agent.repo_config();
    let program = agent.program().filter(|_| own.is_empty()).unwrap_or_default();
    if own.is_empty() { called_by(program.to_str()) } else { own }
}

fn look(cast: &Cast, workplace: &Path) -> Vec<ConfigEntry> {
    let root = work_tree(workplace);
    let mut configs: Vec<&'static RepoConfig> = Vec::new();
    for config in cast.iter().flat_map(|(_, hired)| loaded_by(&*hired.agent)) {
        if !configs.iter().any(|known| known.agent == config.agent) {
            configs.push(config);
        }
    }
    let files = match Files::below(&root) {
        Ok(files) => files,
        Err(why) => {
            return configs.iter().map(|config| unreadable(config.agent, ".", &why)).collect();
        }
    };
    let inner = workplace.strip_prefix(&root).unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for config in configs {
        // The nearest first: that is what counts most.
        for directory in inner.ancestors() {
            for file in config.files {
                look_at(config, file, directory, &files, &mut found);
            }
        }
        look_below(config, inner, &files, &mut found);
    }
    found
}

/// What an agent loads only when it works on a file near it, from all directories below its own.
fn look_below(config: &RepoConfig, inner: &Path, files: &Files, found: &mut Vec<ConfigEntry>) {
    for file in config.nested {
        let At::Below(path, _) = file.at else { continue };
        let first = path.split('/').next().unwrap_or(path);
        let (directories, trouble) = files.with_entry(inner, first);
        for directory in directories {
            look_at(config, file, &directory, files, found);
        }
        let shown = if inner == Path::new("") { Path::new(".") } else { inner };
        found.extend(trouble.map(|why| unreadable(config.agent, &shown.to_string_lossy(), &why)));
    }
}

fn look_at(
    config: &RepoConfig,
    file: &ConfigFile,
    directory: &Path,
    files: &Files,
    found: &mut Vec<ConfigEntry>,
) {
    let trouble = |path: &Path, why: &str, found: &mut Vec<ConfigEntry>| {
        let entry = unreadable(config.agent, &files.obstacle(path).to_string_lossy(), why);
        if !found.contains(&entry) {
            found.push(entry);
        }
    };
    let (paths, troubles) = match file.at {
        At::File(path) => (vec![directory.join(path)], Vec::new()),
        At::Below(path, endings) => {
            let is_wanted = |name: &str| endings.iter().any(|ending| name.ends_with(ending));
            let Listed { paths, troubles, .. } = files.list(&directory.join(path), &is_wanted);
            (paths, troubles)
        }
    };
    for path in paths {
        let shown = path.to_string_lossy();
        match files.read(&path) {
            Ok(Some(bytes)) => found.extend(entries(config.agent, &shown, file, &bytes)),
            Ok(None) => (),
            Err(why) => trouble(&path, &why, found),
        }
    }
    for (path, why) in troubles {
        trouble(&path, &why, found);
    }
}
