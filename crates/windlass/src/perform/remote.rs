//! What goes to a forge and comes from there, and what is pushed.

use windlass_core::{
    forge::{
        ForgeError, ReviewPost,
        compose::{Composed, review_of},
    },
    posting::Post,
    step::StepResult,
};

use super::{Arrival, Worker};
use crate::{forge::Forge, halt::Halt};

impl Worker {
    /// Asks for a pull request.
    pub(super) async fn gather(&self, number: Option<u64>) -> Result<StepResult, Halt> {
        let forge = self.forge()?;
        let number = match number {
            Some(number) => number,
            None => match self.number_of_branch(forge).await? {
                Ok(number) => number,
                Err(limited) => return Ok(limited),
            },
        };
        match forge.pull(number).await {
            Ok(pull) => Ok(StepResult::Gathered { pull: Box::new(pull) }),
            Err(error) => limited(&error).ok_or_else(|| not_read(&error)),
        }
    }

    /// The number of the pull request of the branch that the user is on; or that the forge has a
    /// limit.
    async fn number_of_branch(&self, forge: &dyn Forge) -> Result<Result<u64, StepResult>, Halt> {
        let bad = |message: String| Halt::Failed { message, code: 2 };
        let tree = self.tree.as_ref();
        let tree = tree.ok_or_else(|| bad("this is no git repository".to_owned()))?;
        let branch = match &self.arrival {
            Arrival::Apart { branch, .. } => branch.clone(),
            Arrival::None | Arrival::Worktree { .. } => {
                tree.branch().await.map_err(|error| self.tree_failed(&error))?
            }
        };
        let branch = branch.ok_or_else(|| {
            bad("no branch is checked out: say which pull request is meant".to_owned())
        })?;
        let found = match forge.pull_of_branch(&branch).await {
            Ok(found) => found,
            Err(error) => return limited(&error).map(Err).ok_or_else(|| not_read(&error)),
        };
        found.map(Ok).ok_or_else(|| {
            bad(format!("there is no open pull request of the branch `{branch}`: name its number"))
        })
    }

    /// Posts. What was not confirmed stays in the journal, and is looked for before another try.
    pub(super) async fn post(&self, post: &Post) -> Result<StepResult, Halt> {
        let forge = self.forge()?;
        let cleaned = self.secrets.cleaned(post);
        let post = cleaned.as_ref().unwrap_or(post);
        let posted = match post {
            Post::Review { .. } => post_review(forge, post).await.map(Some),
            Post::Description { number, text } => {
                forge.update_description(*number, text).await.map(|_| None)
            }
            Post::Title { number, title } => forge.update_title(*number, title).await.map(|_| None),
        };
        match posted {
            Ok(url) => {
                let review = url.as_deref().and_then(|url| post.told(url));
                Ok(StepResult::Posted { url, review })
            }
            Err(error) => limited(&error).ok_or_else(|| not_posted(post, &error)),
        }
    }

    /// Pushes what is committed to a branch of `origin`, which must be at the expected commit.
    pub(super) async fn push(
        &self,
        branch: &str,
        expected: Option<&str>,
    ) -> Result<StepResult, Halt> {
        let Some(tree) = &self.tree else {
            return Ok(StepResult::Pushed { commit: None, refused: None });
        };
        let pushed = tree.push(self.courier(), branch, expected).await;
        let pushed = pushed.map_err(|error| match self.failed("push the fixes", &error) {
            Halt::Failed { message, .. } => Halt::Failed { message, code: 7 },
            halt => halt,
        })?;
        Ok(match pushed {
            Ok(commit) => StepResult::Pushed { commit, refused: None },
            Err(why) => {
                let refused = Some(self.secrets.redact(&why).into_owned());
                StepResult::Pushed { commit: None, refused }
            }
        })
    }

    fn forge(&self) -> Result<&dyn Forge, Halt> {
        self.forge.as_deref().ok_or_else(|| Halt::Failed {
            message: "nobody can be asked for pull requests here".to_owned(),
            code: 4,
        })
    }
}

/// Posts a review; gives where it is.
async fn post_review(forge: &dyn Forge, post: &Post) -> Result<String, ForgeError> {
    let Post::Review { number, commit, event, head, findings, marker, .. } = post else {
        return Err(ForgeError::Other { why: "this is no review".to_owned() });
    };
    let files = if findings.is_empty() { Vec::new() } else { forge.files(*number).await? };
    let Composed { body, comments, .. } = review_of(head, findings, &files);
    let (number, commit, event, marker) = (*number, commit.clone(), *event, marker.clone());
    let review = ReviewPost { number, commit, event, body, comments, marker };
    Ok(forge.post_review(&review).await?.url)
}

/// That a forge is to be asked later, where that is what it says.
fn limited(error: &ForgeError) -> Option<StepResult> {
    match error {
        ForgeError::RateLimited { until: Some(until) } => {
            Some(StepResult::Limited { until: *until })
        }
        _ => None,
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
