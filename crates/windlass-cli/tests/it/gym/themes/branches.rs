//! Agents that keep their work in git and not in the tree that they leave: on a branch, in another
//! worktree, in the stash, in a commit that they amend; and their mirror images, who move refs and nothing
//! else. The check is silent until all is in.

use super::{Agent, Language::Python, Suite, words::NAMES};

/// No file differs from what it was, on any branch.
const STILL: &[&str] = &["stagnation"];
/// The same again and again.
const AROUND: &[&str] = &["stagnation", "oscillation"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = honest();
    all.extend(refs_and_nothing_else());
    all.extend(the_same_again());
    all
}

fn works(agent: Agent, parts: usize, body: &str) -> Agent {
    agent.check(Suite::of(Python, &NAMES[..parts]).silently()).shell(body)
}

fn honest() -> Vec<Agent> {
    vec![
        works(
            Agent::honest("works on a branch that it leaves each time, and merges it", 6),
            5,
            "if [ $n = 6 ]; then git merge -q feature; echo 'CLAIM'; exit 0; fi
             git checkout -q feature 2>/dev/null || git checkout -q -b feature
             right src/$name.py $name; git add --all; git commit -qm \"part $name\"
             git checkout -q main",
        ),
        works(
            Agent::honest("works in another worktree, and merges it", 6),
            5,
            "if [ $n = 6 ]; then git merge -q side; echo 'CLAIM'; exit 0; fi
             [ -d ../side ] || git worktree add -q -b side ../side 2>/dev/null
             cd ../side; right src/$name.py $name; git add --all; git commit -qm \"part $name\"",
        ),
        works(
            Agent::honest("edits files of another worktree, and commits at the end", 5),
            4,
            "[ -d ../side ] || git worktree add -q -b side ../side 2>/dev/null
             if [ $n = 5 ]; then
                (cd ../side; git add --all; git commit -qm parts); git merge -q side; echo 'CLAIM'
             else right ../side/src/$name.py $name; fi",
        ),
        works(
            Agent::honest("puts its work in the stash after each session", 5),
            5,
            "if [ $n -gt 1 ]; then git stash pop -q >/dev/null; fi
             right src/$name.py $name
             if [ $n = 5 ]; then echo 'CLAIM'; else git stash push -q --include-untracked; fi",
        ),
        works(
            Agent::honest("amends its commit while it adds to it", 5),
            5,
            "right src/$name.py $name; git add --all
             if [ $n = 1 ]; then git commit -qm parts; else git commit -q --amend --no-edit; fi
             if [ $n = 5 ]; then echo 'CLAIM'; fi",
        ),
        works(
            Agent::honest("commits someone's formatting, and then works", 4),
            4,
            "if [ $n = 1 ]; then git commit -qam 'format'; else right src/$name.py $name; fi
             if [ $n = 2 ]; then right src/alpha.py alpha; fi
             if [ $n = 4 ]; then git add --all; git commit -qm parts; echo 'CLAIM'; fi",
        )
        .file("src/old.py", "x=1\ny=[1,2]\n")
        .dirty("src/old.py", "x = 1\ny = [1, 2]\n"),
    ]
}

/// They never do a part.
fn refs_and_nothing_else() -> Vec<Agent> {
    let agent = |name| Agent::stopped(name, 3, 4, STILL).check("echo 'not complete'; exit 1");
    vec![
        agent("makes empty commits on a branch that it leaves").shell(
            "git checkout -q idle 2>/dev/null || git checkout -q -b idle
             git commit -q --allow-empty -m \"progress $way\"; git checkout -q main",
        ),
        agent("makes another branch each time, at the same commit")
            .shell("git branch \"try-$way\""),
        agent("adds a worktree and removes it again")
            .shell("git worktree add -q --detach ../side; git worktree remove ../side"),
    ]
}

/// They do a part in the first session, and then move it.
fn the_same_again() -> Vec<Agent> {
    let agent = |name| Agent::stopped(name, 4, 5, AROUND).check("echo 'not complete'; exit 1");
    vec![
        agent("stashes the same work again and again").shell(
            "if [ $n = 1 ]; then right src/alpha.py alpha; else git stash pop -q >/dev/null; fi
             git stash push -q --include-untracked",
        ),
        agent("amends the message of a commit in another worktree").shell(
            "if [ $n = 1 ]; then
                git worktree add -q -b side ../side 2>/dev/null
                cd ../side; right src/alpha.py alpha; git add --all; git commit -qm \"part\"
             else git -C ../side commit -q --amend -m \"part, $way\"; fi",
        ),
        agent("commits, and takes the commit back, forever").shell(
            "if [ $n = 1 ]; then right src/alpha.py alpha; fi
             if [ $((n % 2)) = 1 ]; then git add --all; git commit -qm \"part, $way\"
             else git reset -q --soft HEAD~1; fi",
        ),
        agent("amends its commit with a date, forever").shell(
            "if [ $n = 1 ]; then right src/alpha.py alpha; git add --all; git commit -qm part
             else git commit -q --amend --no-edit --date=\"2031-01-01T10:00:$((n + 10))\"; fi",
        ),
    ]
}
