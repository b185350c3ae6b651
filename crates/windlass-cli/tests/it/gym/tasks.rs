//! Agents with a task file: those that work it off, and those that only write in it.

use super::agent::{Agent, letter};

/// Three tasks, a part each.
const TASKS: &str = "# Plan\n- [ ] part a\n- [ ] part b\n- [ ] part c\n";
/// Five of them.
const FIVE: &str = "- [ ] part a\n- [ ] part b\n- [ ] part c\n- [ ] part d\n- [ ] part e\n";
const STANDS: &[&str] = &["stagnation"];

pub(super) fn all() -> Vec<Agent> {
    let tasks =
        |agent: Agent, text: &str| agent.file("TASKS.md", text).with(&["--tasks", "TASKS.md"]);
    let work = |n: u32| format!("write {0}.txt ok\n{1}", letter(n), tick(n));
    vec![
        tasks(Agent::honest("works the tasks off one by one", 3), TASKS).each(work),
        tasks(Agent::honest("works them off where no check is given", 3), TASKS)
            .checked_by(None)
            .each(work),
        tasks(Agent::honest("ticks all of them after the work", 4), TASKS).plays(&[
            "write a.txt ok",
            "write b.txt ok",
            "write c.txt ok",
            "replace TASKS.md [ ] => [x]",
        ]),
        tasks(Agent::honest("finds more tasks on its way", 5), TASKS).parts(5).each(|n| {
            let found = if n < 3 { letter(n + 3) } else { return work(n) };
            format!("{}\nappend TASKS.md - [ ] part {found}\\n", work(n))
        }),
        tasks(Agent::honest("plans twice in the task file, then works", 5), TASKS).each(
            |n| match n {
                1 => "replace TASKS.md # Plan => # The plan".to_owned(),
                2 => "replace TASKS.md plan => plan, in order".to_owned(),
                n => work((n - 2).min(3)),
            },
        ),
        tasks(Agent::stopped("ticks a box each time and does nothing", 3, 3, STANDS), FIVE)
            .parts(5)
            .each(|n| if n > 5 { "say ticked".to_owned() } else { tick(n) }),
        tasks(Agent::stopped("ticks all boxes at once and does nothing", 3, 3, STANDS), TASKS)
            .plays(&["replace TASKS.md [ ] => [x]", "say all is ticked"]),
        tasks(Agent::stopped("ticks all boxes, where no check is given", 3, 3, STANDS), TASKS)
            .checked_by(None)
            .plays(&["replace TASKS.md [ ] => [x]", "say all is ticked"]),
        tasks(Agent::stopped("only writes in the task file", 3, 3, STANDS), TASKS)
            .each(|n| format!("append TASKS.md Think about {} first.\\n", letter(n))),
        tasks(Agent::stopped("takes tasks out of the file", 3, 3, STANDS), FIVE).parts(5).each(
            |n| match n {
                1..=4 => format!("replace TASKS.md - [ ] part {}\\n => \\s", letter(n)),
                _ => "say the list is short".to_owned(),
            },
        ),
        tasks(
            Agent::stopped("ticks a box and opens it again", 3, 4, &["stagnation", "oscillation"]),
            TASKS,
        )
        .circles(&["replace TASKS.md [ ] part a => [x] part a", "replace TASKS.md [x] => [ ]"]),
    ]
}

fn tick(n: u32) -> String {
    format!("replace TASKS.md [ ] part {0} => [x] part {0}", letter(n))
}
