//! What people read of the parts of an iteration, in loops where one agent judges another's work.

use windlass_core::{
    event::{AuditEnd, AuditLogged, FindingsSeen, Fix, FixTried, Phase, PhaseEntered},
    findings::{Finding, Severity, Standing},
    forge::Pull,
    text::sanitise,
    view::LoopView,
};

use crate::{report::paint::Paint, text};

/// How many lines of a reviewer's feedback are shown.
const FEEDBACK_LINES: usize = 12;
/// How many findings of a review are shown.
const MOST_FINDINGS: usize = 20;

/// The lines of a part that an iteration came to.
pub(super) fn entered(entered: &PhaseEntered, view: &LoopView, paint: Paint) -> Vec<String> {
    let text = entered.text.as_deref().unwrap_or_default();
    let task = entered.task.as_deref().map(sanitise::line);
    match entered.phase {
        Phase::Started => {
            task.map(|task| paint.strong(&format!("task: {task}"))).into_iter().collect()
        }
        Phase::Developing => match (entered.attempt, entered.attempts_allowed) {
            // Without a task file the heading of the iteration says it.
            _ if view.tasks.is_none() => vec!["developing".to_owned()],
            (Some(attempt), Some(allowed)) if allowed > 0 => {
                vec![format!("developing, try {attempt} of {allowed}")]
            }
            (Some(attempt), _) => vec![format!("developing, try {attempt}")],
            _ => vec!["developing".to_owned()],
        },
        Phase::Reviewing => vec!["reviewing".to_owned()],
        Phase::Feedback => quoted(&paint.warn("feedback:"), text),
        Phase::Approved => vec![paint.good("approved")],
        Phase::Escalated => vec![paint.bad("escalated: no approval in time")],
        Phase::Blocked => quoted(&paint.warn("blocked:"), text),
        Phase::Failed => vec![format!("{} {}", paint.bad("failed:"), sanitise::line(text))],
        Phase::Breathe => vec![phase("BREATHE", "review", paint)],
        Phase::Reflect => vec![phase("REFLECT", "read findings", paint)],
        Phase::Heal => {
            let open = text::count(view.ledger.counts().open, "finding");
            vec![format!("{}: {open}", phase("HEAL", "fix", paint))]
        }
        Phase::Awaken => vec![phase("AWAKEN", "test", paint)],
    }
}

fn phase(name: &str, what: &str, paint: Paint) -> String {
    format!("{} ({what})", paint.strong(name))
}

/// What a review found: how many, and each in a line.
pub(super) fn seen(seen: &FindingsSeen, paint: Paint) -> Vec<String> {
    let observed = &seen.observed;
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut sum = text::count(count(observed.noticed.len()), "finding");
    let of = |standing| observed.noticed.iter().filter(move |noticed| noticed.standing == standing);
    let (open, back) = (of(Standing::Open).count(), of(Standing::Back).count());
    let parts = [(open, "still open"), (back, "back again"), (observed.gone.len(), "fixed since")];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if !parts.is_empty() {
        sum.push_str(&format!(" ({})", parts.join(", ")));
    }
    let mut lines = vec![sum];
    let shown = observed.noticed.iter().take(MOST_FINDINGS);
    lines.extend(shown.map(|noticed| format!("  {}", finding(&noticed.finding, paint))));
    if observed.noticed.len() > MOST_FINDINGS {
        lines.push(format!("  and {} more", observed.noticed.len() - MOST_FINDINGS));
    }
    lines
}

/// A finding in a line.
pub(crate) fn finding(finding: &Finding, paint: Paint) -> String {
    let severity = finding.severity.as_str();
    let severity = match finding.severity {
        Severity::High => paint.bad(severity),
        Severity::Medium => paint.warn(severity),
        Severity::Low => paint.faint(severity),
    };
    let title = sanitise::line(&finding.title);
    match finding.place() {
        Some(place) => format!("{severity} {}: {title}", sanitise::line(&place)),
        None => format!("{severity} {title}"),
    }
}

/// What an iteration of audits came to, in its log line.
pub(super) fn logged(logged: &AuditLogged, paint: Paint) -> Vec<String> {
    let AuditLogged { iteration, found, applied, skipped, failure, end, .. } = logged;
    let fate = match (end, failure) {
        (Some(AuditEnd::Approved), _) => paint.good("APPROVED"),
        (Some(AuditEnd::Stalled), _) => paint.bad("STALLED"),
        (Some(AuditEnd::UsedUp), _) => paint.bad("no iteration is left to fix them"),
        (None, Some(failure)) => {
            format!("{} {}", paint.bad("the fixer failed:"), sanitise::line(failure))
        }
        (None, None) => format!("{applied} fixed, {} skipped", skipped.len()),
    };
    let found = text::number(*found, "finding");
    let mut lines = vec![format!("Iteration {iteration}: {found} -> {fate}")];
    let reasons = skipped.iter().take(MOST_FINDINGS);
    lines.extend(reasons.map(|reason| format!("  skipped: {}", sanitise::line(reason))));
    lines
}

/// The pull request that a loop is about.
pub(super) fn pull(pull: &Pull, paint: Paint) -> Vec<String> {
    let number = paint.strong(&format!("Pull request {}", pull.number));
    vec![format!(
        "{number}: {} by {}, {} into {}",
        sanitise::line(&pull.title),
        sanitise::line(&pull.author),
        sanitise::line(&pull.head_ref),
        sanitise::line(&pull.base_ref)
    )]
}

/// What became of a fix.
pub(super) fn tried(tried: &FixTried, view: &LoopView, paint: Paint) -> Vec<String> {
    let entry = view.ledger.get(tried.number);
    let title = entry.map(|entry| finding(&entry.finding, paint)).unwrap_or_default();
    let fate = match &tried.fix {
        Fix::Applied => paint.good("changed"),
        Fix::Skipped { reason } => format!("{} {}", paint.warn("skipped:"), sanitise::line(reason)),
        Fix::Unchanged => paint.warn("nothing was changed"),
        Fix::Failed { reason } => format!("{} {}", paint.bad("failed:"), sanitise::line(reason)),
    };
    vec![format!("fix {}: {fate} ({title})", tried.number)]
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
