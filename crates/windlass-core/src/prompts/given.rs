//! What each prompt is given. The field names are the variables of its template.

use serde::Serialize;

/// A check that failed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FailedCheck<'a> {
    /// Its command.
    pub command: &'a str,
    /// The end of what it printed.
    pub output: &'a str,
}

/// A file that a change touches.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ChangedFile<'a> {
    /// Its path from the top of the repository.
    pub path: &'a str,
    /// What became of it, in a word such as `added`.
    pub change: &'a str,
}

/// What `develop` is given.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DevelopGiven<'a> {
    /// What is to be done, in the user's words.
    pub task: &'a str,
    /// The text of the plan file.
    pub plan: Option<&'a str>,
    /// Which iteration this is.
    pub iteration: u32,
    /// How many there may be; 0 for no limit.
    pub max_iterations: u32,
    /// What the reviewer said last, word for word.
    pub feedback: Option<&'a str>,
    /// How the session before this one failed.
    pub failure: Option<&'a str>,
    /// Why the work was not accepted last time.
    pub reasons: &'a [String],
    /// The checks that failed last time.
    pub failed: &'a [FailedCheck<'a>],
    /// The commands that must pass.
    pub checks: &'a [String],
}

/// What `review-diff` is given.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ReviewDiffGiven<'a> {
    /// What the developer was asked to do.
    pub task: &'a str,
    /// The text of the plan file.
    pub plan: Option<&'a str>,
    /// Which iteration this is.
    pub iteration: u32,
    /// How many there may be; 0 for no limit.
    pub max_iterations: u32,
    /// What the reviewer said last time.
    pub feedback: Option<&'a str>,
    /// The commands that must pass.
    pub checks: &'a [String],
    /// Everything that has changed since the task began.
    pub diff: &'a str,
    /// Files whose changes were too long for the diff.
    pub left_out: &'a [String],
    /// Files that changed and are not text.
    pub binary: &'a [String],
}

/// What `heal-review` is given; `F` is a finding that also has its `fate`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct HealReviewGiven<'a, F: Serialize> {
    /// What is reviewed: `branch`, `all` or `paths`.
    pub scope: &'a str,
    /// The branch that `branch` is compared with.
    pub base: Option<&'a str>,
    /// The files and directories of `paths`.
    pub paths: &'a [String],
    /// The change under review.
    pub diff: Option<&'a str>,
    /// Files whose changes were too long for the diff.
    pub left_out: &'a [String],
    /// Files that changed and are not text.
    pub binary: &'a [String],
    /// Which iteration this is.
    pub iteration: u32,
    /// How many there may be; 0 for no limit.
    pub max_iterations: u32,
    /// Findings of earlier iterations.
    pub earlier: &'a [F],
}

/// What `heal-parse` is given.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct HealParseGiven<'a> {
    /// The text of the review.
    pub review: &'a str,
}

/// What `heal-fix` is given.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct HealFixGiven<F: Serialize> {
    /// The finding.
    pub finding: F,
    /// Which of the findings it is.
    pub number: usize,
    /// How many there are.
    pub total: usize,
}

/// What `heal-tests` is given.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct HealTestsGiven<'a> {
    /// The command that runs the tests.
    pub command: &'a str,
    /// How it ended, such as `exit code 1`.
    pub status: &'a str,
    /// The end of what it printed.
    pub output: &'a str,
    /// Which attempt at mending this is.
    pub attempt: u32,
    /// How many there are.
    pub max_attempts: u32,
}

/// What `audit` is given; `P` is the pull request.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AuditGiven<'a, P: Serialize> {
    /// The auditor's name.
    pub auditor: &'a str,
    /// What it looks for: its own prompt, filled in.
    pub brief: &'a str,
    /// The pull request.
    pub pr: P,
    /// What the pull request says of itself.
    pub description: Option<&'a str>,
    /// The changed files.
    pub files: &'a [ChangedFile<'a>],
    /// What this auditor looks at; empty for everything.
    pub paths: &'a [String],
    /// The change.
    pub diff: &'a str,
    /// Files whose changes were too long for the diff.
    pub left_out: &'a [String],
    /// Files that changed and are not text.
    pub binary: &'a [String],
}

/// What `pr-fix` is given; `P` is the pull request, and `G` the findings of one file.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PrFixGiven<'a, P: Serialize, G: Serialize> {
    /// The pull request.
    pub pr: P,
    /// The findings by file.
    pub groups: &'a [G],
    /// How many findings there are.
    pub total: usize,
    /// Which iteration this is.
    pub iteration: u32,
    /// How many there may be; 0 for no limit.
    pub max_iterations: u32,
    /// The commands that must pass.
    pub checks: &'a [String],
    /// The checks that failed after the last fixes.
    pub failed: &'a [FailedCheck<'a>],
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::prompts::PromptName;

    fn keys(given: impl Serialize) -> Vec<String> {
        let value = serde_json::to_value(given).unwrap();
        value.as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn what_is_given_is_what_the_templates_are_told_to_get() {
        let pr = json!({});
        let groups: [Value; 0] = [];
        let audit = AuditGiven {
            auditor: "",
            brief: "",
            pr: &pr,
            description: None,
            files: &[],
            paths: &[],
            diff: "",
            left_out: &[],
            binary: &[],
        };
        let pr_fix = PrFixGiven {
            pr: &pr,
            groups: &groups,
            total: 0,
            iteration: 1,
            max_iterations: 1,
            checks: &[],
            failed: &[],
        };
        let heal_review = HealReviewGiven::<Value> { scope: "all", ..HealReviewGiven::default() };
        for (name, keys) in [
            (PromptName::Develop, keys(DevelopGiven::default())),
            (PromptName::ReviewDiff, keys(ReviewDiffGiven::default())),
            (PromptName::HealReview, keys(heal_review)),
            (PromptName::HealParse, keys(HealParseGiven::default())),
            (PromptName::HealFix, keys(HealFixGiven { finding: &pr, number: 1, total: 1 })),
            (PromptName::HealTests, keys(HealTestsGiven::default())),
            (PromptName::Audit, keys(audit)),
            (PromptName::PrFix, keys(pr_fix)),
        ] {
            assert_eq!(keys, name.variables(), "{name}");
        }
    }
}
