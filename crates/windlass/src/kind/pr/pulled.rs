//! The pull request, gathered once; without GitHub, what takes its place.

use serde::Serialize;
use windlass_core::{
    event::EventKind,
    forge::{Pull, PullState},
    ids::Place,
};

use super::Options;
use crate::{halt::Halt, run::Run};

/// The pull request of a loop.
pub(super) struct Pulled {
    /// What GitHub says of it; `None` for a loop that works without.
    pub(super) pull: Option<Pull>,
    base: Option<String>,
}

/// A pull request, as the prompts are told of it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Told<'a> {
    number: Option<u64>,
    title: Option<&'a str>,
    author: Option<&'a str>,
    state: Option<PullState>,
    base: &'a str,
    head: &'a str,
}

impl Pulled {
    /// Asks GitHub, unless the loop works without.
    pub(super) async fn gather(run: &Run<'_>, options: &Options) -> Result<Self, Halt> {
        let base = options.base.clone();
        if !options.needs_forge() {
            return Ok(Self { pull: None, base });
        }
        let pull = run.gather(Place::new(0, "pull"), options.number).await?;
        run.note(0, EventKind::PullRead(Box::new(pull.clone())));
        Ok(Self { pull: Some(pull), base })
    }

    /// What the change is compared with, the best first; none for the usual branch.
    pub(super) fn bases(&self) -> Vec<String> {
        match (&self.base, &self.pull) {
            (Some(base), _) => vec![base.clone()],
            (None, Some(pull)) => {
                let name = &pull.base_ref;
                vec![
                    format!("refs/remotes/origin/{name}"),
                    format!("refs/heads/{name}"),
                    name.clone(),
                ]
            }
            (None, None) => Vec::new(),
        }
    }

    /// What is to be told where the pull request is at another commit than what is here.
    pub(super) fn differs_from(&self, here: Option<&str>) -> Option<String> {
        let pull = self.pull.as_ref()?;
        let is_here = here.is_some_and(|here| here.eq_ignore_ascii_case(&pull.head_sha));
        let short = |commit: &str| commit.chars().take(7).collect::<String>();
        (!is_here).then(|| {
            format!(
                "pull request {} is at {}, and the work tree at {}: what is here is audited",
                pull.number,
                short(&pull.head_sha),
                here.map_or_else(|| "no commit".to_owned(), short)
            )
        })
    }

    /// What the prompts are told.
    pub(super) fn told<'a>(&'a self, base: &'a str) -> Told<'a> {
        let pull = self.pull.as_ref();
        Told {
            number: pull.map(|pull| pull.number),
            title: pull.map(|pull| pull.title.as_str()),
            author: pull.map(|pull| pull.author.as_str()),
            state: pull.map(|pull| pull.state),
            base: pull.map_or(base, |pull| &pull.base_ref),
            head: pull.map_or("the work tree", |pull| &pull.head_ref),
        }
    }
}
