//! Loops whose processes are in a state that no loop brings itself into: the one that runs it is
//! stopped, or it is gone and its guardian is not.

use windlass::system::guarded_loops;
use windlass_core::text::sanitise;
use windlass_store::store::LoopRecord;

use crate::host::app::App;

/// What is wrong with a loop, and the way out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Astray {
    /// What is wrong.
    pub(crate) what: String,
    /// What to do.
    pub(crate) hint: String,
}

/// Those among the loops; nothing is looked for where all have ended or run.
pub(crate) fn astray<'a>(
    app: &App,
    records: impl IntoIterator<Item = &'a LoopRecord>,
) -> Vec<Astray> {
    let mut guarded = None;
    let mut is_guarded = |record: &LoopRecord| {
        guarded.get_or_insert_with(|| guarded_loops(&app.home)).contains(&record.id)
    };
    let open = records.into_iter().filter(|record| record.ending.is_none());
    let mut found = Vec::new();
    for record in open {
        let name = sanitise::line(&record.name);
        let pid = record.owner.pid;
        let end = format!("`windlass cancel {}` ends all of it", shell_words::quote(&name));
        if record.owner.is_stopped() {
            let what = format!("{name}: process {pid}, which runs it, is stopped");
            found.push(Astray { what, hint: format!("{end}; `kill -CONT {pid}` lets it go on") });
        } else if !record.owner.is_alive() && is_guarded(record) {
            let what =
                format!("{name}: process {pid}, which ran it, is gone, but not all that it ran");
            found.push(Astray { what, hint: end });
        }
    }
    found
}

/// Says so on the screen.
pub(crate) fn warn<'a>(app: &App, records: impl IntoIterator<Item = &'a LoopRecord>) {
    for Astray { what, hint } in astray(app, records) {
        app.printer.warning(&what);
        app.printer.hint(&hint);
    }
}
