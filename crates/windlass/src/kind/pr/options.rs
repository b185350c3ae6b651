//! What can be asked of `pr`.

use serde::{Deserialize, Serialize};
use windlass_core::{
    findings::{Finding, Severity},
    options::{AuditorOptions, Rules},
    prompts::PromptOptions,
};

use windlass_repo::tree::TASK_LIST;

use super::basis::EarlierFixes;
use crate::every_kind::Common;

/// Audit a pull request
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Options {
    /// Pull request [default: the current branch's]
    #[cfg_attr(feature = "clap", arg(value_name = "NUMBER"))]
    pub number: Option<u64>,

    /// Fix the findings and audit again until nothing is found
    #[cfg_attr(feature = "clap", arg(id = "loop", long = "loop", conflicts_with = "local"))]
    #[serde(rename = "loop")]
    pub looped: bool,

    /// Audit only and post nothing; works without GitHub
    #[cfg_attr(feature = "clap", arg(long))]
    pub local: bool,

    /// Branch to compare with [default: the pull request's]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BRANCH"))]
    pub base: Option<String>,

    /// GitHub repository [default: `origin`]
    #[cfg_attr(feature = "clap", arg(long, value_name = "OWNER/NAME"))]
    pub repo: Option<String>,

    /// Run N auditors at the same time
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub jobs: u32,

    /// How to detect a stall: same number of findings, or the same findings
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    pub stall: Stall,

    /// Ignore findings that are less severe
    #[cfg_attr(feature = "clap", arg(long, value_name = "SEVERITY"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_severity: Option<Severity>,

    /// Succeed if there is nothing to review
    #[cfg_attr(feature = "clap", arg(long))]
    pub allow_empty: bool,

    /// Write remaining findings to this file
    #[cfg_attr(
        feature = "clap",
        arg(
            id = "task_list",
            long = "output",
            value_name = "FILE",
            default_value = "windlass-findings.md"
        )
    )]
    pub task_list: String,

    /// Set the title of the pull request when it is approved
    #[cfg_attr(feature = "clap", arg(long, value_name = "TITLE"))]
    pub title: Option<String>,

    /// Approve on GitHub if nothing is found, instead of only commenting
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "local"))]
    pub approve: bool,

    /// Request changes on GitHub if something is found, instead of only commenting
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "local"))]
    pub request_changes: bool,

    /// Commit the fixes after the loop
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "local"))]
    pub commit: bool,

    /// Commit the fixes and push them to the pull request's branch if it is approved
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "local"))]
    pub push: bool,

    /// Audit and fix the files as they are here, even if they are not the pull request's head
    ///
    /// Nothing is approved then.
    #[cfg_attr(feature = "clap", arg(long))]
    pub dirty: bool,

    /// Agent that audits [default: --agent]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    pub auditor: Option<String>,

    /// Agent that fixes [default: --agent]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    pub fixer: Option<String>,

    /// Findings that stand for the first audit.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<Vec<Finding>>,

    /// The branch that is checked out where the user started the loop.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,

    /// What earlier loops on a pull request have left here.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierFixes>,

    /// What every kind has.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub common: Common,

    /// The prompts that the user has replaced.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub prompts: PromptOptions,

    /// The auditors that the user has changed or added.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub auditors: AuditorOptions,
}

/// When a loop does not get on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Stall {
    /// An audit has as many findings as the one before
    #[default]
    Count,
    /// An audit has the same findings as the one before
    Same,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            number: None,
            looped: false,
            local: false,
            base: None,
            repo: None,
            jobs: 5,
            stall: Stall::Count,
            min_severity: None,
            allow_empty: false,
            task_list: TASK_LIST.to_owned(),
            title: None,
            approve: false,
            request_changes: false,
            commit: false,
            push: false,
            dirty: false,
            auditor: None,
            fixer: None,
            given: None,
            branch: None,
            earlier: Vec::new(),
            common: Common { rules: Rules::of_reviewed_loops(), ..Common::default() },
            prompts: PromptOptions::default(),
            auditors: AuditorOptions::default(),
        }
    }
}

impl Options {
    /// Whether GitHub is asked at all.
    pub fn needs_forge(&self) -> bool {
        !self.local || self.number.is_some()
    }

    /// Whether the head of the pull request is audited wherever the user is: one audit, which changes
    /// nothing.
    pub(crate) fn is_apart(&self) -> bool {
        !self.looped && self.needs_forge() && self.common.git.worktree.is_none()
    }

    /// How many iterations there may be; 0 for no limit.
    pub fn max_iterations(&self) -> u32 {
        if self.looped { self.common.rules.max_iterations } else { 1 }
    }
}
