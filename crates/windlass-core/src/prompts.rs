//! What agents are asked in loops with several roles: templates that users can replace, frozen
//! with the loop, and found good before it starts. What is not ours goes in through `fenced` or
//! `inline`, so that it is data to whoever reads it.

mod about_tests;
mod cut;
mod error;
mod filters;
mod given;
mod name;
mod options;
mod sample;

use minijinja::{Environment, UndefinedBehavior, syntax::SyntaxConfig, value::Serde};
use serde::Serialize;
use serde_json::Value;

pub use self::{
    about_tests::speaks_of_changing_tests,
    cut::Cut,
    error::PromptError,
    given::{
        AuditGiven, ChangedFile, DevelopGiven, FailedCheck, HealFixGiven, HealParseGiven,
        HealReviewGiven, HealTestsGiven, PrFixGiven, ReviewDiffGiven,
    },
    name::{PromptName, UnknownPrompt},
    options::PromptOptions,
};

/// How many instructions a template may take: thousands of findings are fine, no end is not.
const FUEL: u64 = 2_000_000;

/// All prompts of a loop, ready to be filled in.
#[derive(Clone, Debug)]
pub struct Prompts {
    environment: Environment<'static>,
}

impl Prompts {
    /// The built-in prompts with those of the user in their place. One that cannot work is refused
    /// here, before anything runs.
    pub fn new(options: &PromptOptions) -> Result<Self, PromptError> {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.expect("the usual marks of templates do not clash"));
        // What is not there may be asked after, and may not be printed.
        environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        environment.set_fuel(Some(FUEL));
        filters::add_to(&mut environment);
        for name in PromptName::ALL {
            let text = options.prompts.get(&name).map_or(name.built_in(), String::as_str);
            environment
                .add_template_owned(name.file(), text.to_owned())
                .map_err(|error| PromptError::of(name, &error))?;
        }
        let prompts = Self { environment };
        for name in PromptName::ALL {
            prompts.check_names(name)?;
            for sample in sample::samples(name) {
                prompts.fill(name, &sample)?;
            }
        }
        Ok(prompts)
    }

    /// The text of a prompt for what is given.
    pub fn render(&self, name: PromptName, given: impl Serialize) -> Result<String, PromptError> {
        self.fill(name, &value_of(name, given)?)
    }

    /// The text of a prompt in at most `limit` bytes. What `cuts` names is shortened for it, the
    /// first of them first, and nothing else is.
    pub fn render_within(
        &self,
        name: PromptName,
        given: impl Serialize,
        limit: Option<usize>,
        cuts: &[Cut<'_>],
    ) -> Result<String, PromptError> {
        let mut given = value_of(name, given)?;
        let limit = limit.unwrap_or(usize::MAX);
        let mut text = self.fill(name, &given)?;
        for cut in cuts {
            let whole = given.clone();
            let mut excess = 0;
            while text.len() > limit {
                excess += text.len() - limit;
                given = cut.apply(whole.clone(), excess);
                let shorter = self.fill(name, &given)?;
                let has_helped = shorter.len() < text.len();
                text = shorter;
                if !has_helped {
                    break;
                }
            }
        }
        if text.len() > limit {
            return Err(PromptError::TooLong { name, bytes: text.len(), limit });
        }
        Ok(text)
    }

    fn fill(&self, name: PromptName, given: &Value) -> Result<String, PromptError> {
        let template = self.environment.get_template(&name.file());
        let text =
            template.and_then(|template| template.render(minijinja::Value::from(Serde(given))));
        let text = text.map_err(|error| PromptError::of(name, &error))?;
        Ok(text.trim_start_matches('\n').trim_end().to_owned())
    }

    /// Finds names that the prompt does not get, be it in a branch that is taken once a year.
    fn check_names(&self, name: PromptName) -> Result<(), PromptError> {
        let template = self.environment.get_template(&name.file());
        let template = template.map_err(|error| PromptError::of(name, &error))?;
        let [known, _] = sample::samples(name);
        let used = template.undeclared_variables(true);
        let mut unknown: Vec<_> = used
            .into_iter()
            .filter(|path| !is_known(path, &known))
            .filter(|path| !self.environment.globals().any(|(global, _)| global == path.as_str()))
            .map(|path| (line_of(&path, template.source()), path))
            .collect();
        unknown.sort();
        match unknown.into_iter().next() {
            Some((line, variable)) => Err(PromptError::UnknownVariable { name, line, variable }),
            None => Ok(()),
        }
    }
}

fn value_of(name: PromptName, given: impl Serialize) -> Result<Value, PromptError> {
    serde_json::to_value(given).map_err(|error| PromptError::Wrong {
        name,
        line: None,
        why: error.to_string(),
    })
}

/// Whether a path such as `pr.title` leads somewhere. Only what an object lacks is unknown: other
/// values have methods that nobody lists.
fn is_known(path: &str, known: &Value) -> bool {
    let mut value = known;
    for part in path.split('.') {
        match (value.get(part), value) {
            (Some(inner), _) => value = inner,
            (None, Value::Object(_)) => return false,
            (None, _) => return true,
        }
    }
    true
}

/// The first line that names a variable outside of comments.
fn line_of(path: &str, source: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut in_comment = false;
    for (number, line) in (1..).zip(source.lines()) {
        in_comment |= line.contains("{#");
        let mut found = line.match_indices(path).filter(|(at, _)| {
            !line[..*at].ends_with(is_part) && !line[at + path.len()..].starts_with(is_part)
        });
        if !in_comment && found.next().is_some() {
            return Some(number);
        }
        in_comment &= !line.contains("#}");
    }
    None
}

#[cfg(test)]
mod tests;
