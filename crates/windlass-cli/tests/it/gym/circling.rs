//! Agents that move and get nowhere: circles, numbers, and the same error again.

use super::agent::{Agent, letter};

const CIRCLE: &[&str] = &["oscillation"];
const CHURN: &[&str] = &["churn"];
const ERROR: &[&str] = &["same-error"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = circles();
    all.extend(numbers());
    all.extend(errors());
    all
}

/// One return may be an attempt that was taken back, the second is a circle: from the first return to
/// the second it may be stopped.
fn circles() -> Vec<Agent> {
    vec![
        Agent::stopped("goes back and forth between two states", 3, 4, CIRCLE)
            .circles(&["write a.txt one", "write a.txt two"]),
        Agent::stopped("goes around three states", 4, 5, CIRCLE).circles(&[
            "write a.txt one",
            "write a.txt two",
            "write a.txt three",
        ]),
        Agent::stopped("does and undoes", 2, 3, CIRCLE)
            .circles(&["write a.txt ok", "delete a.txt"]),
        Agent::stopped("goes back and forth with pauses", 5, 7, CIRCLE).circles(&[
            "write a.txt one",
            "say hm",
            "write a.txt two",
            "say hm",
        ]),
        Agent::stopped("goes back and forth, and claims each time", 2, 3, CIRCLE)
            .circles(&[
                "write a.txt ok\ndelete b.txt\nclaim",
                "write b.txt ok\ndelete a.txt\nclaim",
            ])
            .file("b.txt", "ok"),
        Agent::stopped("goes back and forth, and keeps a diary of it", 3, 4, CIRCLE).each(|n| {
            let state = if n % 2 == 0 { "one" } else { "two" };
            format!("write a.txt {state}\nappend notes.md now {}\\n", letter(n))
        }),
    ]
}

fn numbers() -> Vec<Agent> {
    let stamp = |n: u32| format!("write status.md last looked at: 2031-03-0{n} 10:0{n}\\n");
    vec![
        Agent::stopped("touches only a date", 3, 3, CHURN)
            .file("status.md", "last looked at: 2031-01-01 10:00\n")
            .each(move |n| stamp(n % 10)),
        Agent::stopped("touches only ids, in two files", 3, 3, CHURN)
            .file("a.md", "build 0f3a7c21\n")
            .file("b.md", "count: 1\n")
            .each(|n| format!("write a.md build 0f3a7c2{n}9\\n\nwrite b.md count: {n}7\\n")),
        Agent::stopped("touches a date every other time", 5, 5, CHURN)
            .file("status.md", "last looked at: 2031-01-01 10:00\n")
            .each(move |n| if n % 2 == 1 { stamp(n % 10) } else { "say hm".to_owned() }),
    ]
}

fn errors() -> Vec<Agent> {
    let notes = |n: u32| format!("append notes.md tried {}\\n", letter(n));
    vec![
        Agent::stopped("meets one error with other numbers", 3, 3, ERROR)
            .each(move |n| format!("{}\nsay error: no port {n}0{n} at /tmp/x{n}/y", notes(n))),
        Agent::stopped("ends well with an error line, and no edit", 3, 3, &["stagnation"])
            .each(|n| format!("say error: cannot open file {n}")),
        // Each of them three times.
        Agent::stopped("meets two errors in turn", 6, 6, ERROR).each(move |n| {
            let what = if n % 2 == 0 { "no disk" } else { "no key" };
            format!("{}\nsay error: {what}", notes(n))
        }),
        Agent::stopped("runs out of words", 3, 3, &["output-decline"]).each(move |n| {
            let words = match n {
                1 => "flood 5000",
                2 => "flood 1200",
                3 => "flood 200",
                _ => "say Done.",
            };
            format!("{}\n{words}", notes(n))
        }),
    ]
}
