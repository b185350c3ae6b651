//! The auditors, side by side. All of them must answer: an audit without one of them is none.

use std::sync::OnceLock;

use futures_util::{StreamExt, stream};
use windlass_core::{
    ending::Ending,
    event::EventKind,
    findings::{Finding, Noticed, aggregate, by_file, report},
    ids::Place,
    prompts::{AuditGiven, ChangedFile, Cut, FailedCheck, PrFixGiven, PromptName, Prompts},
    role,
    step::{CheckReport, SessionReport, SessionStep},
    text::patch::{self, DiffReport},
};

use super::{Options, fix::Fixed, pulled::Pulled};
use crate::{
    course::{Course, has_changed_files},
    halt::Halt,
    identity::LoopIdentity,
    kind::{
        emptiness::Emptiness,
        pr::auditors::{Auditor, Concerned, auditors, concerned},
    },
    limits::Shift,
    run::{Base, Run},
};

/// How often an auditor may try.
const TRIES: u32 = 2;

/// What a prompt may need beside the diff.
const BESIDE_THE_DIFF: usize = 32 * 1024;

/// Whoever audits and fixes.
pub(super) struct Audit<'a> {
    run: &'a Run<'a>,
    options: &'a Options,
    named: &'a LoopIdentity,
    pulled: &'a Pulled,
    prompts: Prompts,
    auditors: Vec<Auditor>,
    /// What the change is compared with, once that was found.
    base: OnceLock<Base>,
    emptiness: Emptiness,
}

/// What an audit found.
pub(super) struct Found {
    pub(super) findings: Vec<Finding>,
    /// How many more there are that are less severe than what the user wants to hear of.
    pub(super) left_out: u32,
}

/// What an auditor found, with its name.
type Told = (String, Vec<Finding>);

/// The change under audit.
struct Change {
    base: String,
    diff: DiffReport,
    files: Vec<(String, &'static str)>,
}

impl<'a> Audit<'a> {
    pub(super) fn open(
        run: &'a Run<'a>,
        options: &'a Options,
        named: &'a LoopIdentity,
        pulled: &'a Pulled,
    ) -> Result<Self, Halt> {
        let bad = |message: String| Halt::Failed { message, code: 2 };
        let prompts = Prompts::new(&options.prompts).map_err(|error| bad(error.to_string()))?;
        let auditors =
            auditors(&options.auditors, &prompts).map_err(|error| bad(error.to_string()))?;
        let base = OnceLock::new();
        let emptiness = Emptiness::new(options.allow_empty);
        Ok(Self { run, options, named, pulled, prompts, auditors, base, emptiness })
    }

    /// What all auditors find in the change as it is now.
    pub(super) async fn findings(
        &self,
        course: &mut Course<'a>,
        iteration: u32,
    ) -> Result<Found, Halt> {
        let change = self.change(iteration).await?;
        // An audit that an earlier owner has begun is not taken back.
        if !self.run.is_done(&Place::new(iteration, "before")) {
            self.emptiness.look(&change.diff, &change.base)?;
        }
        course.look(Place::new(iteration, "before")).await?;
        let busy = self.concerned(&change, iteration)?;
        let all = match self.side_by_side(course, iteration, &change, &busy).await? {
            Some(all) => all,
            None => self.one_at_a_time(course, iteration, &change, &busy).await?,
        };
        Ok(self.severe(aggregate(&all, None)))
    }

    /// All auditors at the same time; `None` where one of them changed what was there, for nobody
    /// can say which.
    async fn side_by_side(
        &self,
        course: &Course<'a>,
        iteration: u32,
        change: &Change,
        busy: &[&Auditor],
    ) -> Result<Option<Vec<Told>>, Halt> {
        let untouched = course.before_reading(Place::new(iteration, "audit")).await?;
        let jobs = usize::try_from(self.options.jobs.max(1)).unwrap_or(usize::MAX);
        let audits = busy.iter().map(|auditor| self.ask(auditor, at(iteration, auditor), change));
        let reports: Vec<_> = stream::iter(audits).buffered(jobs).collect().await;
        let counts = match reports.iter().any(|report| matches!(report, Err(Halt::Stopped))) {
            true => true,
            false => course.has_only_read(untouched, role::AUDITOR).await?,
        };
        if !counts {
            return Ok(None);
        }
        let told = busy.iter().zip(reports);
        told.map(|(auditor, report)| Ok((auditor.name.clone(), report?)))
            .collect::<Result<_, Halt>>()
            .map(Some)
    }

