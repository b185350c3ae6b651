//! The one place that calls git: argv only, with a time limit, and nothing of an agent-writable
//! config acts.
