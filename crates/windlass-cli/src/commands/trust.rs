//! `windlass trust`: lets a repository's `windlass.toml` act, as it is now to the byte, and what its own
//! files have agents run or obey, entry by entry.

use std::path::{Path, PathBuf};

use windlass::AgentConfig;
use windlass_store::store::Store;

use crate::{
    config::{FILE_NAME, Layer, Origin, RepoFile, locate},
    host::{app::App, failure::Failure},
    text::count,
};

/// Trust this repository's windlass.toml and settings for agents
///
/// Nothing of a windlass.toml acts before: it may say which commands are run. Any change to it, or to
/// a prompt that it names, revokes trust.
///
/// Files such as .claude/settings.json, .mcp.json or .codex/config.toml have agents run hooks, servers
/// and other programs, or change what they may do. They are listed and trusted entry by entry, for
/// all agents, with the content of the files that they name: only new and changed entries need trust
/// again. Linked worktrees share the trust of their repository.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// windlass.toml, or a directory of the repository [default: current directory]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,

    /// Revoke trust
    #[arg(long)]
    revoke: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass trust                  show and trust what this repository would run
  windlass trust --revoke         revoke it";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let path = file(app, args.path.as_deref())?;
    let directory = directory(app, args.path.as_deref(), &path);
    if args.revoke {
        return revoke(app, &path, &directory);
    }
    let file = RepoFile::read(&app.home, &path)?;
    // A file that cannot act is not worth trusting, and what it sets is to be shown.
    let layer = match &file {
        Some(file) => Some(file.document.layer(&Origin::Repo(path.clone()))?),
        None => None,
    };
    let agents = AgentConfig::find(&app.home, &directory)?;
    let brings = agents.entries().next().is_some() || agents.elsewhere().next().is_some();
    if file.is_none() && !brings {
        return Err(nothing(&path));
    }
    if let (Some(file), Some(layer)) = (&file, &layer) {
        Store::open(&app.home)?.trust(&path, &file.hash)?;
        let (shown, hash) = (path.display(), &file.hash[..12]);
        app.printer.line(&format!("trusted `{shown}`, SHA-256 {hash}"))?;
        for line in sets(layer) {
            app.printer.line(&format!("  {line}"))?;
        }
    }
    if brings {
        agents.trust(&app.home)?;
        show(app, &agents)?;
    }
    app.printer.hint(match (file.is_some(), brings) {
        (_, false) => "one changed byte takes it back, and so does `windlass trust --revoke`",
        (true, true) => {
            "a changed windlass.toml and new or changed entries need trust again; `windlass trust \
             --revoke` takes all of it back"
        }
        (false, true) => {
            "new and changed entries need trust again; `windlass trust --revoke` takes it back"
        }
    });
    Ok(0)
}

/// Shows what agents may run or obey from here on.
fn show(app: &App, agents: &AgentConfig) -> Result<(), Failure> {
    let list = |what: &str, lines: Vec<String>| {
        if lines.is_empty() {
            return Ok(());
        }
        app.printer.line(&format!("trusted {what}:"))?;
        lines.iter().try_for_each(|line| app.printer.line(&format!("  {line}")))
    };
    let root = agents.root().display();
    let mut here: Vec<String> = agents.entries().map(|(entry, _)| entry.line()).collect();
    let mut elsewhere: Vec<String> = agents.elsewhere().map(|entry| entry.line()).collect();
    here.dedup();
    elsewhere.dedup();
    list(&format!("settings for agents in `{root}`"), here)?;
    list("settings for agents in the tree of the loop that was refused", elsewhere)
}

fn revoke(app: &App, path: &Path, directory: &Path) -> Result<u8, Failure> {
    let was_trusted = match Store::open_existing(&app.home)? {
        Some(store) => store.distrust(path)?,
        None => false,
    };
    let entries = AgentConfig::revoke(&app.home, directory)?;
    if was_trusted || entries == 0 {
        let now = if was_trusted { "is no longer trusted" } else { "was not trusted" };
        app.printer.line(&format!("`{}` {now}", path.display()))?;
    }
    if entries > 0 {
        let (told, are) = (count(entries, "entry"), if entries == 1 { "is" } else { "are" });
        app.printer.line(&format!("{told} for agents {are} no longer trusted"))?;
    }
    Ok(0)
}

/// Where an agent would begin to look for its files: where the user stands, if that is in the
/// repository of the file that was named.
fn directory(app: &App, asked: Option<&Path>, file: &Path) -> PathBuf {
    let asked = app.directory.join(asked.unwrap_or(Path::new("")));
    if asked.is_dir() {
        return asked.canonicalize().unwrap_or(asked);
    }
    let parent = file.parent().unwrap_or(file);
    if app.directory.starts_with(parent) { app.directory.clone() } else { parent.to_owned() }
}

/// The file that is meant, canonical but for its own name.
fn file(app: &App, path: Option<&Path>) -> Result<PathBuf, Failure> {
    let path = app.directory.join(path.unwrap_or(Path::new("")));
    if path.is_dir() {
        let path = path.canonicalize().unwrap_or(path);
        return Ok(locate(&path).unwrap_or_else(|| path.join(FILE_NAME)));
    }
    if path.file_name().is_none_or(|name| name != FILE_NAME) {
        let what =
            format!("`{}` is not named `{FILE_NAME}`, so windlass never reads it", path.display());
        return Err(Failure::usage(what));
    }
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    parent.map(|parent| parent.join(FILE_NAME)).ok_or_else(|| nothing(&path))
}

fn nothing(path: &Path) -> Failure {
    let what =
        format!("nothing to trust: there is no `{}`, and no setting for agents", path.display());
    Failure::usage(what).hint(format!("a `{FILE_NAME}` stands at the top of its repository"))
}

/// What a layer sets, a line each.
fn sets(layer: &Layer) -> Vec<String> {
    let top = layer.top.iter().map(|(key, setting)| format!("{key} = {}", setting.value));
    let kinds = layer.kinds.iter().flat_map(|(kind, entries)| {
        let line = move |key: &String, value| format!("{kind}.{key} = {value}");
        entries.iter().map(move |(key, setting)| line(key, &setting.value))
    });
    let agents = layer.agents.iter().map(|(name, (table, _))| {
        format!("agents.{name}.command = {}", toml::Value::from(table.command.clone()))
    });
    let prompts = layer.prompts.iter().map(|(name, (file, _))| {
        format!("prompts.{name} = {}", toml::Value::from(file.path.display().to_string()))
    });
    let auditors = layer.auditors.iter().flat_map(|(name, entry)| {
        let settings = entry.settings.iter();
        settings.map(move |(key, setting)| format!("auditors.{name}.{key} = {}", setting.value))
    });
    top.chain(kinds).chain(agents).chain(prompts).chain(auditors).collect()
}
