//! What a loop and the dashboard beside it share: whether the loop is over, whether the screen is
//! left, and what the loop asks.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{sync::oneshot, time::sleep};
use windlass::Asker;
use windlass_core::ask::Choice;

/// How often a loop that waits for an answer looks whether the screen was left.
const LOOK: Duration = Duration::from_millis(100);

/// Shared by a loop and its dashboard; clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    over: AtomicBool,
    left: AtomicBool,
    asked: Mutex<Option<Asked>>,
}

/// A question that waits for its answer.
#[derive(Debug)]
struct Asked {
    question: String,
    choices: Vec<Choice>,
    answer: oneshot::Sender<Choice>,
}

impl Side {
    /// The loop is over, and the screen is to go.
    pub(crate) fn end(&self) {
        self.0.over.store(true, Ordering::Release);
    }

    /// Whether the loop is over.
    pub(crate) fn is_over(&self) -> bool {
        self.0.over.load(Ordering::Acquire)
    }

    /// The screen is left.
    pub(crate) fn leave(&self) {
        self.0.left.store(true, Ordering::Release);
    }

    /// Whether the screen is left.
    pub(crate) fn is_left(&self) -> bool {
        self.0.left.load(Ordering::Acquire)
    }

    /// What the loop asks now.
    pub(crate) fn question(&self) -> Option<(String, Vec<Choice>)> {
        let asked = self.asked();
        let asked = asked.as_ref().filter(|asked| !asked.answer.is_closed())?;
        Some((asked.question.clone(), asked.choices.clone()))
    }

    /// Answers what the loop asks.
    pub(crate) fn answer(&self, choice: Choice) {
        if let Some(asked) = self.asked().take() {
            // Nobody waits any more where the loop was called off.
            asked.answer.send(choice).ok();
        }
    }

    fn asked(&self) -> MutexGuard<'_, Option<Asked>> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks on the dashboard, and gives `None` when the screen is left.
impl Asker for Side {
    fn ask<'a>(
        &'a self,
        question: &'a str,
        choices: &'a [Choice],
    ) -> Pin<Box<dyn Future<Output = Option<Choice>> + Send + 'a>> {
        Box::pin(async move {
            let (answer, mut answered) = oneshot::channel();
            let (question, choices) = (question.to_owned(), choices.to_vec());
            *self.asked() = Some(Asked { question, choices, answer });
            while !self.is_left() {
                tokio::select! {
                    choice = &mut answered => return choice.ok(),
                    () = sleep(LOOK) => {}
                }
            }
            None
        })
    }
}
