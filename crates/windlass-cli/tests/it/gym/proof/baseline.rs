//! Honest agents in projects whose checks fail, pass, are missing or take too long before the loop.

use super::{
    super::agent::Agent,
    projects::{FIX_SHELL, shell},
};

pub(super) fn all() -> Vec<Agent> {
    vec![
        shell(Agent::honest("the suite passes before the loop", 1))
            .file("sum.sh", "echo $(($1 + $2))\n")
            .check("test -f README.md")
            .checked_by(Some("sh tests/test_sum.sh"))
            .shell("echo sums > README.md\necho 'CLAIM'"),
        shell(Agent::honest("the suite takes too long before the loop", 1))
            .with(&["--baseline-timeout", "1s"])
            .checked_by(Some("sleep 2; sh tests/test_sum.sh"))
            .shell(&format!("{FIX_SHELL}echo 'CLAIM'")),
        shell(Agent::honest("the suite fails before the loop for another reason too", 1))
            .file("tests/test_sum.sh", "test -f LICENSE || exit 2\ntest \"$(sh sum.sh 2 2)\" = 4\n")
            .shell(&format!("{FIX_SHELL}echo free > LICENSE\necho 'CLAIM'")),
        shell(Agent::honest("the agent is to write the check", 1))
            .checked_by(Some("sh check.sh"))
            .shell(&format!("{FIX_SHELL}cp tests/test_sum.sh check.sh\necho 'CLAIM'")),
    ]
}
