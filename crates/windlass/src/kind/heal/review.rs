//! BREATHE and REFLECT: a review, and the findings that it has.

use serde::Serialize;
use windlass_core::{
    ending::Ending,
    event::{EventKind, Phase},
    findings::{Entry, Finding, Ledger, Status, report},
    ids::Place,
    prompts::{Cut, HealParseGiven, HealReviewGiven, PromptName, Prompts},
    role,
    step::SessionReport,
    text::{fence, patch},
};
use windlass_repo::tree::REVIEW_FILE;

use super::{Options, StartAt, enter};
use crate::{
    course::Course,
    halt::Halt,
    identity::LoopIdentity,
    kind::emptiness::Emptiness,
    run::{Base, Run},
};

/// How often a session may be tried that must answer.
const TRIES: u32 = 2;

/// What a prompt may need beside the diff.
const BESIDE_THE_DIFF: usize = 24 * 1024;

/// Whoever reviews.
pub(super) struct Review<'a> {
    run: &'a Run<'a>,
    options: &'a Options,
    prompts: Prompts,
    limit: Option<usize>,
    /// What the branch is compared with, and the tree there. It stays what it was when the loop
    /// began, so that commits of the loop are reviewed too.
    base: Base,
    emptiness: Emptiness,
}

/// A finding of an earlier iteration, as the reviewer is told of it.
#[derive(Clone, Serialize)]
struct Earlier {
    #[serde(flatten)]
    finding: Finding,
    fate: String,
}

impl<'a> Review<'a> {
    pub(super) async fn open(
        run: &'a Run<'a>,
        options: &'a Options,
        named: &LoopIdentity,
    ) -> Result<Self, Halt> {
        let prompts = Prompts::new(&options.prompts)
            .map_err(|error| Halt::Failed { message: error.to_string(), code: 2 })?;
        let reviews = options.start_at == StartAt::Review
            && (options.given.is_none() || options.looped)
            && scope(options) == "branch";
        let base = match reviews {
            true => run.base(Place::new(0, "base"), wanted(options)).await?,
            false => Base::default(),
        };
        let emptiness = Emptiness::new(options.allow_empty);
        Ok(Self { run, options, prompts, limit: named.prompt_limit, base, emptiness })
    }

