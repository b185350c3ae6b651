//! A provider's limit: wait until it is over, stop, or let another agent go on. A session that met
//! one does not use its iteration up.

mod overage;

use std::time::Duration;

use serde_json::json;
use windlass_core::{
    ending::Ending,
    ids::Place,
    options::{LimitOptions, Moment, OnLimit, Pace},
    outcome::Outcome,
    step::{SessionReport, SessionStep, WaitFor},
    time::Timestamp,
};

pub(crate) use self::overage::between_iterations;

use crate::{halt::Halt, pace, run::Run};

/// The longest pause where the provider does not say when its limit is over.
const LONGEST_PAUSE: Duration = Duration::from_secs(30 * 60);

/// Agents that take turns when one of them meets its limit, and what is known of their limits.
#[derive(Clone, Debug)]
pub(crate) struct Shift {
    first: String,
    second: Option<String>,
    /// Until when the first one is limited, since boot.
    limited_until: Option<Duration>,
}

impl Shift {
    /// The loop's agent, and the one that stands in for it.
    pub(crate) fn new(agent: &str, options: &LimitOptions) -> Self {
        let second =
            options.fallback_agent.clone().filter(|_| options.on_limit == OnLimit::Fallback);
        Self { first: agent.to_owned(), second, limited_until: None }
    }

    /// Calls an agent for a session at `first` and near it, as often as it takes until the answer is
    /// not a limit. `step` says what an agent is asked, by its name.
    pub(crate) async fn session(
        &mut self,
        run: &Run<'_>,
        (options, pace): (&LimitOptions, &Pace),
        first: &Place,
        step: impl Fn(&str) -> SessionStep,
    ) -> Result<SessionReport, Halt> {
        let mut waited_since = None;
        for attempt in 1.. {
            let place = match attempt {
                1 => first.clone(),
                _ => first.inner(format_args!("again/{attempt}")),
            };
            let was_done = run.is_done(&place);
            let next = self.choose(run, &place);
            overage::rest(run, options, &next, place.inner("overage")).await?;
            let agent = self.choose(run, &place);
            pace::room(run, pace, &agent, &place).await?;
            let report = run.session(place.clone(), step(&agent)).await?;
            overage::observe(run, options, (&agent, &place, was_done), &report);
            let Outcome::Limited { until } = report.outcome else { return Ok(report) };
            let wait = first.inner(format_args!("limit/{attempt}"));
            // The loop ended on that limit, and whoever took it up again wants another try.
            if was_done && !run.has_begun_to_wait(&wait) {
                continue;
            }
            let clock = run.clock();
            let (now, boot) = (clock.now(), clock.since_boot());
            let waited = boot.saturating_sub(*waited_since.get_or_insert(boot));
            let reset = until.filter(|until| *until > now);
            let left = reset.map_or_else(|| pause(attempt), |reset| reset.since(now));
            // One that the loop had before it was taken up again counts as the first.
            if Some(&agent) != self.second.as_ref() {
                self.limited_until = Some(boot + left);
                if self.second.is_some() {
                    continue;
                }
            }
            let limited =
                || Err(Halt::Ended(Ending::Limited { agent: agent.clone(), until: reset }));
            let too_late = options.max_wait.0.is_zero() || waited + left > options.max_wait.0;
            let stops =
                options.on_limit == OnLimit::Stop || (too_late && !run.has_begun_to_wait(&wait));
            if stops && !run.is_done(&wait) {
                return limited();
            }
            // Whoever of the two may go on first does.
            let first = self.limited_until.unwrap_or(boot + left);
            let until = now.plus(first.min(boot + left).saturating_sub(boot));
            wait_for_reset(run, &agent, wait, until).await?;
        }
        unreachable!("there is always one more number")
    }

    /// The agent that is to go on. What an earlier owner of the loop chose stays chosen.
    fn choose(&self, run: &Run<'_>, place: &Place) -> String {
        let known = |agent: &&str| *agent == self.first || Some(*agent) == self.second.as_deref();
        if let Some(agent) = run.agent_at(place).filter(|agent| run.is_done(place) || known(agent))
        {
            return agent.to_owned();
        }
        let now = run.clock().since_boot();
        let is_limited = self.limited_until.is_some_and(|until| until > now)
            || run.overages().holds_back(&self.first, now);
        match &self.second {
            Some(second) if is_limited => second.clone(),
            _ => self.first.clone(),
        }
    }
}

/// Waits until the limit of an agent is over.
async fn wait_for_reset(
    run: &Run<'_>,
    agent: &str,
    wait: Place,
    until: Timestamp,
) -> Result<(), Halt> {
    let reason = format!("{agent}'s limit to reset");
    let event = json!({"type": "limited", "agent": agent, "until": until});
    run.hook(wait.inner("on/limit"), Moment::Limit, event).await?;
    run.wait(wait, until, WaitFor::Reset, &reason).await
}

/// How long to wait before another try, where nobody says when the limit is over.
fn pause(attempt: u32) -> Duration {
    let doublings = attempt.saturating_sub(1).min(5);
    Duration::from_secs(60 << doublings).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_reset_time_the_pause_doubles_to_half_an_hour() {
        let minutes: Vec<u64> = (1..8).map(|n| pause(n).as_secs() / 60).collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 30, 30]);
    }
}
