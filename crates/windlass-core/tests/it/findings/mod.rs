//! Findings: reviewers' answers, other programs' files, and what holds for all of them.

mod corpus;
mod files;
mod properties;
mod sarif;
