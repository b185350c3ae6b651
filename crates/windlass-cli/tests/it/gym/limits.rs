//! Agents that the rules get wrong although they do what they promise. They are shown beside the
//! sums, so that nobody takes the sums for more than they are.

use super::agent::{Agent, letter};

pub(super) fn all() -> Vec<Agent> {
    let part = |n: u32| format!("write {}.txt ok", letter(n));
    let claims = |n: u32, last: u32| if n == last { "claim" } else { "say on it" };
    vec![
        Agent::honest("gets there, and says a quarter each time", 4).parts(4).each(move |n| {
            let words = 20_000_u32 >> (2 * n.min(7));
            format!("{}\nflood {words}\n{}", part(n), claims(n, 4))
        }),
        Agent::honest("gets there, and tells of an error that stays", 7).parts(7).each(move |n| {
            format!("{}\nsay error: the server is away\n{}", part(n), claims(n, 7))
        }),
        Agent::honest("claims each time, and the check tells only how many are left", 7)
            .check("left=$((7 - $(ls ?.txt 2>/dev/null | wc -l))); echo $left left; exit $((left > 0))")
            .each(move |n| format!("{}\nclaim", part(n))),
        Agent::stopped("goes back and forth, and keeps a diary of it", 3, 4, &["oscillation"])
            .each(|n| {
                let state = if n % 2 == 0 { "one" } else { "two" };
                format!("write a.txt {state}\nappend notes.md now {}\\n", letter(n))
            }),
    ]
}
