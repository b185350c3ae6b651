//! Agents that cannot go on, and say so in the form that they are taught: one session is enough.

use super::{
    super::agent::{Agent, block},
    projects::shell,
};

fn blocked(name: &'static str) -> Agent {
    shell(Agent::stopped(name, 1, 1, &["blocked"]))
}

pub(super) fn all() -> Vec<Agent> {
    vec![
        blocked("says what is missing in one line")
            .plays(&["say <blocked>the key of the service; ask Ann</blocked>"]),
        blocked("says it in several lines, after an account").plays(&[
            "say I looked everywhere.\nsay <blocked>\nsay The key of the service is missing.\nsay Ann has it.\nsay </blocked>",
        ]),
        blocked("claims in the same message, which does not count")
            .plays(&["say <blocked>no key</blocked>\nclaim"]),
        blocked("says it with the status block").with(&["--protocol", "status"]).plays(&[&block(
            "STATUS: BLOCKED\\nEXIT_SIGNAL: false\\nRECOMMENDATION: give me a key",
        )]),
    ]
}
