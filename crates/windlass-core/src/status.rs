//! The status block: the second way for an agent to say how it stands. Reading never fails and
//! does no I/O; what a block claims is a request like any other.

mod phrases;

use std::fmt::Write;

use serde::{Deserialize, Serialize};

pub(crate) use self::phrases::Phrases;
use crate::options::Claiming;

/// The line that opens a block.
pub(crate) const BEGIN: &str = "---LOOP_STATUS---";
/// The line that closes it.
pub const END: &str = "---END_LOOP_STATUS---";
/// What both lines have in them, for a quick look.
pub(crate) const MARK: &str = "LOOP_STATUS---";

/// How the lesson begins.
pub(crate) const LESSON: &str = "End your last message with a status block";

/// A block has seven lines; one with more than this many is something else.
const LONGEST: usize = 40;

/// A status block, as far as it could be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusBlock {
    /// How the work stands.
    pub status: Option<Status>,
    /// How many tasks the agent says to have completed.
    pub tasks_completed_this_loop: Option<u32>,
    /// How many files the agent says to have modified.
    pub files_modified: Option<u32>,
    /// What it says of the tests: `PASSING`, `FAILING`, `NOT_RUN`.
    pub tests_status: Option<String>,
    /// What kind of work it did: `IMPLEMENTATION`, `TESTING`, `DOCUMENTATION`, `REFACTORING`.
    pub work_type: Option<String>,
    /// Whether it wants the loop to end.
    pub exit_signal: Option<bool>,
    /// What it recommends, in a line.
    pub recommendation: Option<String>,
}

/// How the work stands, in the agent's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// There is more to do.
    InProgress,
    /// All is done.
    Complete,
    /// It cannot go on.
    Blocked,
}

impl StatusBlock {
    /// Reads the lines between the two that enclose a block; `None` where they say neither how the
    /// work stands nor whether to end, as in a template that is printed back.
    fn parse(lines: &[String]) -> Option<Self> {
        let mut block = Self::default();
        for line in lines {
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c));
            match bare(key).to_ascii_uppercase().as_str() {
                "STATUS" => block.status = status(value),
                "TASKS_COMPLETED_THIS_LOOP" => {
                    block.tasks_completed_this_loop = value.parse().ok();
                }
                "FILES_MODIFIED" => block.files_modified = value.parse().ok(),
                "TESTS_STATUS" => block.tests_status = word(value),
                "WORK_TYPE" => block.work_type = word(value),
                "EXIT_SIGNAL" => block.exit_signal = value.to_ascii_lowercase().parse().ok(),
                "RECOMMENDATION" => {
                    block.recommendation = Some(value.to_owned()).filter(|text| !text.is_empty());
                }
                _ => (),
            }
        }
        (block.status.is_some() || block.exit_signal.is_some()).then_some(block)
    }

    /// Whether it claims that all is done.
    pub(crate) fn claims(&self) -> bool {
        !self.denies() && (self.status == Some(Status::Complete) || self.exit_signal == Some(true))
    }

    /// Whether it says in so many words that the loop is not to end as done.
    pub(crate) fn denies(&self) -> bool {
        self.exit_signal == Some(false) || self.status == Some(Status::Blocked)
    }

    /// What it says to be missing, where it says that the agent is blocked.
    pub(crate) fn blocked(&self) -> Option<String> {
        let is_blocked = self.status == Some(Status::Blocked);
        is_blocked.then(|| self.recommendation.clone().unwrap_or_default())
    }

    /// The line that claims.
    pub(crate) fn claiming_line(&self) -> &'static str {
        if self.exit_signal == Some(true) { "EXIT_SIGNAL: true" } else { "STATUS: COMPLETE" }
    }
}

fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "*_`->#".contains(c))
}

fn status(value: &str) -> Option<Status> {
    match value.to_ascii_uppercase().as_str() {
        "IN_PROGRESS" => Some(Status::InProgress),
        "COMPLETE" => Some(Status::Complete),
        "BLOCKED" => Some(Status::Blocked),
        _ => None,
    }
}

/// A single word in capitals; a choice such as `A | B` is none.
fn word(value: &str) -> Option<String> {
    let is_word = !value.is_empty()
        && value.len() <= 40
        && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word.then(|| value.to_ascii_uppercase())
}

/// Finds the last complete block in lines as they come.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatusReader {
    open: Option<Vec<String>>,
    last: Option<StatusBlock>,
}

impl StatusReader {
    /// Whether a block is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Takes one line; one that is an echo of the prompt ends no block that counts. Says whether
    /// the line belongs to a block.
    pub(crate) fn line(&mut self, line: &str, is_echo: bool) -> bool {
        let line = line.trim();
        let was_open = self.open.is_some();
        if let Some(lines) = self.take(line)
            && !is_echo
            && let Some(block) = StatusBlock::parse(&lines)
        {
            self.last = Some(block);
        }
        was_open || self.open.is_some()
    }

