//! One task on its way from developer to reviewer and back, until it is approved or escalated.

use windlass_core::{
    ending::{ClaimedBy, Ending},
    event::{EventKind, Phase, PhaseEntered},
    ids::Place,
    role,
    status::Status,
    step::SessionReport,
    verdict::{self, Verdict},
};

use super::{
    assignment::{Assignment, Task},
    desk::{Desk, Standing},
};
use crate::{
    course::{Course, Round, Worked},
    halt::Halt,
    proof::{Hearing, Judged},
    run::{Run, Seen},
};

/// How much of a reviewer's words an event carries; the session has them all.
const MOST_WORDS: usize = 16 * 1024;

/// One task on its way.
pub(super) struct Bench<'b, 'a> {
    run: &'a Run<'a>,
    course: &'b mut Course<'a>,
    desk: &'b Desk<'a>,
    task: &'b Task,
    standing: Standing,
    /// Whether this is the first iteration of its turn.
    is_first: bool,
    /// The tree before the review, which is what the reviewer judges.
    developed: Option<String>,
    /// What the developer says to be missing, where it cannot go on.
    blocked: Option<String>,
}

/// What became of a task.
pub(super) enum CameTo {
    /// It was approved; the ending, where it was the last one.
    Approved(Ending),
    /// All its iterations are used up.
    Escalated {
        /// What stands between the task and its approval.
        feedback: String,
    },
    /// The developer cannot go on with it, and says what is missing.
    Blocked {
        /// Its words.
        words: String,
    },
}

impl<'b, 'a> Bench<'b, 'a> {
    pub(super) fn new(
        run: &'a Run<'a>,
        course: &'b mut Course<'a>,
        desk: &'b Desk<'a>,
        task: &'b Task,
        standing: Standing,
    ) -> Self {
        Self { run, course, desk, task, standing, is_first: true, developed: None, blocked: None }
    }

    /// How it stands with the task, for another turn.
    pub(super) fn into_standing(self) -> Standing {
        self.standing
    }

    /// One iteration; says what became of the task once that is known.
    pub(super) async fn iterate(
        &mut self,
        iteration: u32,
        assignment: &mut Assignment<'a>,
    ) -> Result<Option<CameTo>, Halt> {
        self.count(iteration);
        self.run.begin(iteration)?;
        if std::mem::take(&mut self.is_first) {
            self.tell(iteration, Phase::Started, None);
        }
        let mut sessions = Vec::new();
        let answer = self.work(iteration, &mut sessions).await?;
        let seen = self.course.look(Place::new(iteration, "reviewed")).await?;
        let (hearing, mut seen) = match answer {
            Some(Verdict::Approved { .. }) => self.approve(iteration, &sessions, seen).await?,
            Some(Verdict::Feedback { .. }) | None => (Hearing::of_kind(Judged::None), seen),
        };
        let approved = match hearing.judged {
            Judged::Accepted { checks, waived } => {
                self.course.accept_tests(iteration, seen.tree());
                assignment.tick(iteration, self.task).await?;
                seen = self.course.look(Place::new(iteration, "ticked")).await?;
                self.tell(iteration, Phase::Approved, None);
                Some(Ending::accepted(ClaimedBy::Verdict, checks > 0 && !waived))
            }
            Judged::Rejected(_) | Judged::None => None,
        };
        let mut round = Round::of(&sessions[0], seen, hearing);
        for more in &sessions[1..] {
            round.evidence.add_session(more);
            round.failure = round.failure.or_else(|| more.failure());
        }
        round.evidence.tasks = assignment.mark();
        self.tell_blocked(&mut round);
        round.in_part = !assignment.ready().is_empty();
        self.course.close(iteration, round).await?;
        if let Some(ending) = approved {
            return Ok(Some(CameTo::Approved(ending)));
        }
        for session in &sessions {
            self.course.give_up_if_hopeless(iteration, session)?;
        }
        if let Some(words) = self.blocked.take() {
            self.standing.was_blocked = true;
            // A loop without a task file ends by its rule, and goes on here when it is resumed.
            return Ok(self.task.name.is_some().then_some(CameTo::Blocked { words }));
        }
        if let Some(feedback) = self.escalate(iteration) {
            return Ok(Some(CameTo::Escalated { feedback }));
        }
        self.course.pause(iteration).await?;
        Ok(None)
    }

    /// Says in the evidence whether the developer is blocked, and with which task. What a reviewer says of
    /// that, where an iteration has no other session, is not heard.
    fn tell_blocked(&self, round: &mut Round) {
        let is_blocked = self.blocked.is_some();
        round.evidence.blocked.clone_from(&self.blocked);
        round.evidence.blocked_task = self.task.name.clone().filter(|_| is_blocked);
        if let Some(status) = round.evidence.status.as_mut().filter(|_| !is_blocked) {
            status.status = status.status.filter(|status| *status != Status::Blocked);
        }
    }

    /// Counts a try. Those that the agent failed in before the loop was given up are not held
    /// against the task, now that somebody took the loop up again.
    fn count(&mut self, iteration: u32) {
        let attempt = &mut self.standing.attempt;
        if self.run.was_given_up(iteration - 1) {
            *attempt = attempt.saturating_sub(self.course.failures());
        }
        // Neither is one that somebody else kept it from.
        *attempt -= u32::from(std::mem::take(&mut self.standing.was_blocked)).min(*attempt);
        *attempt += 1;
    }

