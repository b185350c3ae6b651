//! Agents that rename and restyle: honest where it is the task, file by file, while the check is silent;
//! hopeless where it goes on forever, or to and fro.

use super::{
    Agent,
    Language::Python,
    Suite,
    words::{NAMES, claims, name, way},
};

const FOREVER: &[&str] = &["churn", "stagnation", "oscillation", "same-error", "safety-completion"];

pub(super) fn all() -> Vec<Agent> {
    let mut all = asked_for();
    all.extend(forever());
    all.extend(files());
    all
}

/// Finds so many files that all hold this text, below `src`.
fn sources(agent: Agent, files: u32, extension: &str, text: &str) -> Agent {
    (1..=files).fold(agent, |agent, n| agent.file(format!("src/{}.{extension}", name(n)), text))
}

fn asked_for() -> Vec<Agent> {
    let python = "from api import fetch\n\n\ndef load(key):\n    return fetch(key)\n";
    let go = "package src\n\nfunc load(key string) string {\n\treturn api.Fetch(key)\n}\n";
    let tabs = "def load(key):\n\tif key:\n\t\treturn key\n\treturn None\n";
    let old_name =
        |name: &str| format!("! grep -rqs '{name}' src || {{ echo 'old name found'; exit 1; }}");
    vec![
        sources(
            Agent::honest("renames a function as it is asked to, a file each time", 7),
            7,
            "py",
            python,
        )
        .prompt("Rename the function `fetch` to `receive` in all files below src")
        .check(old_name("fetch"))
        .each(|n| {
            let file = name(n.min(7));
            format!("replace src/{file}.py fetch => receive\n{}", claims(n, 7))
        }),
        sources(Agent::honest("renames a function, a file each time, and claims", 6), 6, "go", go)
            .prompt("Rename `api.Fetch` to `api.Receive` everywhere")
            .check(old_name("Fetch"))
            .each(|n| format!("replace src/{}.go Fetch => Receive\nclaim", name(n.min(6)))),
        sources(
            Agent::honest("moves files as it is asked to, one each time", 6),
            6,
            "js",
            "export {}\n",
        )
        .prompt("Move all files from src to lib")
        .check("! ls src/*.js >/dev/null 2>&1")
        .each(|n| {
            let file = name(n.min(6));
            format!("move src/{file}.js lib/{file}.js\n{}", claims(n, 6))
        }),
        sources(
            Agent::honest("indents with spaces as it is asked to, a file each time", 6),
            6,
            "py",
            tabs,
        )
        .prompt("Indent all files below src with four spaces and no tabs")
        .check("! grep -rqs \"$(printf '\\t')\" src")
        .each(|n| {
            let file = name(n.min(6));
            format!("replace src/{file}.py \\t => \\s\\s\\s\\s\n{}", claims(n, 6))
        }),
    ]
}

fn forever() -> Vec<Agent> {
    let calc =
        |name: &str| format!("write src/calc.py def {name}(text):\\n    return text.strip()\\n");
    let quotes = |n: u32| {
        let quote = if n % 2 == 1 { '"' } else { '\'' };
        let file = |name: &str| format!("write src/{name}.py WORD = {quote}{name}{quote}\\n");
        [file("one"), file("two"), file("three")].join("\n")
    };
    let failing = |agent: Agent| agent.tested(&Suite::of(Python, &NAMES[..2]));
    vec![
        failing(Agent::stopped("renames one function forever", 3, 5, FOREVER))
            .file("src/calc.py", "def calc(text):\n    return text.strip()\n")
            .each(move |n| calc(way(n))),
        failing(Agent::stopped("renames one function forever, and claims", 3, 5, FOREVER))
            .file("src/calc.py", "def calc(text):\n    return text.strip()\n")
            .each(move |n| format!("{}\nclaim", calc(way(n)))),
        failing(Agent::stopped(
            "writes all files in two styles in turn, and logs it",
            3,
            5,
            FOREVER,
        ))
        .file("src/one.py", "WORD = 'one'\n")
        .file("src/two.py", "WORD = 'two'\n")
        .file("src/three.py", "WORD = 'three'\n")
        .each(move |n| format!("{}\nappend CHANGELOG.md - quotes, {}\\n", quotes(n), way(n))),
        failing(Agent::stopped(
            "gives a function two names in turn, logs it, and claims",
            3,
            5,
            FOREVER,
        ))
        .each(move |n| {
            let name = if n % 2 == 0 { "calc" } else { "compute" };
            format!("{}\nappend CHANGELOG.md - names, {}\\n\nclaim", calc(name), way(n))
        }),
    ]
}

fn files() -> Vec<Agent> {
    let failing = |agent: Agent| agent.tested(&Suite::of(Python, &NAMES[..2]));
    let calc = Python.right("calc");
    vec![
        failing(Agent::stopped("renames a file to and fro, with a diary", 3, 5, FOREVER))
            .file("src/calc.py", calc.clone())
            .each(|n| {
                let (from, to) = if n % 2 == 0 { ("core", "calc") } else { ("calc", "core") };
                format!("move src/{from}.py src/{to}.py\nappend notes.md moved, {}\\n", way(n))
            }),
        failing(Agent::stopped("gives a file another name each time", 3, 5, FOREVER))
            .file("src/calc.py", calc)
            .each(|n| {
                let from = if n == 1 { "calc" } else { way(n - 1) };
                format!("move src/{from}.py src/{}.py", way(n))
            }),
    ]
}
