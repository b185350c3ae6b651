//! `windlass why`: why a loop stopped, or that it goes on; on which evidence, and what to do.

mod advice;
mod evidence;
mod near_misses;
mod proof;

use serde::Serialize;
use windlass_core::{
    ending::Ending,
    event::{Event, EventKind},
    proof_record::ProofRecord,
    rules::MAX_ITERATIONS,
    text::sanitise,
    time::Timestamp,
    view::LoopView,
};
use windlass_store::store::{IterationRecord, LoopRecord, Store, StoreError};

pub(crate) use self::advice::{Advice, advice};
pub(crate) use self::proof::LastClaim;
use self::{
    evidence::{Evidence, table},
    near_misses::NearMiss,
};
use super::{show::proving, story::guide::Guide};
use crate::{
    control::find::LoopArg,
    host::{app::App, failure::Failure},
    present::Next,
    report::{
        brief::{Brief, title},
        ending::Standing,
        paint::Paint,
        words::{self, doubted, is_in_proof, proven},
    },
    text,
};

/// Explain why a loop stopped (or is still running) and what to do next
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass why                    newest loop in this directory
  windlass why brave-otter";

/// How many iterations people see of the evidence.
const EVIDENCE: usize = 12;

#[derive(Serialize)]
struct Why<'a> {
    #[serde(flatten)]
    brief: Brief<'a>,
    reason: String,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    doubts: &'a [String],
    rules: &'a [Judgement],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    near_misses: &'a [NearMiss],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    rejected: &'a [String],
    last_claim: &'a Option<LastClaim>,
    proof: &'a Option<ProofRecord>,
    evidence: &'a [Evidence],
    advice: Advice,
}

/// What was seen of a loop, that explains how it stands.
struct Seen {
    doubts: Vec<String>,
    rules: Vec<Judgement>,
    near_misses: Vec<NearMiss>,
    /// Why the last claim was rejected, where it was.
    rejected: Vec<String>,
    /// What was looked at for the last claim.
    last_claim: Option<LastClaim>,
    evidence: Vec<Evidence>,
    /// The loop as its events show it.
    view: LoopView,
}

impl Seen {
    fn read(
        store: &Store,
        record: &LoopRecord,
        iterations: &[IterationRecord],
    ) -> Result<Self, StoreError> {
        let history = store.history(&record.id)?;
        let seen = Self::of(iterations, &history);
        Ok(Self { doubts: store.doubts(&record.id)?, ..seen })
    }

    fn of(iterations: &[IterationRecord], history: &[Event]) -> Self {
        let mut view = LoopView::default();
        history.iter().for_each(|event| view.apply(event));
        Self {
            doubts: Vec::new(),
            rules: judgements(history),
            near_misses: near_misses::all(history),
            rejected: last_rejection(iterations),
            last_claim: LastClaim::of(&view, history),
            evidence: Evidence::all(iterations, history),
            view,
        }
    }
}

/// What a rule said.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Judgement {
    rule: String,
    reason: String,
    tripped: bool,
    at: Timestamp,
}

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let (store, record) = args.target.find(app)?;
    let iterations = store.iterations(&record.id)?;
    let mut standing = Standing::of_record(&record);
    let seen = Seen::read(&store, &record, &iterations)?;
    standing.prove(proving(&iterations), seen.view.proof.as_ref());
    let advice = advice(&standing, &record);
    if args.json {
        let Seen { doubts, rules, near_misses, rejected, last_claim, evidence, view } = &seen;
        let proof = &view.proof;
        let brief = Brief::new(&record, &standing);
        let reason = standing.sentence();
        app.printer.json(&Why {
            brief,
            reason,
            doubts,
            rules,
            near_misses,
            rejected,
            last_claim,
            proof,
            evidence,
            advice,
        })?;
    } else {
        let paint = Paint { colour: app.printer.colour };
        let Advice { words, commands } = advice;
        let next = Guide::new(app).next(&store, &record, &standing, commands);
        app.printer.data(&screen(&record, &standing, &seen, (words, &next), paint))?;
    }
    Ok(0)
}

/// The same for people, as painted lines.
pub(crate) fn lines(
    store: &Store,
    record: &LoopRecord,
    paint: Paint,
) -> Result<Vec<String>, StoreError> {
    let iterations = store.iterations(&record.id)?;
    let mut standing = Standing::of_record(record);
    let seen = Seen::read(store, record, &iterations)?;
    standing.prove(proving(&iterations), seen.view.proof.as_ref());
    let Advice { words, commands } = advice(&standing, record);
    let text = screen(record, &standing, &seen, (words, &Next::of(commands)), paint);
    // The first line says which loop it is, and that is known here.
    Ok(text.lines().skip(1).map(str::to_owned).collect())
}

