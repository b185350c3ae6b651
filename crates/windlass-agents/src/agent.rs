//! What an agent is: a command builder and a decoder, both pure.

mod hooks;
mod places;

use std::{borrow::Cow, collections::BTreeMap, ffi::OsString, path::Path};

use windlass_core::{
    agent_files::AgentFiles,
    claim::ClaimReading,
    options::Claiming,
    outcome::{Outcome, Overage, TimeoutKind},
    process::{EndedBy, Exit, ProcessSpec},
    said::{Said, Usage},
};

pub(crate) use self::places::each;
pub use self::{
    hooks::{Hooked, HooksError, ReadSettings},
    places::Places,
};
use super::{SignIn, SkipPermissions, repo_config::RepoConfig};

/// What is asked of an agent in one session.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Whose part it plays.
    pub role: &'a str,
    /// The loop's iteration.
    pub iteration: u32,
    /// The prompt, whole.
    pub prompt: &'a str,
    /// The work tree.
    pub directory: &'a Path,
    /// The environment that agents get.
    pub env: &'a BTreeMap<OsString, OsString>,
    /// What counts as a claim.
    pub claiming: &'a Claiming,
    /// What the user wants of the agent beyond the prompt.
    pub wishes: &'a Wishes,
    /// Whether it runs as root, which some agents refuse without being told that it is meant.
    pub is_root: bool,
    /// Where the prompt stands while the session runs, for agents that read it from a file, and for
    /// those that have hooks.
    pub prompt_file: &'a Path,
    /// Where the hooks stand while the session runs, for agents that have any.
    pub hooks_file: Option<&'a Path>,
}

impl<'a> Ask<'a> {
    /// The prompt, after the words that the user wants in the system prompt: for agents that have
    /// no flag for these.
    pub(crate) fn prompt_with_system_words(&self) -> Cow<'a, str> {
        match &self.wishes.append_system_prompt {
            Some(words) => Cow::Owned(format!("{}\n\n{}", words.trim_end(), self.prompt)),
            None => Cow::Borrowed(self.prompt),
        }
    }
}

/// What the user wants of an agent beyond the prompt; each agent maps it to its own flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The model, by the name that the agent has for it.
    pub model: Option<String>,
    /// Words that are added to the agent's system prompt.
    pub append_system_prompt: Option<String>,
    /// When it may use its tools without asking. In an [`Ask`] this is decided.
    pub skip_permissions: SkipPermissions,
    /// Arguments that are passed on as they are.
    pub extra_args: Vec<String>,
}

/// One agent, built in or brought by whoever embeds windlass.
pub trait Agent: Send + Sync {
    /// The name that people type.
    fn name(&self) -> &str;

    /// How many bytes a prompt may have; `None` where any number will do.
    fn prompt_limit(&self) -> Option<usize> {
        None
    }

    /// Whether it reads its prompt from [`Ask::prompt_file`], which is then written for it.
    fn reads_prompt_file(&self) -> bool {
        false
    }

    /// What the prompt file says. Does no I/O.
    fn prompt_file_text<'a>(&self, ask: &Ask<'a>) -> Cow<'a, str> {
        Cow::Borrowed(ask.prompt)
    }

    /// Whether it has a system prompt that words can be added to, apart from the prompt.
    fn has_system_prompt(&self) -> bool {
        false
    }

    /// The program that must be there, for a look before anything runs.
    fn program(&self) -> Option<OsString> {
        None
    }

    /// What of the user's files is its own, and where its model is, for a sandbox. Does no I/O.
    fn own(&self, _places: &Places<'_>) -> AgentFiles {
        AgentFiles::default()
    }

    /// What it does with hooks; `None` where it has no hooks.
    fn hooks(&self) -> Option<&dyn Hooked> {
        None
    }

    /// What it loads of a repository, and may run or obey; where an agent names nothing, the name of
    /// its program does. Does no I/O.
    fn repo_config(&self) -> Vec<&'static RepoConfig> {
        Vec::new()
    }

    /// How it is found out whether it is signed in, and how people sign it in; `None` where windlass does
    /// not know. Does no I/O.
    fn sign_in(&self) -> Option<&'static SignIn> {
        None
    }

    /// What to run. Does no I/O.
    fn command(&self, ask: &Ask<'_>) -> ProcessSpec;

    /// What reads its output. Does no I/O.
    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn Decoder + Send>;
}

