//! Answers what is about guarded files.

use windlass_repo::tree::Tree;
use windlass_system::worker::Frame;

use super::told;
use crate::workplace::{call::GuardCall, guard::Sentry};

pub(super) async fn answer(sentry: &mut Sentry, tree: Option<&Tree>, call: GuardCall) -> Frame {
    match call {
        GuardCall::Record { asked } => told(sentry.record(tree, &asked).await),
        GuardCall::Compare { asked, tree: now, later } => {
            told(sentry.compare(tree, &asked, now, &later).await)
        }
        GuardCall::PutIn { asked, later } => told(sentry.put_in(tree, &asked, &later).await),
        GuardCall::SetAside => told(sentry.set_aside()),
        GuardCall::PutBack => told(sentry.put_back()),
        GuardCall::KeepStart => told(sentry.keep_start()),
        GuardCall::PutStartBack => told(sentry.put_start_back()),
        GuardCall::Settle { intent } => told(sentry.settle(&intent)),
    }
}
