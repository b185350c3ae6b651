//! The life of findings over reports, and that the ledger can be built again.

use super::*;

fn finding(file: &str, title: &str, description: &str) -> Finding {
    Finding {
        file: Some(file.into()),
        title: title.into(),
        description: description.into(),
        ..Finding::default()
    }
}

fn standings(observed: &Observed) -> Vec<(u32, Standing)> {
    observed.noticed.iter().map(|noticed| (noticed.number, noticed.standing)).collect()
}

#[test]
fn a_finding_is_new_then_open_then_fixed_then_back() {
    let mut ledger = Ledger::default();
    let a = finding("a.rs", "overflow", "in line 3");
    let b = finding("b.rs", "leak", "of 3 files");
    let first = ledger.observe(1, vec![a.clone(), b.clone()]);
    assert_eq!(standings(&first), [(1, Standing::New), (2, Standing::New)]);
    assert!(first.gone.is_empty());

    let second = ledger.observe(2, vec![finding("a.rs", "Overflow", "in line 9")]);
    assert_eq!(standings(&second), [(1, Standing::Open)]);
    assert_eq!(second.gone, [2]);
    assert_eq!(ledger.counts(), Counts { total: 2, open: 1, fixed: 1, skipped: 0 });

    let third = ledger.observe(3, vec![b, finding("a.rs", "overflow", "told anew")]);
    assert_eq!(standings(&third), [(2, Standing::Back), (1, Standing::Open)]);
    assert_eq!(ledger.get(2).unwrap().times_back, 1);
    assert_eq!(ledger.get(1).unwrap().finding.description, "told anew");

    let clean = ledger.observe(4, vec![]);
    assert_eq!(clean.gone, [1, 2]);
    assert_eq!(ledger.trajectory(), [2, 1, 2, 0]);
    assert_eq!(ledger.counts().open, 0);
}

#[test]
fn the_same_text_twice_is_two_findings() {
    let mut ledger = Ledger::default();
    let a = finding("a.rs", "unused", "x");
    ledger.observe(1, vec![a.clone(), a.clone(), a.clone()]);
    assert_eq!(ledger.counts().total, 3);
    let second = ledger.observe(2, vec![a.clone()]);
    assert_eq!(standings(&second), [(1, Standing::Open)]);
    assert_eq!(second.gone, [2, 3]);
    // One is open and two are fixed: the open one is met first.
    let third = ledger.observe(3, vec![a.clone(), a]);
    assert_eq!(standings(&third), [(1, Standing::Open), (2, Standing::Back)]);
}

#[test]
fn the_very_same_text_is_matched_before_the_same_title() {
    let mut ledger = Ledger::default();
    ledger.observe(1, vec![finding("a.rs", "unused", "x"), finding("a.rs", "unused", "y")]);
    let second =
        ledger.observe(2, vec![finding("a.rs", "unused", "z"), finding("a.rs", "unused", "x")]);
    assert_eq!(standings(&second), [(2, Standing::Open), (1, Standing::Open)]);
}

#[test]
fn marks_stand_until_a_report_says_otherwise() {
    let mut ledger = Ledger::default();
    let all = vec![finding("a", "1", ""), finding("a", "2", ""), finding("a", "3", "")];
    ledger.observe(1, all.clone());
    assert!(ledger.mark(1, Mark::Fixed));
    assert!(ledger.mark(2, Mark::Skipped { reason: "by design".into() }));
    assert!(!ledger.mark(4, Mark::Fixed));
    assert_eq!(ledger.counts(), Counts { total: 3, open: 1, fixed: 1, skipped: 1 });
    assert_eq!(ledger.get(2).unwrap().reason.as_deref(), Some("by design"));
    // What was said to be fixed and is there again is back; what was skipped is open.
    let second = ledger.observe(2, all);
    let stand = [(1, Standing::Back), (2, Standing::Open), (3, Standing::Open)];
    assert_eq!(standings(&second), stand);
    assert_eq!(ledger.counts().open, 3);
    // What was skipped and is there no more is gone like any other.
    ledger.mark(2, Mark::Skipped { reason: "by design".into() });
    assert_eq!(ledger.observe(3, vec![]).gone, [1, 2, 3]);
}

#[test]
fn it_is_built_again_from_what_was_stored() {
    let mut ledger = Ledger::default();
    let mut stored = Vec::new();
    for (iteration, titles) in [(1, "abcc"), (2, "bcd"), (3, ""), (4, "acca")] {
        let report = titles.chars().map(|c| finding("f", &c.to_string(), "")).collect();
        let observed = ledger.observe(iteration, report);
        stored.push((iteration, serde_json::to_string(&observed).unwrap()));
    }
    let mut again = Ledger::default();
    for (iteration, text) in stored {
        again.apply(iteration, &serde_json::from_str(&text).unwrap());
    }
    assert_eq!(again, ledger);
    let text = serde_json::to_string(&ledger).unwrap();
    assert_eq!(serde_json::from_str::<Ledger>(&text).unwrap(), ledger);
}

#[test]
fn damaged_observations_do_not_stop_it() {
    let mut ledger = Ledger::default();
    let odd = |number| Noticed { number, standing: Standing::Open, finding: finding("a", "b", "") };
    ledger.apply(1, &Observed { noticed: vec![odd(0), odd(7), odd(7)], gone: vec![3, 7] });
    assert_eq!(ledger.counts(), Counts { total: 2, open: 1, fixed: 1, skipped: 0 });
    let next = ledger.observe(2, vec![finding("c", "d", "")]);
    assert_eq!(standings(&next), [(8, Standing::New)]);
}

#[test]
fn three_thousand_against_three_thousand_take_no_time() {
    let many = |shift: u32| -> Vec<Finding> {
        let one = |n: u32| finding(&format!("src/{}.rs", n % 300), &format!("defect {n}"), "same");
        (shift..3_000 + shift).map(one).collect()
    };
    let mut ledger = Ledger::default();
    ledger.observe(1, many(0));
    let before = std::time::Instant::now();
    let observed = ledger.observe(2, many(1_500));
    assert!(before.elapsed() < std::time::Duration::from_secs(1), "{:?}", before.elapsed());
    assert_eq!(observed.gone.len(), 1_500);
    assert_eq!(ledger.counts().total, 4_500);
}
