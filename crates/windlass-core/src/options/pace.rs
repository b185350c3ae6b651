//! How long things may take.

use serde::{Deserialize, Serialize};

use super::Span;

/// How long a session may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
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

    /// Sessions that all your loops may start in an hour; 0 is no limit
    ///
    /// 100 for real agents if left out, and no limit for `command` and `scripted`.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_hour: Option<u32>,

    /// A pause between iterations
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub loop_delay: Span,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            timeout: Span::minutes(60),
            idle_timeout: Span::minutes(15),
            grace: Span::seconds(5),
            calls_per_hour: None,
            loop_delay: Span::seconds(0),
        }
    }
}
