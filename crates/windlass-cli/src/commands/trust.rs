//! `windlass trust`: lets a repository's `windlass.toml` act, as it is now to the byte.

use std::path::{Path, PathBuf};

use windlass_store::store::Store;

use crate::{
    config::{FILE_NAME, Layer, Origin, RepoFile, locate},
    host::{app::App, failure::Failure},
};

/// Trust this repository's windlass.toml
///
/// Until then windlass ignores that file, because it can say which commands are run. Trust covers
/// its content and that of the prompts that it names. Any change to the file revokes trust.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File or directory of the repository [default: current directory]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,

    /// Revoke trust
    #[arg(long)]
    revoke: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass trust                  trust the windlass.toml of this repository
  windlass trust --revoke         revoke it";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let path = file(app, args.path.as_deref())?;
    if args.revoke {
        return revoke(app, &path);
    }
    let file = RepoFile::read(&app.home, &path)?;
    let file = file.ok_or_else(|| nothing(&path))?;
    // A file that cannot act is not worth trusting, and what it sets is to be shown.
    let layer = file.document.layer(&Origin::Repo(path.clone()))?;
    Store::open(&app.home)?.trust(&path, &file.hash)?;
    app.printer.line(&format!("trusted `{}`, SHA-256 {}", path.display(), &file.hash[..12]))?;
    for line in sets(&layer) {
        app.printer.line(&format!("  {line}"))?;
    }
    app.printer.hint("one changed byte takes it back, and so does `windlass trust --revoke`");
    Ok(0)
}

fn revoke(app: &App, path: &Path) -> Result<u8, Failure> {
    let was_trusted = match Store::open_existing(&app.home)? {
        Some(store) => store.distrust(path)?,
        None => false,
    };
    let now = if was_trusted { "is no longer trusted" } else { "was not trusted" };
    app.printer.line(&format!("`{}` {now}", path.display()))?;
    Ok(0)
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
    Failure::usage(format!("there is no `{}`", path.display()))
        .hint(format!("a `{FILE_NAME}` stands at the top of its repository"))
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
