//! Cycles between the modules of a crate: none is added, and what is on record only shrinks.

use std::{collections::BTreeMap, fmt::Write as _, fs};

use testkit::{
    house::{
        assert_tidy,
        modules::{Graph, compare},
    },
    source,
};

use crate::{NAMES, PACKAGES, package};

/// Every edge of a cycle that there still is: `FOLDER: a -> b`.
const RECORD: &str = "crates/testkit/tests/tidy/cycles.txt";

/// Crates of which nothing may be on record.
const WITHOUT_CYCLES: &[&str] = &[
    "crates/windlass",
    "crates/windlass-agents",
    "crates/windlass-core",
    "crates/windlass-proof",
    "crates/windlass-repo",
    "crates/windlass-store",
    "crates/windlass-system",
];

/// Says that what is gone is to be taken off the record. Nothing is ever put on it.
const UPDATE: &str = "WINDLASS_UPDATE_CYCLES";

#[test]
fn modules_have_no_cycles_but_those_on_record() {
    let text = source::text(RECORD);
    let mut recorded: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (folder, edge) = line.split_once(": ").expect("a line is `FOLDER: a -> b`");
        package(folder);
        assert!(!WITHOUT_CYCLES.contains(&folder), "{folder} must have no cycles");
        recorded.entry(folder).or_default().push(edge.to_owned());
    }
    let mut complaints = Vec::new();
    let mut all_edges = 0;
    let mut updated: String = text
        .lines()
        .take_while(|line| line.starts_with('#'))
        .fold(String::new(), |head, line| head + line + "\n");
    for package in &*PACKAGES {
        let graph = Graph::of(package, &NAMES);
        all_edges += graph.size().1;
        let cycles = graph.cycles();
        let known = recorded.remove(package.folder.as_str()).unwrap_or_default();
        complaints.extend(compare(&package.folder, &cycles, &known));
        for edge in cycles.iter().filter(|edge| known.contains(edge)) {
            writeln!(updated, "{}: {edge}", package.folder).expect("a string has room");
        }
    }
    assert!(all_edges > 100, "the graphs have {all_edges} edges: they were not read");
    if is_update() {
        fs::write(source::workspace().join(RECORD), updated).expect("the record can be written");
        return;
    }
    if !complaints.is_empty() {
        complaints.push(format!("the record is {RECORD}; {UPDATE}=1 takes off it what is gone"));
    }
    assert_tidy(&complaints);
}

#[expect(clippy::disallowed_methods, reason = "the caller decides whether the record is updated")]
fn is_update() -> bool {
    std::env::var_os(UPDATE).is_some()
}
