//! `--format TEMPLATE`: the result through a template of the user, in minijinja's language.

use std::io;

use minijinja::{Environment, Error, UndefinedBehavior, value::Serde};
use serde_json::Value;
use windlass::Reporter;
use windlass_core::{
    event::{Event, LeftBehind, LeftKind},
    findings::Counts,
    forge::PostedReview,
    proof_record::ProofRecord,
    result::{LoopResult, SCHEMA},
    said::Usage,
    text::sanitise,
};

use super::{Next, Screen, streams::Streams};
use crate::host::failure::Failure;

/// The name that errors call the template by.
const NAME: &str = "--format";

/// Prints the result through a template that was found good before the loop began.
pub(crate) struct Template {
    streams: Streams,
    environment: Environment<'static>,
}

impl Template {
    /// A screen for this template. One that cannot work is refused here, before anything runs.
    pub(crate) fn new(streams: Streams, source: &str) -> Result<Self, Failure> {
        let wrong = |why: String| {
            Failure::usage(format!("the template of `--format` cannot be used: {why}"))
                .hint("for example: --format '{{ name }}: {{ ending.type }}'")
        };
        let mut environment = Environment::new();
        // Only some endings have a reason, so a field that is not there is nothing, not an error.
        environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        // So is one that is null: people do not expect the word of another language there.
        environment.set_formatter(|out, state, value| {
            let empty = minijinja::Value::from("");
            let value = if value.is_none() { &empty } else { value };
            minijinja::escape_formatter(out, state, value)
        });
        environment
            .add_template_owned(NAME, source.to_owned())
            .map_err(|error| wrong(error.to_string()))?;
        let screen = Self { streams, environment };
        screen.check_names().map_err(wrong)?;
        screen.render(&sample()).map_err(|error| wrong(error.to_string()))?;
        Ok(screen)
    }

    /// Finds names that no result has: misspelt ones would print as nothing.
    fn check_names(&self) -> Result<(), String> {
        let known = json(&sample());
        let Some(known) = known.as_object() else { return Ok(()) };
        let template = self.environment.get_template(NAME).map_err(|error| error.to_string())?;
        let used = template.undeclared_variables(false);
        let mut unknown: Vec<&String> = used
            .iter()
            .filter(|name| !known.contains_key(*name))
            .filter(|name| !self.environment.globals().any(|(global, _)| global == name.as_str()))
            .collect();
        unknown.sort();
        let Some(name) = unknown.first() else { return Ok(()) };
        let near = known
            .keys()
            .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Err(format!("a result has no `{name}`{near}"))
    }

    fn render(&self, result: &LoopResult) -> Result<String, Error> {
        self.environment.get_template(NAME)?.render(minijinja::Value::from(Serde(json(result))))
    }
}

impl Reporter for Template {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.streams.warn(event);
        Ok(())
    }
}

impl Screen for Template {
    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        self.render(result)
            .map_err(io::Error::other)
            .and_then(|text| self.streams.line(text.strip_suffix('\n').unwrap_or(&text)))
    }

    fn next(&mut self, next: &Next) {
        self.streams.next(next);
    }
}

/// The result as JSON, with only what may be shown in its strings.
fn json(result: &LoopResult) -> Value {
    let mut value = serde_json::to_value(result).unwrap_or_default();
    sanitised(&mut value);
    value
}

fn sanitised(value: &mut Value) {
    match value {
        Value::String(text) => *text = sanitise::text(text).into_owned(),
        Value::Array(items) => items.iter_mut().for_each(sanitised),
        Value::Object(fields) => fields.values_mut().for_each(sanitised),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A result that has every field, to try a template on.
fn sample() -> LoopResult {
    LoopResult {
        schema: SCHEMA,
        id: "0123456789abcdef".to_owned(),
        name: "brave-otter".to_owned(),
        kind: "iterate".to_owned(),
        directory: "/".to_owned(),
        worktree: Some("/".to_owned()),
        agent: "command".to_owned(),
        ending: serde_json::json!({"type": "done", "by": "promise"}),
        success: true,
        verified: true,
        doubts: vec!["none".to_owned()],
        proof: Some(ProofRecord::default()),
        loop_mode: true,
        task: Some("Make the tests pass".to_owned()),
        iterations: 1,
        sessions: 1,
        findings: Counts::default(),
        fixes: 0,
        tasks_completed: 0,
        files_modified: 1,
        usage: Usage { input_tokens: 1, output_tokens: 1, cost_usd: Some(0.1) },
        posted: Some(PostedReview {
            event: "COMMENT".to_owned(),
            commit: "0123456789abcdef".to_owned(),
            url: "https://example.org".to_owned(),
            why: Some("none".to_owned()),
        }),
        left_behind: vec![LeftBehind {
            what: LeftKind::Hook,
            path: ".git/hooks/pre-commit".to_owned(),
            could: "runs at your next `git commit`".to_owned(),
        }],
        completion_text: Some("COMPLETE".to_owned()),
        final_text: "done".to_owned(),
        final_status: Some(windlass_core::status::StatusBlock::default()),
        rate_limit_hit: false,
        task_list: Some("list.md".to_owned()),
        duration_ms: 1000,
        exit_code: Some(0),
        error: Some("none".to_owned()),
    }
}
