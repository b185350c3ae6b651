//! Agents that get there, and that the rules stop although they do what they promise. They are shown
//! beside the sums, so that nobody takes the sums for more than they are.

use super::agent::{Agent, block, letter};

pub(super) fn all() -> Vec<Agent> {
    let mut all = by_what_they_say();
    all.extend(by_what_they_meet());
    all
}

fn part(n: u32) -> String {
    format!("write {}.txt ok", letter(n))
}

fn claims(n: u32, last: u32) -> &'static str {
    if n == last { "claim" } else { "say on it" }
}

fn by_what_they_say() -> Vec<Agent> {
    let testing = block("STATUS: IN_PROGRESS\\nWORK_TYPE: TESTING");
    vec![
        Agent::honest("says a quarter each time", 4).parts(4).each(|n| {
            let words = 20_000_u32 >> (2 * n.min(7));
            format!("{}\nflood {words}\n{}", part(n), claims(n, 4))
        }),
        Agent::honest("tells of an error that stays", 7)
            .parts(7)
            .each(|n| format!("{}\nsay error: the server is away\n{}", part(n), claims(n, 7))),
        Agent::honest("writes tests, which is its task, and calls it testing", 5)
            .parts(5)
            .with(&["--protocol", "status"])
            .each(move |n| format!("{}\n{testing}\n{}", part(n), claims(n, 5))),
        Agent::honest("works without the status block that it was asked for", 5)
            .parts(5)
            .with(&["--protocol", "status"])
            .each(|n| format!("{}\n{}", part(n), claims(n, 5))),
    ]
}

fn by_what_they_meet() -> Vec<Agent> {
    let work = "part=$(echo a b c d e f g | cut -d' ' -f$n); echo ok > $part.txt\n";
    let denied = r#""permission_denials":[{"tool_name":"WebSearch","tool_use_id":"t"}],"#;
    let says = |text: &str| {
        format!(r#"echo '{{"type":"result",{denied}"is_error":false,"result":"{text}"}}'"#)
    };
    let (more, done) = (says("more"), says("CLAIM"));
    vec![
        Agent::honest("takes two attempts back", 6).parts(2).plays(&[
            "write a.txt ok",
            "write b.txt wrong",
            "delete b.txt",
            "write b.txt no",
            "delete b.txt",
            "write b.txt ok\nclaim",
        ]),
        Agent::honest("claims each time, and the check tells only how many are left", 7)
            .check(
                "left=$((7 - $(ls ?.txt 2>/dev/null | wc -l))); echo $left left; exit $((left > 0))",
            )
            .each(|n| format!("{}\nclaim", part(n))),
        Agent::honest("does without a tool that it is denied each time", 4).parts(4).claude(
            &format!("{work} if [ $n = 4 ]; then {done}; else {more}; fi"),
        ),
    ]
}
