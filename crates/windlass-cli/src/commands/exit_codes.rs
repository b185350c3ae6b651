//! `windlass exit-codes`: what the exit codes mean. The one place where each has a sentence.

use std::fmt::Write as _;

use crate::host::{failure::Failure, printer::Printer};

/// Every exit code with its meaning.
pub(crate) const EXIT_CODES: [(u8, &str); 13] = [
    (0, "done, approved, clean"),
    (1, "the loop ended without success: iterations, budget, findings left, stalled"),
    (2, "usage, config or other bad input; also an unknown agent or loop"),
    (3, "a rule stopped the loop (the circuit is open)"),
    (4, "could not start: agent not installed, untrusted config, or directory in use"),
    (5, "the agent keeps failing"),
    (6, "storage: full, corrupt, locked, or written by a newer windlass"),
    (7, "remote did not confirm; kept for retry"),
    (8, "some processes could not be stopped and are still running"),
    (70, "internal error (please report)"),
    (129, "cancelled by SIGHUP: the terminal was closed"),
    (130, "cancelled by SIGINT (Ctrl-C)"),
    (143, "cancelled by SIGTERM or `windlass cancel`"),
];

/// Show what the exit codes mean
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(printer: Printer, args: &Args) -> Result<u8, Failure> {
    if args.json {
        let codes = EXIT_CODES.iter().map(|(code, meaning)| (code.to_string(), (*meaning).into()));
        printer.json(&codes.collect::<serde_json::Map<_, serde_json::Value>>())?;
    } else {
        printer.data(&table())?;
    }
    Ok(0)
}

fn table() -> String {
    let mut table = String::new();
    for (code, meaning) in EXIT_CODES {
        let _ = writeln!(table, "{code:>3}  {meaning}");
    }
    table
}

fn after_help() -> String {
    format!("Exit codes:\n{}\nExamples:\n  windlass exit-codes", table())
}

#[cfg(test)]
mod tests {
    use windlass_core::ending::{CancelledBy, ClaimedBy, Ending};

    use super::*;
    use crate::host::failure::Kind;

    #[test]
    fn every_code_that_windlass_exits_with_has_a_meaning() {
        let kinds = Kind::ALL.map(Kind::exit_code);
        let endings = [
            Ending::Done { by: ClaimedBy::Promise, unverified: false },
            Ending::MaxIterations { limit: 1, left: None },
            Ending::Rule { rule: String::new(), reason: String::new(), undecided: None },
            Ending::agent_failed(String::new()),
            Ending::Cancelled { by: CancelledBy::Sigint },
            Ending::Cancelled { by: CancelledBy::Sigterm },
            Ending::Cancelled { by: CancelledBy::Sighup },
        ];
        for code in endings.iter().map(Ending::exit_code).chain(kinds) {
            assert!(EXIT_CODES.iter().any(|(known, _)| *known == code), "{code}");
        }
    }
}
