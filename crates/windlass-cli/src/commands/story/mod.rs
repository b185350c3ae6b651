//! Tells the story of a loop: reads the store, and the repository as it is now, and puts both into words.
//! `present` shows it.

mod changed;
pub(crate) mod guide;
pub(crate) mod here;
mod pull_request;
mod remains;
mod timeline;
mod undo;

use windlass::Work;
use windlass_core::{
    ending::Ending,
    text::{patch, sanitise},
    time::Timestamp,
    view::{LoopView, Trail},
};
use windlass_store::store::{LoopRecord, Store};

use self::guide::Guide;
use crate::{
    control::changes::Changes,
    host::{app::App, failure::Failure},
    present::{self, Story, Tone},
    report::{
        ending::{Standing, State},
        paint::Paint,
        summary, words,
    },
    text,
};

/// How much of a prompt is told.
const LONGEST_PROMPT: usize = 16 * 1024;

/// Whether a story has the whole diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    Short,
    Whole,
}

/// Who tells stories.
pub(crate) struct Teller<'a> {
    app: &'a App,
    store: &'a Store,
    guide: Guide<'a>,
    now: Timestamp,
}

impl<'a> Teller<'a> {
    /// One who reads this store.
    pub(crate) fn new(app: &'a App, store: &'a Store, now: Timestamp) -> Self {
        Self { app, store, guide: Guide::new(app), now }
    }

    /// The story of a loop.
    pub(crate) fn tell(&self, record: &LoopRecord, depth: Depth) -> Result<Story, Failure> {
        // Lists have no options.
        let whole = self.store.get(&record.id)?;
        let record = whole.as_ref().unwrap_or(record);
        let history = self.store.history(&record.id)?;
        let (mut view, mut trail) = (LoopView::default(), Trail::default());
        for event in &history {
            view.apply(event);
            trail.apply(event);
        }
        let mut standing = Standing::of_record(record);
        standing.prove(view.proving(), view.proof.as_ref());
        let work = self.guide.work(self.store, record);
        let is_running = standing.state == State::Running;
        let success = record.ending.as_ref().is_some_and(Ending::is_success);
        let proof = view.proof.iter();
        let fate = (success, record.verified);
        let proof = proof.flat_map(|proof| words::proven::lines(proof, fate, Paint::default()));
        let diff = match depth {
            Depth::Whole => self.diff(record, &standing, work.as_ref()),
            Depth::Short => None,
        };
        let runs_at = is_running.then_some(self.now);
        let active_ms = record.ran_ms(runs_at);
        let sessions = text::count(record.sessions, "session");
        Ok(Story {
            name: standing.name.clone(),
            about: self.clean(&about(record)),
            task: record.task.as_deref().map(|task| self.clean(task)),
            prompt: self.prompt(record),
            tone: tone(&standing),
            sentence: self.clean(&standing.sentence()),
            changed: self.all(changed::lines(record, work.as_ref())),
            proof: self.all(proof.collect()),
            remains: self.all(remains::lines(&view, &standing, &history)),
            spend: summary::spend_told(record),
            effort: format!("{sessions} in {}", text::millis(active_ms)),
            active_ms,
            started_at: record.started_at,
            ended_at: record.ended_at.unwrap_or(record.updated_at),
            next: self.guide.with(record, &standing, work.as_ref(), standing.next()),
            timeline: timeline::moments(&self.store.iterations(&record.id)?, &history)
                .into_iter()
                .map(|moment| present::Moment { words: self.clean(&moment.words), ..moment })
                .collect(),
            trail,
            diff,
        })
    }

    /// What it changed, cut to what can be mailed.
    fn diff(
        &self,
        record: &LoopRecord,
        standing: &Standing,
        work: Option<&Work>,
    ) -> Option<present::Diff> {
        work?;
        let whole = Changes::of(self.app, self.store, record, None).ok()?.shown();
        let files = present::patch::read(&whole);
        let text = |text: &str| sanitise::text(text).into_owned();
        if whole.len() <= patch::LIMIT {
            return Some(present::Diff { text: text(&whole), files, note: None });
        }
        let end = whole.floor_char_boundary(patch::LIMIT);
        let end = whole[..end].rfind('\n').map_or(end, |line| line + 1);
        let (cut, all) = (text::bytes(patch::LIMIT as u64), text::bytes(whole.len() as u64));
        let name = shell_words::quote(&standing.name);
        let note = format!("The diff is cut at {cut} of {all}. All of it: windlass diff {name}");
        Some(present::Diff { text: text(&whole[..end]), files, note: Some(note) })
    }

    /// The whole prompt, where the task is not all of it.
    fn prompt(&self, record: &LoopRecord) -> Option<String> {
        let asked = ["prompt", "task"].iter().find_map(|key| record.options[*key].as_str())?;
        let asked = asked.trim();
        if asked.is_empty() || Some(asked) == record.task.as_deref() {
            return None;
        }
        let end = asked.floor_char_boundary(LONGEST_PROMPT);
        let more = if end < asked.len() { "\n…" } else { "" };
        let asked = self.guide.secrets().redact(asked.get(..end).unwrap_or_default()).into_owned();
        Some(format!("{}{more}", sanitise::text(&asked)))
    }

    /// A line that may be shown.
    fn clean(&self, line: &str) -> String {
        self.guide.clean(line)
    }

    fn all(&self, lines: Vec<String>) -> Vec<String> {
        lines.iter().map(|line| self.clean(line)).collect()
    }
}

fn about(record: &LoopRecord) -> String {
    let place = record.worktree.as_ref().unwrap_or(&record.directory);
    format!("{} with {} in {}", record.kind, record.agent, place.display())
}

fn tone(standing: &Standing) -> Tone {
    match &standing.state {
        State::Running => Tone::Running,
        State::Ended(ending) if ending.is_success() => Tone::Good,
        State::Ended(Ending::Cancelled { .. }) => Tone::Stopped,
        State::Ended(_) => Tone::Bad,
        State::Interrupted | State::Other(_) => Tone::Warn,
    }
}
