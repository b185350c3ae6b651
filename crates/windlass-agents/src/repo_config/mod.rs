//! What a repository's own files have an agent run or obey: one table an agent, which says where such
//! files are and which of their settings matter, and a reader of their text. Does no I/O.
//!
//! A new agent is a table in its own folder, and [`Agent::repo_config`](super::Agent::repo_config) that
//! names it. The reader errs on the side of telling too much: what it does not understand is told too.

mod brought;
mod jsonc;
mod read;
mod shown;
mod value;
mod yaml;

use windlass_core::event::ConfigKind;

pub use self::{
    brought::Brought,
    read::{entries, unreadable},
};

/// What one agent loads of a repository.
#[derive(Clone, Copy, Debug)]
pub struct RepoConfig {
    /// The agent.
    pub agent: &'static str,
    /// Its files, which it looks for in its directory and in those above, up to the root.
    pub files: &'static [ConfigFile],
    /// What it loads from any directory below its own, once it works on a file there.
    pub nested: &'static [ConfigFile],
}

/// One file that an agent loads, or the files of one directory.
#[derive(Clone, Copy, Debug)]
pub struct ConfigFile {
    /// Where it is, from a directory in which the agent looks.
    pub at: At,
    /// How its text is read.
    pub format: Format,
    /// Which of its settings matter.
    pub keys: &'static [Key],
}

/// Where files are.
#[derive(Clone, Copy, Debug)]
pub enum At {
    /// One file.
    File(&'static str),
    /// The files below a directory whose names end with one of these.
    Below(&'static str, &'static [&'static str]),
}

/// How a file's text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, with comments and commas at the end of lists, which several agents allow.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
    /// YAML between two lines `---` at the top of a text for people. The text may hold commands too.
    FrontMatter,
    /// `NAME=VALUE` lines.
    Env,
    /// Code or rules, which are not looked into: that there is such a file is what matters.
    Whole(ConfigKind),
}

/// A setting that matters.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Where it is, names with `.` between them. `*` is any name or number, and names the
    /// entry. Nothing is the whole file.
    pub path: &'static str,
    /// What it is.
    pub kind: ConfigKind,
    /// How it is shown.
    pub shows: Shows,
}

/// How a setting is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// A command: a text, a list of words, or a table with `command` and `args`, or with an address.
    Command,
    /// An address, without what may be secret in it.
    Address,
    /// Its value: a word, a number, or a list of such.
    Value,
    /// The names in it, and none of the values; of values that are addresses, these too.
    Names,
    /// That it is there, and nothing of it.
    Presence,
}

/// Hooks in the form that Claude Code, Codex and Gemini CLI share.
pub(crate) const HOOKS: Key = key("hooks.*.*.hooks.*", ConfigKind::Hook, Shows::Command);

/// MCP servers in the form that Claude Code and Gemini CLI share.
pub(crate) const MCP_SERVERS: Key = key("mcpServers.*", ConfigKind::McpServer, Shows::Command);

/// All variables of a file of variables.
pub(crate) const VARIABLES: &[Key] = &[key("", ConfigKind::Variable, Shows::Names)];

/// A setting that matters.
pub(crate) const fn key(path: &'static str, kind: ConfigKind, shows: Shows) -> Key {
    Key { path, kind, shows }
}

/// One file with settings.
pub(crate) const fn file(path: &'static str, format: Format, keys: &'static [Key]) -> ConfigFile {
    ConfigFile { at: At::File(path), format, keys }
}

/// The files below a directory that have settings.
pub(crate) const fn below(
    path: &'static str,
    endings: &'static [&'static str],
    format: Format,
    keys: &'static [Key],
) -> ConfigFile {
    ConfigFile { at: At::Below(path, endings), format, keys }
}

#[cfg(test)]
mod tests;
