//! Reads the store for the dashboard: in pages of a bounded size, at its own pace, and never more
//! than what is shown needs. It writes nothing.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use windlass_core::ids::LoopId;
use windlass_store::store::{LoopRecord, Store, StoreError};

use super::{
    dashboard::{Dashboard, Listed},
    opened::Opened,
    pane::Pane,
    stream::{PAGE, Page},
};
use crate::{
    commands::{status, why},
    control::follow::Followed,
    report::{ending::Standing, paint::Paint},
};

/// How many loops are listed.
const MOST_LOOPS: usize = 200;
/// How long a search through the store may keep the screen.
const PATIENCE: Duration = Duration::from_millis(60);

/// Where the dashboard reads.
pub(crate) struct Source {
    home: PathBuf,
    store: Option<Store>,
}

impl Source {
    /// The store below that home, which need not be there yet.
    pub(crate) fn new(home: &Path) -> Self {
        Self { home: home.to_owned(), store: None }
    }

    /// Lists the loops anew.
    pub(crate) fn list(&mut self, dashboard: &mut Dashboard) -> Result<(), StoreError> {
        let Some(store) = self.store()? else { return Ok(()) };
        let (records, all) = store.newest_loops(MOST_LOOPS)?;
        let listed = |record: LoopRecord| Listed { standing: Standing::of_record(&record), record };
        dashboard.list(records.into_iter().map(listed).collect(), all);
        Ok(())
    }

    /// Looks at a loop.
    pub(crate) fn open(
        &mut self,
        dashboard: &mut Dashboard,
        id: &LoopId,
    ) -> Result<(), StoreError> {
        let Some(store) = self.store()? else { return Ok(()) };
        let Some(record) = store.get(id)? else { return Ok(()) };
        let followed = Followed::open(store, id)?;
        let standing = Standing::of_record(&record);
        let mut opened = Opened::new(record, standing, followed, dashboard.theme);
        opened.tool = store.last_tool(id)?;
        opened.take_in();
        dashboard.opened = Some(opened);
        dashboard.finding = None;
        dashboard.lay_out();
        self.read(dashboard, Page::Last)?;
        self.show(dashboard)
    }

    /// Takes in what came since; whether something did.
    pub(crate) fn refresh(&mut self, dashboard: &mut Dashboard) -> Result<bool, StoreError> {
        let Some(store) = self.store()? else { return Ok(false) };
        let Some(opened) = &mut dashboard.opened else { return Ok(false) };
        let id = opened.record.id.clone();
        let Some(record) = store.get(&id)? else {
            dashboard.opened = None;
            return Ok(true);
        };
        let mut standing = Standing::of_record(&record);
        standing.checks = opened.standing.checks;
        standing.proven = opened.standing.proven.clone();
        let has_news = record.last_seq != opened.record.last_seq;
        if !has_news && standing == opened.standing {
            return Ok(false);
        }
        (opened.record, opened.standing) = (record, standing);
        if has_news {
            opened.tool = store.last_tool(&id)?;
        }
        if opened.followed.catch_up(store, |_| {})? {
            opened.take_in();
            self.show(dashboard)?;
        }
        self.follow(dashboard)?;
        Ok(true)
    }

    /// Reads a page of the log.
    pub(crate) fn read(&mut self, dashboard: &mut Dashboard, page: Page) -> Result<(), StoreError> {
        let Some(store) = self.store()? else { return Ok(()) };
        let Some(opened) = &mut dashboard.opened else { return Ok(()) };
        let (id, view) = (&opened.record.id, &opened.followed.view);
        match page {
            Page::Before(seq) => {
                opened.stream.prepend(&store.events_before(id, seq, PAGE)?, view);
            }
            Page::After(seq) => {
                let events = store.events(id, seq, PAGE)?;
                opened.stream.append(&events, view);
            }
            Page::First => {
                opened.stream.restart(&store.events(id, 0, PAGE)?, true, false, view);
                opened.stream.go_to_top();
            }
            Page::Last => {
                let events = store.events_before(id, u64::MAX, PAGE)?;
                opened.stream.restart(&events, false, true, view);
            }
            Page::At(seq) => {
                let events = store.events(id, seq.saturating_sub(1), PAGE)?;
                opened.stream.restart(&events, seq <= 1, false, view);
                opened.stream.go_to_top();
            }
        }
        Ok(())
    }

    /// Makes the text of the pane that is shown.
    pub(crate) fn show(&mut self, dashboard: &mut Dashboard) -> Result<(), StoreError> {
        let pane = dashboard.pane;
        let Some(store) = self.store()? else { return Ok(()) };
        let Some(opened) = &mut dashboard.opened else { return Ok(()) };
        if matches!(pane, Pane::Iterations | Pane::Checks) {
            opened.iterations = store.iterations(&opened.record.id)?;
        }
        if pane == Pane::Why {
            opened.why = why::lines(store, &opened.record, Paint { colour: true })?;
        }
        opened.make_sheet(pane);
        Ok(())
    }

    /// Searches on through the store, for a moment at the most. While there is more to look at,
    /// `finding` stays set.
    pub(crate) fn find(&mut self, dashboard: &mut Dashboard, back: bool) -> Result<(), StoreError> {
        let began = Instant::now();
        dashboard.finding = None;
        let Some(needle) = dashboard.needle.clone() else { return Ok(()) };
        let none =
            format!("there is no \"{}\" {}", needle.words(), if back { "before" } else { "after" });
        if dashboard.pane != Pane::Log {
            let Some(opened) = &mut dashboard.opened else { return Ok(()) };
            if !opened.sheet.find(&needle, back) {
                dashboard.notice = Some(format!("there is no \"{}\"", needle.words()));
            }
            return Ok(());
        }
        loop {
            let Some(opened) = &mut dashboard.opened else { return Ok(()) };
            let page = match opened.stream.find(&needle, back) {
                Ok(()) => return Ok(()),
                Err(page) => page,
            };
            let before = opened.stream.reach();
            if let Some(page) = page {
                self.read(dashboard, page)?;
            }
            let reach = dashboard.opened.as_ref().map(|opened| opened.stream.reach());
            if page.is_none() || reach == Some(before) {
                dashboard.notice = Some(none);
                return self.read(dashboard, Page::Last);
            }
            if began.elapsed() > PATIENCE {
                dashboard.finding = Some(back);
                return Ok(());
            }
        }
    }

    /// Adds what was said since to a log that is followed. Of a flood only the end is read.
    fn follow(&mut self, dashboard: &mut Dashboard) -> Result<(), StoreError> {
        let Some(opened) = &dashboard.opened else { return Ok(()) };
        if !opened.stream.follows {
            return Ok(());
        }
        let last = opened.stream.last();
        let missing = opened.record.last_seq.saturating_sub(last);
        let page = if missing > PAGE as u64 { Page::Last } else { Page::After(last) };
        self.read(dashboard, page)
    }

    fn store(&mut self) -> Result<Option<&Store>, StoreError> {
        if self.store.is_none() {
            self.store = Store::open_existing(&self.home)?;
        }
        Ok(self.store.as_ref())
    }
}

impl Opened {
    /// What follows from what was read.
    fn take_in(&mut self) {
        let view = &self.followed.view;
        self.standing.prove(view.proving(), view.proof.as_ref());
        self.budgets = status::budgets(&self.record);
    }
}
