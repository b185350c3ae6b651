//! What each agent may do while nobody answers its questions: data, an entry per agent. Pure.

/// What an agent does with a tool that needs a permission nobody gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions {
    /// The agent's name.
    agent: &'static str,
    /// What holds without `--skip-permissions`, in words.
    pub by_default: &'static str,
    /// The tools that are denied then; empty where it can work.
    pub denied: &'static [&'static str],
    /// Whether its output names the tools that were denied.
    pub reports_denied: bool,
    /// Arguments of its own that grant permissions.
    flags: &'static [&'static str],
    /// A file of the user's home that may grant permissions, and the words that do in it.
    settings: Option<(&'static str, &'static [&'static str])>,
}

const PERMISSIONS: &[Permissions] = &[
    Permissions {
        agent: "claude",
        by_default: "asks before edits and commands",
        denied: &["Bash", "Edit", "Write"],
        reports_denied: true,
        flags: &[
            "--dangerously-skip-permissions",
            "--permission-mode",
            "--permission-prompt-tool",
            "--allowedTools",
            "--allowed-tools",
            "--settings",
        ],
        settings: Some((".claude/settings.json", &["\"allow\"", "\"defaultMode\""])),
    },
    Permissions {
        agent: "codex",
        by_default: "writes in the work tree only, without network",
        denied: &[],
        reports_denied: false,
        flags: &[],
        settings: None,
    },
    Permissions {
        agent: "opencode",
        by_default: "edits and runs commands in the project",
        denied: &[],
        reports_denied: true,
        flags: &[],
        settings: None,
    },
    Permissions {
        agent: "gemini",
        by_default: "reads only",
        denied: &["replace", "run_shell_command", "write_file"],
        reports_denied: false,
        flags: &["--yolo", "-y", "--approval-mode", "--allowed-tools"],
        settings: Some((".gemini/settings.json", &["\"allowed\"", "\"approvalMode\""])),
    },
    Permissions {
        agent: "aider",
        by_default: "edits files; questions get their default answer",
        denied: &[],
        reports_denied: false,
        flags: &[],
        settings: None,
    },
];

impl Permissions {
    /// What is known of an agent, by the name that it goes by itself.
    pub fn of(agent: &str) -> Option<&'static Self> {
        PERMISSIONS.iter().find(|known| known.agent == agent)
    }

    /// Whether arguments of the user grant what it would be denied.
    pub fn are_granted_by(&self, args: &[String]) -> bool {
        let names =
            |arg: &String| self.flags.iter().any(|flag| arg.split('=').next() == Some(flag));
        args.iter().any(names)
    }

    /// The file below the user's home that may grant permissions.
    pub fn settings_file(&self) -> Option<&'static str> {
        self.settings.map(|(file, _)| file)
    }

    /// Whether that file, with this text, seems to grant some.
    pub fn are_granted_in(&self, text: &str) -> bool {
        self.settings.is_some_and(|(_, words)| words.iter().any(|word| text.contains(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BUILT_IN;

    #[test]
    fn every_agent_that_takes_permissions_has_an_entry() {
        for built_in in BUILT_IN {
            assert_eq!(
                Permissions::of(built_in.name).is_some(),
                built_in.abilities.skip_permissions,
                "{}",
                built_in.name
            );
        }
    }

    #[test]
    fn a_grant_is_seen_in_arguments_and_settings() {
        let claude = Permissions::of("claude").unwrap();
        let args = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert!(claude.are_granted_by(&args(&["--permission-mode=acceptEdits"])));
        assert!(claude.are_granted_by(&args(&["--allowedTools", "Edit"])));
        assert!(!claude.are_granted_by(&args(&["--max-turns", "5"])));
        assert!(claude.are_granted_in(r#"{"permissions": {"allow": ["Edit"]}}"#));
        assert!(!claude.are_granted_in(r#"{"model": "opus"}"#));
    }
}
