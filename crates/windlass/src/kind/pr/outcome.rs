//! What a loop comes to: a review on GitHub, or a list of what remains.

use windlass_core::{
    ending::{ClaimedBy, Ending},
    event::EventKind,
    findings::{Entry, Finding, Ledger, Status, format::Format},
    forge::{MarkerKey, Pull, ReviewEvent},
    ids::Place,
    posting::Post,
    text::count::{agree, count},
};

use super::{
    Options,
    basis::Basis,
    pulled::{Pulled, short},
};
use crate::{
    course::Course,
    halt::Halt,
    identity::LoopIdentity,
    proof::Acceptance,
    run::{Committed, Run},
};

/// What a loop comes to.
pub(super) struct Outcome<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) options: &'a Options,
    pub(super) named: &'a LoopIdentity,
    pub(super) pulled: &'a Pulled,
    pub(super) basis: Basis,
}

/// What the last audit came to.
#[derive(Clone, Copy)]
pub(super) struct Audited<'a> {
    pub(super) ledger: &'a Ledger,
    /// How many findings are less severe than what the user wants to hear of.
    pub(super) left_out: u32,
    /// Whether auditors looked, and not another tool.
    pub(super) by_auditors: bool,
}

/// What goes to GitHub about a clean audit.
struct Approval {
    /// The commit that it is posted to.
    commit: String,
    /// The commit that was audited.
    audited: String,
    /// Whether the fixes are there.
    is_pushed: bool,
    /// Whether there are fixes.
    has_fixes: bool,
    /// Why it is no approval.
    why_not: Option<String>,
}

/// What a review says as a whole, and of which commit.
struct Review {
    commit: String,
    audited: String,
    event: ReviewEvent,
    /// Why it is no approval, where there is a reason.
    why: Option<String>,
}

