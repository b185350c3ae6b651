//! What a loop comes to: a review on GitHub, or a list of what remains.

use windlass_core::{
    ending::{ClaimedBy, Ending},
    event::EventKind,
    findings::{Entry, Finding, Ledger, Status, format::Format},
    forge::{MarkerKey, Pull, ReviewEvent},
    ids::Place,
    posting::Post,
};

use super::{Options, pulled::Pulled};
use crate::{course::Course, halt::Halt, identity::LoopIdentity, run::Run};

/// What a loop comes to.
pub(super) struct Outcome<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) options: &'a Options,
    pub(super) named: &'a LoopIdentity,
    pub(super) pulled: &'a Pulled,
}

impl Outcome<'_> {
    /// One audit, which is posted unless the loop is local.
    pub(super) async fn of_one_audit(
        &self,
        (ledger, left_out): (&Ledger, u32),
        iteration: u32,
    ) -> Result<Ending, Halt> {
        let findings: Vec<Finding> = open(ledger).map(|entry| entry.finding.clone()).collect();
        let left = u32::try_from(findings.len()).unwrap_or(u32::MAX);
        if let Some(pull) = self.pulled.pull.as_ref().filter(|_| !self.options.local) {
            let event = match findings.is_empty() {
                true if self.options.approve => ReviewEvent::Approve,
                false if self.options.request_changes => ReviewEvent::RequestChanges,
                _ => ReviewEvent::Comment,
            };
            let head = match left {
                0 if left_out > 0 => "The audit found nothing severe to change.".to_owned(),
                0 => "The audit found nothing to change.".to_owned(),
                1 => "The audit has 1 finding.".to_owned(),
                n => format!("The audit has {n} findings."),
            };
            let head = self.with_left_out(head, left_out);
            self.post_review(pull, pull.head_sha.clone(), event, head, findings).await?;
        } else if left > 0 {
            self.write_list(ledger, iteration).await?;
        }
        Ok(match left {
            0 if left_out > 0 => Ending::Clean { iteration, left_out },
            0 => Ending::Approved { by: ClaimedBy::Verdict, unverified: true },
            left => Ending::FindingsLeft { left },
        })
    }

    /// How many findings were left out, in words; `None` for none.
    pub(super) fn left_out(&self, left_out: u32) -> Option<String> {
        let least = self.options.min_severity.filter(|_| left_out > 0)?;
        let findings = if left_out == 1 { "finding" } else { "findings" };
        Some(format!("{left_out} {findings} below {least} left out"))
    }

    fn with_left_out(&self, head: String, left_out: u32) -> String {
        match self.left_out(left_out) {
            Some(words) => format!("{head} {words}."),
            None => head,
        }
    }

    /// Takes down that an audit found nothing; gives the tree that it is about.
    pub(super) async fn accept(
        &self,
        iteration: u32,
        checks: u32,
        course: &Course<'_>,
    ) -> Result<Option<String>, Halt> {
        let by = ClaimedBy::Verdict;
        self.run.note(iteration, EventKind::Claimed { iteration, by });
        let tree = course.look(Place::new(iteration, "accepted")).await?.tree();
        let doubts = course.doubts();
        let about = tree.clone();
        let accepted = EventKind::ClaimAccepted { iteration, by, checks, tree: about, doubts };
        self.run.note(iteration, accepted);
        Ok(tree)
    }

    /// An audit found nothing more: push where that is wanted, then tell GitHub.
    pub(super) async fn approved(
        &self,
        (ledger, left_out): (&Ledger, u32),
        iteration: u32,
        checks: u32,
        (tree, committed): (Option<String>, Option<String>),
    ) -> Result<Ending, Halt> {
        let pull = self.pulled.pull.as_ref().filter(|_| !self.options.local);
        if let Some(pull) = pull {
            let mut commit = pull.head_sha.clone();
            if self.options.push {
                let place = Place::new(iteration, "push");
                commit =
                    self.run.push(place, &pull.head_ref).await?.or(committed).unwrap_or(commit);
            }
            self.tell(pull, commit, (ledger, left_out), iteration, tree).await?;
        }
        Ok(match left_out {
            0 => Ending::Approved { by: ClaimedBy::Verdict, unverified: checks == 0 },
            left_out => Ending::Clean { iteration, left_out },
        })
    }

    async fn tell(
        &self,
        pull: &Pull,
        commit: String,
        (ledger, left_out): (&Ledger, u32),
        iteration: u32,
        tree: Option<String>,
    ) -> Result<(), Halt> {
        let event = if self.options.approve { ReviewEvent::Approve } else { ReviewEvent::Comment };
        let tree = tree.map(|tree| format!(" The audited tree is `{tree}`.")).unwrap_or_default();
        let first = if self.options.push {
            format!("The audit finds nothing to change; the fixes are pushed.{tree}")
        } else {
            format!("The fixes of this audit are local and not pushed.{tree}")
        };
        let head = format!(
            "{first}\n\nNo findings are left after {} ({}).",
            rounds(iteration),
            trajectory(ledger)
        );
        let head = self.with_left_out(head, left_out);
        self.post_review(pull, commit, event, head, Vec::new()).await?;
        let text = format!(
            "*Reviewed and auto-fixed in {} ({} findings)*",
            rounds(iteration),
            ascii_trajectory(ledger)
        );
        let number = pull.number;
        self.run
            .post(Place::new(0, "post/description"), Post::Description { number, text })
            .await?;
        if let Some(title) = self.options.title.clone() {
            self.run.post(Place::new(0, "post/title"), Post::Title { number, title }).await?;
        }
        Ok(())
    }

    async fn post_review(
        &self,
        pull: &Pull,
        commit: String,
        event: ReviewEvent,
        head: String,
        findings: Vec<Finding>,
    ) -> Result<(), Halt> {
        let (number, marker) = (pull.number, MarkerKey::new(&self.named.id));
        let review = Post::Review { number, commit, event, head, findings, marker };
        self.run.post(Place::new(0, "post/review"), review).await.map(drop)
    }

    /// The loop does not get on.
    pub(super) async fn stalled(&self, ledger: &Ledger, iteration: u32) -> Result<Ending, Halt> {
        self.write_list(ledger, iteration).await?;
        Ok(Ending::Stalled { left: ledger.counts().open })
    }

    /// All allowed iterations are used up.
    pub(super) async fn used_up(
        &self,
        ledger: &Ledger,
        iteration: u32,
        limit: u32,
    ) -> Result<Ending, Halt> {
        self.write_list(ledger, iteration).await?;
        Ok(Ending::MaxIterations { limit, left: Some(ledger.counts().open) })
    }

    /// Writes what remains as a list that `windlass tasks` can work off.
    async fn write_list(&self, ledger: &Ledger, iteration: u32) -> Result<(), Halt> {
        let text = Format::Markdown.write(open(ledger));
        let path = self.options.task_list.clone();
        self.run.write(Place::new(iteration, "task-list"), path, text).await
    }
}

fn open(ledger: &Ledger) -> impl Iterator<Item = &Entry> {
    ledger.entries().iter().filter(|entry| entry.status != Status::Fixed)
}

fn rounds(iterations: u32) -> String {
    format!("{iterations} iterations")
}

fn trajectory(ledger: &Ledger) -> String {
    counts(ledger).join(" → ")
}

fn ascii_trajectory(ledger: &Ledger) -> String {
    counts(ledger).join(" -> ")
}

fn counts(ledger: &Ledger) -> Vec<String> {
    ledger.trajectory().iter().map(u32::to_string).collect()
}
