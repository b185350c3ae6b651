//! One task on its way from developer to reviewer and back, until it is approved or escalated.

use windlass_core::{
    ending::{ClaimedBy, Ending},
    event::{EventKind, Phase, PhaseEntered},
    ids::Place,
    role,
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
    attempt: u32,
    standing: Standing,
    /// The tree before the review, which is what the reviewer judges.
    developed: Option<String>,
    /// Set where the developer's work was not reviewed, because the reviewer failed: the next
    /// iteration begins with that.
    review_is_due: bool,
}

impl<'b, 'a> Bench<'b, 'a> {
    pub(super) fn new(
        run: &'a Run<'a>,
        course: &'b mut Course<'a>,
        desk: &'b Desk<'a>,
        task: &'b Task,
    ) -> Self {
        let standing = Standing::default();
        let (developed, review_is_due) = (None, false);
        Self { run, course, desk, task, attempt: 0, standing, developed, review_is_due }
    }

    /// One iteration; gives the ending once the task has come to one.
    pub(super) async fn iterate(
        &mut self,
        iteration: u32,
        assignment: &mut Assignment<'a>,
    ) -> Result<Option<Ending>, Halt> {
        self.attempt += 1;
        self.run.begin(iteration)?;
        if self.attempt == 1 {
            self.tell(iteration, Phase::Started, None);
        }
        let mut sessions = Vec::new();
        let answer = self.work(iteration, &mut sessions).await?;
        let seen = self.course.look(Place::new(iteration, "reviewed")).await?;
        let (hearing, mut seen) = match answer {
            Some(Verdict::Approved { .. }) => self.approve(iteration, &sessions, seen).await?,
            Some(Verdict::Feedback { .. }) | None => {
                (Hearing { judged: Judged::None, checks: Vec::new() }, seen)
            }
        };
        let ending = match hearing.judged {
            Judged::Accepted { checks } => {
                assignment.tick(iteration, self.task).await?;
                seen = self.course.look(Place::new(iteration, "ticked")).await?;
                self.tell(iteration, Phase::Approved, None);
                Some(Ending::accepted(ClaimedBy::Verdict, checks))
            }
            Judged::Rejected(_) | Judged::None => self.escalate(iteration),
        };
        let mut round = Round::of(&sessions[0], seen, hearing);
        for more in &sessions[1..] {
            round.evidence.add_session(more);
            round.failure = round.failure.or_else(|| more.failure());
        }
        round.evidence.tasks = assignment.mark();
        round.in_part = assignment.next().is_some();
        self.course.close(iteration, round).await?;
        if ending.as_ref().is_some_and(Ending::is_success) {
            return Ok(ending);
        }
        for session in &sessions {
            self.course.give_up_if_hopeless(iteration, session)?;
        }
        if ending.is_none() {
            self.course.pause(iteration).await?;
        }
        Ok(ending)
    }

    /// Lets the developer work and the reviewer judge; gives the verdict, if it came to one.
    async fn work(
        &mut self,
        iteration: u32,
        sessions: &mut Vec<SessionReport>,
    ) -> Result<Option<Verdict>, Halt> {
        if !self.review_is_due {
            self.tell(iteration, Phase::Developing, None);
            let prompt = self.desk.for_developer(self.task, self.attempt, &self.standing)?;
            let (task, place) = (self.task.name.as_deref(), Place::new(iteration, role::DEVELOPER));
            let session = self.course.call(place, role::DEVELOPER, task, prompt).await?;
            self.standing.failure = session.failure();
            sessions.push(session);
        }
        self.developed = self.course.look(Place::new(iteration, "tree")).await?.tree();
        if let Some(failure) = self.standing.failure.clone() {
            self.tell(iteration, Phase::Failed, Some(&failure));
            return Ok(None);
        }
        self.tell(iteration, Phase::Reviewing, None);
        let diff = self.desk.diff(iteration).await?;
        let prompt = self.desk.for_reviewer(self.task, self.attempt, &self.standing, &diff)?;
        let (task, place) = (self.task.name.as_deref(), Place::new(iteration, role::REVIEWER));
        let session = self.course.ask(place, role::REVIEWER, task, prompt).await?;
        let failure = session.failure();
        let verdict = verdict::read(&session.final_text).filter(|_| failure.is_none());
        sessions.push(session);
        self.review_is_due = verdict.is_none();
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
        let worked = Worked { session, seen, objections };
        let claimed = Some(ClaimedBy::Verdict);
        let (hearing, seen) = self.course.hear(iteration, &worked, claimed).await?;
        self.standing.rejection = match &hearing.judged {
            Judged::Rejected(rejection) => Some(rejection.clone()),
            Judged::Accepted { .. } | Judged::None => None,
        };
        Ok((hearing, seen))
    }

    /// The ending, where this was the last allowed iteration.
    fn escalate(&self, iteration: u32) -> Option<Ending> {
        let limit = self.desk.max_iterations;
        if limit == 0 || self.attempt < limit {
            return None;
        }
        let feedback = self.open_feedback();
        self.tell(iteration, Phase::Escalated, Some(&feedback));
        Some(Ending::Escalated { limit, task: self.task.name.clone(), feedback })
    }

    /// What stands between the task and its approval.
    fn open_feedback(&self) -> String {
        match (&self.standing.rejection, &self.standing.feedback) {
            (Some(rejection), _) => rejection.reasons.join("; "),
            (None, Some(feedback)) => feedback.clone(),
            (None, None) => "there is no review: its sessions failed".to_owned(),
        }
    }

    fn tell(&self, iteration: u32, phase: Phase, text: Option<&str>) {
        let text = text.map(|text| text[..text.floor_char_boundary(MOST_WORDS)].to_owned());
        let entered = PhaseEntered {
            task: self.task.name.clone(),
            attempt: Some(self.attempt),
            attempts_allowed: Some(self.desk.max_iterations),
            text,
            ..PhaseEntered::new(iteration, phase)
        };
        self.run.note(iteration, EventKind::Phase(entered));
    }
}
