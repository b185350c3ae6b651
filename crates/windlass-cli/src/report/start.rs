//! The block before the first session: what a loop starts with, with aligned labels, and what it
//! warns of. Made here from the events of the start, for every screen; nothing here prints.

use windlass_core::{
    event::{Event, EventKind, StartAgent, StartBudget, StartCheck, StartReport},
    text::sanitise,
};

use super::paint::Paint;
use crate::text;

/// How wide labels are.
const LABEL: usize = 11;
/// How much of a task is shown.
const LONGEST_TASK: usize = 100;

/// One line of the block; without a label it goes on with the line above.
pub(crate) fn line(label: &str, text: &str) -> String {
    format!("  {label:LABEL$}  {text}")
}

/// Whether an event belongs to the block.
pub(crate) fn is_of_block(event: &Event) -> bool {
    let is_proof = matches!(event.kind, EventKind::Baseline(_) | EventKind::Guarded(_));
    event.kind.start().is_some() || is_proof
}

/// What the start warns of, a line each.
pub(crate) fn warnings(event: &Event) -> Vec<String> {
    warned(event, Paint::default())
}

/// The block of an event that starts or resumes a loop, and below it what it warns of.
pub(crate) fn lines(event: &Event, paint: Paint) -> Vec<String> {
    let max_iterations = match &event.kind {
        EventKind::LoopStarted { max_iterations, .. }
        | EventKind::LoopResumed { max_iterations, .. } => *max_iterations,
        _ => return Vec::new(),
    };
    let Some(start) = event.kind.start() else { return Vec::new() };
    let mut lines = block(start, max_iterations);
    lines.extend(warned(event, paint));
    lines
}

fn warned(event: &Event, paint: Paint) -> Vec<String> {
    let warnings = event.kind.start().into_iter().flat_map(|start| &start.warnings);
    warnings.map(|text| format!("{} {}", paint.warn("warning:"), sanitise::line(text))).collect()
}

/// What a loop starts with.
fn block(start: &StartReport, max_iterations: u32) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(task) = &start.task {
        lines.push(line("task", &text::truncate(&sanitise::line(task), LONGEST_TASK)));
    }
    let agents = start.agents.iter().map(agent);
    lines.extend(labelled("agent", agents));
    lines.extend(labelled("permissions", permissions(&start.agents).into_iter()));
    let sandbox = match &start.network {
        Some(network) => format!("{}, {}", start.sandbox, network),
        None => start.sandbox.clone(),
    };
    lines.push(line("sandbox", &sanitise::line(&sandbox)));
    lines.push(line("budget", &budget(&start.budget, max_iterations)));
    if start.budget.reports_cost {
        lines.push(line("", "cost is what the agent reports; on a plan it is an estimate"));
    }
    lines.extend(checks(start));
    if start.inhibits_sleep {
        let words = "off while the loop runs; closing the lid may still suspend";
        lines.push(line("sleep", words));
    }
    lines
}

/// Lines of which only the first has the label.
pub(crate) fn labelled(label: &str, texts: impl Iterator<Item = String>) -> Vec<String> {
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    labels.zip(texts).map(|(label, text)| line(label, &text)).collect()
}

/// `claude 2.1.197, model opus (reviewer)`.
fn agent(agent: &StartAgent) -> String {
    let mut words = agent.name.clone();
    if let Some(version) = &agent.version {
        words.push_str(&format!(" {version}"));
    }
    if let Some(model) = &agent.model {
        words.push_str(&format!(", model {model}"));
    }
    if !agent.parts.is_empty() {
        words.push_str(&format!(" ({})", agent.parts.join(", ")));
    }
    sanitise::line(&words).into_owned()
}

/// What the agents may do: once where it is the same for all that are known.
fn permissions(agents: &[StartAgent]) -> Vec<String> {
    let known = agents.iter().filter_map(|one| Some((&one.name, one.permissions.as_ref()?)));
    let known: Vec<(&String, &String)> = known.collect();
    match known.as_slice() {
        [(_, first), rest @ ..] if rest.iter().all(|(_, words)| words == first) => {
            vec![(*first).clone()]
        }
        all => all.iter().map(|(name, words)| format!("{name}: {words}")).collect(),
    }
}

fn budget(budget: &StartBudget, max_iterations: u32) -> String {
    let cost = budget.max_cost.map(|cost| cost.to_string());
    let tokens = budget.max_tokens.map(|tokens| format!("{} tokens", text::short(tokens)));
    let duration = budget.max_duration.map(|span| span.to_string());
    let iterations = (max_iterations > 0)
        .then(|| format!("at most {}", text::count(max_iterations, "iteration")));
    let limits: Vec<String> = [cost, tokens, duration].into_iter().flatten().collect();
    let none = limits.is_empty().then(|| "none".to_owned());
    let words: Vec<String> = none.into_iter().chain(limits).chain(iterations).collect();
    words.join(", ")
}

