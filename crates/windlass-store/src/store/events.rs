//! Events as rows. The words of agents and the prompts are kept once, in the tables that people
//! read; a row of `journal` refers to them, and they are put together again here.

use rusqlite::{Connection, Result, Row};
use windlass_core::{
    event::{Event, EventKind},
    ids::Place,
    said::{Said, Usage},
    step::{SessionReport, SessionStep, Step, StepResult},
};

use super::{
    columns::{IdColumn, TimeColumn, from_int, int, json, unreadable},
    rows::{Rows, own},
};

/// Where the words of an event are kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    /// The session that has them; `None` where the event itself keeps all.
    pub session: Option<i64>,
    /// The message of that session.
    pub sequence: Option<u64>,
}

/// So many messages belong to one row at the most: whoever wants the last of them passes over the
/// others.
const LONGEST_RUN: u64 = 256;

/// Adds the rows of events. What an agent says without anything between takes one row.
pub(super) struct EventRows<'a> {
    rows: Rows<'a, 8>,
    run: Option<Run<'a>>,
}

/// Events that are about to become one row.
struct Run<'a> {
    first: &'a Event,
    words: Words,
    count: u64,
}

impl Run<'_> {
    /// Whether these words come right after it.
    fn goes_on_with(&self, words: Words) -> bool {
        let Words { session, sequence } = self.words;
        session.is_some()
            && session == words.session
            && sequence.is_some_and(|first| words.sequence == Some(first + self.count))
            && self.count < LONGEST_RUN
    }
}

impl<'a> EventRows<'a> {
    pub(super) fn new(connection: &'a Connection) -> Self {
        let insert = "INSERT INTO journal (loop, seq, at, type, body, session, sequence, count)";
        Self { rows: Rows::new(connection, insert), run: None }
    }

    /// Adds an event, which comes right after the last.
    pub(super) fn add(&mut self, event: &'a Event, words: Words) -> Result<()> {
        match &mut self.run {
            Some(run) if run.goes_on_with(words) => {
                run.count += 1;
                Ok(())
            }
            run => match run.replace(Run { first: event, words, count: 1 }) {
                Some(run) => self.row(&run),
                None => Ok(()),
            },
        }
    }

    fn row(&mut self, run: &Run<'a>) -> Result<()> {
        let (event, words) = (run.first, run.words);
        let body = match (words.session, &event.kind) {
            (Some(_), EventKind::AgentSaid { .. }) => SAID.into(),
            (Some(_), kind) => measured(without_words(kind)?, event.ran_ms).into(),
            (None, kind) => measured(json(kind)?, event.ran_ms).into(),
        };
        self.rows.add([
            event.loop_id.as_str().into(),
            own(int(event.seq)),
            own(event.at.to_string()),
            event.kind.word().into(),
            body,
            own(words.session),
            own(words.sequence.map(int)),
            own(int(run.count)),
        ])
    }

    /// Adds those that still wait.
    pub(super) fn finish(mut self) -> Result<()> {
        if let Some(run) = self.run.take() {
            self.row(&run)?;
        }
        self.rows.finish()
    }
}

/// The columns that [`read`] reads, and where they come from. The number of an event is that of its
/// row and how far in the row it stands.
pub(super) const SELECT: &str = "
    SELECT e.loop, e.seq + coalesce(m.sequence - e.sequence, 0) AS event_seq,
           coalesce(m.at, e.at), e.body, e.session,
           CASE e.type WHEN 'step_started' THEN s.prompt
                       WHEN 'step_finished' THEN s.text
                       WHEN 'agent_said' THEN s.place END,
           m.type, m.content, m.detail
    FROM journal e
    LEFT JOIN sessions s ON s.id = e.session
    LEFT JOIN messages m ON m.session = e.session
          AND m.sequence BETWEEN e.sequence AND e.sequence + e.count - 1";

/// Puts an event together.
pub(super) fn read(row: &Row<'_>) -> Result<Event> {
    let IdColumn(loop_id) = row.get(0)?;
    let seq = from_int(row, 1)?;
    let TimeColumn(at) = row.get(2)?;
    let session: Option<i64> = row.get(4)?;
    let body = row.get_ref(3)?.as_str()?;
    let kind = if session.is_some() && body == SAID {
        let place: String = row.get(5)?;
        EventKind::AgentSaid { place: Place::from(place), said: said(row)? }
    } else {
        let mut kind = serde_json::from_str(body).map_err(|error| unreadable(3, error))?;
        if session.is_some() {
            give_words(&mut kind, row.get(5)?);
        }
        kind
    };
    Ok(Event { seq, at, ran_ms: measure(body), loop_id, kind })
}

