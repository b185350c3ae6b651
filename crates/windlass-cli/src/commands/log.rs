//! `windlass log`: what was said and done, as it was shown when it happened.

use std::{thread, time::Duration};

use windlass_core::{
    event::{Event, EventKind},
    view::LoopView,
};
use windlass_store::store::{LoopRecord, Store};

use crate::{
    control::find::LoopArg,
    host::{
        app::App,
        failure::{Failure, Kind},
    },
    report::{
        ending::{Standing, State},
        json,
        paint::Paint,
        words::{self, proven::Proven},
    },
    text,
};

/// Show what the agent said and what windlass did
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Keep printing until the loop ends
    #[arg(long, short)]
    follow: bool,

    /// Show only this iteration
    #[arg(long, short = 'n', value_name = "N")]
    iteration: Option<u32>,

    /// Print each event as a line of JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass log                    newest loop in this directory
  windlass log brave-otter -f     follow it until it ends
  windlass log brave-otter -n 3   only its third iteration";

/// How many events are read at once.
const PAGE: usize = 1000;
/// How often a followed loop is looked at.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, mut record) = args.target.find(app)?;
    if let Some(wanted) = args.iteration
        && wanted > record.iteration
        && !(args.follow && is_running(&record))
    {
        let begun = text::count(record.iteration, "iteration");
        return Err(Failure::usage(format!("the loop {} has begun {begun}", record.name)));
    }
    let mut log = Log::new(args.iteration, args.json, Paint { colour: app.printer.colour });
    let mut seen = 0;
    loop {
        // Whether it is over is asked before its events are read, so that none is missed.
        let is_over = !args.follow || !is_running(&record);
        seen = print_after(seen, app, &store, &record, &mut log)?;
        if is_over {
            break;
        }
        thread::sleep(PAUSE);
        let Some(now) = store.get(&record.id)? else { break };
        record = now;
    }
    if Standing::of_record(&record).state == State::Interrupted {
        let standing = Standing::of_record(&record);
        app.printer.warning(&standing.sentence());
        standing.next().iter().for_each(|command| app.printer.hint(command));
    }
    Ok(0)
}

fn is_running(record: &LoopRecord) -> bool {
    Standing::of_record(record).state == State::Running
}

/// Prints what came after event number `seen`; gives the number of the last one.
fn print_after(
    mut seen: u64,
    app: &App,
    store: &Store,
    record: &LoopRecord,
    log: &mut Log,
) -> Result<u64, Failure> {
    loop {
        let events = store.events(&record.id, seen, PAGE)?;
        let Some(last) = events.last() else { return Ok(seen) };
        seen = last.seq;
        let mut text = String::new();
        for event in &events {
            for line in log.lines(event).map_err(|error| Failure::new(Kind::Internal, error))? {
                text.push_str(&line);
                text.push('\n');
            }
        }
        if !text.is_empty() {
            app.printer.data(&text)?;
        }
    }
}

/// Turns events into the lines that are asked for.
struct Log {
    view: LoopView,
    only: Option<u32>,
    json: bool,
    paint: Paint,
}

impl Log {
    fn new(only: Option<u32>, json: bool, paint: Paint) -> Self {
        Self { view: LoopView::default(), only, json, paint }
    }

    fn lines(&mut self, event: &Event) -> std::io::Result<Vec<String>> {
        self.view.apply(event);
        if self.only.is_some_and(|only| only != self.view.iteration) {
            return Ok(Vec::new());
        }
        if self.json {
            return Ok(vec![json::line(event)?]);
        }
        if let EventKind::AgentSaid { said, .. } = &event.kind {
            return Ok(words::said(said, self.paint));
        }
        if let EventKind::LoopFinished { ending } = &event.kind {
            let mut standing = Standing {
                state: State::Ended(ending.clone()),
                name: self.view.name.clone(),
                iterations: self.view.iteration,
                max_iterations: Some(self.view.max_iterations),
                checks: None,
                proven: Proven::default(),
                is_merge: false,
                has_trees: true,
            };
            standing.prove(self.view.proving(), self.view.proof.as_ref());
            return Ok(vec![standing.words(self.paint)]);
        }
        Ok(words::of(event, &self.view, self.paint))
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::report::samples;

    fn log(events: &[Event], only: Option<u32>, json: bool) -> String {
        let mut log = Log::new(only, json, Paint::default());
        let lines: Vec<_> = events.iter().flat_map(|event| log.lines(event).unwrap()).collect();
        lines.join("\n")
    }

    #[test]
    fn a_log_reads_like_what_was_shown() {
        let _settings = samples::anywhere().bind_to_scope();
        assert_snapshot!(log(&samples::good(), None, false), @"
        Loop brave-otter: iterate with command in /work
        note: `/work` is not in a git repository, so progress cannot be measured
        ━━━ Iteration 1 of at most 20 ━━━
          │ I look
          │ and mend
          ▸ edits src/a.rs
          ◂ failed: no such file
          │ careful
        agent: finished in 3 s, $0.25
        agent: left running, and ended: sleep and node
        agent: 2 KiB of its output were not kept
        claim: COMPLETE
        check `cargo test`: failed (exit 1, 2.1 s)
            running 1 test
            assertion failed
        claim rejected: check `cargo test` failed with exit code 1
        iteration 1: 5.2 s, 2 files changed
        warning: 2 iterations without progress; one more stops the loop (rule stagnation)
        Waiting 1 min, until HH:MM: the session failed
        ━━━ Iteration 2 of at most 20 ━━━
        agent: finished in 1 min 1 s, $0.25
        claim: by exit
        check `cargo test`: passed (0.1 s)
        commit: 99aabbc
        left out of the commit: a.txt: it was dirty before the loop
        claim accepted: 1 check passed on tree 2b3c4d5
        iteration 2: 1 min 1 s, 1 file changed
        ✓ done after 2 iterations, proven by 1 check
        ");
    }

    #[test]
    fn one_iteration_can_be_picked() {
        assert_snapshot!(log(&samples::good(), Some(2), false), @"
        ━━━ Iteration 2 of at most 20 ━━━
        agent: finished in 1 min 1 s, $0.25
        claim: by exit
        check `cargo test`: passed (0.1 s)
        commit: 99aabbc
        left out of the commit: a.txt: it was dirty before the loop
        claim accepted: 1 check passed on tree 2b3c4d5
        iteration 2: 1 min 1 s, 1 file changed
        ✓ done after 2 iterations, proven by 1 check
        ");
        assert_eq!(log(&samples::good(), Some(9), false), "");
    }

    #[test]
    fn programs_get_the_events() {
        let events = samples::good();
        let lines = log(&events, None, true);
        let read: Vec<Event> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(read, events);
    }

    #[test]
    fn hostile_words_are_shown_and_do_nothing() {
        let shown = log(&samples::evil(), None, false);
        assert_eq!(windlass_core::text::sanitise::text(&shown), shown);
    }
}
