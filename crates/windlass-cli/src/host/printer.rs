//! The one owner of stdout and stderr. stdout carries data, stderr everything else.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use windlass_core::{secrets::Secrets, text::sanitise};

use crate::{
    control::changes::Changes,
    host::{
        environment::{Environment, Variable},
        failure::{Failure, Kind},
    },
};

/// Prints for people and programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    /// Whether stdout may be coloured.
    pub(crate) colour: bool,
    /// Whether stderr may be coloured.
    pub(crate) colour_errors: bool,
    /// Whether both streams are a terminal, so that a live view makes sense.
    pub(crate) live: bool,
    /// Whether somebody sees what goes to stderr.
    pub(crate) errors_are_seen: bool,
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Colour {
    /// At a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also into files and pipes
    Always,
    /// Not at all
    Never,
}

/// The words at the margin that are set off.
#[derive(Clone, Copy, Debug)]
enum Tone {
    Error,
    Warning,
    Hint,
}

impl Printer {
    /// A printer for the streams of this process.
    pub(crate) fn new(colour: Colour, environment: &Environment) -> Self {
        let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let wanted = |terminal: bool| match colour {
            Colour::Auto => terminal && environment.get(Variable::NoColor).is_none(),
            Colour::Always => true,
            Colour::Never => false,
        };
        Self {
            colour: wanted(out),
            colour_errors: wanted(err),
            live: out && err,
            errors_are_seen: err,
        }
    }

    /// How wide the terminal is that output goes to; `None` where it goes elsewhere.
    pub(crate) fn cells(&self) -> Option<usize> {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
        (size.ws_col > 0).then_some(size.ws_col.into())
    }

    /// Text that windlass made itself, as it is.
    pub(crate) fn data(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::output)
    }

    /// One line that may hold an agent's words.
    pub(crate) fn line(&self, line: &str) -> Result<(), Failure> {
        self.data(&format!("{}\n", sanitise::line(line)))
    }

    /// Lines that may hold an agent's words.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        self.data(&sanitise::text(text))
    }

    /// A diff: as it is for programs, so that it can be applied; safe and coloured at a terminal.
    pub(crate) fn diff(&self, changes: &Changes) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if !out.is_terminal() {
            let written = out.write_all(changes.exact()).and_then(|()| out.flush());
            return written.map_err(Failure::output);
        }
        drop(out);
        for line in changes.shown().lines() {
            let code = match line.as_bytes() {
                [b'+', b'+', ..] | [b'-', b'-', ..] | [b'd', b'i', b'f', b'f', ..] => "1",
                [b'@', ..] => "36",
                [b'+', ..] => "32",
                [b'-', ..] => "31",
                _ => "",
            };
            let line = sanitise::line(line);
            let shown = match code {
                code if self.colour && !code.is_empty() => {
                    format!("\u{1b}[{code}m{line}\u{1b}[0m\n")
                }
                _ => format!("{line}\n"),
            };
            self.data(&shown)?;
        }
        Ok(())
    }

    /// One value as JSON on a line of its own.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let json = serde_json::to_string(value).map_err(|error| {
            Failure::because(Kind::Internal, "the result could not be written as JSON", error)
        })?;
        self.data(&format!("{}\n", sanitise::json(&json)))
    }

    /// Something that people should know, and that ends nothing.
    pub(crate) fn warning(&self, warning: &str) {
        self.note(&format!("{} {}\n", self.tone(Tone::Warning), sanitise::text(warning)));
    }

    /// What to do next.
    pub(crate) fn hint(&self, hint: &str) {
        self.note(&format!("{} {}\n", self.tone(Tone::Hint), sanitise::text(hint)));
    }

    /// Lines on stderr that windlass made itself.
    pub(crate) fn aside(&self, lines: &str) {
        self.note(&format!("{lines}\n"));
    }

    /// A question that is safe to show.
    pub(crate) fn question(&self, question: &str) {
        self.note(question);
    }

    /// A question, on the line that the answer is typed on.
    pub(crate) fn ask_line(&self, question: &str) {
        self.note(&format!("{} ", sanitise::text(question.trim_end())));
    }

    /// What ended the program, without what is secret.
    pub(crate) fn failure(&self, failure: &Failure, secrets: &Secrets) {
        if failure.kind != Kind::ReaderGone {
            let text = failure.render(|word| {
                let tone = if word == "error:" { Tone::Error } else { Tone::Hint };
                self.tone(tone)
            });
            self.note(&secrets.redact(&text));
        }
    }

    /// Text for people, made safe already.
    fn note(&self, text: &str) {
        // Whoever closed stderr does not want to know, and there is nobody else to tell.
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }

    fn tone(self, tone: Tone) -> String {
        let (word, code) = match tone {
            Tone::Error => ("error:", "1;31"),
            Tone::Warning => ("warning:", "1;33"),
            Tone::Hint => ("hint:", "1;36"),
        };
        if self.colour_errors { format!("\u{1b}[{code}m{word}\u{1b}[0m") } else { word.to_owned() }
    }
}