/// What comes before the measure of an event, which is the last in its body. Readers of any version pass
/// over it where they look for the event itself.
const MEASURE: &str = ",\"ran_ms\":";

/// A body with its measure.
fn measured(mut body: String, ran_ms: Option<u64>) -> String {
    if let Some(ran) = ran_ms
        && body.pop() == Some('}')
    {
        body.push_str(&format!("{MEASURE}{ran}}}"));
    }
    body
}

/// The measure of a body. No text in it can look like one: its quotes are escaped.
fn measure(body: &str) -> Option<u64> {
    let (_, last) = body.strip_suffix('}')?.rsplit_once(MEASURE)?;
    last.parse().ok()
}

/// The body of what an agent said, where all of it is in `messages`.
const SAID: &str = r#"{"type":"agent_said"}"#;

/// The body of an event whose words are elsewhere.
fn without_words(kind: &EventKind) -> Result<String> {
    match kind {
        EventKind::StepStarted { place, step: Step::Session(step), fingerprint } => {
            let step = SessionStep {
                role: step.role.clone(),
                agent: step.agent.clone(),
                prompt: String::new(),
                lesson: step.lesson.clone(),
                task: step.task.clone(),
            };
            json(&EventKind::StepStarted {
                place: place.clone(),
                step: Step::Session(step),
                fingerprint: fingerprint.clone(),
            })
        }
        EventKind::StepFinished { place, result: StepResult::Session(report) } => {
            let bare = SessionReport {
                outcome: report.outcome.clone(),
                final_text: String::new(),
                claim: report.claim.clone(),
                problem: report.problem.clone(),
                model: report.model.clone(),
                session_id: report.session_id.clone(),
                leftovers: report.leftovers.clone(),
                denied_tools: report.denied_tools.clone(),
                lost_background: report.lost_background.clone(),
                ..**report
            };
            let result = StepResult::Session(Box::new(bare));
            json(&EventKind::StepFinished { place: place.clone(), result })
        }
        other => json(other),
    }
}

fn give_words(kind: &mut EventKind, words: String) {
    match kind {
        EventKind::StepStarted { step: Step::Session(step), .. } => step.prompt = words,
        EventKind::StepFinished { result: StepResult::Session(report), .. } => {
            report.final_text = words;
        }
        _ => {}
    }
}

/// What `content` of a message does not tell, as JSON.
pub(super) fn detail(said: &Said) -> Result<Option<String>> {
    match said {
        Said::Text { .. } | Said::Problem { .. } | Said::Raw { .. } | Said::Stderr { .. } => {
            Ok(None)
        }
        Said::ToolUse { name, .. } => json(name).map(Some),
        Said::ToolResult { failed, .. } | Said::Hook { failed, .. } => json(failed).map(Some),
        Said::Usage(usage) => json(usage).map(Some),
        Said::Limit { until } => json(until).map(Some),
    }
}

/// Puts a message together: columns 6 to 8 of [`SELECT`].
fn said(row: &Row<'_>) -> Result<Said> {
    let (kind, content): (String, String) = (row.get(6)?, row.get(7)?);
    let detail: Option<String> = row.get(8)?;
    let detail = detail.as_deref().unwrap_or("null");
    let wrong = |error| unreadable(8, error);
    Ok(match kind.as_str() {
        "text" => Said::Text { text: content },
        "problem" => Said::Problem { text: content },
        "raw" => Said::Raw { text: content },
        "stderr" => Said::Stderr { text: content },
        "tool_use" => {
            Said::ToolUse { name: serde_json::from_str(detail).map_err(wrong)?, summary: content }
        }
        "tool_result" => Said::ToolResult {
            summary: content,
            failed: serde_json::from_str(detail).map_err(wrong)?,
        },
        "hook" => {
            Said::Hook { summary: content, failed: serde_json::from_str(detail).map_err(wrong)? }
        }
        "usage" => Said::Usage(serde_json::from_str::<Usage>(detail).map_err(wrong)?),
        "limit" => Said::Limit { until: serde_json::from_str(detail).map_err(wrong)? },
        _ => return Err(rusqlite::Error::InvalidColumnType(6, kind, rusqlite::types::Type::Text)),
    })
}
