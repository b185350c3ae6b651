//! What a loop posts to a forge. A value, so that it can be kept until it is confirmed.

use serde::{Deserialize, Serialize};

use crate::{
    findings::Finding,
    forge::{MarkerKey, PostedReview, ReviewEvent},
};

/// One thing to be posted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
// Not `type`: it is told inside a step, which is known by that.
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Post {
    /// A review, with the findings as comments where the diff has their lines.
    Review {
        /// The pull request.
        number: u64,
        /// The commit that it is posted to.
        commit: String,
        /// What the review says as a whole.
        event: ReviewEvent,
        /// How its text begins.
        head: String,
        /// What was found.
        findings: Vec<Finding>,
        /// By which it is found again, should the answer be lost.
        marker: MarkerKey,
        /// The commit that was audited, where the review is posted to another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        audited: Option<String>,
        /// Why it is no approval, where it is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// What the description says of the audit.
    Description {
        /// The pull request.
        number: u64,
        /// The text.
        text: String,
    },
    /// A title.
    Title {
        /// The pull request.
        number: u64,
        /// The title.
        title: String,
    },
}

impl Post {
    /// What people are told of a review that is at `url` now.
    pub fn told(&self, url: &str) -> Option<PostedReview> {
        let Self::Review { commit, event, audited, why, .. } = self else { return None };
        Some(PostedReview {
            event: event.word().to_owned(),
            commit: audited.as_ref().unwrap_or(commit).clone(),
            url: url.to_owned(),
            why: why.clone(),
        })
    }

    /// What it is, in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Review { .. } => "review",
            Self::Description { .. } => "description",
            Self::Title { .. } => "title",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Step;

    #[test]
    fn a_post_is_read_back_from_the_step_that_it_is_kept_in() {
        let review = Post::Review {
            number: 7,
            commit: "c0ffee".to_owned(),
            event: ReviewEvent::Comment,
            head: "Two auditors.".to_owned(),
            findings: vec![Finding::default()],
            marker: MarkerKey::new("a"),
            audited: Some("decade".to_owned()),
            why: Some("it was not asked for".to_owned()),
        };
        let description = Post::Description { number: 7, text: "*one*".to_owned() };
        let title = Post::Title { number: 7, title: "A pump".to_owned() };
        for post in [review, description, title] {
            let step = Step::Post(post);
            let kept = serde_json::to_string(&step).unwrap();
            assert_eq!(serde_json::from_str::<Step>(&kept).unwrap(), step);
        }
    }
}
