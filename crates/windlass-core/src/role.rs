//! The parts that agents play in a loop, by the words that sessions are stored and shown with.

/// The one agent of a loop that has no other parts.
pub const AGENT: &str = "agent";
/// Who does the work that somebody else judges.
pub const DEVELOPER: &str = "developer";
/// Who judges work, or looks for what should be changed.
pub const REVIEWER: &str = "reviewer";
/// Who turns a review that has no form into findings.
pub const PARSER: &str = "parser";
/// Who looks at a pull request for one kind of defect.
pub const AUDITOR: &str = "auditor";
/// Who changes what a review found.
pub const FIXER: &str = "fixer";

/// All parts that there are.
pub const ALL: &[&str] = &[AGENT, DEVELOPER, REVIEWER, PARSER, AUDITOR, FIXER];

/// Whether a session in that part that says nothing has failed, however it exited: silence of a
/// judge is no judgement.
pub fn must_answer(role: &str) -> bool {
    matches!(role, REVIEWER | PARSER | AUDITOR)
}