    /// The same auditors once more, so that it can be said who changes files.
    async fn one_at_a_time(
        &self,
        course: &Course<'a>,
        iteration: u32,
        change: &Change,
        busy: &[&Auditor],
    ) -> Result<Vec<Told>, Halt> {
        let mut all = Vec::new();
        for auditor in busy {
            let place = at(iteration, auditor).inner("repeated");
            let untouched = course.before_reading(place.clone()).await?;
            let findings = self.ask(auditor, place, change).await;
            let who = format!("auditor {}", auditor.name);
            if !course.has_only_read(untouched, &who).await? {
                return Err(has_changed_files(&who));
            }
            all.push((auditor.name.clone(), findings?));
        }
        Ok(all)
    }

    /// The findings of another tool, which stand for the first audit.
    pub(super) fn given(&self, given: Vec<Finding>) -> Result<Found, Halt> {
        self.emptiness.look_at_given(given.len())?;
        Ok(self.severe(given))
    }

    /// Leaves out what is less severe than what the user wants to hear of.
    fn severe(&self, mut findings: Vec<Finding>) -> Found {
        let all = findings.len();
        let least = self.options.min_severity;
        findings.retain(|finding| least.is_none_or(|least| finding.severity >= least));
        let left_out = u32::try_from(all - findings.len()).unwrap_or(u32::MAX);
        Found { findings, left_out }
    }

    /// The auditors that have something to look at.
    fn concerned(&self, change: &Change, iteration: u32) -> Result<Vec<&Auditor>, Halt> {
        let files: Vec<&str> = change.files.iter().map(|(path, _)| path.as_str()).collect();
        let note = |text| self.run.note(iteration, EventKind::Noted { text });
        let Concerned { auditors, notes } = concerned(&self.auditors, &files);
        notes.into_iter().for_each(note);
        if auditors.is_empty() {
            let message = "no auditor looks at any of the changed files".to_owned();
            return Err(Halt::Failed { message, code: 2 });
        }
        Ok(auditors)
    }

    /// One auditor, once more where it fails.
    async fn ask(
        &self,
        auditor: &Auditor,
        mut place: Place,
        change: &Change,
    ) -> Result<Vec<Finding>, Halt> {
        let prompt = self.for_auditor(auditor, change)?;
        let agent = auditor.agent.as_deref().unwrap_or(self.named.agent_of(role::AUDITOR));
        let common = &self.options.common;
        let mut shift = Shift::new(agent, &common.limits);
        let mut why = String::new();
        for attempt in 1..=TRIES {
            let step = |agent: &str| SessionStep::new(role::AUDITOR, agent, prompt.clone());
            let how = (&common.limits, &common.pace);
            let session = shift.session(self.run, how, &place, step).await?;
            match read(&session) {
                Ok(findings) => return Ok(findings),
                Err(reason) => why = reason,
            }
            if session.outcome.is_hopeless() {
                break;
            }
            place = place.inner(format_args!("try/{}", attempt + 1));
        }
        let reason = format!("the auditor {} gave no answer that counts: {why}", auditor.name);
        Err(Halt::Ended(Ending::agent_failed(reason)))
    }

