//! Any program that takes a prompt: what `--command`, `scripted` and the agents
//! of the config come down to.

use std::{borrow::Cow, ffi::OsString, path::PathBuf};

use windlass_core::{agent_files::AgentFiles, process::ProcessSpec};

use super::{Agent, Ask, Decoder, DecoderName, Places, PromptMode, RepoConfig, called::called_by};

/// What stands for the prompt file's path in a command.
pub(super) const PROMPT_FILE: &str = "{prompt_file}";

/// The longest single argument or variable that Linux hands to a program, its end included.
const MAX_ARG: usize = 128 * 1024;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// The name that people type.
    pub name: String,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// How the prompt goes in.
    pub mode: PromptMode,
    /// Variables that it gets on top of everyone's.
    pub env: Vec<(String, String)>,
    /// What reads its output.
    pub decoder: DecoderName,
    /// Words that stand before every prompt.
    pub preface: Option<String>,
    /// Whether the number of the iteration and its role are its last arguments.
    pub counts_sessions: bool,
}

impl Plain {
    /// A prompt after the words that stand before each.
    fn prefaced<'a>(&self, prompt: &'a str) -> Cow<'a, str> {
        match &self.preface {
            Some(words) => Cow::Owned(format!("{}\n\n{prompt}", words.trim_end())),
            None => Cow::Borrowed(prompt),
        }
    }
}

impl Agent for Plain {
    fn name(&self) -> &str {
        &self.name
    }

    fn prompt_limit(&self) -> Option<usize> {
        let preface = self.prefaced("").len();
        match self.mode {
            PromptMode::Arg => Some((MAX_ARG - 1).saturating_sub(preface)),
            PromptMode::Env => Some((MAX_ARG - 1 - "PROMPT=".len()).saturating_sub(preface)),
            PromptMode::Stdin | PromptMode::File => None,
        }
    }

    fn reads_prompt_file(&self) -> bool {
        self.mode == PromptMode::File
    }

    fn prompt_file_text<'a>(&self, ask: &Ask<'a>) -> Cow<'a, str> {
        self.prefaced(ask.prompt)
    }

    fn program(&self) -> Option<OsString> {
        self.argv.first().map(OsString::from)
    }

    fn own(&self, places: &Places<'_>) -> AgentFiles {
        // What prints as an agent does is taken for that agent, whatever it is called.
        let mut own = self.decoder.own(places);
        if self.counts_sessions {
            own.shown.extend(self.argv.get(2).map(PathBuf::from));
        }
        own
    }

    fn repo_config(&self) -> Vec<&'static RepoConfig> {
        let mut found = self.decoder.repo_config();
        for config in called_by(self.argv.iter().map(String::as_str)) {
            if !found.iter().any(|known| known.agent == config.agent) {
                found.push(config);
            }
        }
        found
    }

    fn command(&self, ask: &Ask<'_>) -> ProcessSpec {
        let (program, args) = match self.argv.split_first() {
            Some((program, args)) => (program.clone(), args),
            None => (String::new(), &[][..]),
        };
        let mut spec = ProcessSpec {
            program: program.into(),
            args: args.iter().map(OsString::from).collect(),
            env: ask.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            directory: ask.directory.to_owned(),
            stdin: Vec::new(),
        };
        for (name, value) in &self.env {
            spec.env.retain(|(known, _)| known != name.as_str());
            spec.env.push((name.into(), value.into()));
        }
        spec.args.extend(ask.wishes.extra_args.iter().map(OsString::from));
        if self.counts_sessions {
            spec.args.push(ask.iteration.to_string().into());
            spec.args.push(ask.role.into());
        }
        let prompt = self.prefaced(ask.prompt);
        match self.mode {
            PromptMode::Arg => spec.args.push(prompt.as_ref().into()),
            PromptMode::Stdin => spec.stdin = prompt.as_bytes().to_vec(),
            PromptMode::Env => spec.env.push(("PROMPT".into(), prompt.as_ref().into())),
            PromptMode::File => {
                let path = ask.prompt_file.to_string_lossy();
                for (arg, written) in spec.args.iter_mut().zip(args) {
                    *arg = written.replace(PROMPT_FILE, &path).into();
                }
            }
        }
        spec
    }

    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn Decoder + Send> {
        self.decoder.decoder(ask)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::Path};

    use windlass_core::options::Claiming;

    use super::*;
    use crate::Wishes;

    fn spec(mode: PromptMode, argv: &[&str]) -> ProcessSpec {
        prefaced(mode, argv, None)
    }

    fn prefaced(mode: PromptMode, argv: &[&str], preface: Option<&str>) -> ProcessSpec {
        let agent = Plain {
            name: "command".to_owned(),
            argv: argv.iter().map(|&arg| arg.to_owned()).collect(),
            mode,
            env: vec![("K".to_owned(), "agent's".to_owned())],
            decoder: DecoderName::Text,
            preface: preface.map(str::to_owned),
            counts_sessions: false,
        };
        agent.command(&Ask {
            role: "agent",
            iteration: 2,
            prompt: "do it",
            directory: Path::new("/work tree"),
            env: &BTreeMap::from([("K".into(), "everyone's".into())]),
            claiming: &Claiming::default(),
            wishes: &Wishes::default(),
            is_root: false,
            prompt_file: Path::new("/run/p"),
            hooks_file: None,
        })
    }

    #[test]
    fn the_prompt_goes_in_the_way_that_was_asked_for() {
        let arg = spec(PromptMode::Arg, &["prog", "-x"]);
        assert_eq!(arg.args, ["-x", "do it"]);
        assert_eq!(arg.stdin, b"");
        let stdin = spec(PromptMode::Stdin, &["prog", "-x"]);
        assert_eq!((stdin.args, stdin.stdin), (vec!["-x".into()], b"do it".to_vec()));
        let env = spec(PromptMode::Env, &["prog"]);
        assert!(env.env.contains(&("PROMPT".into(), "do it".into())));
        let file = spec(PromptMode::File, &["prog", "--in={prompt_file}"]);
        assert_eq!(file.args, ["--in=/run/p"]);
    }

    #[test]
    fn the_words_for_the_system_prompt_stand_before_the_prompt_in_every_mode() {
        let words = Some("Be brief.\n");
        let whole = "Be brief.\n\ndo it";
        assert_eq!(prefaced(PromptMode::Arg, &["prog"], words).args, [whole]);
        assert_eq!(prefaced(PromptMode::Stdin, &["prog"], words).stdin, whole.as_bytes());
        let env = prefaced(PromptMode::Env, &["prog"], words).env;
        assert!(env.contains(&("PROMPT".into(), whole.into())));
    }

    #[test]
    fn the_agents_own_variables_win() {
        let env = spec(PromptMode::Arg, &["prog"]).env;
        assert_eq!(env, [("K".into(), "agent's".into())]);
    }
}
