//! Agents that change their task file: honest ones, who also do the tasks, and their mirror images.

use super::{
    Agent,
    words::{letter, name, report, way},
};

const FOUR: &str = "- [ ] part a\n- [ ] part b\n- [ ] part c\n- [ ] part d\n";
/// The task file is all that moves.
const PLANS: &[&str] = &["stagnation", "oscillation", "churn"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = honest();
    all.extend(hopeless());
    all
}

fn tick(n: u32) -> String {
    format!("replace TASKS.md [ ] part {0} => [x] part {0}", letter(n))
}

fn work(n: u32) -> String {
    format!("write {}.txt ok\n{}", letter(n), tick(n))
}

fn honest() -> Vec<Agent> {
    let both = |n: u32, more: u32| format!("{}\n{}", work(n), work(more));
    vec![
        Agent::honest("splits a task in two, and does both", 5).tasks(FOUR).parts(4).each(|n| {
            match n {
                1 => "replace TASKS.md part a => half of part a\\n- [ ] part a".to_owned(),
                2 => format!("{}\nreplace TASKS.md [ ] half => [x] half", work(1)),
                n => work((n - 1).min(4)),
            }
        }),
        Agent::honest("puts its tasks in another order, and does them", 5)
            .tasks(FOUR)
            .parts(4)
            .each(|n| match n {
                1 => "write TASKS.md - [ ] part d\\n- [ ] part c\\n- [ ] part b\\n- [ ] part a\\n"
                    .to_owned(),
                n => work(6 - n.min(5)),
            }),
        Agent::honest("does two tasks each time", 2)
            .tasks(FOUR)
            .parts(4)
            .each(move |n| both(2 * n.min(2) - 1, 2 * n.min(2))),
        Agent::honest("opens a task again that it had done badly", 5).tasks(FOUR).parts(4).plays(
            &[
                "write a.txt bad\nreplace TASKS.md [ ] part a => [x] part a",
                &format!("replace TASKS.md [x] part a => [ ] part a\n{}", work(2)),
                &work(3),
                &work(1),
                &work(4),
            ],
        ),
    ]
}

fn hopeless() -> Vec<Agent> {
    let plans = |name, latest| Agent::stopped(name, 3, latest, PLANS).tasks(FOUR).parts(4);
    let order = |n: u32| {
        let letters = (0..4).map(|at| letter((at + n) % 4 + 1));
        let lines: String = letters.map(|letter| format!("- [ ] part {letter}\\n")).collect();
        format!("write TASKS.md {lines}")
    };
    vec![
        plans("splits its tasks forever", 4)
            .each(|n| format!("append TASKS.md - [ ] {} first\\n", name(n))),
        plans("puts its tasks in another order forever", 5).each(order),
        plans("rewords its tasks forever", 4).each(|n| {
            let lines: String = ["a", "b", "c", "d"]
                .map(|part| format!("- [ ] {} part {part}\\n", way(n)))
                .concat();
            format!("write TASKS.md {lines}")
        }),
        plans("ticks a box each time, and writes a note", 4).each(|n| {
            let tick = if n > 4 { "say all is ticked".to_owned() } else { tick(n) };
            format!("{tick}\nappend notes.md {}\\n", report(n))
        }),
    ]
}
