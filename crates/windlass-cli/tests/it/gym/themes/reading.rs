//! Agents that read before they work, or instead: those who tell something new each time may go on longer
//! than those who repeat themselves. Four sessions of new things may come before work; the sixth and the
//! seventh are a pattern.

use super::{
    Agent,
    words::{claims, letter, name, report, way},
};

const STANDS: &[&str] = &["stagnation"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = honest();
    all.extend(repeats());
    all.extend(never_works());
    all
}

/// A session of Claude Code that reads a file and then says this.
fn reads(path: &str, says: &str) -> String {
    let input = format!(r#"{{"file_path":"{path}"}}"#);
    let tool = format!(r#"{{"type":"tool_use","id":"t","name":"Read","input":{input}}}"#);
    format!(
        "echo '{{\"type\":\"assistant\",\"message\":{{\"content\":[{tool}]}}}}'\n\
         echo '{{\"type\":\"result\",\"is_error\":false,\"result\":\"{says}\"}}'"
    )
}

/// A program that does something else in each session.
fn sessions(session: impl Fn(u32) -> String) -> String {
    let cases: String = (1..=20).map(|n| format!("{n}) {} ;;\n", session(n))).collect();
    format!("case $n in\n{cases}esac")
}

fn honest() -> Vec<Agent> {
    let all_parts = "write a.txt ok\nwrite b.txt ok\nwrite c.txt ok\nclaim";
    let part = |n: u32| format!("write {}.txt ok", letter(n));
    let done = r#"for part in a b c; do echo ok > $part.txt; done; echo '{"type":"result","is_error":false,"result":"CLAIM"}'"#;
    vec![
        Agent::honest("reads for four sessions, and then does all the work", 5)
            .each(move |n| if n < 5 { format!("say {}", report(n)) } else { all_parts.to_owned() }),
        Agent::honest("reads another file in each of four sessions, and then works", 5).claude(
            &sessions(|n| match n {
                1..=4 => reads(&format!("src/{}.py", name(n)), report(n)),
                _ => done.to_owned(),
            }),
        ),
        Agent::honest("reads for four sessions, and then does a part each time", 7).each(
            move |n| match n {
                1..=4 => format!("say {}", report(n)),
                5..=7 => format!("{}\n{}", part(n - 4), claims(n, 7)),
                _ => "claim".to_owned(),
            },
        ),
        Agent::honest("reads three times before each part", 12).each(move |n| match n % 4 {
            0 if n <= 12 => format!("{}\n{}", part(n / 4), claims(n, 12)),
            _ => format!("say {}", report(n)),
        }),
        // Twice may be chance.
        Agent::honest("writes a plan in two sessions, and then works", 5).each(move |n| match n {
            1 | 2 => format!("append plan.md {}\\n", report(n)),
            n => format!("{}\n{}", part((n - 2).min(3)), claims(n, 5)),
        }),
    ]
}

fn repeats() -> Vec<Agent> {
    let thoughts = [report(1), report(2), report(3)];
    vec![
        Agent::stopped("says each time that it reads the same file", 3, 4, STANDS)
            .each(|n| format!("say I have read the parser {n} times now; it keeps a stack.")),
        Agent::stopped("reads the same file each time, as its tools show", 3, 4, STANDS)
            .claude(&reads("src/parser.py", "Let me look at the parser once more before I begin.")),
        Agent::stopped("says the same sentences in another order", 3, 5, STANDS).each(move |n| {
            let at = n as usize;
            format!(
                "say {} {} {}",
                thoughts[at % 3],
                thoughts[(at + 1) % 3],
                thoughts[(at + 2) % 3]
            )
        }),
    ]
}

fn never_works() -> Vec<Agent> {
    vec![
        Agent::stopped("tells something new each time, and never works", 5, 7, STANDS)
            .each(|n| format!("say {}", report(n))),
        Agent::stopped("reads another file each time, and never works", 5, 7, STANDS)
            .claude(&sessions(|n| reads(&format!("src/{}.py", name(n)), report(n)))),
        Agent::stopped("promises another first step each time", 5, 7, STANDS)
            .each(|n| format!("say Next I {} the {} and then see. {}", way(n), name(n), report(n))),
    ]
}