/// Reads what an agent prints. It never fails: what it does not know it passes on as raw.
pub trait Decoder {
    /// The session starts at this moment, in the user's time zone: agents tell the end of a limit
    /// as "7pm", and a decoder has no clock of its own.
    fn started(&mut self, _at: &jiff::Zoned) {}

    /// One line of standard output, without its end. `cut` says that the line was longer.
    fn line(&mut self, line: &[u8], cut: bool, said: &mut Vec<Said>);

    /// Whole lines of standard output as they came, each with its end. For decoders that can pass
    /// over most lines without looking at each.
    fn lines(&mut self, lines: &[u8], said: &mut Vec<Said>) {
        each_line(lines, |line| self.line(line, false, said));
    }

    /// Whole lines of standard error as they came. Nothing there counts as a claim; a decoder may
    /// say that it looks like one.
    fn error_lines(&mut self, _lines: &[u8]) {}

    /// How much of one line it wants at the most.
    fn longest_line(&self) -> usize {
        4 * 1024 * 1024
    }

    /// The name of a decoder that would understand more of the output, where this one sees that.
    fn better(&self) -> Option<&'static str> {
        None
    }

    /// Whether the session cannot succeed any more, though the agent goes on trying. It is then
    /// ended, and [`finish`](Self::finish) says what it came to.
    fn is_hopeless(&self) -> bool {
        false
    }

    /// Gives out what was held back to say it in one piece.
    fn flush(&mut self, _said: &mut Vec<Said>) {}

    /// The session is over.
    fn finish(self: Box<Self>, exit: &Exit, said: &mut Vec<Said>) -> Reading;
}

/// Gives out the lines of a block, without their ends.
pub(crate) fn each_line(lines: &[u8], mut each: impl FnMut(&[u8])) {
    let mut start = 0;
    let lines = lines.strip_suffix(b"\n").unwrap_or(lines);
    for end in memchr::memchr_iter(b'\n', lines).chain([lines.len()]) {
        let line = &lines[start..end];
        each(line.strip_suffix(b"\r").unwrap_or(line));
        start = end + 1;
    }
}

/// What a decoder read out of a whole session.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// How it ended, from structured evidence first and the exit code second.
    pub outcome: Outcome,
    /// What it had started in the background and had not ended when it finished, a command each.
    pub lost_background: Vec<String>,
    /// That its provider charges for more than the plan has.
    pub overage: Option<Overage>,
    /// The agent's last message.
    pub final_text: String,
    /// What it claims.
    pub claim: ClaimReading,
    /// The error in one line, where the session failed and said why.
    pub problem: Option<String>,
    /// Tokens and money.
    pub usage: Usage,
    /// The model, where it was told.
    pub model: Option<String>,
    /// How many tools were used.
    pub tools: u32,
    /// How many of them were denied.
    pub denied: u32,
    /// Their names, each once, where the agent tells them.
    pub denied_tools: Vec<String>,
    /// The agent's own name for the session, where it was told.
    pub session_id: Option<String>,
}

/// The outcome that the end of the process alone speaks for.
pub fn outcome_of_exit(exit: &Exit) -> Outcome {
    match (exit.ended_by, exit.code) {
        (Some(EndedBy::IdleLimit), _) => Outcome::TimedOut { kind: TimeoutKind::Idle },
        (Some(EndedBy::TotalLimit), _) => Outcome::TimedOut { kind: TimeoutKind::Total },
        (Some(EndedBy::Stop), _) => Outcome::Cancelled,
        (Some(EndedBy::Hopeless), _) => Outcome::NoResult,
        (None, Some(0)) => Outcome::Finished,
        (None, code) => Outcome::Crashed { signal: exit.signal, code },
    }
}