    fn for_auditor(&self, auditor: &Auditor, change: &Change) -> Result<String, Halt> {
        let left_out = change.diff.left_out_lines();
        let files: Vec<ChangedFile<'_>> =
            change.files.iter().map(|(path, change)| ChangedFile { path, change }).collect();
        let given = AuditGiven {
            auditor: &auditor.name,
            brief: &auditor.brief,
            pr: self.pulled.told(&change.base),
            description: self.pulled.pull.as_ref().and_then(|pull| pull.body.as_deref()),
            files: &files,
            paths: &auditor.paths,
            diff: &change.diff.text,
            left_out: &left_out,
            binary: &change.diff.binary,
        };
        let cuts = [Cut::KeepStart("diff"), Cut::KeepStart("description")];
        self.fill(PromptName::Audit, given, &cuts)
    }

    /// The change as it is now.
    async fn change(&self, iteration: u32) -> Result<Change, Halt> {
        let base = self.base(iteration).await?;
        let limit = self.named.prompt_limit;
        let room = limit.map_or(patch::LIMIT, |limit| limit.saturating_sub(BESIDE_THE_DIFF));
        let place = Place::new(iteration, "diff");
        let diff = self.run.diff(place, base.tree.clone(), None, room.min(patch::LIMIT)).await?;
        let files = diff.changed_files();
        Ok(Change { base: base.name.clone().unwrap_or_default(), diff, files })
    }

    /// What the change is compared with: in every iteration what it was in the first.
    async fn base(&self, iteration: u32) -> Result<&Base, Halt> {
        let (place, bases) = (Place::new(iteration, "base"), self.pulled.bases());
        if let Some(base) = self.base.get() {
            self.run.tell_if_moved(place, base, bases).await?;
            return Ok(base);
        }
        let base = self.run.base(place, bases).await?;
        Ok(self.base.get_or_init(|| base))
    }

    /// One session that fixes all that was found.
    pub(super) async fn fix(
        &self,
        course: &mut Course<'a>,
        iteration: u32,
        found: &[Noticed],
        failed: &[CheckReport],
    ) -> Result<Fixed, Halt> {
        let findings: Vec<Finding> = found.iter().map(|noticed| noticed.finding.clone()).collect();
        let failed: Vec<FailedCheck<'_>> = failed
            .iter()
            .map(|check| FailedCheck { command: &check.command, output: &check.tail })
            .collect();
        let given = PrFixGiven {
            pr: self.pulled.told(self.options.base.as_deref().unwrap_or("the base")),
            groups: &by_file(&findings),
            total: findings.len(),
            iteration,
            max_iterations: self.options.max_iterations(),
            checks: &self.options.common.proof.checks,
            failed: &failed,
        };
        let cuts = [Cut::KeepEnd("output"), Cut::KeepStart("description")];
        let prompt = self.fill(PromptName::PrFix, given, &cuts)?;
        let mut place = Place::new(iteration, role::FIXER);
        let mut why = String::new();
        for attempt in 1..=TRIES {
            let session = course.call(place.clone(), role::FIXER, None, prompt.clone()).await?;
            match session.failure() {
                None => return Ok(Fixed::of(&session, found)),
                Some(reason) => why = reason,
            }
            course.give_up_if_hopeless(iteration, &session)?;
            place = Place::new(iteration, format_args!("{}/try/{}", role::FIXER, attempt + 1));
        }
        let reason = format!("{TRIES} sessions of the fixer failed, the last one: {why}");
        Err(Halt::Ended(Ending::agent_failed(reason)))
    }

    fn fill(
        &self,
        name: PromptName,
        given: impl serde::Serialize,
        cuts: &[Cut<'_>],
    ) -> Result<String, Halt> {
        self.prompts
            .render_within(name, given, self.named.prompt_limit, cuts)
            .map_err(|error| Halt::Failed { message: error.to_string(), code: 2 })
    }
}

/// Where an auditor is called.
fn at(iteration: u32, auditor: &Auditor) -> Place {
    Place::new(iteration, format_args!("{}/{}", role::AUDITOR, auditor.name))
}

/// The findings of an auditor's session, or why it has none.
fn read(session: &SessionReport) -> Result<Vec<Finding>, String> {
    match session.failure() {
        Some(failure) => Err(failure),
        None => report::read(&session.final_text).map_err(|unreadable| unreadable.to_string()),
    }
}