/// Why the last claim was rejected; nothing where it was accepted.
fn last_rejection(iterations: &[IterationRecord]) -> Vec<String> {
    let claimed = |one: &&IterationRecord| {
        matches!(one.claim.as_deref(), Some("accepted" | "accepted_in_part" | "rejected"))
    };
    let last = iterations.iter().rfind(claimed);
    let last = last.filter(|one| one.claim.as_deref() == Some("rejected"));
    last.map(|one| one.rejected_because.clone()).unwrap_or_default()
}

/// What the rules said since the circuit was last closed: all trips, and the warnings of the last
/// iteration.
fn judgements(history: &[Event]) -> Vec<Judgement> {
    let mut judgements = Vec::new();
    history.iter().for_each(|event| judge(&mut judgements, event));
    judgements
}

/// Takes one more event into what the rules said.
pub(crate) fn judge(judgements: &mut Vec<Judgement>, event: &Event) {
    let (rule, reason, tripped) = match &event.kind {
        EventKind::RuleWarned { rule, reason } => (rule, reason, false),
        EventKind::RuleTripped { rule, reason, .. } => (rule, reason, true),
        EventKind::CircuitReset => return judgements.clear(),
        // A rule that still has reason to warn does so again after the iteration.
        EventKind::IterationFinished(_) => return judgements.retain(|earlier| earlier.tripped),
        _ => return,
    };
    let (rule, reason) = (rule.clone(), reason.clone());
    judgements.push(Judgement { rule, reason, tripped, at: event.at });
}

fn screen(
    record: &LoopRecord,
    standing: &Standing,
    seen: &Seen,
    (words, next): (&str, &Next),
    paint: Paint,
) -> String {
    let Seen { doubts, rules, near_misses, rejected, last_claim, evidence, view } = seen;
    let mut lines = vec![title(record, paint), standing.words(paint)];
    // The proof has its own lines.
    let alone = doubts.iter().filter(|doubt| !is_in_proof(doubt, view.proof.as_ref()));
    lines.extend(alone.map(|doubt| doubted(doubt, paint)));
    let success = record.ending.as_ref().is_some_and(Ending::is_success);
    let proof = view.proof.iter();
    lines.extend(proof.flat_map(|proof| proven::lines(proof, (success, record.verified), paint)));
    let told = untold(rules, record.ending.as_ref());
    if !told.is_empty() {
        lines.push(String::new());
        lines.extend(told.iter().map(|rule| judgement(rule, paint)));
    }
    if !rejected.is_empty() {
        lines.push(String::new());
        let reasons = words::rejected("last claim rejected:", rejected, paint);
        lines.extend(reasons.iter().map(|line| format!("  {line}")));
    }
    let claim = last_claim.as_ref().map(|claim| claim.lines(!rejected.is_empty(), paint));
    let claim = claim.unwrap_or_default();
    if rejected.is_empty() && !claim.is_empty() {
        lines.push(String::new());
    }
    lines.extend(claim);
    if !near_misses.is_empty() {
        lines.push(String::new());
        lines.extend(near_misses::lines(near_misses, paint));
    }
    if !evidence.is_empty() {
        lines.push(String::new());
        let earlier = evidence.len().saturating_sub(EVIDENCE);
        let spoke: Vec<&str> = rules.iter().map(|rule| rule.rule.as_str()).collect();
        let rows = table(&evidence[earlier..], &spoke, paint);
        lines.extend(rows.iter().map(|row| format!("  {row}")));
        if earlier > 0 {
            let note = format!("  and {} before", text::count(earlier, "iteration"));
            lines.push(paint.faint(&note));
        }
    }
    lines.extend([String::new(), words.to_owned()]);
    lines.extend(next.lines());
    format!("{}\n", lines.join("\n"))
}

/// What the rules said that the ending does not say as well. A trip from before the loop ended well says
/// nothing about its ending.
pub(crate) fn untold<'a>(rules: &'a [Judgement], ending: Option<&Ending>) -> Vec<&'a Judgement> {
    let is_told = |one: &&Judgement| match ending {
        Some(Ending::Rule { rule, reason, .. }) => {
            one.tripped && (&one.rule, &one.reason) == (rule, reason)
        }
        Some(Ending::Budget { reason, .. } | Ending::AgentFailed { reason, .. }) => {
            one.tripped && one.reason == *reason
        }
        Some(Ending::MaxIterations { left: None, .. }) => one.tripped && one.rule == MAX_ITERATIONS,
        Some(ending) => one.tripped && ending.is_success(),
        None => false,
    };
    rules.iter().filter(|one| !is_told(one)).collect()
}

/// What a rule said, as a line.
pub(crate) fn judgement(judgement: &Judgement, paint: Paint) -> String {
    let (rule, reason) = (sanitise::line(&judgement.rule), sanitise::line(&judgement.reason));
    let what = if judgement.tripped { paint.bad("tripped") } else { paint.warn("warned") };
    format!("  rule {rule} {what}: {reason}")
}

#[cfg(test)]
mod tests;
