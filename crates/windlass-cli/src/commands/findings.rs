//! `windlass findings`: the ledger of a loop, for people and for other programs.

use clap::ValueEnum;
use windlass_core::{
    findings::{Entry, Ledger, Status, format::Format},
    text::sanitise,
    view::LoopView,
};

use crate::{
    control::find::LoopArg,
    host::{app::App, failure::Failure},
    report::{brief::title, paint::Paint, summary, words},
    text,
};

/// Show what the reviews of a loop found and what became of it
///
/// Each finding keeps its number across iterations. `new` was first found by the last review that
/// has it, `open` was found before and is still there, `back` was fixed and has returned.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Output format: a table for people, or one that other programs read
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Form,

    /// Show only findings that are not fixed
    #[arg(long)]
    open: bool,
}

/// The form of the ledger.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Table
    Table,
    /// JSON, in the format that windlass asks reviewers for
    Json,
    /// Markdown check list, as `windlass tasks` reads it
    Md,
    /// SARIF 2.1.0
    Sarif,
    /// reviewdog rdjson
    Rdjson,
}

const EXAMPLES: &str = "\
Examples:
  windlass findings                                  newest loop in this directory
  windlass findings brave-otter --open
  windlass findings brave-otter --format sarif > windlass.sarif
  windlass findings --open --format md > TASKS.md && windlass tasks --tasks TASKS.md";

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record) = args.target.find(app)?;
    let mut view = LoopView::default();
    store.history(&record.id)?.iter().for_each(|event| view.apply(event));
    let entries = view.ledger.entries().iter();
    let entries: Vec<&Entry> =
        entries.filter(|entry| !args.open || entry.status != Status::Fixed).collect();
    let format = match args.format {
        Form::Table => {
            let paint = Paint { colour: app.printer.colour };
            let table = table(&title(&record, paint), &view.ledger, &entries, paint);
            return app.printer.data(&table).map(|()| 0);
        }
        Form::Json => Format::Json,
        Form::Md => Format::Markdown,
        Form::Sarif => Format::Sarif,
        Form::Rdjson => Format::Rdjson,
    };
    app.printer.data(&format.write(entries)).map(|()| 0)
}

fn table(title: &str, ledger: &Ledger, entries: &[&Entry], paint: Paint) -> String {
    let gap = if ledger.trajectory().is_empty() { "\n" } else { "" };
    format!("{title}\n{gap}{}\n", lines(ledger, entries, paint).join("\n"))
}

/// The ledger for people.
pub(crate) fn lines(ledger: &Ledger, entries: &[&Entry], paint: Paint) -> Vec<String> {
    let reports = ledger.trajectory();
    if reports.is_empty() {
        return vec!["This loop has no reviews.".to_owned()];
    }
    let counts = ledger.counts();
    let mut lines = vec![
        format!(
            "{}: {} open, {} fixed, {} skipped",
            text::count(counts.total, "finding"),
            counts.open,
            counts.fixed,
            counts.skipped
        ),
        format!("by review: {}", summary::trajectory(&reports)),
        String::new(),
    ];
    for entry in entries {
        let finding = words::finding(&entry.finding, paint);
        lines.push(format!("{:>4}  {}  {finding}", entry.number, standing(entry, paint)));
        if let Some(reason) = &entry.reason {
            lines.push(format!("      {}", paint.faint(&sanitise::line(reason))));
        }
    }
    lines
}

/// How a finding stands, in a word of a fixed width.
fn standing(entry: &Entry, paint: Paint) -> String {
    match entry.status {
        Status::Open => format!("{:<7}", entry.standing.word()),
        Status::Fixed => paint.good(&format!("{:<7}", "fixed")),
        Status::Skipped => paint.warn(&format!("{:<7}", "skipped")),
    }
}