fn checks(start: &StartReport) -> Vec<String> {
    if start.checks.is_empty() {
        return vec![line("checks", "none")];
    }
    let mut lines = labelled("checks", start.checks.iter().map(check));
    if start.checks.iter().any(|check| check.found_in.is_some()) {
        if !start.also_found.is_empty() {
            let others: Vec<String> = start.also_found.iter().map(check).collect();
            lines.push(line("", &format!("also found: {}", others.join(", "))));
        }
        lines.push(line("", "not this check? `--check CMD` or `windlass init`"));
    }
    lines
}

fn check(check: &StartCheck) -> String {
    let command = sanitise::line(&check.command);
    match &check.found_in {
        Some(file) => format!("`{command}` (from {})", sanitise::line(file)),
        None => format!("`{command}`"),
    }
}

#[cfg(test)]
mod tests {
    use windlass_core::{ids::LoopId, time::Timestamp};

    use super::*;

    fn shown(start: StartReport, max_iterations: u32) -> String {
        let start = Some(Box::new(start));
        let event = Event {
            seq: 1,
            at: Timestamp(0),
            ran_ms: None,
            loop_id: LoopId::from("1a2b3c4d5e6f7a8b".to_owned()),
            kind: EventKind::LoopResumed { epoch: 1, max_iterations, start, accepting: false },
        };
        lines(&event, Paint::default()).join("\n")
    }

    fn claude() -> StartAgent {
        StartAgent {
            name: "claude".to_owned(),
            version: Some("2.1.197".to_owned()),
            permissions: Some("asks before edits and commands".to_owned()),
            ..StartAgent::default()
        }
    }

    #[test]
    fn a_loop_with_everything_says_it_in_one_block() {
        let found = |command: &str, file: &str| StartCheck {
            command: command.to_owned(),
            found_in: Some(file.to_owned()),
        };
        let start = StartReport {
            task: Some("Fix the failing test.".to_owned()),
            agents: vec![StartAgent { model: Some("opus".to_owned()), ..claude() }],
            sandbox: "bwrap".to_owned(),
            network: Some("full network".to_owned()),
            budget: StartBudget {
                max_cost: "10".parse().ok(),
                max_tokens: Some(5_000_000),
                max_duration: "8h".parse().ok(),
                reports_cost: true,
            },
            checks: vec![found("cargo test --no-fail-fast", "Cargo.toml")],
            also_found: vec![found("make test", "Makefile")],
            inhibits_sleep: true,
            warnings: vec!["this machine runs on battery".to_owned()],
        };
        insta::assert_snapshot!(shown(start, 20), @r"
          task         Fix the failing test.
          agent        claude 2.1.197, model opus
          permissions  asks before edits and commands
          sandbox      bwrap, full network
          budget       $10.00, 5M tokens, 8h, at most 20 iterations
                       cost is what the agent reports; on a plan it is an estimate
          checks       `cargo test --no-fail-fast` (from Cargo.toml)
                       also found: `make test` (from Makefile)
                       not this check? `--check CMD` or `windlass init`
          sleep        off while the loop runs; closing the lid may still suspend
        warning: this machine runs on battery
        ");
    }

    #[test]
    fn a_loop_with_little_says_what_it_has_not() {
        let start = StartReport { sandbox: "none".to_owned(), ..StartReport::default() };
        insta::assert_snapshot!(shown(start, 0), @r"
        sandbox      none
        budget       none
        checks       none
        ");
    }

    #[test]
    fn several_agents_are_told_apart() {
        let codex = StartAgent {
            name: "codex".to_owned(),
            parts: vec!["reviewer".to_owned()],
            permissions: Some("writes in the work tree only, without network".to_owned()),
            ..StartAgent::default()
        };
        let developer = StartAgent { parts: vec!["developer".to_owned()], ..claude() };
        let start = StartReport {
            agents: vec![developer, codex],
            sandbox: "none".to_owned(),
            checks: vec![StartCheck { command: "make".to_owned(), found_in: None }],
            ..StartReport::default()
        };
        insta::assert_snapshot!(shown(start, 1), @r"
        agent        claude 2.1.197 (developer)
                     codex (reviewer)
        permissions  claude: asks before edits and commands
                     codex: writes in the work tree only, without network
        sandbox      none
        budget       none, at most 1 iteration
        checks       `make`
        ");
    }
}
