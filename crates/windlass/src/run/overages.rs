//! Which agents have used up their plans, so that their providers charge for more.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use windlass_core::time::Timestamp;

use super::Run;

/// Which agents have used up their plans.
#[derive(Debug, Default)]
pub(crate) struct Overages {
    used_up: Mutex<BTreeMap<String, UsedUp>>,
    /// The agents whose first overage was told.
    told: Mutex<BTreeSet<String>>,
}

/// A plan that is used up.
#[derive(Clone, Debug)]
pub(crate) struct UsedUp {
    /// When it has room again, by the provider.
    pub(crate) reset: Option<Timestamp>,
    /// Until when nothing more is asked, since boot.
    pub(crate) until: Duration,
    /// How many sessions in a row have reported it.
    pub(crate) running: u32,
    /// How long was waited for it so far.
    pub(crate) waited: Duration,
    /// Whether an earlier owner of the loop had the report.
    pub(crate) is_past: bool,
}

impl Overages {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, UsedUp>> {
        self.used_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an agent's overage is to be told: only its first one is.
    pub(crate) fn is_first(&self, agent: &str) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert(agent.to_owned())
    }

    /// The agents, in the order of their names.
    pub(crate) fn agents(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// What is known of an agent.
    pub(crate) fn of(&self, agent: &str) -> Option<UsedUp> {
        self.lock().get(agent).cloned()
    }

    /// An agent has used up its plan.
    pub(crate) fn put(&self, agent: &str, used_up: UsedUp) {
        self.lock().insert(agent.to_owned(), used_up);
    }

    /// An agent's plan has room.
    pub(crate) fn remove(&self, agent: &str) {
        self.lock().remove(agent);
    }

    /// Whether nothing is to be asked of an agent now.
    pub(crate) fn holds_back(&self, agent: &str, since_boot: Duration) -> bool {
        self.of(agent).is_some_and(|used_up| !used_up.is_past && used_up.until > since_boot)
    }
}

impl Run<'_> {
    /// Which agents have used up their plans.
    pub(crate) fn overages(&self) -> &Overages {
        &self.overages
    }
}
