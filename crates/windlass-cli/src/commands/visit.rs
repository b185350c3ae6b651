//! Bare `windlass`: what happened since the last visit; where there are no loops, what to do first.

use windlass_core::time::Timestamp;
use windlass_store::store::{LoopRecord, Store};

use super::story::{Depth, Teller, here::Here};
use crate::{
    host::{app::App, failure::Failure},
    present::{Story, block},
    report::paint::Paint,
    text,
};

/// What to do first, a line each.
const FIRST: &str = "\
set up this project:  windlass init
run a first loop:     windlass iterate -p 'Make the tests pass.'
see how it works:     windlass demo
";

/// How many lines are printed at the most.
const MOST_LINES: usize = 40;
/// Lines that are kept for loops which have no block.
const FOR_OTHERS: usize = 6;

/// What there is to tell.
struct News {
    /// The loops, in the order in which they are told.
    loops: Vec<LoopRecord>,
    /// What is said of them first.
    heading: String,
}

pub(crate) fn run(app: &App) -> Result<u8, Failure> {
    let Some(store) = Store::open_existing(&app.home)? else { return first(app) };
    let here = Here::of(app)?;
    let loops = here.loops(&store)?;
    if loops.is_empty() {
        return first(app);
    }
    let (now, last) = (windlass::now(), store.last_visit(here.root())?);
    let news = News::since(loops, last, now);
    let teller = Teller::new(app, &store, now);
    let paint = Paint { colour: app.printer.colour };
    app.printer.data(&page(&news, now, paint, |record| teller.tell(record, Depth::Short))?)?;
    if !app.is_inside_a_loop()
        && let Err(error) = store.visit(here.root(), now)
    {
        app.printer.warning(&format!("this visit could not be recorded: {error}"));
    }
    Ok(0)
}

fn first(app: &App) -> Result<u8, Failure> {
    app.printer.data(FIRST)?;
    Ok(0)
}

impl News {
    /// What is new of these loops, newest first; those that run come before them.
    fn since(loops: Vec<LoopRecord>, last: Option<Timestamp>, now: Timestamp) -> Self {
        let newest = loops.first().cloned();
        let runs = |record: &LoopRecord| record.ending.is_none() && record.owner.is_alive();
        let (running, over): (Vec<_>, Vec<_>) = loops.into_iter().partition(runs);
        let moved = |record: &LoopRecord| record.ended_at.unwrap_or(record.updated_at);
        let is_new = |record: &LoopRecord| last.is_none_or(|last| moved(record) >= last);
        let mut new: Vec<LoopRecord> = over.into_iter().filter(is_new).collect();
        new.sort_by_key(|record| std::cmp::Reverse(moved(record)));
        let counts = match (new.len(), running.len()) {
            (0, runs) => format!("{} running", text::count(runs, "loop")),
            (ended, 0) => format!("{} ended", text::count(ended, "loop")),
            (ended, runs) => format!("{} ended, {runs} running", text::count(ended, "loop")),
        };
        let since = last.map(|last| format!("Since your last visit ({})", text::ago(last, now)));
        let heading = match since {
            None => format!("In this repository: {counts}"),
            Some(since) if new.is_empty() && running.is_empty() => {
                format!("{since}: nothing new; the newest loop:")
            }
            Some(since) => format!("{since}: {counts}"),
        };
        let mut told: Vec<LoopRecord> = running.into_iter().chain(new).collect();
        if told.is_empty() {
            told.extend(newest);
        }
        Self { loops: told, heading }
    }
}

/// The whole text: a block for each loop while there is room, then a line for each, then a count.
fn page(
    news: &News,
    now: Timestamp,
    paint: Paint,
    tell: impl Fn(&LoopRecord) -> Result<Story, Failure>,
) -> Result<String, Failure> {
    let mut lines = vec![news.heading.clone()];
    let mut has_room = true;
    for (n, record) in news.loops.iter().enumerate() {
        let left = news.loops.len() - n;
        if !has_room && lines.len() + left.min(2) > MOST_LINES - 1 {
            lines.push(format!("and {}: windlass list", text::count(left, "more loop")));
            break;
        }
        let story = tell(record)?;
        let block = block::block(&story, now, paint);
        let reserve = if left > 1 { FOR_OTHERS.min(left) } else { 0 };
        if has_room && lines.len() + 1 + block.len() + reserve <= MOST_LINES {
            lines.push(String::new());
            lines.extend(block);
            continue;
        }
        if has_room {
            lines.push(String::new());
            has_room = false;
        }
        lines.push(block::line(&story, now, paint));
    }
    lines.truncate(MOST_LINES);
    Ok(format!("{}\n", lines.join("\n")))
}
