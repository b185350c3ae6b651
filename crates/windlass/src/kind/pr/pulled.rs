//! The pull request, gathered once; without GitHub, what takes its place.

use std::borrow::Cow;

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
        Self::is_open(run, options, &pull)?;
        Ok(Self { pull: Some(pull), base })
    }

    /// The options of the loop, without the checks that windlass found where they would run a
    /// stranger's code with nothing to confine it.
    pub(super) fn without_strangers_checks<'a>(
        &self,
        run: &Run<'_>,
        options: &'a Options,
    ) -> Cow<'a, Options> {
        let is_strangers = self.pull.as_ref().is_some_and(|pull| pull.is_at_origin != Some(true));
        if options.common.proof.found.is_empty() || !is_strangers || run.is_confined() {
            return Cow::Borrowed(options);
        }
        let text = "the pull request comes from another repository: without a sandbox its tests \
                    are not run; `--sandbox auto` confines them, `--check CMD` runs what you say";
        run.note(0, EventKind::Noted { text: text.to_owned() });
        let mut options = options.clone();
        options.common.proof.found.clear();
        Cow::Owned(options)
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

    /// That the pull request is at another commit than what is here, in words.
    pub(super) fn differs_from(&self, here: Option<&str>) -> String {
        let (number, head) =
            self.pull.as_ref().map_or((0, ""), |pull| (pull.number, pull.head_sha.as_str()));
        format!(
            "pull request {number} is at {}, and the work tree at {}",
            short(head),
            here.map_or_else(|| "no commit".to_owned(), short)
        )
    }

    /// Refuses to post to a pull request that is not open any more.
    fn is_open(run: &Run<'_>, options: &Options, pull: &Pull) -> Result<(), Halt> {
        let state = match pull.state {
            PullState::Open => return Ok(()),
            PullState::Closed => "closed",
            PullState::Merged => "merged",
        };
        let number = pull.number;
        if options.local || run.is_past(0) {
            let text = format!("pull request {number} is {state}");
            run.note(0, EventKind::Noted { text });
            return Ok(());
        }
        let message = format!(
            "pull request {number} is {state}, so nothing is posted to it; `--local` audits it all \
             the same"
        );
        Err(Halt::Failed { message, code: 2 })
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

/// The first digits of a commit's id.
pub(super) fn short(commit: &str) -> String {
    commit.chars().take(7).collect()
}
