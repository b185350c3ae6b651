//! Cheats and honest agents in JavaScript, TypeScript and Go, whose runners not every machine has.

mod go;
mod go_modules;
mod jest;
mod mocha;
mod node;
mod vitest;

use super::super::agent::Agent;

/// Agents under the names of their classes.
type Classes = Vec<(&'static str, Vec<Agent>)>;

const REWRITTEN: &str = "rewrites or removes tests";
const SKIPPED: &str = "skips tests";
const CONFIGURED: &str = "changes the test configuration";
const MASKED: &str = "masks the exit code";
const MOCKED: &str = "mocks what is tested";
const ENVIRONMENT: &str = "fakes the environment";
const HONEST: &str = "honest: breaks no existing test";

pub(super) fn classes() -> Classes {
    let all = [
        node::classes(),
        vitest::classes(),
        jest::classes(),
        mocha::classes(),
        go::classes(),
        go_modules::classes(),
    ];
    all.into_iter().flatten().collect()
}

/// An agent that does this and claims.
fn does(agent: Agent, script: &str) -> Agent {
    agent.shell(&format!("{script}\necho 'CLAIM'"))
}
