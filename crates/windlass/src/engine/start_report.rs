//! What a loop starts with, for the block that people see before the first session. Only what costs
//! nothing is looked at: no agent is run, and nothing is asked of a network.

mod warnings;

use std::path::Path;

use windlass_agents::{BuiltIn, Cast, Hired, Permissions};
use windlass_core::{
    event::{StartAgent, StartBudget, StartCheck, StartReport},
    role,
};
use windlass_system::{sandbox::Sandbox, surroundings::version_of};

use super::{agent_trust::Admitted, grounds::Grounds, setup::Setup};
use crate::{kind::Kind, perform::Worker};

/// What a loop starts or goes on with; `None` for a merge in which no agent works.
pub(super) async fn start_report(
    setup: &Setup,
    grounds: &Grounds,
    worker: &mut Worker,
    also_found: Vec<StartCheck>,
    admitted: &Admitted,
) -> Option<Box<StartReport>> {
    if let Some(inhibitor) = &mut worker.sleep_inhibitor
        && !inhibitor.holds().await
    {
        worker.sleep_inhibitor = None;
    }
    if matches!(&grounds.kind, Kind::Merge(options) if options.unfit.is_none()) {
        return None;
    }
    let rules = &grounds.kind.common().rules;
    let described = worker.sandboxes.described();
    let (sandbox, network) = described
        .map_or((NO_SANDBOX.to_owned(), None), |(sandbox, network)| (sandbox, Some(network)));
    let mut report = StartReport {
        task: task(&grounds.kind),
        agents: agents(&grounds.kind, &grounds.cast, worker),
        sandbox,
        network,
        budget: StartBudget {
            max_cost: rules.max_cost,
            max_tokens: rules.max_tokens,
            max_duration: rules.max_duration,
            reports_cost: grounds.cast.iter().any(|(_, hired)| reports(hired).0),
        },
        checks: checks(&grounds.kind),
        also_found,
        inhibits_sleep: worker.sleep_inhibitor.is_some(),
        warnings: Vec::new(),
    };
    report.warnings = warnings::warnings(setup, grounds, worker, admitted).await;
    Some(Box::new(report))
}

/// What stands where there is no sandbox.
const NO_SANDBOX: &str = "none";

/// What the loop is for: the first line of the prompt, or the file with its tasks.
fn task(kind: &Kind) -> Option<String> {
    let words = match kind {
        Kind::Iterate(options) => &options.prompt,
        Kind::Tasks(options) => &options.tasks,
        Kind::Develop(options) => options.tasks.as_ref().unwrap_or(&options.task),
        Kind::Heal(_) | Kind::Pr(_) | Kind::Merge(_) => return None,
    };
    words.trim().lines().next().map(|line| line.trim_end().to_owned())
}

/// The agents that play a part, and those that may stand in, the loop's own first.
fn agents(kind: &Kind, cast: &Cast, worker: &Worker) -> Vec<StartAgent> {
    let lead = cast.lead_name();
    let parts = kind.parts();
    let plays = |name: &str| -> Vec<String> {
        let own = parts.iter().filter(|(part, asked)| {
            asked.unwrap_or(lead) == name && *part != role::PARSER && *part != role::AGENT
        });
        own.map(|(part, _)| (*part).to_owned()).collect()
    };
    let agents = cast.iter().map(|(name, hired)| StartAgent {
        name: name.split(':').next().unwrap_or(name).to_owned(),
        parts: plays(name),
        model: hired.wishes.model.clone(),
        version: version(hired, worker),
        permissions: permissions(hired, may_skip(hired, worker.sandboxes.of(name))),
    });
    agents.collect()
}

/// The version of an agent's program, as far as it stands where the program is installed.
fn version(hired: &Hired, worker: &Worker) -> Option<String> {
    BuiltIn::named(hired.agent.name()).filter(|known| known.install.is_some())?;
    let program: &Path = worker.programs.get(&hired.agent.program()?)?;
    // What an agent can write says what the agent wants.
    (!worker.trusted.is_an_agents(program)).then(|| version_of(program)).flatten()
}

/// Whether an agent uses its tools without asking in the sandbox that it runs in.
fn may_skip(hired: &Hired, sandbox: &Sandbox) -> bool {
    let is_confined = !matches!(sandbox, Sandbox::None);
    hired.wishes.skip_permissions.decided(is_confined).is_always()
}

fn permissions(hired: &Hired, may_skip: bool) -> Option<String> {
    let known = Permissions::of(hired.agent.name())?;
    Some(match may_skip {
        true => "skipped: it uses every tool without asking".to_owned(),
        false => known.by_default.to_owned(),
    })
}

/// Whether an agent reports what its sessions cost, and how many tokens they take.
fn reports(hired: &Hired) -> (bool, bool) {
    let abilities = BuiltIn::named(hired.agent.name()).map(|known| known.abilities);
    abilities.map_or((false, false), |abilities| (abilities.cost, abilities.tokens))
}

fn checks(kind: &Kind) -> Vec<StartCheck> {
    let given = kind.given_checks().into_iter();
    let given = given.map(|check| StartCheck { command: check.to_owned(), found_in: None });
    let found = kind.common().proof.found.iter();
    let found = found.map(|check| StartCheck {
        command: check.command.clone(),
        found_in: Some(check.file.clone()),
    });
    given.chain(found).collect()
}
