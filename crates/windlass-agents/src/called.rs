//! Which agents a command calls, by the names of its programs, and so what they load of a repository.

use std::path::Path;

use super::{BUILT_IN, BuiltIn, RepoConfig};

/// The tables of the agents that a command names: as its program, or in its arguments, for
/// wrappers such as `env claude` and `sh -c "claude -p"` call it too.
pub fn called_by<'a>(argv: impl IntoIterator<Item = &'a str>) -> Vec<&'static RepoConfig> {
    let is_end = |c: char| {
        c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(' | ')' | '"' | '\'' | '`' | '=')
    };
    let mut found = Vec::new();
    for word in argv.into_iter().flat_map(|arg| arg.split(is_end)) {
        for config in named(word) {
            if !found.iter().any(|known: &&RepoConfig| known.agent == config.agent) {
                found.push(config);
            }
        }
    }
    found
}

/// The tables of the agent whose program or package a word is.
fn named(word: &str) -> Vec<&'static RepoConfig> {
    let Some(name) = Path::new(word).file_name().and_then(|name| name.to_str()) else {
        return Vec::new();
    };
    // A package may come with its version: `claude-code@2.1`.
    let name = name.split_once('@').map_or(name, |(name, _)| name);
    let built_in = BUILT_IN.iter().find(|built_in| is_called(built_in, name));
    built_in.and_then(BuiltIn::agent).map(|agent| agent.repo_config()).unwrap_or_default()
}

fn is_called(built_in: &BuiltIn, name: &str) -> bool {
    let package = built_in.install.and_then(|install| install.rsplit([' ', '/']).next());
    !name.is_empty() && (built_in.name == name || package == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents(argv: &[&str]) -> Vec<&'static str> {
        called_by(argv.iter().copied()).iter().map(|config| config.agent).collect()
    }

    #[test]
    fn an_agent_is_found_by_its_name_wherever_the_command_has_it() {
        assert_eq!(agents(&["claude", "-p"]), ["claude"]);
        assert_eq!(agents(&["/opt/x/bin/codex"]), ["codex"]);
        assert_eq!(agents(&["env", "A=b", "gemini"]), ["gemini"]);
        assert_eq!(agents(&["sh", "-c", "cd x && ./bin/opencode run | tee log"]), ["opencode"]);
        assert_eq!(agents(&["npx", "@anthropic-ai/claude-code@2.1.0"]), ["claude"]);
        assert_eq!(agents(&["sh", "-c", "claude || aider"]), ["claude", "aider"]);
        assert_eq!(agents(&["./agent.sh", "--fast"]), [""; 0]);
    }
}
