//! Why a forge could not be asked, or would not do it. No text here has a token in it.

use crate::time::Timestamp;

/// Why something at a forge came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForgeError {
    /// Nobody has said who is asking.
    #[error("there is no token for {host}")]
    NoToken {
        /// Where it would be used.
        host: String,
    },
    /// It does not know who is asking.
    #[error("{host} does not accept the token: {message}")]
    Unauthorised {
        /// Where it was used.
        host: String,
        /// What it says.
        message: String,
    },
    /// Whoever asks may not do this.
    #[error("the token does not allow to {what}: {message}")]
    Forbidden {
        /// What was to be done: `post a review on pull request 7`.
        what: String,
        /// What the forge says.
        message: String,
    },
    /// There is no such thing, or whoever asks may not see it.
    #[error("{what} is not there, or the token does not allow to see it")]
    NotFound {
        /// What: `pull request 7 of ada/engine`.
        what: String,
    },
    /// It was understood, and refused.
    #[error("the forge refuses to {what}: {message}")]
    Refused {
        /// What was to be done.
        what: String,
        /// All that the forge says of it, in a line.
        message: String,
    },
    /// The pull request is at another commit than the one that was audited.
    #[error(
        "pull request {number} has moved on since the audit: it was at {expected}, and is at \
         {found} now"
    )]
    HeadMoved {
        /// The pull request.
        number: u64,
        /// The commit that was audited.
        expected: String,
        /// The commit that it is at.
        found: String,
    },
    /// It was asked too much.
    #[error("the forge has a limit on requests, and it is used up{}", until_when(*.until))]
    RateLimited {
        /// When it may be asked again, if it says so.
        until: Option<Timestamp>,
    },
    /// It could not be reached, or did not answer in time.
    #[error("{host} cannot be reached: {why}")]
    Unreachable {
        /// Where.
        host: String,
        /// Why.
        why: String,
    },
    /// It has trouble of its own.
    #[error("{host} has a problem: it answers {status}")]
    Trouble {
        /// Where.
        host: String,
        /// The status of the answer.
        status: u16,
    },
    /// The answer to a post was lost, and what was posted is not seen on reading back.
    #[error("it is not known whether the forge did {what}: {why}")]
    Unconfirmed {
        /// What was to be done.
        what: String,
        /// How the answer was lost.
        why: String,
    },
    /// Anything else.
    #[error("{why}")]
    Other {
        /// What.
        why: String,
    },
}

impl ForgeError {
    /// Whether the same may work later, without anything changed.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::RateLimited { .. }
            | Self::Unreachable { .. }
            | Self::Trouble { .. }
            | Self::Unconfirmed { .. } => true,
            Self::NoToken { .. }
            | Self::Unauthorised { .. }
            | Self::Forbidden { .. }
            | Self::NotFound { .. }
            | Self::Refused { .. }
            | Self::HeadMoved { .. }
            | Self::Other { .. } => false,
        }
    }
}

fn until_when(until: Option<Timestamp>) -> String {
    until.map_or_else(String::new, |until| format!(" until {until}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_work_later_is_told_from_what_will_not() {
        let limited = ForgeError::RateLimited { until: Some(Timestamp(1_763_237_000_000)) };
        assert!(limited.is_retryable());
        assert_eq!(
            limited.to_string(),
            "the forge has a limit on requests, and it is used up until 2025-11-15T20:03:20.000Z"
        );
        let moved = ForgeError::HeadMoved { number: 7, expected: "a1".into(), found: "b2".into() };
        assert!(!moved.is_retryable());
        assert_eq!(
            moved.to_string(),
            "pull request 7 has moved on since the audit: it was at a1, and is at b2 now"
        );
    }
}
