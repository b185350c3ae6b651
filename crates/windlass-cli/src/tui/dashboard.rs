//! The state of the dashboard, apart from the terminal and the store. Keys and news change it, and
//! drawing only looks at it.

use ratatui::layout::Size;
use windlass_core::{ask::Choice, ids::LoopId, time::Timestamp};
use windlass_store::store::LoopRecord;

use super::{draw, opened::Opened, pane::Pane, search::Needle, stream::Page, theme::Theme};
use crate::report::ending::Standing;

/// All that the screen shows.
#[derive(Clone, Debug)]
pub(crate) struct Dashboard {
    /// How things are set off.
    pub(crate) theme: Theme,
    /// The moment that it is.
    pub(crate) now: Timestamp,
    /// The size of the terminal.
    pub(crate) size: Size,
    /// The loops, newest first.
    pub(crate) loops: Vec<Listed>,
    /// How many more there are.
    pub(crate) unlisted: u64,
    /// The one that is chosen.
    pub(crate) cursor: usize,
    /// The loop that is looked at.
    pub(crate) opened: Option<Opened>,
    /// The pane of it that is shown.
    pub(crate) pane: Pane,
    /// Who gets the arrows.
    pub(crate) focus: Focus,
    /// Whether the list of loops is hidden.
    pub(crate) wide: bool,
    /// What lies over the rest, and gets the keys.
    pub(crate) over: Over,
    /// The last thing that had to be said.
    pub(crate) notice: Option<String>,
    /// What is under way.
    pub(crate) busy: Vec<String>,
    /// What was searched last.
    pub(crate) needle: Option<Needle>,
    /// Whether the search goes on through the store, and whether back.
    pub(crate) finding: Option<bool>,
    /// The loop that this process runs, with `--tui`.
    pub(crate) own: Option<LoopId>,
}

/// One row of the list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// The loop.
    pub(crate) record: LoopRecord,
    /// How it stands.
    pub(crate) standing: Standing,
}

/// Who gets the arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The list of loops.
    Loops,
    /// The pane.
    Pane,
}

/// What lies over the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Nothing.
    Nothing,
    /// The keys.
    Help,
    /// The words to search, as far as they are typed.
    Search(String),
    /// A question.
    Question(Question),
}

/// What is asked before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Whether to call the loop off.
    Cancel,
    /// Whether to call it off when its iteration is over.
    CancelAfterIteration,
    /// Whether to take the loop up again, with that command.
    Resume(String),
    /// Whether to accept its work.
    Accept,
    /// Whether to close its circuit.
    Reset,
    /// Whether the loop of this process goes on without the screen.
    Leave,
    /// What that loop asks.
    Choose {
        /// The question.
        words: String,
        /// What may be answered.
        choices: Vec<Choice>,
    },
}

impl Dashboard {
    /// A screen with nothing on it yet.
    pub(crate) fn new(theme: Theme, own: Option<LoopId>) -> Self {
        Self {
            theme,
            now: windlass::now(),
            size: Size::new(80, 24),
            loops: Vec::new(),
            unlisted: 0,
            cursor: 0,
            opened: None,
            pane: Pane::default(),
            focus: Focus::Loops,
            wide: false,
            over: Over::Nothing,
            notice: None,
            busy: Vec::new(),
            needle: None,
            finding: None,
            own,
        }
    }

    /// Takes in the loops as they are now. What was chosen stays chosen.
    pub(crate) fn list(&mut self, loops: Vec<Listed>, all: u64) {
        let chosen = self.opened.as_ref().map(|opened| opened.record.id.clone());
        let chosen = chosen.or_else(|| self.chosen().map(|listed| listed.record.id.clone()));
        self.unlisted = all.saturating_sub(loops.len() as u64);
        self.loops = loops;
        let at = chosen.and_then(|id| self.loops.iter().position(|one| one.record.id == id));
        self.cursor = at.unwrap_or(self.cursor).min(self.loops.len().saturating_sub(1));
    }

    /// Fits what is read to the size of the screen; the page of the log that has to be read anew.
    pub(crate) fn lay_out(&mut self) -> Option<Page> {
        let body = draw::areas(self)?.body;
        let (cells, height) = (usize::from(body.width), usize::from(body.height));
        let opened = self.opened.as_mut()?;
        opened.sheet.lay_out(cells, height);
        let is_stale = opened.stream.lay_out(cells, height);
        let page =
            || if opened.stream.follows { Page::Last } else { Page::At(opened.stream.anchor()) };
        is_stale.then(page)
    }

    /// The row that is chosen.
    pub(crate) fn chosen(&self) -> Option<&Listed> {
        self.loops.get(self.cursor)
    }

    /// The loop that commands are about.
    pub(crate) fn target(&self) -> Option<&Opened> {
        self.opened.as_ref()
    }

    /// Whether the loop that is looked at is the one of this process.
    pub(crate) fn is_own(&self) -> bool {
        let target = self.target().map(|opened| &opened.record.id);
        target.is_some() && target == self.own.as_ref()
    }
}
