//! One agent of the gym: what it does, in which world, and what is true of it.

use crate::COMPLETE;

/// As many sessions are written out for agents that do something else each time.
const SESSIONS: u32 = 21;

/// One agent, its world, and its truth.
pub(super) struct Agent {
    /// Its name, in a few words.
    pub name: &'static str,
    /// What it is.
    pub plays: Plays,
    /// Files that are committed before the loop begins.
    pub files: Vec<(&'static str, String)>,
    /// Files that are there and not committed.
    pub dirty: Vec<(&'static str, String)>,
    /// The test runner of JavaScript that is installed for it.
    pub modules: Option<&'static str>,
    /// What the loop is called with besides the agent and the check.
    pub args: Vec<&'static str>,
    /// The check that the loop has.
    pub check: Option<String>,
    /// Whether the work is done, as the gym itself sees it.
    pub is_done: String,
    /// What should become of the loop.
    pub truth: Truth,
}

/// What an agent is.
pub(super) enum Plays {
    /// A script of the scripted agent.
    Script(String),
    /// A shell program.
    Shell(String),
    /// A shell program that speaks as Claude Code does.
    Claude(String),
}

/// What should become of a loop.
pub(super) enum Truth {
    /// It gets there in that iteration.
    Done(u32),
    /// It does not get there.
    Stop {
        /// From this iteration on it may be stopped.
        earliest: u32,
        /// A wise person has stopped it by now.
        latest: u32,
        /// The endings and rules that tell why.
        by: &'static [&'static str],
    },
}

impl Agent {
    fn new(name: &'static str, truth: Truth) -> Self {
        let job = job(3);
        let plays = Plays::Script(String::new());
        let (files, dirty, args) = (Vec::new(), Vec::new(), Vec::new());
        let (check, is_done) = (Some(job.clone()), job);
        Self { name, plays, files, dirty, modules: None, args, check, is_done, truth }
    }

    /// An honest agent, which is done in that iteration.
    pub(super) fn honest(name: &'static str, done: u32) -> Self {
        Self::new(name, Truth::Done(done))
    }

    /// An agent that is to be stopped from `earliest` to `latest`, by one of these.
    pub(super) fn stopped(
        name: &'static str,
        earliest: u32,
        latest: u32,
        by: &'static [&'static str],
    ) -> Self {
        Self::new(name, Truth::Stop { earliest, latest, by })
    }

    /// Plays a part a session, and the last one again and again. The line `claim` claims.
    pub(super) fn plays(mut self, parts: &[&str]) -> Self {
        self.plays = Plays::Script(script(parts.iter().map(|&part| part.to_owned())));
        self
    }

    /// Plays the parts in a circle.
    pub(super) fn circles(mut self, parts: &[&str]) -> Self {
        let around = parts.iter().cycle().take(SESSIONS as usize);
        self.plays = Plays::Script(script(around.map(|&part| part.to_owned())));
        self
    }

    /// Plays something else in each session, counted from 1.
    pub(super) fn each(mut self, part: impl Fn(u32) -> String) -> Self {
        self.plays = Plays::Script(script((1..=SESSIONS).map(part)));
        self
    }

    /// Is a shell program; `$n` is the number of its session, and the word `CLAIM` claims.
    pub(super) fn shell(mut self, body: &str) -> Self {
        self.plays = Plays::Shell(counting(body));
        self
    }

    /// Is a shell program that speaks as Claude Code does.
    pub(super) fn claude(mut self, body: &str) -> Self {
        self.plays = Plays::Claude(counting(body));
        self
    }

    /// Has the work in so many parts, `a.txt` and so on, which must each hold `ok`.
    pub(super) fn parts(self, parts: u8) -> Self {
        self.check(job(parts))
    }

    /// Has another check, which is also the truth.
    pub(super) fn check(mut self, check: impl Into<String>) -> Self {
        self.is_done = check.into();
        self.check = Some(self.is_done.clone());
        self
    }

    /// Has a check that is not the truth, or none at all.
    pub(super) fn checked_by(mut self, check: Option<&str>) -> Self {
        self.check = check.map(str::to_owned);
        self
    }

    /// Has another truth than its check.
    pub(super) fn truly(mut self, is_done: &str) -> Self {
        self.is_done = is_done.to_owned();
        self
    }

    /// Finds a file that was committed before.
    pub(super) fn file(mut self, path: &'static str, text: impl Into<String>) -> Self {
        self.files.push((path, text.into()));
        self
    }

    /// Finds a file that the user has not committed.
    pub(super) fn dirty(mut self, path: &'static str, text: impl Into<String>) -> Self {
        self.dirty.push((path, text.into()));
        self
    }

    /// Finds a test runner of JavaScript installed in `node_modules`.
    pub(super) fn modules(mut self, runner: &'static str) -> Self {
        self.modules = Some(runner);
        self
    }

    /// Is called with more arguments.
    pub(super) fn with(mut self, args: &[&'static str]) -> Self {
        self.args.extend(args);
        self
    }
}

/// A script of these parts. The line `claim` stands for the words that claim.
fn script(parts: impl Iterator<Item = String>) -> String {
    let claim = format!("say {COMPLETE}");
    let part = |part: String| {
        let lines = part.lines().map(|line| if line == "claim" { &claim } else { line });
        lines.collect::<Vec<_>>().join("\n")
    };
    parts.map(part).collect::<Vec<_>>().join("\nnext\n")
}

/// A shell program that knows the number of its session, which it keeps outside the tree.
fn counting(body: &str) -> String {
    let count = "echo x >> ../tmp/sessions\nn=$(wc -l < ../tmp/sessions)\n";
    format!("{count}{}", body.replace("CLAIM", COMPLETE))
}

/// The letter of a part of the work, counted from 1.
pub(super) fn letter(part: u32) -> char {
    char::from_u32(u32::from('a') + part - 1).expect("there are fewer parts than letters")
}

/// A check that wants so many files, `a.txt` and so on, and names each that is not as it should be.
fn job(parts: u8) -> String {
    let letters: Vec<String> = (1..=parts.into()).map(|part| letter(part).to_string()).collect();
    format!(
        "left=0; for part in {}; do grep -qs ok $part.txt || {{ left=1; echo \"part $part is \
         missing\"; }}; done; exit $left",
        letters.join(" ")
    )
}

/// A status block as an action of a script.
pub(super) fn block(lines: &str) -> String {
    format!("say ---LOOP_STATUS---\\n{lines}\\n---END_LOOP_STATUS---")
}
