//! What people read of the parts of an iteration, in loops where one agent judges another's work.

use windlass::{
    event::{Phase, PhaseEntered},
    sanitise,
    view::LoopView,
};

use crate::{report::paint::Paint, text};

/// How many lines of a reviewer's feedback are shown.
const FEEDBACK_LINES: usize = 12;

/// The lines of a part that an iteration came to.
pub(super) fn entered(entered: &PhaseEntered, view: &LoopView, paint: Paint) -> Vec<String> {
    let text = entered.text.as_deref().unwrap_or_default();
    let task = entered.task.as_deref().map(sanitise::line);
    match entered.phase {
        Phase::Started => {
            task.map(|task| paint.strong(&format!("task: {task}"))).into_iter().collect()
        }
        Phase::Developing => match entered.attempt {
            Some(attempt) if task.is_some() => vec![format!("developing, try {attempt}")],
            _ => vec!["developing".to_owned()],
        },
        Phase::Reviewing => vec!["reviewing".to_owned()],
        Phase::Feedback => quoted(&paint.warn("feedback:"), text),
        Phase::Approved => vec![paint.good("approved")],
        Phase::Escalated => vec![paint.bad("escalated: the reviewer did not approve in time")],
        Phase::Failed => vec![format!("{} {}", paint.bad("failed:"), sanitise::line(text))],
        Phase::Breathe => vec![phase("BREATHE", "the review", paint)],
        Phase::Reflect => vec![phase("REFLECT", "reading the findings", paint)],
        Phase::Heal => vec![phase("HEAL", &open(view), paint)],
        Phase::Awaken => vec![phase("AWAKEN", "the tests", paint)],
    }
}

fn phase(name: &str, what: &str, paint: Paint) -> String {
    format!("{}: {what}", paint.strong(name))
}

fn open(_view: &LoopView) -> String {
    "fixing the findings".to_owned()
}

/// A label, and the words below it, of many only the first.
pub(crate) fn quoted(label: &str, words: &str) -> Vec<String> {
    let clean = sanitise::text(words);
    let all: Vec<&str> = clean.trim().lines().collect();
    let mut lines = vec![label.to_owned()];
    lines.extend(all.iter().take(FEEDBACK_LINES).map(|line| format!("  │ {line}")));
    if all.len() > FEEDBACK_LINES {
        let more = u32::try_from(all.len() - FEEDBACK_LINES).unwrap_or(u32::MAX);
        lines.push(format!("  │ … and {} more", text::count(more, "line")));
    }
    lines
}
