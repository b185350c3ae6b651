//! Checks of the baseline, of claims and on the original tests are rows of one table, and are told
//! apart.

use windlass_core::{
    event::{EventKind, OriginalsRan},
    ids::Place,
    proof_record::OriginalsState,
    step::guarded::OriginalsReport,
    step::{CheckReport, StepResult},
    test_counts::TestCounts,
};
use windlass_store::store::{Durability, Store};

use super::script::{check_finished, check_started, iteration, new_loop, stamp, started};

fn report(passed: bool, failed: u32) -> CheckReport {
    let EventKind::StepFinished { result: StepResult::Check(report), .. } =
        check_finished(&Place::new(1, "check/1"), passed)
    else {
        panic!("a check gives a report")
    };
    let tests = TestCounts { passed: 40, failed, ..TestCounts::default() };
    CheckReport { tests: Some(tests), ..report }
}

#[test]
fn checks_on_the_originals_and_of_the_baseline_are_no_checks_of_the_claim() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let new = new_loop("brave-otter", home.path());
    store.create_loop(&new).unwrap();
    let baseline = Place::new(0, "baseline/1");
    let originals = OriginalsReport {
        checks: vec![report(false, 2)],
        without_new_tests: vec![report(true, 0)],
        ..OriginalsReport::default()
    };
    let mut kinds = vec![started(), check_started(&baseline), check_finished(&baseline, true)];
    kinds.extend(iteration(1, false));
    kinds.push(EventKind::StepFinished {
        place: Place::new(1, "originals"),
        result: StepResult::Originals(Box::new(originals)),
    });
    let ran =
        OriginalsRan { iteration: 1, state: OriginalsState::Passed, ..OriginalsRan::default() };
    kinds.push(EventKind::Originals(ran.clone()));
    let events = stamp(&new.id, 0, kinds);
    store.append(&new.id, 1, &events, Durability::Process).unwrap();

    let all = store.iterations(&new.id).unwrap();
    let commands = |checks: &[windlass_store::store::CheckRecord]| {
        let told = checks.iter().map(|one| (one.part.clone(), one.passed, one.tests.clone()));
        told.collect::<Vec<_>>()
    };
    assert_eq!(commands(&all[0].checks), [(None, Some(false), None)]);
    let counts = |failed| Some(TestCounts { passed: 40, failed, ..TestCounts::default() });
    assert_eq!(
        commands(&all[0].originals),
        [
            (Some("originals".to_owned()), Some(false), counts(2)),
            (Some("originals_alone".to_owned()), Some(true), counts(0)),
        ]
    );
    let plain = rusqlite::Connection::open(home.path().join("windlass.db")).unwrap();
    let rows: Vec<(String, Option<String>)> = plain
        .prepare("SELECT place, part FROM checks ORDER BY id")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let part = |place: &str, part: Option<&str>| (place.to_owned(), part.map(str::to_owned));
    assert_eq!(
        rows,
        [
            part("0/baseline/1", Some("baseline")),
            part("1/check/1", None),
            part("1/originals/1/1", Some("originals")),
            part("1/originals/2/1", Some("originals_alone")),
        ]
    );
    assert_eq!(store.proof_view(&new.id).unwrap().originals, Some(ran));
}