    /// Lets the developer work and the reviewer judge; gives the verdict, if it came to one.
    async fn work(
        &mut self,
        iteration: u32,
        sessions: &mut Vec<SessionReport>,
    ) -> Result<Option<Verdict>, Halt> {
        if !self.standing.review_is_due {
            self.tell(iteration, Phase::Developing, None);
            let prompt = self.desk.for_developer(self.task, &self.standing)?;
            let (task, place) = (self.task.name.as_deref(), Place::new(iteration, role::DEVELOPER));
            let session = self.course.call(place, role::DEVELOPER, task, prompt).await?;
            self.standing.failure = session.failure();
            self.standing.trouble = session.failure();
            self.blocked.clone_from(&session.claim.blocked);
            sessions.push(session);
        }
        self.developed = self.course.look(Place::new(iteration, "tree")).await?.tree();
        if let Some(failure) = self.standing.failure.clone() {
            self.tell(iteration, Phase::Failed, Some(&failure));
            return Ok(None);
        }
        if let Some(words) = &self.blocked {
            self.tell(iteration, Phase::Blocked, Some(words));
            return Ok(None);
        }
        self.tell(iteration, Phase::Reviewing, None);
        let diff = self.desk.diff(iteration, &self.standing).await?;
        let prompt = self.desk.for_reviewer(self.task, &self.standing, &diff)?;
        let (task, place) = (self.task.name.as_deref(), Place::new(iteration, role::REVIEWER));
        let session = self.course.ask(place, role::REVIEWER, task, prompt).await?;
        let failure = session.failure();
        let verdict = verdict::read(&session.final_text).filter(|_| failure.is_none());
        sessions.push(session);
        self.standing.review_is_due = verdict.is_none();
        self.standing.trouble.clone_from(&failure);
        match &verdict {
            Some(Verdict::Feedback { text }) => {
                self.tell(iteration, Phase::Feedback, Some(text));
                self.standing.feedback = Some(text.clone());
                self.standing.rejection = None;
            }
            Some(Verdict::Approved { .. }) => self.standing.feedback = None,
            None => {
                let failure = failure.unwrap_or_else(|| "the reviewer said nothing".to_owned());
                self.tell(iteration, Phase::Failed, Some(&failure));
            }
        }
        Ok(verdict)
    }

    /// Proves what the reviewer approved.
    async fn approve(
        &mut self,
        iteration: u32,
        sessions: &[SessionReport],
        seen: Seen,
    ) -> Result<(Hearing, Seen), Halt> {
        let session = sessions.last().cloned().ok_or(Halt::Stopped)?;
        let mut objections = Vec::new();
        if seen.tree() != self.developed {
            let why = "the reviewer changed files, so what it approved is not what is there";
            objections.push(why.to_owned());
        }
        let worked = Worked { session, seen, objections, blocked_task: None };
        let claimed = Some(ClaimedBy::Verdict);
        let (hearing, seen) = self.course.hear(iteration, &worked, claimed).await?;
        self.standing.rejection = match &hearing.judged {
            Judged::Rejected(rejection) => Some(rejection.clone()),
            Judged::Accepted { .. } | Judged::None => None,
        };
        Ok((hearing, seen))
    }

    /// What is open, where this was the last allowed iteration. An agent that keeps failing is
    /// another ending, and so is one that is blocked.
    fn escalate(&self, iteration: u32) -> Option<String> {
        let limit = self.desk.max_iterations;
        let is_last = limit != 0 && self.standing.attempt >= limit && !self.run.is_given_up();
        if !self.run.was_escalated(iteration).unwrap_or(is_last) {
            return None;
        }
        let feedback = self.open_feedback();
        let entered = self.entered(iteration, Phase::Escalated, Some(&feedback));
        self.run.note_after(iteration, entered);
        Some(feedback)
    }

    /// What stands between the task and its approval.
    fn open_feedback(&self) -> String {
        let Standing { rejection, feedback, trouble, .. } = &self.standing;
        let trouble = trouble.as_ref().map(|why| format!("the last session failed: {why}"));
        let wanted = match (rejection, feedback) {
            (Some(rejection), _) => Some(rejection.reasons.join("; ")),
            (None, Some(feedback)) => Some(feedback.clone()),
            (None, None) => None,
        };
        match (wanted, trouble) {
            (Some(wanted), Some(trouble)) => format!("{wanted}\n\n{trouble}"),
            (Some(wanted), None) => wanted,
            (None, Some(trouble)) => format!("there is no review: {trouble}"),
            (None, None) => "there is no review".to_owned(),
        }
    }

    fn tell(&self, iteration: u32, phase: Phase, text: Option<&str>) {
        self.run.note(iteration, self.entered(iteration, phase, text));
    }

    fn entered(&self, iteration: u32, phase: Phase, text: Option<&str>) -> EventKind {
        let text = text.map(|text| text[..text.floor_char_boundary(MOST_WORDS)].to_owned());
        let entered = PhaseEntered {
            task: Some(self.task.label()),
            attempt: Some(self.standing.attempt),
            attempts_allowed: Some(self.desk.max_iterations),
            text,
            ..PhaseEntered::new(iteration, phase)
        };
        EventKind::Phase(entered)
    }
}
