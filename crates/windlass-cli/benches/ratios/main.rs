//! Measures windlass against the machine's own limits, side by side in one run, and prints ratios:
//! absolute times differ from machine to machine and from hour to hour.
//!
//! `cargo bench -p windlass-cli --profile dist` runs all, as what ships is built; with `-- output` only
//! those whose name has `output` in it.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a benchmark talks, and gives up at once when something is wrong"
)]

mod cancel;
mod claude;
mod iterations;
mod output;
mod sandbox;
mod serve;
mod store;
mod watch;
mod world;

use world::World;

/// A measure: its name, and what takes it.
type Measure = (&'static str, fn(&World));

const MEASURES: &[Measure] = &[
    ("iteration-overhead", iterations::overhead),
    ("iteration-in-git", iterations::in_git),
    ("iteration-late", iterations::late),
    ("output-lines", output::lines),
    ("output-one-line", output::one_line),
    ("claude-stream", claude::stream),
    ("sandbox", sandbox::sandbox),
    ("store-status", store::status),
    ("cancel", cancel::cancel),
    ("serve-first-paint", serve::first_paint),
    ("serve-listeners", serve::listeners),
    ("watch", watch::watch),
];

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!("{:<58} {:>12} {:>10}  target", "measure", "measured", "ratio");
    for (name, measure) in MEASURES {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            measure(&World::new());
        }
    }
}
