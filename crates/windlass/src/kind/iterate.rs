//! `iterate`: one session after another with the same prompt and a fresh context, until a claim is
//! proven.

use serde::{Deserialize, Serialize};

use super::{Named, Shared};
use crate::{
    agent::AgentOptions,
    backoff,
    context::{self, Context},
    ending::Ending,
    event::{ClaimFate, IterationSummary},
    halt::Halt,
    ids::Place,
    options::{GitOptions, Pace, Proof, Rules},
    proof::{Baseline, Judged, Rejection, judge},
    run::{Run, Seen},
    step::SessionReport,
};

/// Run the same prompt until a claim is proven
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Options {
    /// The prompt.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub prompt: String,

    /// Give the agent nothing but the prompt: no iteration context from the second iteration on
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Agent"))]
    #[serde(default)]
    pub no_context: bool,

    /// Which agent.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Agent"))]
    #[serde(flatten)]
    pub agent: AgentOptions,

    /// What proves a claim.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Claim and proof"))]
    #[serde(flatten)]
    pub proof: Proof,

    /// When to give up.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "When to give up"))]
    #[serde(flatten)]
    pub rules: Rules,

    /// How long things may take.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Pace"))]
    #[serde(flatten)]
    pub pace: Pace,

    /// What is done with git.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Git"))]
    #[serde(flatten)]
    pub git: GitOptions,
}

impl Options {
    /// Options with this prompt, and the defaults for everything else.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self { prompt: prompt.into(), ..Self::default() }
    }

    pub(super) fn shared(&self) -> Shared<'_> {
        let Self { agent, proof, pace, rules, git, .. } = self;
        Shared { agent, proof, pace, rules, git }
    }
}

/// What the iterations before have left for the next one.
#[derive(Default)]
struct Carried {
    seen: Seen,
    rejection: Option<Rejection>,
    failure: Option<String>,
    failures: u32,
}

pub(super) async fn drive(run: &Run<'_>, options: &Options, named: &Named) -> Result<Ending, Halt> {
    let baseline = Baseline::record(run, &options.proof).await?;
    let mut carried = Carried { seen: baseline.seen.clone(), ..Carried::default() };
    for iteration in 1.. {
        run.begin(iteration)?;
        let prompt = render(options, named, iteration, &carried);
        let session = run.session(iteration, "agent", prompt).await?;
        let place = Place::new(iteration, "tree");
        let seen = run.look(place, carried.seen.tree(), baseline.seen.tree()).await?;

        let judged = match session.claim.by {
            Some(by) => judge(run, &options.proof, &baseline, iteration, by, &seen).await?,
            None => Judged::None,
        };
        let seen = match &judged {
            Judged::None => seen,
            _ if options.proof.checks.is_empty() => seen,
            // Checks may change files too, and what they leave is what the iteration leaves.
            _ => {
                let place = Place::new(iteration, "left");
                run.look(place, carried.seen.tree(), baseline.seen.tree()).await?
            }
        };
        commit(run, options, named, &baseline, iteration, &seen).await?;
        carried.failure = failure_of(&session);
        let summary = summary(iteration, &seen, &judged, carried.failure.clone());
        carried.seen = seen;
        run.finish(summary)?;

        match (judged, session.claim.by) {
            (Judged::Accepted { checks }, Some(by)) => {
                return Ok(Ending::Done { by, unverified: checks == 0 });
            }
            (Judged::Rejected(rejection), _) => carried.rejection = Some(rejection),
            _ => (),
        }
        carried.failures = if carried.failure.is_some() { carried.failures + 1 } else { 0 };
        backoff::between_failures(run, iteration, carried.failures).await?;
    }
    unreachable!("there is always one more number")
}

fn render(options: &Options, named: &Named, iteration: u32, carried: &Carried) -> String {
    let user = options.prompt.trim();
    if iteration == 1 || options.no_context {
        return user.to_owned();
    }
    let context = Context {
        iteration,
        max_iterations: options.rules.max_iterations,
        proof: &options.proof,
        failure: carried.failure.as_deref(),
        rejection: carried.rejection.as_ref(),
    };
    context::prompt(user, &context, named.prompt_limit)
}

async fn commit(
    run: &Run<'_>,
    options: &Options,
    named: &Named,
    baseline: &Baseline,
    iteration: u32,
    seen: &Seen,
) -> Result<(), Halt> {
    // A tree that is as at the start may differ from the last commit: what was taken back counts.
    if !options.git.auto_commit || (seen.modified == 0 && seen.changed == 0) {
        return Ok(());
    }
    let message = options
        .git
        .commit_template
        .replace("{iteration}", &iteration.to_string())
        .replace("{name}", &named.name)
        .replace("{id}", &named.id);
    run.commit(Place::new(iteration, "commit"), message, baseline.dirty.clone()).await.map(drop)
}

/// How the session failed, in a line; `None` where it finished.
fn failure_of(session: &SessionReport) -> Option<String> {
    session.outcome.is_failure().then(|| match &session.problem {
        Some(problem) => format!("{}: {problem}", session.outcome),
        None => session.outcome.to_string(),
    })
}

fn summary(
    iteration: u32,
    seen: &Seen,
    judged: &Judged,
    failure: Option<String>,
) -> IterationSummary {
    IterationSummary {
        iteration,
        tree: seen.tree(),
        head: seen.snapshot.as_ref().and_then(|snapshot| snapshot.head.clone()),
        files_changed: seen.changed,
        files_modified: seen.modified,
        claim: match judged {
            Judged::None => ClaimFate::None,
            Judged::Accepted { .. } => ClaimFate::Accepted,
            Judged::Rejected(_) => ClaimFate::Rejected,
        },
        failure,
        duration_ms: 0,
    }
}
