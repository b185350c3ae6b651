//! When to give up.

use serde::{Deserialize, Serialize};

/// When to give up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Rules {
    /// Iterations before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", visible_alias = "max-loops"))]
    pub max_iterations: u32,

    /// Failed sessions in a row before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub failure_threshold: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self { max_iterations: 20, failure_threshold: 5 }
    }
}
