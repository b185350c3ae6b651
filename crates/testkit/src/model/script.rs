//! What the model plays: a line an action, cut into turns by `next`. Each request of an agent
//! takes one turn. Reading a script does no I/O.

use std::fmt;

/// Every action, as it is written.
pub const KNOWN: &[(&str, &str)] = &[
    ("say TEXT", "says a line"),
    ("read PATH", "calls the tool that reads a file"),
    ("write PATH TEXT", "calls the tool that writes a file; `\\n` is the end of a line"),
    ("edit PATH OLD => NEW", "calls the tool that changes a file"),
    ("run COMMAND", "calls the tool that runs a command"),
    ("background COMMAND", "the same, and does not wait for it, where the agent can do that"),
    ("tokens IN OUT CACHED", "what it used; CACHED is a part of IN; 1200, 40 and 0 otherwise"),
    ("fail STATUS MESSAGE", "answers with an error of HTTP instead"),
    ("body JSON", "the body of that error, where the usual one will not do"),
    ("header NAME: VALUE", "one more header of the answer"),
    (
        "overage RESET",
        "says that the plan is used up until then (seconds since 1970, or `-`) and pay goes on",
    ),
    ("stall", "stops in the middle of what it says, and keeps the connection open"),
    ("always", "plays this turn for every request from here on"),
    ("next", "what follows is the next turn"),
];

/// A script: a turn for each request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub(super) turns: Vec<Turn>,
}

/// The answer to one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) text: Option<String>,
    pub(super) acts: Vec<Act>,
    pub(super) tokens: Tokens,
    pub(super) failure: Option<Failure>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) stalls: bool,
    pub(super) always: bool,
}

/// Something that the model wants done by a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Read(String),
    Write(String, String),
    Edit(String, String, String),
    Run(String),
    Background(String),
}

/// What a turn is said to have used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cached: u64,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { input: 1200, output: 40, cached: 0 }
    }
}

/// An error of HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) status: u16,
    pub(super) message: String,
    pub(super) body: Option<String>,
}

/// A script cannot be read: the line, from 1, and how it should be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    line: usize,
    usage: Option<&'static str>,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, usage } = self;
        match usage {
            Some(usage) => write!(f, "line {line}: it is written `{usage}`"),
            None => write!(f, "line {line}: there is no such action"),
        }
    }
}

impl std::error::Error for ScriptError {}

impl Script {
    /// Reads a script.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut turns = vec![Turn::default()];
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line == "next" {
                turns.push(Turn::default());
                continue;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let usage =
                KNOWN.iter().map(|(usage, _)| *usage).find(|u| u.split(' ').next() == Some(word));
            let turn = turns.last_mut().expect("there is always a turn");
            turn.take(word, rest.trim()).ok_or(ScriptError { line: number, usage })?;
        }
        Ok(Self { turns })
    }

    /// The turn for request `number`, counted from 0.
    pub(super) fn turn(&self, number: usize) -> Option<&Turn> {
        let always = self.turns.iter().position(|turn| turn.always);
        self.turns.get(always.map_or(number, |always| number.min(always)))
    }
}

impl Turn {
    /// Takes one action; `None` where it cannot be read.
    fn take(&mut self, word: &str, rest: &str) -> Option<()> {
        match word {
            "say" => self.say(&unescape(rest)),
            "read" => self.acts.push(Act::Read(not_empty(rest)?)),
            "write" => {
                let (path, text) = rest.split_once(' ')?;
                self.acts.push(Act::Write(path.to_owned(), unescape(text)));
            }
            "edit" => {
                let (path, change) = rest.split_once(' ')?;
                let (old, new) = change.split_once(" => ")?;
                self.acts.push(Act::Edit(path.to_owned(), unescape(old), unescape(new)));
            }
            "run" => self.acts.push(Act::Run(not_empty(rest)?)),
            "background" => self.acts.push(Act::Background(not_empty(rest)?)),
            "tokens" => {
                let mut numbers = rest.split_whitespace().map(|number| number.parse().ok());
                let mut next = || numbers.next().flatten();
                self.tokens = Tokens { input: next()?, output: next()?, cached: next()? };
            }
            "fail" => {
                let (status, message) = rest.split_once(' ')?;
                let status = status.parse().ok()?;
                self.failure = Some(Failure { status, message: message.to_owned(), body: None });
            }
            "body" => self.failure.as_mut()?.body = Some(not_empty(rest)?),
            "header" => {
                let (name, value) = rest.split_once(": ")?;
                self.headers.push((name.to_owned(), value.to_owned()));
            }
            "overage" => self.headers.extend(overage(rest)?),
            "stall" => self.stalls = true,
            "always" => self.always = true,
            _ => return None,
        }
        Some(())
    }

    fn say(&mut self, line: &str) {
        let text = self.text.get_or_insert_default();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
    }
}

/// What Anthropic says of a plan that is used up while extra usage is paid for.
fn overage(reset: &str) -> Option<Vec<(String, String)>> {
    let mut headers = vec![
        ("status", "rejected"),
        ("representative-claim", "five_hour"),
        ("overage-status", "allowed"),
    ];
    match reset {
        "-" => (),
        at => headers.push(("reset", at.parse::<u64>().is_ok().then_some(at)?)),
    }
    let named = |(name, value): (&str, &str)| {
        (format!("anthropic-ratelimit-unified-{name}"), value.to_owned())
    };
    Some(headers.into_iter().map(named).collect())
}

fn not_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn unescape(text: &str) -> String {
    text.replace("\\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_cut_into_turns() {
        let script = Script::parse(
            "# as one would\nsay a\nsay b\nwrite f x\\ny\ntokens 5 6 7\nnext\n\
             edit f x => y\nnext\nfail 429 slow down\nheader retry-after: 9\nalways",
        )
        .unwrap();
        let first = script.turn(0).unwrap();
        assert_eq!(first.text.as_deref(), Some("a\nb"));
        assert_eq!(first.acts, [Act::Write("f".to_owned(), "x\ny".to_owned())]);
        assert_eq!(first.tokens, Tokens { input: 5, output: 6, cached: 7 });
        let second = script.turn(1).unwrap();
        assert_eq!(second.acts, [Act::Edit("f".to_owned(), "x".to_owned(), "y".to_owned())]);
        assert_eq!(script.turn(2), script.turn(99));
        assert_eq!(script.turn(2).unwrap().failure.as_ref().unwrap().status, 429);
    }

    #[test]
    fn a_script_that_is_over_has_no_turn() {
        assert_eq!(Script::parse("say a").unwrap().turn(1), None);
    }

    #[test]
    fn what_cannot_be_read_is_told_with_how_it_is_written() {
        let error = |text| Script::parse(text).unwrap_err().to_string();
        assert_eq!(error("say a\nshout b"), "line 2: there is no such action");
        assert_eq!(error("edit f x y"), "line 1: it is written `edit PATH OLD => NEW`");
        assert_eq!(error("overage soon"), "line 1: it is written `overage RESET`");
        assert_eq!(error("body {}"), "line 1: it is written `body JSON`");
    }

    #[test]
    fn every_action_that_is_told_can_be_read() {
        for (usage, _) in KNOWN {
            let line = match usage.split(' ').next().unwrap() {
                "tokens" => "tokens 1 2 3",
                "fail" => "fail 500 it broke",
                "body" => "fail 500 it broke\nbody {}",
                "overage" => "overage 1893456000",
                _ => usage,
            };
            assert!(Script::parse(line).is_ok(), "{usage}");
        }
    }
}
