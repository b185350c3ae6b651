//! `windlass reset`: closes the circuit of a loop that a rule has stopped.

use windlass::take_down;
use windlass_core::event::EventKind;

use crate::{
    control::find::LoopArg,
    host::{app::App, failure::Failure},
    report::ending::Standing,
};

/// Clear a stopped loop so that it can be resumed
///
/// Closes the circuit, which a rule opened to stop the loop, and resets the counts of all rules.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,
}

const EXAMPLES: &str = "\
Examples:
  windlass reset brave-otter && windlass resume brave-otter";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (_, record) = args.target.find(app)?;
    take_down(&app.home, &record, vec![EventKind::CircuitReset])?;
    app.printer.line(&format!("the circuit of {} is closed", record.name))?;
    let next = Standing::of_record(&record).next();
    if let Some(resume) = next.iter().find(|command| command.starts_with("windlass resume")) {
        app.printer.hint(&format!("to go on: {}", resume.replace(" --reset-circuit", "")));
    }
    Ok(0)
}
