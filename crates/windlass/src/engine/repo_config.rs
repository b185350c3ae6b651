//! What the work tree's own files have the loop's agents run or obey: looked for before the first
//! session, in the tree that the agents will see, for every agent that may run.

mod entry;
mod files;

use std::{collections::HashSet, path::Path};

use windlass_agents::{
    Agent, BUILT_IN, BuiltIn, Cast, RepoConfig, called_by,
    repo_config::{At, Brought, ConfigFile, entries, unreadable},
};
use windlass_core::event::{AgentConfigFound, ConfigEntry, Event, EventKind};

pub(super) use self::entry::Entry;
use self::{
    entry::Namer,
    files::{Files, Listed},
};
use super::setup::work_tree;

/// How many entries a list holds.
const MOST: usize = 200;

/// What the agents of a cast that work in `workplace` would run or obey.
pub(super) fn of_cast(cast: &Cast, workplace: &Path) -> Vec<Entry> {
    look(cast.iter().flat_map(|(_, hired)| loaded_by(&*hired.agent)), workplace)
}

/// What any agent that windlass knows would run or obey in `workplace`.
pub(super) fn of_all_agents(workplace: &Path) -> Vec<Entry> {
    let agents = BUILT_IN.iter().filter_map(BuiltIn::agent);
    look(agents.flat_map(|agent| agent.repo_config()), workplace)
}

/// The fact that these entries were found, without those that the loop's history tells of.
pub(super) fn found(entries: &[Entry], history: &[Event]) -> Option<EventKind> {
    let mut known: HashSet<&ConfigEntry> = history.iter().flat_map(listed_before).collect();
    let mut new: Vec<ConfigEntry> = Vec::new();
    // Two that differ in what is not shown are one line.
    new.extend(entries.iter().map(|one| &one.entry).filter(|entry| known.insert(*entry)).cloned());
    if new.is_empty() {
        return None;
    }
    let left_out = u32::try_from(new.len().saturating_sub(MOST)).unwrap_or(u32::MAX);
    new.truncate(MOST);
    Some(EventKind::AgentConfigFound(AgentConfigFound { entries: new, left_out }))
}

/// What an event says that there was.
pub(super) fn listed_before(event: &Event) -> &[ConfigEntry] {
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

fn look(loaded: impl Iterator<Item = &'static RepoConfig>, workplace: &Path) -> Vec<Entry> {
    let root = work_tree(workplace);
    let mut configs: Vec<&'static RepoConfig> = Vec::new();
    for config in loaded {
        if !configs.iter().any(|known| known.agent == config.agent) {
            configs.push(config);
        }
    }
    let files = match Files::below(&root) {
        Ok(files) => files,
        Err(why) => {
            let entry = |config: &&RepoConfig| unreadable(config.agent, ".", &why);
            return configs.iter().map(entry).map(Entry::without_files).collect();
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
    let mut namer = Namer::new(&root, inner, &files);
    found.into_iter().map(|brought| namer.entry(brought)).collect()
}

/// What an agent loads only when it works on a file near it, from all directories below its own.
fn look_below(config: &RepoConfig, inner: &Path, files: &Files, found: &mut Vec<Brought>) {
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
    found: &mut Vec<Brought>,
) {
    let trouble = |path: &Path, why: &str, found: &mut Vec<Brought>| {
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
