//! How long things may take.

use serde::{Deserialize, Serialize};

use super::Span;

/// How long a session may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Pace {
    /// Time limit for one session; 0 means none
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub timeout: Span,

    /// Stop a session after this long without output; 0 means never
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub idle_timeout: Span,

    /// Time between SIGTERM and SIGKILL when windlass stops processes
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub grace: Span,

    /// Limit how many sessions all your loops start per hour; 0 means no limit
    ///
    /// [default: 100 for real agents, no limit for `command` and `scripted`]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_hour: Option<u32>,

    /// Pause between iterations
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
