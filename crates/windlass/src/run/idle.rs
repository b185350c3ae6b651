//! Sessions that changed nothing because the agent had no permission to, and did not say so.

use windlass_agents::Permissions;
use windlass_core::{event::EventKind, step::SessionReport};
use windlass_system::sandbox::Sandbox;

use super::{Run, Seen};

impl Run<'_> {
    /// Says that a session changed nothing and had no permission to, for agents that do not report
    /// which tools they were denied. Gives whether that is so.
    pub(crate) fn tell_idle(
        &self,
        iteration: u32,
        role: &str,
        session: &SessionReport,
        seen: &Seen,
    ) -> bool {
        let Some(hired) = self.worker.cast.get(self.named.agent_of(role)) else { return false };
        let agent = hired.agent.name();
        let Some(known) = Permissions::of(agent) else { return false };
        let is_silent = !known.denied.is_empty() && !known.reports_denied && session.denied == 0;
        let sandbox = self.worker.sandboxes.of(self.named.agent_of(role));
        let is_confined = !matches!(sandbox, Sandbox::None);
        let may_work = hired.wishes.skip_permissions.decided(is_confined).is_always()
            || known.are_granted_by(&hired.wishes.extra_args);
        let is_idle = seen.snapshot.is_some() && seen.changed == 0;
        let is_so = is_silent && !may_work && is_idle && !session.outcome.is_failure();
        if is_so {
            let text = format!(
                "{agent} changed nothing, and had no permission to: it may not use {} without \
                 `--skip-permissions`",
                known.denied.join(", ")
            );
            self.note(iteration, EventKind::Noted { text });
        }
        is_so
    }
}
