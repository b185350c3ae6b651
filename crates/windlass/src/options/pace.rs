//! How long things may take.

use serde::{Deserialize, Serialize};

use super::Span;

/// How long a session may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Pace {
    /// How long one session may take; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub timeout: Span,

    /// How long a session may go without output; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub idle_timeout: Span,

    /// How long processes have between TERM and KILL
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub grace: Span,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            timeout: Span::minutes(60),
            idle_timeout: Span::minutes(15),
            grace: Span::seconds(5),
        }
    }
}
