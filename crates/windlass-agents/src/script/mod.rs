//! Scripts of the scripted agent: a line an action, cut into iterations by `next`, and in those into
//! what each role plays by `as`. Reading one does no I/O; the player runs in its own process
//! and is part of `windlass`.
//!
//! A new action is a variant of [`Action`], a line in [`KNOWN`], and an arm in `action` here and
//! in the player.

use std::{iter, time::Duration};

use windlass_core::{options::Span, role};

/// The first argument of the process that plays a script.
pub const PART: &str = "__windlass-scripted";

/// Every action, as it is written. Errors and documents show this list.
pub(crate) const KNOWN: &[(&str, &str)] = &[
    ("say TEXT", "prints a line"),
    ("warn TEXT", "prints a line to standard error"),
    ("write PATH TEXT", "writes a file, with the folders that it needs"),
    ("append PATH TEXT", "adds to the end of a file"),
    ("replace PATH OLD => NEW", "puts NEW where OLD stands in a file, which must be there"),
    ("delete PATH", "removes a file or a folder"),
    ("move FROM TO", "moves a file or a folder"),
    ("sleep DURATION", "waits, such as 200ms or 3s"),
    ("prompt", "prints the prompt that it was given"),
    ("env NAME", "prints NAME=VALUE of a variable, or that it is not set"),
    ("flood SIZE", "prints that many bytes as lines, such as 64k, 20M or 1G"),
    ("hang", "never ends"),
    ("crash", "ends by a signal"),
    ("exit CODE", "ends with that code"),
    ("as ROLE", "what follows is played only in that role, such as reviewer"),
    ("next", "what follows is played in the next iteration"),
];

/// A script that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    parts: Vec<Vec<Line>>,
}

/// One action, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its line in the file, from 1.
    pub number: usize,
    /// The role that it is for; `None` for all.
    pub role: Option<String>,
    /// What to do.
    pub action: Action,
}

/// One thing that the scripted agent does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Prints a line.
    Say(String),
    /// Prints a line to standard error.
    Warn(String),
    /// Writes a file.
    Write(String, String),
    /// Adds to the end of a file.
    Append(String, String),
    /// Puts the last where the second stands in a file.
    Replace(String, String, String),
    /// Removes a file or a folder.
    Delete(String),
    /// Moves a file or a folder.
    Move(String, String),
    /// Waits.
    Sleep(Duration),
    /// Prints the prompt.
    Prompt,
    /// Prints a variable.
    Env(String),
    /// Prints so many bytes.
    Flood(u64),
    /// Waits for ever.
    Hang,
    /// Ends by a signal.
    Crash,
    /// Ends with that code.
    Exit(u8),
}

/// A script cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// There is nothing to play.
    #[error("the script has no action; known are {}", known())]
    Empty,
    /// No such action.
    #[error("line {line}: there is no action `{word}`; known are {}", known())]
    Unknown {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        word: String,
    },
    /// An action lacks something, or has it in a form that is not known.
    #[error("line {line}: {why}; it is written `{usage}`")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
        /// How it is written.
        usage: &'static str,
    },
}

impl Script {
    /// Reads a script.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut parts = vec![Vec::new()];
        let mut role = None;
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line == "next" {
                parts.push(Vec::new());
                role = None;
                continue;
            }
            if let Some(named) = role_of(number, line)? {
                role = Some(named);
                continue;
            }
            let line = Line { number, role: role.clone(), action: action(number, line)? };
            parts.last_mut().expect("there is always a part").push(line);
        }
        if parts.iter().all(Vec::is_empty) {
            return Err(ScriptError::Empty);
        }
        Ok(Self { parts })
    }

    /// What a session in iteration `iteration` plays in a role; after the last part, the last one
    /// again.
    pub fn part(&self, iteration: usize, role: &str) -> Vec<Line> {
        let index = iteration.saturating_sub(1).min(self.parts.len() - 1);
        let is_for = |line: &&Line| line.role.as_ref().is_none_or(|named| named == role);
        self.parts[index].iter().filter(is_for).cloned().collect()
    }
}

