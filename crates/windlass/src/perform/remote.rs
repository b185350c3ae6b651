//! What goes to a forge and comes from there, and what is pushed.

use windlass_core::{
    forge::{
        ForgeError, ReviewPost,
        compose::{Composed, review_of},
    },
    posting::Post,
    step::StepResult,
};

use super::Worker;
use crate::{forge::Forge, halt::Halt};

impl Worker {
    /// Asks for a pull request.
    pub(super) async fn gather(&self, number: Option<u64>) -> Result<StepResult, Halt> {
        let forge = self.forge()?;
        let number = match number {
            Some(number) => number,
            None => self.number_of_branch(forge).await?,
        };
        let pull = forge.pull(number).await.map_err(|error| not_read(&error))?;
        Ok(StepResult::Gathered { pull: Box::new(pull) })
    }

    async fn number_of_branch(&self, forge: &dyn Forge) -> Result<u64, Halt> {
        let bad = |message: String| Halt::Failed { message, code: 2 };
        let tree = self.tree.as_ref();
        let tree = tree.ok_or_else(|| bad("this is no git repository".to_owned()))?;
        let branch = tree.branch().await.map_err(|error| self.tree_failed(&error))?;
        let branch = branch.ok_or_else(|| {
            bad("no branch is checked out: say which pull request is meant".to_owned())
        })?;
        let found = forge.pull_of_branch(&branch).await.map_err(|error| not_read(&error))?;
        found.ok_or_else(|| {
            bad(format!("there is no open pull request of the branch `{branch}`: name its number"))
        })
    }

    /// Posts. What was not confirmed stays in the journal, and is looked for before another try.
    pub(super) async fn post(&self, post: &Post) -> Result<StepResult, Halt> {
        let forge = self.forge()?;
        let cleaned = self.secrets.cleaned(post);
        let post = cleaned.as_ref().unwrap_or(post);
        let posted = match post {
            Post::Review { number, commit, event, head, findings, marker } => {
                let files = if findings.is_empty() {
                    Vec::new()
                } else {
                    forge.files(*number).await.map_err(|error| not_posted(post, &error))?
                };
                let Composed { body, comments, .. } = review_of(head, findings, &files);
                let review = ReviewPost {
                    number: *number,
                    commit: commit.clone(),
                    event: *event,
                    body,
                    comments,
                    marker: marker.clone(),
                };
                forge.post_review(&review).await.map(|posted| Some(posted.url))
            }
            Post::Description { number, text } => {
                forge.update_description(*number, text).await.map(|_| None)
            }
            Post::Title { number, title } => forge.update_title(*number, title).await.map(|_| None),
        };
        let url = posted.map_err(|error| not_posted(post, &error))?;
        Ok(StepResult::Posted { url })
    }

    /// Pushes what is committed to a branch of `origin`.
    pub(super) async fn push(&self, branch: &str) -> Result<StepResult, Halt> {
        let Some(tree) = &self.tree else { return Ok(StepResult::Pushed { commit: None }) };
        let pushed = tree.push(&self.guardian, branch, &self.to_reach_a_remote).await;
        let commit = pushed.map_err(|error| match self.failed("push the fixes", &error) {
            Halt::Failed { message, .. } => Halt::Failed { message, code: 7 },
            halt => halt,
        })?;
        Ok(StepResult::Pushed { commit })
    }

    fn forge(&self) -> Result<&dyn Forge, Halt> {
        self.forge.as_deref().ok_or_else(|| Halt::Failed {
            message: "nobody can be asked for pull requests here".to_owned(),
            code: 4,
        })
    }
}

fn not_read(error: &ForgeError) -> Halt {
    let code = if matches!(error, ForgeError::NotFound { .. }) { 2 } else { 7 };
    Halt::Failed { message: format!("the pull request cannot be read: {error}"), code }
}

fn not_posted(post: &Post, error: &ForgeError) -> Halt {
    let what = post.word();
    let message = format!("the {what} was not posted, and is kept for another try: {error}");
    Halt::Failed { message, code: 7 }
}