impl Outcome<'_> {
    /// One audit, which is posted unless the loop is local.
    pub(super) async fn of_one_audit(
        &self,
        audited: Audited<'_>,
        iteration: u32,
    ) -> Result<Ending, Halt> {
        let Audited { ledger, left_out, .. } = audited;
        let findings: Vec<Finding> = open(ledger).map(|entry| entry.finding.clone()).collect();
        let left = u32::try_from(findings.len()).unwrap_or(u32::MAX);
        if let Some(pull) = self.pulled.pull.as_ref().filter(|_| !self.options.local) {
            let (commit, moved) = self.head_now(pull, pull.head_sha.clone()).await?;
            let why_not = self.why_not(audited).or(moved);
            let event = match findings.is_empty() {
                true if self.options.approve && why_not.is_none() => ReviewEvent::Approve,
                false if self.options.request_changes => ReviewEvent::RequestChanges,
                _ => ReviewEvent::Comment,
            };
            let head = match left {
                0 if left_out > 0 => "The audit found nothing severe to change.".to_owned(),
                0 => "The audit found nothing to change.".to_owned(),
                n => format!("The audit has {}.", count(n, "finding")),
            };
            let head = self.with_left_out(head, left_out);
            let head = match left {
                0 => self.with_approval(head, event, &commit, why_not.as_deref()),
                _ => head,
            };
            let why = match left {
                0 => why_not,
                n => Some(format!("{} {} left", count(n, "finding"), agree(n, "is", "are"))),
            };
            let review = Review { commit, audited: pull.head_sha.clone(), event, why };
            self.post_review(pull, review, head, findings).await?;
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
        acceptance: &Acceptance,
        course: &Course<'_>,
    ) -> Result<Option<String>, Halt> {
        let by = ClaimedBy::Verdict;
        self.run.note(iteration, EventKind::Claimed { iteration, by });
        let tree = course.look(Place::new(iteration, "accepted")).await?.tree();
        self.run.note(iteration, acceptance.fact(iteration, by, tree.clone()));
        Ok(tree)
    }

    /// An audit found nothing more: push where that is wanted, then tell GitHub.
    pub(super) async fn approved(
        &self,
        audited: Audited<'_>,
        iteration: u32,
        acceptance: &Acceptance,
        (tree, committed): (Option<String>, Committed),
    ) -> Result<Ending, Halt> {
        let pull = self.pulled.pull.as_ref().filter(|_| !self.options.local);
        if let Some(pull) = pull {
            let has_fixes = self.basis.goes_on || tree != self.basis.tree;
            let mut approval = Approval {
                commit: pull.head_sha.clone(),
                audited: pull.head_sha.clone(),
                is_pushed: false,
                has_fixes,
                why_not: self.why_not(audited),
            };
            if has_fixes {
                self.push(pull, iteration, committed, &mut approval).await?;
            }
            approval.audited.clone_from(&approval.commit);
            let (commit, moved) = self.head_now(pull, approval.commit).await?;
            approval.commit = commit;
            approval.why_not = approval.why_not.or(moved);
            self.tell(pull, approval, audited, iteration, tree).await?;
        }
        Ok(match audited.left_out {
            0 => Ending::Approved { by: ClaimedBy::Verdict, unverified: !acceptance.is_verified() },
            left_out => Ending::Clean { iteration, left_out },
        })
    }

    /// Why what was audited cannot be approved, whatever came of it.
    fn why_not(&self, audited: Audited<'_>) -> Option<String> {
        match &self.basis.differs {
            Some(differs) => Some(format!("what was audited is not the head: {differs}")),
            None if !audited.by_auditors => Some("no auditor has looked at it".to_owned()),
            None => None,
        }
    }

    /// Pushes the fixes to the branch of the pull request, and nowhere else.
    async fn push(
        &self,
        pull: &Pull,
        iteration: u32,
        committed: Committed,
        approval: &mut Approval,
    ) -> Result<(), Halt> {
        let stays = |why: String| {
            let text = format!("{why}: the fixes stay local");
            self.run.note(iteration, EventKind::Noted { text });
            why
        };
        let why = match () {
            () if !self.options.push => "the fixes are local and not pushed".to_owned(),
            () if pull.is_at_origin == Some(false) => stays(format!(
                "the pull request comes from {}, and `origin` is another repository",
                pull.head_repository.as_deref().unwrap_or("a repository that is gone")
            )),
            () if !self.basis.is_on_head => {
                stays("what is here does not follow the head of the pull request".to_owned())
            }
            () => {
                let place = Place::new(iteration, "push");
                match self.run.push(place, &pull.head_ref, &pull.head_sha).await? {
                    Err(why) => stays(format!("the push was refused ({why})")),
                    Ok(pushed) => {
                        let pushed = pushed.or(committed.commit);
                        approval.commit = pushed.unwrap_or_else(|| pull.head_sha.clone());
                        approval.is_pushed = true;
                        if committed.left_out.is_empty() {
                            return Ok(());
                        }
                        "not all of the fixes could be committed".to_owned()
                    }
                }
            }
        };
        approval.why_not.get_or_insert(why);
        Ok(())
    }

    /// The commit that the pull request is at now, and what is to be said where that is not the one
    /// that was audited.
    async fn head_now(
        &self,
        pull: &Pull,
        audited: String,
    ) -> Result<(String, Option<String>), Halt> {
        let now = self.run.gather(self.run.anew("pull/now"), Some(pull.number)).await?.head_sha;
        if now.eq_ignore_ascii_case(&audited) {
            return Ok((audited, None));
        }
        let why = format!(
            "the pull request has moved on to {} since {} was audited",
            short(&now),
            short(&audited)
        );
        self.run.note(0, EventKind::Noted { text: why.clone() });
        Ok((now, Some(why)))
    }

    /// Adds what was approved, or why nothing is.
    fn with_approval(
        &self,
        head: String,
        event: ReviewEvent,
        commit: &str,
        why_not: Option<&str>,
    ) -> String {
        match (event, why_not) {
            (ReviewEvent::Approve, _) => format!("{head} The audited commit is `{commit}`."),
            (_, Some(why)) => format!("{head}\n\nThis is no approval: {why}."),
            (_, None) => head,
        }
    }

    async fn tell(
        &self,
        pull: &Pull,
        approval: Approval,
        Audited { ledger, left_out, .. }: Audited<'_>,
        iteration: u32,
        tree: Option<String>,
    ) -> Result<(), Halt> {
        let Approval { commit, audited, is_pushed, has_fixes, why_not } = approval;
        let event = match self.options.approve && why_not.is_none() {
            true => ReviewEvent::Approve,
            false => ReviewEvent::Comment,
        };
        let tree = tree.map(|tree| format!(" The audited tree is `{tree}`.")).unwrap_or_default();
        let first = match (has_fixes, is_pushed) {
            (false, _) => format!("The audit finds nothing to change.{tree}"),
            (true, true) => {
                format!("The audit finds nothing to change; the fixes are pushed.{tree}")
            }
            (true, false) => format!("The fixes of this audit are local and not pushed.{tree}"),
        };
        let head = format!(
            "{first}\n\nNo findings are left after {} ({}).",
            count(iteration, "iteration"),
            trajectory(ledger)
        );
        let head = self.with_left_out(head, left_out);
        let told = why_not.as_deref().filter(|_| self.options.approve || !has_fixes);
        let head = self.with_approval(head, event, &commit, told);
        let review = Review { commit, audited, event, why: why_not };
        self.post_review(pull, review, head, Vec::new()).await?;
        let text = format!(
            "*Reviewed and auto-fixed in {} ({} findings)*",
            count(iteration, "iteration"),
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
        Review { commit, audited, event, why }: Review,
        head: String,
        findings: Vec<Finding>,
    ) -> Result<(), Halt> {
        let (number, marker) = (pull.number, MarkerKey::new(&self.named.id));
        let audited = Some(audited).filter(|audited| *audited != commit);
        let why = why.or_else(|| Some("it was not asked for (`--approve`)".to_owned()));
        let why = why.filter(|_| event != ReviewEvent::Approve);
        let review = Post::Review { number, commit, event, head, findings, marker, audited, why };
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

fn trajectory(ledger: &Ledger) -> String {
    counts(ledger).join(" → ")
}

fn ascii_trajectory(ledger: &Ledger) -> String {
    counts(ledger).join(" -> ")
}

fn counts(ledger: &Ledger) -> Vec<String> {
    ledger.trajectory().iter().map(u32::to_string).collect()
}