    /// The last complete block.
    pub(crate) fn finish(self) -> Option<StatusBlock> {
        self.last
    }

    fn take(&mut self, line: &str) -> Option<Vec<String>> {
        if line == BEGIN {
            self.open = Some(Vec::new());
            return None;
        }
        let open = self.open.as_mut()?;
        if line == END {
            return self.open.take();
        }
        open.push(line.chars().take(2000).collect());
        if open.len() > LONGEST {
            self.open = None;
        }
        None
    }
}

/// What is wrong with a strict completion that no message can meet.
pub fn unreachable(claiming: &Claiming) -> Option<String> {
    let known = phrases::distinct(&claiming.completion_phrases).len();
    let asked = claiming.completion_threshold;
    let is_met = usize::try_from(asked).is_ok_and(|asked| asked <= known);
    (claiming.strict_completion && !is_met).then(|| {
        format!(
            "`--completion-threshold {asked}` asks for more completion phrases than there are: \
             `completion_phrases` in the config has {known}"
        )
    })
}

/// What an agent is taught under `--protocol status`. Printed back, it claims nothing: the choices
/// in it are no values.
pub fn lesson(claiming: &Claiming) -> String {
    let mut text = format!(
        "{LESSON}, exactly in this form, not in a code block, \
         one value on each line:\n\
         {BEGIN}\n\
         STATUS: IN_PROGRESS | COMPLETE | BLOCKED\n\
         TASKS_COMPLETED_THIS_LOOP: <number>\n\
         FILES_MODIFIED: <number>\n\
         TESTS_STATUS: PASSING | FAILING | NOT_RUN\n\
         WORK_TYPE: IMPLEMENTATION | TESTING | DOCUMENTATION | REFACTORING\n\
         EXIT_SIGNAL: true | false\n\
         RECOMMENDATION: <one line: what to do next, or what blocks you>\n\
         {END}\n\
         Say EXIT_SIGNAL: true only when all of the work is done: that is your claim. Say STATUS: \
         BLOCKED when only a person can help.\n"
    );
    if claiming.strict_completion {
        let phrases: Vec<String> = phrases::distinct(&claiming.completion_phrases)
            .iter()
            .map(|phrase| format!("\"{phrase}\""))
            .collect();
        let _ = writeln!(
            text,
            "A claim counts only if your last message also says, outside of the block, at least \
             {} of these phrases: {}.",
            claiming.completion_threshold,
            phrases.join(", ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<StatusBlock> {
        let mut reader = StatusReader::default();
        for line in text.lines() {
            reader.line(line, false);
        }
        reader.finish()
    }

    #[test]
    fn a_block_is_read_with_all_its_values() {
        let block = read(
            "Done.\n---LOOP_STATUS---\nSTATUS: COMPLETE\nTASKS_COMPLETED_THIS_LOOP: 2\n\
             FILES_MODIFIED: 3\nTESTS_STATUS: PASSING\nWORK_TYPE: testing\nEXIT_SIGNAL: True\n\
             RECOMMENDATION: ship it: now\n---END_LOOP_STATUS---\n",
        );
        insta::assert_json_snapshot!(block, @r#"
        {
          "status": "COMPLETE",
          "tasks_completed_this_loop": 2,
          "files_modified": 3,
          "tests_status": "PASSING",
          "work_type": "TESTING",
          "exit_signal": true,
          "recommendation": "ship it: now"
        }
        "#);
    }

    #[test]
    fn the_last_complete_block_counts() {
        let text = "---LOOP_STATUS---\nSTATUS: COMPLETE\n---END_LOOP_STATUS---\n\
                    ---LOOP_STATUS---\nSTATUS: IN_PROGRESS\n---END_LOOP_STATUS---\n\
                    ---LOOP_STATUS---\nSTATUS: COMPLETE\n";
        assert_eq!(read(text).unwrap().status, Some(Status::InProgress));
        assert_eq!(read("---LOOP_STATUS---\nSTATUS: COMPLETE"), None);
        assert_eq!(read("STATUS: COMPLETE\n---END_LOOP_STATUS---"), None);
    }

    #[test]
    fn an_explicit_no_beats_complete_and_so_does_being_blocked() {
        let block = |status: &str, exit: &str| {
            let text = format!("{BEGIN}\nSTATUS: {status}\nEXIT_SIGNAL: {exit}\n{END}");
            read(&text).unwrap().claims()
        };
        assert!(block("COMPLETE", "true") && block("COMPLETE", "maybe"));
        assert!(block("IN_PROGRESS", "true"));
        assert!(!block("COMPLETE", "false") && !block("IN_PROGRESS", "false"));
        assert!(!block("BLOCKED", "true"));
    }

    #[test]
    fn the_lesson_printed_back_is_no_block() {
        let lesson = lesson(&Claiming { strict_completion: true, ..Claiming::default() });
        assert_eq!(read(&lesson), None);
    }
}
