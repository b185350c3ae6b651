//! Agents that work in files that git ignores: honest ones, whom the check shows at work, and their mirror
//! images, who write files that nothing looks at.

use super::{
    Agent,
    Language::{Go, Python},
    Suite,
    alike::IGNORED,
    words::{NAMES, claims, escaped, name},
};

pub(super) fn all() -> Vec<Agent> {
    let built = |n: u32| format!("write build/{}.o x", name(n));
    let still: &[&str] = &["stagnation", "safety-completion", "same-error"];
    let ignores = |agent: Agent, folder: &str| agent.file(".gitignore", format!("{folder}/\n"));
    vec![
        ignores(Agent::honest("builds what git ignores, and the check tells how much", 6), "build")
            .check("n=$(ls build 2>/dev/null | wc -l); echo \"$n of 6 are built\"; [ $n -ge 6 ]")
            .each(move |n| format!("{}\n{}", built(n), claims(n, 6))),
        ignores(
            Agent::honest("writes code that git ignores, and fewer tests fail", 6),
            "generated",
        )
        .tested(&Suite::of(Go, &NAMES[..6]).below("generated"))
        .each(|n| format!("{}\n{}", generates(n, "go"), claims(n, 6))),
        ignores(
            Agent::honest("writes code that git ignores, claims, and fewer tests fail", 6),
            "generated",
        )
        .tested(&Suite::of(Python, &NAMES[..6]).below("generated"))
        .each(|n| format!("{}\nclaim", generates(n, "py"))),
        ignores(Agent::honest("builds what git ignores, and the check is silent", 5), "build")
            .alike(IGNORED)
            .check("cd build && ls alpha.o beta.o gamma.o delta.o epsilon.o >/dev/null 2>&1")
            .each(move |n| format!("{}\n{}", built(n), claims(n, 5))),
        ignores(
            Agent::stopped("writes what git ignores, and only times change", 3, 4, still),
            "build",
        )
        .tested(&Suite::of(Go, &NAMES[..3]))
        .each(built),
        ignores(
            Agent::stopped("writes what git ignores, and claims each time", 3, 4, still),
            "build",
        )
        .tested(&Suite::of(Python, &NAMES[..3]))
        .each(move |n| format!("{}\nclaim", built(n))),
    ]
}

/// The action that writes a part below a folder that git ignores.
fn generates(n: u32, extension: &str) -> String {
    let source = escaped(&Python.right(name(n)));
    format!("write generated/{}.{extension} {source}", name(n))
}
