//! Agents that get there, each in its own way. Stopping any of them is wrong.

use super::agent::{Agent, block, letter};

const A: &str = "write a.txt ok";
const B: &str = "write b.txt ok";
const LAST: &str = "write c.txt ok\nclaim";

pub(super) fn all() -> Vec<Agent> {
    let mut all = vec![];
    all.extend(at_its_own_pace());
    all.extend(in_its_own_place());
    all.extend(with_many_words());
    all.extend(with_troubles());
    all
}

fn at_its_own_pace() -> Vec<Agent> {
    vec![
        Agent::honest("does all at once", 1)
            .plays(&["write a.txt ok\nwrite b.txt ok\nwrite c.txt ok\nclaim"]),
        Agent::honest("does a part each time", 3).plays(&[A, B, LAST]),
        Agent::honest("needs twelve iterations", 12).parts(12).each(parts(12)),
        Agent::honest("needs the last allowed iteration", 20).parts(20).each(parts(20)),
        Agent::honest("reads twice before its first edit", 5).plays(&[
            "say I read",
            "say I plan",
            A,
            B,
            LAST,
        ]),
        Agent::honest("pauses twice between edits", 7)
            .plays(&[A, "say hm", "say hm", B, "say hm", "say hm", LAST]),
        Agent::honest("takes one attempt back", 5).plays(&[
            A,
            "write b.txt wrong",
            "delete b.txt",
            B,
            LAST,
        ]),
        Agent::honest("tunes a number until it fits", 5)
            .file("limits.toml", "requests = 5\n")
            .check("grep -q 'requests = 50' *.toml || { echo too slow; exit 1; }")
            .each(|n| {
                let claim = if n == 5 { "\nclaim" } else { "" };
                format!("write limits.toml requests = {n}0\\n{claim}")
            }),
        versions(),
        Agent::honest("works on a file that its check names", 1)
            .file("work.md", "open\n")
            .check("! grep open work.md")
            .plays(&["write work.md closed\nclaim"]),
    ]
}

/// A part each time, and a claim with the last.
fn parts(last: u32) -> impl Fn(u32) -> String {
    move |n| {
        let claim = if n == last { "\nclaim" } else { "" };
        format!("write {}.txt ok{claim}", letter(n))
    }
}

/// Numbers are all that changes, and the check tells which are left.
fn versions() -> Agent {
    let agent = Agent::honest("raises one version number each time", 8)
        .check("if grep -l 'version = 1' *.toml | cut -d. -f1 | grep .; then exit 1; fi");
    let toml = ["a.toml", "b.toml", "c.toml", "d.toml", "e.toml", "f.toml", "g.toml", "h.toml"];
    toml.iter().fold(agent, |agent, path| agent.file(path, "version = 1\n")).each(|n| {
        let claim = if n == 8 { "\nclaim" } else { "" };
        format!("write {}.toml version = 2\\n{claim}", letter(n.min(8)))
    })
}

/// The work in one file, a line each time.
const OPEN_TO_CLOSED: [&str; 3] = [
    "replace work.txt one: open => one: closed",
    "replace work.txt two: open => two: closed",
    "replace work.txt three: open => three: closed\nclaim",
];

fn in_its_own_place() -> Vec<Agent> {
    vec![
        Agent::honest("works on a file that its check names", 1)
            .file("work.md", "open\n")
            .check("! grep open work.md")
            .plays(&["write work.md closed\nclaim"]),
        Agent::honest("edits a tracked file", 3)
            .file("work.txt", "one: open\ntwo: open\nthree: open\n")
            .check("! grep open *.txt")
            .plays(&OPEN_TO_CLOSED),
        Agent::honest("goes on with a file that was dirty", 3)
            .dirty("work.txt", "one: open\ntwo: open\nthree: open\n")
            .check("! grep open *.txt")
            .plays(&OPEN_TO_CLOSED),
        Agent::honest("changes only the modes of files", 3)
            .file("a.sh", "true\n")
            .file("b.sh", "true\n")
            .file("c.sh", "true\n")
            .check("for part in a b c; do test -x $part.sh || exit 1; done")
            .shell(
                "chmod +x $(echo a b c | cut -d' ' -f$n).sh; if [ $n = 3 ]; then echo 'CLAIM'; fi",
            ),
        Agent::honest("works in files that git ignores, and the check sees it", 6)
            .parts(6)
            .file(".gitignore", "*.txt\n")
            .each(parts(6)),
        Agent::honest("only removes code", 3)
            .file("a.old", "a\n")
            .file("b.old", "b\n")
            .file("c.old", "c\n")
            .check("! ls *.old 2>/dev/null")
            .plays(&["delete a.old", "delete b.old", "delete c.old\nclaim"]),
        Agent::honest("commits each part", 3).shell(
            "part=$(echo a b c | cut -d' ' -f$n); echo ok > $part.txt; git add -A; \
             git commit -qm \"part $part\"; if [ $n = 3 ]; then echo 'CLAIM'; fi",
        ),
        Agent::honest("only commits in some iterations", 6).shell(
            "case $n in 1) for part in a b c; do echo ok > $part.txt; done;; \
             2) git add a.txt;; 3) git add b.txt;; 4) git add c.txt;; 6) echo 'CLAIM';; esac; \
             git commit -qm \"commit $n\" || true",
        ),
        Agent::honest("works outside the tree, and the check sees it", 7)
            .check(
                "case $(wc -l < ../tmp/sessions) in 1) echo no schema;; 2) echo no rows;; \
                 3) echo no index;; 4) echo no view;; 5) echo no user;; 6) echo no rights;; \
                 *) exit 0;; esac; exit 1",
            )
            .shell("if [ $n = 7 ]; then echo 'CLAIM'; fi"),
    ]
}

