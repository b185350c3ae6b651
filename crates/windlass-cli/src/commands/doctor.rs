//! `windlass doctor`: looks at everything that windlass needs, and says what to do where it is not
//! as it should be.

mod checks;
mod sleep;

use serde::Serialize;

use crate::host::{
    app::App,
    failure::{Failure, Kind},
};

/// Check your setup and suggest fixes
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Rebuild a damaged store from what can still be read, and keep the damaged one
    #[arg(long)]
    pub(crate) repair: bool,

    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass doctor
  windlass doctor --repair        if the store is damaged

Exits with 0 if nothing is broken, 6 if the store is, and 4 if something else is.";

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Good,
    /// Worth knowing, and nothing is broken.
    Notable,
    Broken,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Look {
    /// What.
    what: &'static str,
    state: State,
    /// How it is.
    text: String,
    /// What to do, a line each.
    hints: Vec<String>,
}

impl Look {
    fn good(what: &'static str, text: impl Into<String>) -> Self {
        Self { what, state: State::Good, text: text.into(), hints: Vec::new() }
    }

    fn notable(what: &'static str, text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what, state: State::Notable, text: text.into(), hints: vec![hint.into()] }
    }

    fn broken(what: &'static str, text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what, state: State::Broken, text: text.into(), hints: vec![hint.into()] }
    }

    /// What a failure has to say.
    fn failed(what: &'static str, failure: &Failure) -> Self {
        let why = std::iter::successors(failure.error.source(), |error| error.source());
        let mut text = failure.error.to_string();
        for error in why {
            text = format!("{text}: {error}");
        }
        Self { what, state: State::Broken, text, hints: failure.hints.clone() }
    }
}

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let looks = checks::all(app, args.repair);
    if args.json {
        app.printer.json(&looks)?;
    } else {
        for look in &looks {
            show(app, look)?;
        }
    }
    let broken = |what: fn(&str) -> bool| {
        looks.iter().any(|look| look.state == State::Broken && what(look.what))
    };
    Ok(if broken(|what| what == checks::STORE) {
        Kind::Storage.exit_code()
    } else if broken(|_| true) {
        Kind::Setup.exit_code()
    } else {
        0
    })
}

fn show(app: &App, look: &Look) -> Result<(), Failure> {
    let (mark, code) = match look.state {
        State::Good => ('✓', "32"),
        State::Notable => ('!', "33"),
        State::Broken => ('✗', "31"),
    };
    // An error of a config file brings its line along; here the first line is enough.
    let text = look.text.lines().next().unwrap_or_default();
    let text = windlass_core::text::sanitise::line(text);
    let mark =
        if app.printer.colour { format!("\u{1b}[{code}m{mark}\u{1b}[0m") } else { mark.into() };
    app.printer.data(&format!("{mark} {:<9} {text}\n", look.what))?;
    for hint in &look.hints {
        app.printer.line(&format!("{:12}→ {hint}", ""))?;
    }
    Ok(())
}
