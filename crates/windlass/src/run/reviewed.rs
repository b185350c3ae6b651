//! What loops can do that review, and those that post what came of it.

use std::time::Duration;

use windlass_core::{
    ask::Choice,
    event::EventKind,
    forge::Pull,
    ids::Place,
    posting::Post,
    step::{HeadStep, Step, StepResult, WaitFor},
    text::patch::DiffReport,
};

use super::{Run, misfit};
use crate::{
    halt::Halt,
    perform::{Arrival, AtHead},
};

/// What a branch is compared with, as it was when the loop began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Base {
    /// What people call it; `None` outside a repository.
    pub(crate) name: Option<String>,
    /// The tree where the branch left it.
    pub(crate) tree: Option<String>,
    /// The commit there.
    pub(crate) commit: Option<String>,
}

/// How long GitHub's own limits are waited for at the most, one after the other.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);

/// How long each is waited for at the least.
const SHORTEST_WAIT: Duration = Duration::from_secs(1);

/// How many digits of a commit's id people are shown.
const SHOWN: usize = 12;

fn short(id: &str) -> &str {
    id.get(..SHOWN).unwrap_or(id)
}

impl Run<'_> {
    /// Finds what a branch is compared with.
    pub(crate) async fn base(&self, place: Place, wanted: Vec<String>) -> Result<Base, Halt> {
        match self.step(place, Step::Base { wanted }).await? {
            StepResult::Base { name, tree, commit } => Ok(Base { name, tree, commit }),
            other => Err(misfit(&other)),
        }
    }

    /// Says that a branch is not where it was when the loop began, which is what counts.
    pub(crate) async fn tell_if_moved(
        &self,
        place: Place,
        base: &Base,
        wanted: Vec<String>,
    ) -> Result<(), Halt> {
        let iteration = place.iteration();
        let now = self.base(place, wanted).await?;
        if let (Some(name), Some(before), Some(after)) = (&base.name, &base.commit, &now.commit)
            && before != after
        {
            let text = format!(
                "`{name}` has moved since the loop began, from {} to {}: the work is still compared \
                 with what it was then",
                short(before),
                short(after)
            );
            self.note(iteration, EventKind::Noted { text });
        }
        Ok(())
    }

    /// Marks a task as done in its file; says whether it was there and open.
    pub(crate) async fn tick(&self, place: Place, path: &str, task: &str) -> Result<bool, Halt> {
        let step = Step::Tick { path: path.to_owned(), task: task.to_owned() };
        match self.step(place, step).await? {
            StepResult::Ticked { found } => Ok(found),
            other => Err(misfit(&other)),
        }
    }

    /// Keeps a review in the work tree.
    pub(crate) async fn keep(&self, place: Place, text: String) -> Result<(), Halt> {
        self.step(place, Step::Keep { text }).await.map(drop)
    }

    /// Writes a file for the user.
    pub(crate) async fn write(&self, place: Place, path: String, text: String) -> Result<(), Halt> {
        self.step(place, Step::Write { path, text }).await.map(drop)
    }

    /// Asks a forge for a pull request; for that of the current branch, if no number is given.
    pub(crate) async fn gather(&self, place: Place, number: Option<u64>) -> Result<Pull, Halt> {
        match self.ask_forge(place, Step::Gather { number }).await? {
            StepResult::Gathered { pull } => Ok(*pull),
            other => Err(misfit(&other)),
        }
    }

    /// Posts to a forge, at most once; says where it can be seen.
    pub(crate) async fn post(&self, place: Place, post: Post) -> Result<Option<String>, Halt> {
        match self.ask_forge(place, Step::Post(post)).await? {
            StepResult::Posted { url, .. } => Ok(url),
            other => Err(misfit(&other)),
        }
    }

    /// Asks a forge, and asks again when the forge's limit is over.
    async fn ask_forge(&self, place: Place, step: Step) -> Result<StepResult, Halt> {
        let mut waited = Duration::ZERO;
        for attempt in 1_u32.. {
            let until = match self.step(place.clone(), step.clone()).await? {
                // One that is over at once would be asked without an end.
                StepResult::Limited { until } => until.max(self.clock().now().plus(SHORTEST_WAIT)),
                result => return Ok(result),
            };
            waited = waited.saturating_add(until.since(self.clock().now()));
            if waited > LONGEST_WAIT {
                let message = format!(
                    "GitHub's limit on requests is used up until {until}; what was to be asked or \
                     posted is kept for another try"
                );
                return Err(Halt::Failed { message, code: 7 });
            }
            let place = place.inner(format_args!("limit/{}/{attempt}", self.past.owners));
            self.wait(place, until, WaitFor::Reset, "GitHub's limit on requests to reset").await?;
        }
        unreachable!("there is always one more number")
    }

    /// The place of what is looked at afresh each time that the loop goes on.
    pub(crate) fn anew(&self, name: &str) -> Place {
        Place::new(0, format_args!("{name}/{}", self.past.owners))
    }

    /// Has the loop work on the head of a pull request, where that is not for the user to see to.
    pub(crate) async fn arrive(&self, pull: &Pull) -> Result<(), Halt> {
        let place = match &self.worker.arrival {
            // The files are made again each time that the loop goes on.
            Arrival::Apart { .. } => self.anew("head"),
            // An earlier version has begun with what was there.
            Arrival::Worktree { .. } if !self.is_past(0) => Place::new(0, "head"),
            Arrival::Worktree { .. } | Arrival::None => return Ok(()),
        };
        self.step(place, Step::Head(HeadStep::of(pull))).await?;
        let AtHead { found, refused } = self.worker.brings.at_head(pull.is_at_origin != Some(true));
        if let Some(found) = found {
            self.note(0, found);
        }
        match refused {
            Some(message) => self.ask_for_trust(message).await,
            None => Ok(()),
        }
    }

    /// Lets what the head brings act if the user says so at the terminal; else the loop ends.
    async fn ask_for_trust(&self, message: String) -> Result<(), Halt> {
        let question = "Trust the settings for agents in the head of the pull request?".to_owned();
        let choices = vec![Choice::Trust, Choice::Abort];
        match self.ask(self.anew("trust"), question, choices).await? {
            Some(Choice::Trust) => {
                let failed = |message| Halt::Failed { message, code: 6 };
                self.worker.brings.trust().map_err(failed)
            }
            _ => Err(Halt::Failed { message, code: 4 }),
        }
    }

    /// Pushes what is committed to a branch that must be at `expected`; gives the commit that is at
    /// the other end now, or why that refused it.
    pub(crate) async fn push(
        &self,
        place: Place,
        branch: &str,
        expected: &str,
    ) -> Result<Result<Option<String>, String>, Halt> {
        let step = Step::Push { branch: branch.to_owned(), expected: Some(expected.to_owned()) };
        match self.step(place, step).await? {
            StepResult::Pushed { refused: Some(why), .. } => Ok(Err(why)),
            StepResult::Pushed { commit, .. } => Ok(Ok(commit)),
            other => Err(misfit(&other)),
        }
    }

    /// Records where a jj repository stands; `None` where the loop works in none.
    pub(crate) async fn mark(&self, place: Place) -> Result<Option<String>, Halt> {
        match self.step(place, Step::Mark).await? {
            StepResult::Mark { revision, .. } => Ok(revision),
            other => Err(misfit(&other)),
        }
    }

    /// Says what changed since a tree or a jj commit, in at most `limit` bytes of whole files.
    pub(crate) async fn diff(
        &self,
        place: Place,
        since: Option<String>,
        revision: Option<String>,
        limit: usize,
    ) -> Result<DiffReport, Halt> {
        match self.step(place, Step::Diff { since, revision, limit }).await? {
            StepResult::Diff(report) => Ok(report),
            other => Err(misfit(&other)),
        }
    }
}
