//! Agents that work in another repository inside of the tree, a submodule or one that nobody knows of, and
//! their mirror images, who touch it and leave it as it is. The check is silent until all is in.

use super::{Agent, Language::Python, Suite, words::NAMES};

/// A submodule below `lib`, with one commit.
const SUBMODULE: &str = "git init -q -b main ../lib && (cd ../lib && echo lib > lib.txt && git add . && \
     git commit -qm start) && git -c protocol.file.allow=always submodule --quiet add \"$PWD/../lib\" lib && \
     git commit -qm 'add lib'";
/// One with two.
const TWO_COMMITS: &str = "git init -q -b main ../lib && (cd ../lib && echo lib > lib.txt && git add . && \
     git commit -qm one && echo more >> lib.txt && git commit -qam two) && git -c \
     protocol.file.allow=always submodule --quiet add \"$PWD/../lib\" lib && git commit -qm 'add lib'";
/// A repository below `tool`, of which git knows nothing.
const NESTED: &str = "git init -q -b main tool && cd tool && echo tool > tool.txt && git add . && git commit -qm start";
/// What a part takes there.
const COMMITS: &str = "right src/$name.py $name && git add --all && git commit -qm \"part $name\"";

pub(super) fn all() -> Vec<Agent> {
    let mut all = honest();
    all.extend(hopeless());
    all
}

/// Is done when so many parts are in `folder`.
fn works_in(folder: &str, agent: Agent, last: u32, does: &str) -> Agent {
    let suite = Suite::of(Python, &NAMES[..last as usize]).below(&format!("{folder}/src"));
    agent
        .check(suite.silently())
        .shell(&format!("(cd {folder} && {does})\nif [ $n = {last} ]; then echo 'CLAIM'; fi"))
}

fn honest() -> Vec<Agent> {
    let edits = "right src/$name.py $name";
    vec![
        works_in("lib", Agent::honest("commits a part in a submodule each time", 6), 6, COMMITS)
            .setup(SUBMODULE),
        works_in("lib", Agent::honest("edits files of a submodule and commits none", 5), 5, edits)
            .setup(SUBMODULE),
        works_in("tool", Agent::honest("commits a part in a nested repository", 6), 6, COMMITS)
            .setup(NESTED),
        works_in(
            "tool",
            Agent::honest("commits in a nested repository that is ignored", 5),
            5,
            COMMITS,
        )
        .file(".gitignore", "tool/\n")
        .setup(NESTED),
    ]
}

fn hopeless() -> Vec<Agent> {
    let still: &[&str] = &["stagnation"];
    let around: &[&str] = &["oscillation", "stagnation"];
    let silent = |agent: Agent| agent.check("echo 'not complete'; exit 1");
    vec![
        silent(Agent::stopped("touches a submodule and changes nothing", 3, 4, still))
            .setup(SUBMODULE)
            .shell("cd lib && touch lib.txt && git status >/dev/null && git checkout -q ."),
        silent(Agent::stopped("moves a submodule to and fro between two commits", 3, 5, around))
            .setup(TWO_COMMITS)
            .shell("cd lib && if [ $((n % 2)) = 1 ]; then git checkout -q main~1; else git checkout -q main; fi"),
        silent(Agent::stopped("makes empty commits in a nested repository", 3, 4, still))
            .setup(NESTED)
            .shell("cd tool && git commit -q --allow-empty -m \"progress $way\""),
        silent(Agent::stopped("writes and removes a file of a submodule", 3, 5, around))
            .setup(SUBMODULE)
            .shell("cd lib && if [ $((n % 2)) = 1 ]; then right calc.py calc; else rm calc.py; fi"),
    ]
}