/// Reads `as ROLE`; `None` where the line is something else.
fn role_of(line: usize, text: &str) -> Result<Option<String>, ScriptError> {
    let mut words = text.split_whitespace();
    if words.next() != Some("as") {
        return Ok(None);
    }
    let why = match (words.next(), words.next()) {
        (Some(named), None) if role::ALL.contains(&named) => return Ok(Some(named.to_owned())),
        (Some(named), None) => {
            format!("there is no role `{named}`, only {}", role::ALL.join(", "))
        }
        (Some(_), Some(_)) => "a role is one word".to_owned(),
        (None, _) => "something is missing".to_owned(),
    };
    Err(ScriptError::Malformed { line, why, usage: "as ROLE" })
}

/// Reads one line that is neither empty, nor a comment, nor `next`, nor `as`.
fn action(line: usize, text: &str) -> Result<Action, ScriptError> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let Some((usage, _)) = KNOWN.iter().find(|(usage, _)| first_word(usage) == word) else {
        return Err(ScriptError::Unknown { line, word: word.to_owned() });
    };
    let wrong = |why: String| ScriptError::Malformed { line, why, usage };
    let rest = rest.trim_start();
    let one = || match rest {
        "" => Err("something is missing".to_owned()),
        rest => unescape(rest),
    };
    let two = || match rest.split_once(char::is_whitespace) {
        None => Err("something is missing".to_owned()),
        Some((first, second)) => Ok((unescape(first)?, unescape(second.trim_start())?)),
    };
    let read = || {
        Ok(match word {
            "say" => Action::Say(unescape(rest)?),
            "warn" => Action::Warn(unescape(rest)?),
            "write" => two().map(|(path, text)| Action::Write(path, text))?,
            "append" => two().map(|(path, text)| Action::Append(path, text))?,
            "replace" => replace(rest)?,
            "delete" => Action::Delete(one()?),
            "move" => two().map(|(from, to)| Action::Move(from, to))?,
            "sleep" => Action::Sleep(rest.parse::<Span>()?.0),
            "env" => Action::Env(one()?),
            "flood" => Action::Flood(size(rest)?),
            "exit" => {
                let code = rest.parse().map_err(|_| format!("`{rest}` is not a number to 255"))?;
                Action::Exit(code)
            }
            _ if !rest.is_empty() => return Err(format!("`{word}` takes nothing")),
            "prompt" => Action::Prompt,
            "hang" => Action::Hang,
            _ => Action::Crash,
        })
    };
    read().map_err(wrong)
}

/// Reads `PATH OLD => NEW`.
fn replace(text: &str) -> Result<Action, String> {
    let parts = text.split_once(char::is_whitespace).and_then(|(path, change)| {
        let (old, new) = change.split_once("=>")?;
        Some((path, old.trim(), new.trim()))
    });
    match parts {
        None | Some((_, "", _)) => Err("something is missing".to_owned()),
        Some((path, old, new)) => {
            Ok(Action::Replace(unescape(path)?, unescape(old)?, unescape(new)?))
        }
    }
}

/// Reads `64k`, `20M`, `1G` or a number of bytes.
fn size(text: &str) -> Result<u64, String> {
    let (number, factor) = match text.chars().last() {
        Some('k') => (&text[..text.len() - 1], 1 << 10),
        Some('M') => (&text[..text.len() - 1], 1 << 20),
        Some('G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1_u64),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    bytes.ok_or_else(|| format!("`{text}` is not a size"))
}

/// Puts in what `\n`, `\t`, `\r`, `\s` (a space), `\e` (escape) and `\\` stand for.
fn unescape(text: &str) -> Result<String, String> {
    let mut chars = text.chars();
    iter::from_fn(|| {
        let c = chars.next()?;
        if c != '\\' {
            return Some(Ok(c));
        }
        Some(match chars.next() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('r') => Ok('\r'),
            Some('s') => Ok(' '),
            Some('e') => Ok('\u{1b}'),
            Some('\\') => Ok('\\'),
            other => {
                let found = other.map(String::from).unwrap_or_default();
                Err(format!("there is no `\\{found}`, only \\n \\t \\r \\s \\e and \\\\"))
            }
        })
    })
    .collect()
}

/// The words of all actions, for errors.
fn known() -> String {
    KNOWN.iter().map(|(usage, _)| first_word(usage)).collect::<Vec<_>>().join(", ")
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

#[cfg(test)]
mod tests;