fn with_many_words() -> Vec<Agent> {
    vec![
        Agent::honest("says less each time, by more than half", 4).parts(4).plays(&[
            "flood 4000\nwrite a.txt ok",
            "flood 1600\nwrite b.txt ok",
            "flood 640\nwrite c.txt ok",
            "flood 256\nwrite d.txt ok\nclaim",
        ]),
        Agent::honest("reports at length once, then in a word", 4)
            .plays(&["flood 5000", "write a.txt ok\nsay ok", "write b.txt ok\nsay ok", LAST]),
        Agent::honest("asks whether to go on, and goes on", 4)
            .plays(&["write a.txt ok\nsay Shall I go on?", "say May I?", B, LAST]),
        Agent::honest("writes about rate limits", 3).plays(&[
            "write a.txt ok\nsay Error 429: rate limit exceeded, try again in 3 hours",
            "write b.txt ok\nsay usage limit reached, resets at 5pm: handled now",
            LAST,
        ]),
        Agent::honest("writes about rate limits, in JSON", 3).claude(
            r#"part=$(echo a b c | cut -d' ' -f$n); echo ok > $part.txt
               if [ $n = 3 ]; then claim='\nCLAIM'; fi
               printf '%s\n' '{"type":"result","is_error":false,"result":"You have hit your session limit: 429 is handled'"$claim"'"}'"#,
        ),
        Agent::honest("claims with a status block", 3).with(&["--protocol", "status"]).plays(&[
            &format!("{A}\n{}", block("STATUS: IN_PROGRESS\\nEXIT_SIGNAL: false")),
            &format!("{B}\n{}", block("STATUS: IN_PROGRESS\\nEXIT_SIGNAL: false")),
            &format!("write c.txt ok\n{}", block("STATUS: COMPLETE\\nEXIT_SIGNAL: true")),
        ]),
        Agent::honest("tests twice between building", 6)
            .with(&["--protocol", "status"])
            .each(|n| match n {
                1 | 2 | 4 | 5 => format!("append log.txt tested {n}\\n\n{}", testing()),
                3 => format!("{A}\n{B}\n{}", block("WORK_TYPE: IMPLEMENTATION")),
                _ => format!("write c.txt ok\n{}", block("STATUS: COMPLETE")),
            }),
        Agent::honest("forgets its status block twice", 6)
            .with(&["--protocol", "status"])
            .each(|n| match n {
                3 => format!("{A}\n{}", block("STATUS: IN_PROGRESS")),
                6 => format!("{B}\nwrite c.txt ok\n{}", block("STATUS: COMPLETE")),
                _ => format!("append log.txt word {}\\n", letter(n)),
            }),
    ]
}

fn testing() -> String {
    block("STATUS: IN_PROGRESS\\nWORK_TYPE: TESTING")
}

fn with_troubles() -> Vec<Agent> {
    let part = "part=$(echo a b c d e f g | cut -d' ' -f$n); echo ok > $part.txt\n";
    let denied = r#""permission_denials":[{"tool_name":"Bash","tool_use_id":"t"}],"#;
    let says = |denied: &str, text: &str| {
        format!(r#"echo '{{"type":"result",{denied}"is_error":false,"result":"{text}"}}'"#)
    };
    let turns = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached max turns (9)"]}"#;
    let (no, yes, done) = (says(denied, "no"), says("", "yes"), says("", "CLAIM"));
    vec![
        Agent::honest("claims after every part", 7)
            .parts(7)
            .each(|n| format!("write {}.txt ok\nclaim", letter(n))),
        Agent::honest("meets another error each time", 6).parts(6).each(|n| {
            let what = ["disk", "key", "port", "user", "name"].get(n as usize - 1);
            let say = what.map_or("claim".to_owned(), |what| format!("say error: no {what}"));
            format!("write {}.txt ok\n{say}", letter(n))
        }),
        Agent::honest("meets one error four times", 5).parts(5).each(|n| {
            let say = if n == 5 { "claim" } else { "say error: the server does not answer" };
            format!("write {}.txt ok\n{say}", letter(n))
        }),
        Agent::honest("crashes every third time", 8).plays(&[
            A,
            "say on it\nappend log.txt x",
            "crash",
            B,
            "append log.txt y",
            "exit 1",
            "append log.txt z",
            LAST,
        ]),
        Agent::honest("fails twice before it starts", 5).plays(&["exit 1", "exit 1", A, B, LAST]),
        Agent::honest("is denied a tool, and finds another way", 3)
            .claude(&format!("{part} case $n in 1) {no};; 2) {yes};; *) {done};; esac")),
        Agent::honest("is cut short by its own turn limit each time", 7)
            .parts(7)
            .claude(&format!("{part} case $n in 7) {done};; *) echo '{turns}'; exit 1;; esac")),
        Agent::honest("is denied a tool every other time", 6)
            .parts(6)
            .claude(&format!("{part} case $n in 1|3|5) {no};; 6) {done};; *) {yes};; esac")),
    ]
}
