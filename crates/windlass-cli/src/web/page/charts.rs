//! The charts of a loop: how it converges, and what its iterations cost.

use maud::{Markup, html};
use windlass_core::view::Trail;
use windlass_store::store::LoopRecord;

use crate::{
    present::chart::{Course, converging, costs},
    report::summary,
};

/// Both charts; nothing before the first iteration is over.
pub(super) fn charts(record: &LoopRecord, trail: &Trail) -> Markup {
    let points = trail.points();
    let shown = trail.convergence();
    let course = Course { id: "convergence", title: "Convergence", what: shown.measure.word() };
    let spend = summary::spend(record.usage);
    html! {
        section #charts.panel data-region aria-labelledby="charts-title" {
            h2 #charts-title { "Iterations so far" }
            @if points.is_empty() {
                p.faint { "The charts begin with the end of the first iteration." }
            } @else {
                (converging(&course, &shown.values, points))
                (costs("cost", spend, record.active_ms, points))
            }
        }
    }
}
