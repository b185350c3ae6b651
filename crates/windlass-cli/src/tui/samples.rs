//! Dashboards to look at in tests: the same loops as the other screens have, at a fixed moment.

use ratatui::{Terminal, backend::TestBackend, layout::Size};
use serde_json::json;
use windlass_core::{
    event::{Event, EventKind},
    time::Timestamp,
    view::ToolUsed,
};
use windlass_store::store::{IterationRecord, LoopRecord};

use super::{
    dashboard::{Dashboard, Listed},
    draw,
    opened::Opened,
    theme::Theme,
};
use crate::{
    commands::{samples as loops, status},
    control::follow::Followed,
    report::samples as events,
};

/// A dashboard of that size without any loop.
pub(crate) fn empty(columns: u16, rows: u16) -> Dashboard {
    let mut dashboard = Dashboard::new(Theme::default(), None);
    dashboard.now = loops::NOW;
    dashboard.size = Size::new(columns, rows);
    dashboard
}

/// A dashboard of that size with four loops, of which one is looked at.
pub(crate) fn with(columns: u16, rows: u16, opened: Opened) -> Dashboard {
    let mut dashboard = empty(columns, rows);
    let mut other = loops::tripped();
    other.name = "lost-newt".to_owned();
    let listed =
        |record: LoopRecord, alive| Listed { standing: loops::standing(&record, alive), record };
    let mut cut_off = loops::done();
    (cut_off.name, cut_off.ending) = ("odd-finch".to_owned(), None);
    let mut all = vec![listed(loops::running(), true), listed(other, false)];
    all.extend([listed(loops::done(), false), listed(cut_off, false)]);
    for (n, one) in all.iter_mut().enumerate() {
        one.record.id = windlass_core::ids::LoopId::from(format!("{n}a2b3c4d5e6f7a8b"));
    }
    let at = all.iter().position(|one| one.record.name == opened.record.name).unwrap_or(0);
    dashboard.list(all, 4);
    dashboard.cursor = at;
    dashboard.opened = Some(opened);
    dashboard.lay_out();
    dashboard
}

/// The log that a loop of samples has, once it is laid out.
pub(crate) fn fill(dashboard: &mut Dashboard, events: &[Event]) {
    let opened = dashboard.opened.as_mut().unwrap();
    let view = opened.followed.view.clone();
    opened.stream.restart(events, true, true, &view);
    opened.make_sheet(dashboard.pane);
    dashboard.lay_out();
}

/// A loop that is looked at.
pub(crate) fn opened(record: LoopRecord, alive: bool, events: &[Event]) -> Opened {
    let mut followed = Followed::new(record.id.clone());
    events.iter().for_each(|event| followed.apply(event));
    let standing = loops::standing(&record, alive);
    let mut opened = Opened::new(record, standing, followed, Theme::default());
    opened.iterations = loops::iterations();
    opened.budgets = status::budgets(&opened.record);
    opened
}

/// A loop that runs, with budgets, in its third iteration.
pub(crate) fn running() -> Opened {
    let mut record = loops::running();
    (record.iteration, record.max_iterations) = (3, 10);
    record.usage.cost_usd = Some(4.1);
    record.options = json!({"max_cost": 5.0, "max_duration": "2h"});
    let mut all = events::good();
    all.retain(|event| !matches!(event.kind, EventKind::LoopFinished { .. }));
    let step = json!({"type": "step_started", "place": "3/agent", "fingerprint": "e",
        "step": {"type": "session", "role": "agent", "agent": "command", "prompt": "Mend it"}});
    all.push(events::event(90, serde_json::from_value(step).unwrap()));
    let mut opened = opened(record, true, &all);
    opened.followed.view.phase_since = Some(Timestamp(loops::NOW.0 - 72_000));
    opened.tool = Some(ToolUsed::new("Bash", "runs cargo test", Timestamp(loops::NOW.0 - 32_000)));
    let under_way = IterationRecord {
        number: 3,
        tree: None,
        claim: None,
        checks: Vec::new(),
        duration_ms: None,
        ..loops::iterations().remove(1)
    };
    opened.iterations.push(under_way);
    opened
}

/// What a loop with reviews said: twelve words of it are findings.
pub(crate) fn reviewed() -> Vec<Event> {
    let finding = |number: u32, standing: &str, severity: &str, title: &str| {
        json!({"number": number, "standing": standing, "finding": {
            "severity": severity, "file": "src/a.rs", "line": 10 * number, "title": title}})
    };
    let seen = [
        json!({"type": "findings_seen", "iteration": 1, "gone": [], "noticed": [
            finding(1, "new", "HIGH", "The lock is taken twice when a session fails"),
            finding(2, "new", "MEDIUM", "An error is swallowed"),
            finding(3, "new", "LOW", "A comment says what the code says")]}),
        json!({"type": "findings_seen", "iteration": 2, "gone": [1, 3], "noticed": [
            finding(2, "open", "MEDIUM", "An error is swallowed")]}),
    ];
    let mut all = events::good();
    for (seq, json) in (100..).zip(seen) {
        all.push(events::event(seq, serde_json::from_value(json).unwrap()));
    }
    all
}

/// What is on the screen.
pub(crate) fn screen(dashboard: &Dashboard) -> String {
    let backend = TestBackend::new(dashboard.size.width, dashboard.size.height);
    let mut terminal = Terminal::new(backend).unwrap();
    terminal.draw(|frame| draw::draw(frame, dashboard)).unwrap();
    let buffer = terminal.backend().buffer();
    let rows = buffer.content.chunks(usize::from(buffer.area.width));
    let row = |cells: &[ratatui::buffer::Cell]| {
        let row: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
        row.trim_end().to_owned()
    };
    rows.map(row).collect::<Vec<_>>().join("\n")
}