    /// Fills a prompt in, and cuts what may be cut to what the agent can take.
    pub(super) fn prompt(
        &self,
        name: PromptName,
        given: impl Serialize,
        cuts: &[Cut<'_>],
    ) -> Result<String, Halt> {
        self.prompts
            .render_within(name, given, self.limit, cuts)
            .map_err(|error| Halt::Failed { message: error.to_string(), code: 2 })
    }

    /// The findings of another tool, which stand for the first review.
    pub(super) fn given(&self, given: Vec<Finding>) -> Result<Vec<Finding>, Halt> {
        self.emptiness.look_at_given(given.len())?;
        Ok(given)
    }

    /// The findings of an iteration's review. One that cannot be read ends the loop.
    pub(super) async fn findings(
        &self,
        course: &mut Course<'a>,
        ledger: &Ledger,
        iteration: u32,
    ) -> Result<Vec<Finding>, Halt> {
        let review = if self.options.start_at == StartAt::Review {
            enter(self.run, iteration, Phase::Breathe);
            self.review(course, ledger, iteration).await?
        } else {
            self.run.read(Place::new(iteration, "review"), REVIEW_FILE).await?.0
        };
        if self.options.start_at <= StartAt::Parse {
            enter(self.run, iteration, Phase::Reflect);
        }
        match report::read(&review) {
            Ok(findings) => Ok(findings),
            Err(unreadable) if self.options.start_at == StartAt::Fix => {
                let message = format!("the review in `{REVIEW_FILE}` cannot be read: {unreadable}");
                Err(Halt::Failed { message, code: 2 })
            }
            Err(unreadable) => {
                let text = format!(
                    "the review has no findings that windlass can read ({unreadable}); an agent turns it into them"
                );
                self.note(iteration, &text);
                self.parse(course, &review, iteration).await
            }
        }
    }

    /// Lets the reviewer look, and keeps what it says.
    async fn review(
        &self,
        course: &mut Course<'a>,
        ledger: &Ledger,
        iteration: u32,
    ) -> Result<String, Halt> {
        let prompt = self.for_reviewer(ledger, iteration).await?;
        let session = self.answer(course, iteration, role::REVIEWER, prompt).await?;
        self.run.keep(Place::new(iteration, "kept"), session.final_text.clone()).await?;
        Ok(session.final_text)
    }

    async fn for_reviewer(&self, ledger: &Ledger, iteration: u32) -> Result<String, Halt> {
        let options = self.options;
        let mut scope = scope(options);
        let Base { name: base, tree, .. } = &self.base;
        let mut diff = None;
        if scope == "branch" {
            if iteration > 1 {
                let place = Place::new(iteration, "base");
                self.run.tell_if_moved(place, &self.base, wanted(options)).await?;
            }
            let room = self.limit.map_or(patch::LIMIT, |most| most.saturating_sub(BESIDE_THE_DIFF));
            let place = Place::new(iteration, "diff");
            let report = self.run.diff(place, tree.clone(), None, room.min(patch::LIMIT)).await?;
            let what = base.as_deref().unwrap_or("the base");
            // Without a repository there are files all the same; before the first commit of one
            // nobody has said what belongs to the work.
            if report.by.is_none() && base.is_none() {
                scope = "all";
                self.note(iteration, "there is no commit to compare with: everything is reviewed");
            } else if !self.run.is_done(&Place::new(iteration, role::REVIEWER)) {
                self.emptiness.look(&report, what)?;
            }
            diff = report.by.is_some().then_some(report);
        }
        let left_out = diff.as_ref().map(|diff| diff.left_out_lines()).unwrap_or_default();
        let earlier: Vec<Earlier> = ledger.entries().iter().map(Earlier::of).collect();
        let given = HealReviewGiven {
            scope,
            base: base.as_deref(),
            paths: &options.paths,
            diff: diff.as_ref().map(|diff| diff.text.as_str()),
            left_out: &left_out,
            binary: diff.as_ref().map_or(&[], |diff| &diff.binary),
            iteration,
            max_iterations: options.max_iterations(),
            earlier: &earlier,
        };
        let cuts = [Cut::KeepStart("diff"), Cut::KeepStart("description")];
        self.prompt(PromptName::HealReview, given, &cuts)
    }

    fn note(&self, iteration: u32, text: &str) {
        self.run.note(iteration, EventKind::Noted { text: text.to_owned() });
    }

    /// Lets an agent turn the words of a review into findings, and keeps them with it.
    async fn parse(
        &self,
        course: &mut Course<'a>,
        review: &str,
        iteration: u32,
    ) -> Result<Vec<Finding>, Halt> {
        let given = HealParseGiven { review };
        let prompt = self.prompt(PromptName::HealParse, given, &[Cut::KeepEnd("review")])?;
        let session = self.answer(course, iteration, role::PARSER, prompt).await?;
        let findings = report::read(&session.final_text)
            .and_then(|findings| report::confirm(review, findings))
            .map_err(|unreadable| failed(format!("the review cannot be read: {unreadable}")))?;
        let block = serde_json::json!({ "findings": findings });
        let block = serde_json::to_string_pretty(&block).unwrap_or_default();
        let block = fence::fenced("json", &block);
        let both =
            format!("{}\n\n## The findings, as an agent read them\n\n{block}\n", review.trim_end());
        self.run.keep(Place::new(iteration, "kept/parsed"), both).await?;
        Ok(findings)
    }

    /// Calls one who must answer, once more where that fails. Without an answer the loop ends.
    async fn answer(
        &self,
        course: &mut Course<'a>,
        iteration: u32,
        role: &'static str,
        prompt: String,
    ) -> Result<SessionReport, Halt> {
        let mut place = Place::new(iteration, role);
        let mut failure = String::new();
        for attempt in 1..=TRIES {
            let session = course.ask(place.clone(), role, None, prompt.clone()).await?;
            match session.failure() {
                None => return Ok(session),
                Some(why) => failure = why,
            }
            course.give_up_if_hopeless(iteration, &session)?;
            place = Place::new(iteration, format_args!("{role}/try/{}", attempt + 1));
        }
        Err(failed(format!("{TRIES} sessions of the {role} failed, the last one: {failure}")))
    }
}

/// The base that the user named, if they did.
fn wanted(options: &Options) -> Vec<String> {
    options.base.iter().cloned().collect()
}

/// What is reviewed, in the word that the prompt knows.
fn scope(options: &Options) -> &'static str {
    match () {
        () if options.all => "all",
        () if !options.paths.is_empty() => "paths",
        () => "branch",
    }
}

impl Earlier {
    fn of(entry: &Entry) -> Self {
        let fate = match (entry.status, &entry.reason) {
            (Status::Open, _) => "it was to be fixed".to_owned(),
            (Status::Fixed, _) => "a later review did not have it any more".to_owned(),
            (Status::Skipped, Some(reason)) => format!("it was left as it is: {reason}"),
            (Status::Skipped, None) => "it was left as it is".to_owned(),
        };
        Self { finding: entry.finding.clone(), fate }
    }
}

fn failed(reason: String) -> Halt {
    Halt::Ended(Ending::agent_failed(reason))
}
