//! Why no agent could be chosen.

/// No agent could be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// None was named, and the default is not installed.
    #[error("no agent was chosen, and `claude` is not installed")]
    None {
        /// All that there are.
        known: Vec<String>,
    },
    /// There is no agent of that name.
    #[error("there is no agent `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// All that there are.
        known: Vec<String>,
    },
    /// A colon without a model after it.
    #[error("`{asked}` names no model after the colon")]
    NoModel {
        /// What was asked for.
        asked: String,
    },
    /// A command that cannot be split into words.
    #[error("the command `{command}` has a quote that is not closed")]
    UnclosedQuote {
        /// The command.
        command: String,
    },
    /// Nothing to run.
    #[error("the command of the agent `{name}` is empty")]
    Empty {
        /// The agent.
        name: String,
    },
    /// `--agent command` without a command, or `--agent scripted` without a script.
    #[error("the agent `{name}` needs `{flag}`")]
    Needs {
        /// The agent.
        name: String,
        /// The flag.
        flag: &'static str,
    },
    /// A wish that the agent has no way to fulfil.
    #[error("the agent `{name}` takes no {what}")]
    NotTaken {
        /// The agent.
        name: String,
        /// What it does not take.
        what: &'static str,
    },
    /// Both a command and another agent.
    #[error("`--command` and the agent `{name}` cannot be used together")]
    Both {
        /// The agent.
        name: String,
    },
    /// The file mode without a place for the path.
    #[error("with the prompt mode `file` the command needs `{{prompt_file}}` where the path goes")]
    NoPlaceForFile,
}
